#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rch::report {

/// Arrays of numbers that a page carries, one behind the other, each aligned for its elements. The machine is
/// little-endian, and so is every browser's.
class Arrays {
 public:
  struct Entry {
    std::string name;
    std::size_t offset = 0;  ///< in bytes
    std::size_t count = 0;   ///< of elements
    char type = 'u';         ///< `u` unsigned integers, `f` floating-point numbers
    std::size_t size = 1;    ///< bytes of an element
  };

  template <class T>
  void add(std::string name, std::span<const T> values) {
    while (bytes_.size() % sizeof(T) != 0) bytes_ += '\0';
    index_.push_back({std::move(name), bytes_.size(), values.size(), T(0.5) == T(0) ? 'u' : 'f', sizeof(T)});
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  template <class T>
  void add(std::string name, const std::vector<T>& values) {
    add(std::move(name), std::span<const T>(values));
  }

  std::span<const Entry> index() const { return index_; }
  /// All of them in the zlib format (RFC 1950), in Base64 (RFC 4648).
  std::string text() const;

 private:
  std::string bytes_;
  std::vector<Entry> index_;
};

}  // namespace rch::report
