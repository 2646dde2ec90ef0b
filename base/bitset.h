#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace rch {

/// A set of ids of one kind, one bit each. The universe [0, size) is fixed at construction.
template <class IdType>
class IdSet {
 public:
  IdSet() = default;
  explicit IdSet(std::size_t universe, bool full = false)
      : size_(universe), words_((universe + 63) / 64, full ? ~std::uint64_t{0} : 0) {
    if (full && universe % 64 != 0) words_.back() = (std::uint64_t{1} << (universe % 64)) - 1;
  }

  std::size_t universe() const { return size_; }
  /// Ids beyond the universe are simply not members.
  bool contains(IdType id) const {
    return id.index() < size_ && ((words_[id.index() / 64] >> (id.index() % 64)) & 1U) != 0;
  }
  void insert(IdType id) { words_[id.index() / 64] |= std::uint64_t{1} << (id.index() % 64); }
  void erase(IdType id) { words_[id.index() / 64] &= ~(std::uint64_t{1} << (id.index() % 64)); }

  std::size_t count() const {
    std::size_t n = 0;
    for (std::uint64_t word : words_) n += static_cast<std::size_t>(std::popcount(word));
    return n;
  }
  bool empty() const { return count() == 0; }

  /// Calls f(id) for every member in ascending order.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
        f(IdType(
            static_cast<typename IdType::rep>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)))));
  }

  /// Set algebra; both sides must have the same universe.
  IdSet& operator|=(const IdSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }
  IdSet& operator&=(const IdSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
    return *this;
  }
  IdSet& operator-=(const IdSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
    return *this;
  }

  std::vector<std::uint64_t>& words() { return words_; }
  const std::vector<std::uint64_t>& words() const { return words_; }

  friend bool operator==(const IdSet&, const IdSet&) = default;

 private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace rch
