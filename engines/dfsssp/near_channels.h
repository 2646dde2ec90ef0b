#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/channels.h"
#include "engines/engine.h"

namespace rch::engines::dfsssp {

/// A switch with so many hops to a destination may send to a neighbour with so many.
constexpr bool leads_nearer(std::uint8_t own, std::uint8_t other) {
  return (static_cast<std::uint8_t>(own - 1) == other) & (own != HopMatrix::kUnknown);
}

/// By which channels shortest paths go on, from every switch to a few destinations at once: hops are compared
/// for all of them together, which is what compilers make vector code of.
class NearChannels {
 public:
  static constexpr std::size_t kWidth = 64;  ///< destinations

  /// Keeps references.
  NearChannels(const HopMatrix& hops, const common::Channels& channels);

  /// Moves on to other destinations, at most kWidth; each has the column of its place.
  void find(std::span<const SwitchId> destinations);
  SwitchId destination(std::size_t column) const { return destinations_[column]; }

  /// Calls f(place of the channel among those that leave the switch), ascending.
  template <class F>
  void for_each(SwitchId sw, std::size_t column, F&& f) const {
    const std::span<const std::uint64_t> words = this->words(sw, column);
    for (std::size_t w = 0; w < words.size(); ++w)
      for (std::uint64_t word = words[w]; word != 0; word &= word - 1)
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }
  /// By place, a bit each.
  std::span<const std::uint64_t> words(SwitchId sw, std::size_t column) const {
    return std::span(words_).subspan(column * begin_.back() + begin_[sw.index()],
                                     begin_[sw.index() + 1] - begin_[sw.index()]);
  }

 private:
  using Bytes = std::array<std::uint8_t, kWidth>;  ///< by column

  void compare(SwitchId sw);
  void transpose(SwitchId sw, std::span<const Bytes> planes);

  const HopMatrix& hops_;
  const common::Channels& channels_;
  std::vector<SwitchId> destinations_;  ///< by column
  std::vector<Bytes> lengths_;          ///< by switch
  std::vector<std::size_t> begin_;      ///< by switch, and one past the last, into the words of a column
  std::vector<std::uint64_t> words_;    ///< by column, then switch
};

}  // namespace rch::engines::dfsssp
