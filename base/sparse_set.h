#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/bitset.h"

namespace rch {

/// A set of ids of one kind, for thousands of sets that each hold little of a large universe: 64 ids a word,
/// words without a member left out. Ids inserted in ascending order cost least.
template <class IdType>
class SparseSet {
 public:
  void insert(IdType id) { word(id.index() / 64).bits |= std::uint64_t{1} << (id.index() % 64); }
  bool contains(IdType id) const {
    return ((bits_at(static_cast<std::uint32_t>(id.index() / 64)) >> (id.index() % 64)) & 1U) != 0;
  }

  std::size_t count() const {
    std::size_t n = 0;
    for (const Word& word : words_) n += static_cast<std::size_t>(std::popcount(word.bits));
    return n;
  }
  bool empty() const { return words_.empty(); }

  /// Calls f(id) for every member in ascending order.
  template <class F>
  void for_each(F&& f) const {
    for (const Word& word : words_)
      for (std::uint64_t bits = word.bits; bits != 0; bits &= bits - 1)
        f(IdType(static_cast<typename IdType::rep>(word.index * std::size_t{64} +
                                                   static_cast<std::size_t>(std::countr_zero(bits)))));
  }

  /// Set algebra. A small set joins a large one at the cost of the small one.
  SparseSet& operator|=(const SparseSet& other) {
    if (other.words_.size() * 16 < words_.size())
      for (const Word& theirs : other.words_) word(theirs.index).bits |= theirs.bits;
    else
      merge(other);
    return *this;
  }
  SparseSet& operator&=(const SparseSet& other) {
    return keep([&](const Word& mine) { return mine.bits & other.bits_at(mine.index); });
  }
  SparseSet& operator-=(const SparseSet& other) {
    return keep([&](const Word& mine) { return mine.bits & ~other.bits_at(mine.index); });
  }

  IdSet<IdType> dense(std::size_t universe) const {
    IdSet<IdType> set(universe);
    for (const Word& word : words_) set.words()[word.index] = word.bits;
    return set;
  }

  friend bool operator==(const SparseSet&, const SparseSet&) = default;

 private:
  struct Word {
    std::uint32_t index = 0;  ///< of the word in a dense set
    std::uint64_t bits = 0;

    friend bool operator==(const Word&, const Word&) = default;
  };

  /// First word not below `index`.
  auto find(std::uint32_t index) const {
    return std::lower_bound(words_.begin(), words_.end(), index,
                            [](const Word& word, std::uint32_t i) { return word.index < i; });
  }

  Word& word(std::size_t wide_index) {
    const auto index = static_cast<std::uint32_t>(wide_index);
    if (words_.empty() || words_.back().index < index) return words_.emplace_back(Word{index, 0});
    if (words_.back().index == index) return words_.back();
    const auto at = words_.begin() + (find(index) - words_.cbegin());
    return at->index == index ? *at : *words_.insert(at, Word{index, 0});
  }

  std::uint64_t bits_at(std::uint32_t index) const {
    const auto at = find(index);
    return at != words_.end() && at->index == index ? at->bits : 0;
  }

  /// Gives every word the bits that `bits_of` says and drops those without.
  template <class F>
  SparseSet& keep(F bits_of) {
    for (Word& word : words_) word.bits = bits_of(word);
    std::erase_if(words_, [](const Word& word) { return word.bits == 0; });
    return *this;
  }

  void merge(const SparseSet& other) {
    std::vector<Word> merged;
    merged.reserve(words_.size() + other.words_.size());
    const auto append = [&](const Word& word) {
      if (!merged.empty() && merged.back().index == word.index)
        merged.back().bits |= word.bits;
      else
        merged.push_back(word);
    };
    auto mine = words_.begin();
    for (const Word& theirs : other.words_) {
      while (mine != words_.end() && mine->index <= theirs.index) append(*mine++);
      append(theirs);
    }
    std::for_each(mine, words_.end(), append);
    words_ = std::move(merged);
  }

  std::vector<Word> words_;  ///< ascending index
};

}  // namespace rch
