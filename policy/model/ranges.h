#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rch::policy::qos {

/// A set of numbers as inclusive ranges: ascending, with a gap between each two.
class Ranges {
 public:
  using Range = std::pair<std::uint64_t, std::uint64_t>;

  Ranges() = default;
  /// Takes ranges in any order, which may overlap.
  explicit Ranges(std::vector<Range> ranges);

  void add(const Ranges& other);

  bool empty() const { return ranges_.empty(); }
  bool contains(std::uint64_t number) const;
  bool contains(const Ranges& other) const;
  std::span<const Range> all() const { return ranges_; }

  friend bool operator==(const Ranges&, const Ranges&) = default;

 private:
  const Range* find(std::uint64_t number) const;

  std::vector<Range> ranges_;
};

}  // namespace rch::policy::qos
