#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/port_selection/port_context.h"
#include "engines/engine.h"

namespace rch::engines::common {

/// A set of candidates of one switch, by their place in the scan order; W words of 64.
template <std::size_t W>
struct CandidateSet {
  std::array<std::uint64_t, W> words{};

  bool none() const {
    std::uint64_t all = 0;
    for (std::uint64_t word : words) all |= word;
    return all == 0;
  }
  bool is_single() const {
    bool found = false;
    for (std::uint64_t word : words) {
      if (word != 0 && (found || (word & (word - 1)) != 0)) return false;
      found = found || word != 0;
    }
    return found;
  }
  /// There must be one.
  std::size_t first() const {
    std::size_t w = 0;
    while (words[w] == 0) ++w;
    return w * 64 + static_cast<std::size_t>(std::countr_zero(words[w]));
  }
  bool contains(std::size_t place) const { return ((words[place / 64] >> (place % 64)) & 1) != 0; }
  std::size_t size() const {
    std::size_t n = 0;
    for (std::uint64_t word : words) n += static_cast<std::size_t>(std::popcount(word));
    return n;
  }
  std::size_t hash() const {
    std::uint64_t mixed = 0;
    for (std::uint64_t word : words) mixed = (mixed ^ word) * 0x9E3779B97F4A7C15;
    return mixed >> 32;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < W; ++w)
      for (std::uint64_t word = words[w]; word != 0; word &= word - 1)
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }
  friend bool operator==(const CandidateSet&, const CandidateSet&) = default;
};

class Candidates;

/// What engines differ in: by which cables of a switch the way to a destination may go on.
class CandidateRule {
 public:
  virtual ~CandidateRule() = default;
  /// `candidates` has just moved to `sw` and is empty: adds what may be chosen from. Called by several
  /// threads at once, for different switches.
  virtual void add_to(Candidates& candidates, SwitchId sw) const = 0;
};

/// The cables of one switch to other switches in scan order, and for every destination switch, or for some,
/// which of them may be chosen from (routing-engines 14.3).
class Candidates {
 public:
  struct Cable {
    PortNum port;
    std::uint8_t place;      ///< of the port in the scan of all ports, from 1
    std::uint8_t weight;     ///< hops that leaving by it costs
    std::uint32_t neighbor;  ///< index into graph.neighbors(switch)
  };

  Candidates(const PortContext& plan, const CandidateRule& rule)
      : plan_(plan), rule_(rule), switches_(plan.graph().switch_count()) {}

  /// Moves on to another switch and finds the candidates for all destinations; storage is kept.
  void examine(SwitchId sw);
  /// For these destinations alone.
  void examine(SwitchId sw, std::span<const SwitchId> destinations);

  const std::vector<Cable>& cables() const { return cables_; }
  bool contains(SwitchId destination, std::size_t cable) const {
    return ((planes_[cable / 8 * switches_ + destination.index()] >> (cable % 8)) & 1) != 0;
  }
  /// W * 64 must be at least the number of cables.
  template <std::size_t W>
  CandidateSet<W> set(SwitchId destination) const {
    CandidateSet<W> found;
    std::size_t at = destination.index();
    for (std::size_t w = 0; at < planes_.size(); ++w)
      for (unsigned shift = 0; shift < 64; shift += 8, at += switches_)
        found.words[w] |= std::uint64_t{planes_[at]} << shift;
    return found;
  }

  // For rules.

  void add(SwitchId destination, std::size_t cable) {
    planes_[cable / 8 * switches_ + destination.index()] |= static_cast<std::uint8_t>(1U << (cable % 8));
  }
  /// Adds the cable for every destination that is nearer from its neighbour than from here, by just the
  /// `weight` that leaving by it costs. Both rows are hops by destination, HopMatrix::kUnknown where there is
  /// no way.
  void add_where_nearer(std::size_t cable, std::span<const std::uint8_t> own,
                        std::span<const std::uint8_t> neighbor, std::uint8_t weight = 1);
  /// Of the cables of each destination keeps the first and those to the same neighbour.
  void keep_first_neighbor();

 private:
  void list_cables(SwitchId sw);
  std::size_t plane_bytes() const { return (cables_.size() + 63) / 64 * 8 * switches_; }
  /// Calls f(d) for every destination in question. `f` should keep what it needs in local variables: stores
  /// of bytes may alias any member, and compilers make vector code of a loop only if none can.
  template <class F>
  void for_each_destination(F&& f) const {
    const std::size_t count = switches_;
    if (only_.empty())
      for (std::size_t d = 0; d < count; ++d) f(d);
    else
      for (SwitchId d : only_) f(d.index());
  }

  const PortContext& plan_;
  const CandidateRule& rule_;
  std::size_t switches_;
  std::vector<Cable> cables_;
  std::span<const SwitchId> only_;  ///< the destinations in question; empty: all
  /// [cable / 8 * switch_count + destination], bit cable % 8; as many planes as words of 64 cables have.
  std::vector<std::uint8_t> planes_;
};

/// All cables of shortest paths (routing-engines 2.2). Keeps references.
class ShortestPaths : public CandidateRule {
 public:
  ShortestPaths(const fabric::SwitchGraph& graph, const HopMatrix& hops) : graph_(graph), hops_(hops) {}
  void add_to(Candidates& candidates, SwitchId sw) const override;

 private:
  const fabric::SwitchGraph& graph_;
  const HopMatrix& hops_;
};

}  // namespace rch::engines::common
