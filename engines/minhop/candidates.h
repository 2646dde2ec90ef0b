#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engines/engine.h"
#include "fabric/switch_graph.h"

namespace rch::engines::minhop {

/// A set of candidates of one switch, by their place in the scan order; W words of 64.
template <std::size_t W>
struct CandidateSet {
  std::array<std::uint64_t, W> words{};

  bool none() const {
    std::uint64_t all = 0;
    for (std::uint64_t word : words) all |= word;
    return all == 0;
  }
  std::size_t size() const {
    std::size_t n = 0;
    for (std::uint64_t word : words) n += static_cast<std::size_t>(std::popcount(word));
    return n;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < W; ++w)
      for (std::uint64_t word = words[w]; word != 0; word &= word - 1)
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }
  friend bool operator==(const CandidateSet&, const CandidateSet&) = default;
};

/// The cables of one switch to other switches in scan order (ascending port), and for every destination
/// switch which of them lie on a shortest path (routing-engines 14.3).
class Candidates {
 public:
  struct Cable {
    PortNum port;
    std::uint32_t neighbor;  ///< index into graph.neighbors(switch)
  };

  Candidates(const fabric::SwitchGraph& graph, const HopMatrix& hops) : graph_(graph), hops_(hops) {}

  /// Moves on to another switch; storage is kept.
  void examine(SwitchId sw);

  const std::vector<Cable>& cables() const { return cables_; }
  bool contains(SwitchId destination, std::size_t cable) const {
    return ((planes_[cable / 8 * hops_.switch_count + destination.index()] >> (cable % 8)) & 1) != 0;
  }
  /// W * 64 must be at least the number of cables.
  template <std::size_t W>
  CandidateSet<W> set(SwitchId destination) const {
    CandidateSet<W> found;
    for (std::size_t plane = 0; plane * 8 < cables_.size(); ++plane) {
      const std::uint64_t byte = planes_[plane * hops_.switch_count + destination.index()];
      found.words[plane / 8] |= byte << (plane % 8 * 8);
    }
    return found;
  }

 private:
  const fabric::SwitchGraph& graph_;
  const HopMatrix& hops_;
  std::vector<Cable> cables_;
  std::vector<std::uint8_t> planes_;  ///< [cable / 8 * switch_count + destination], bit cable % 8
};

}  // namespace rch::engines::minhop
