#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/port_selection/port_context.h"
#include "engines/engine.h"

namespace rch::engines::common {

/// A set of candidates of one switch, by their index in scan order; W words of 64.
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
  bool contains(std::size_t index) const { return ((words[index / 64] >> (index % 64)) & 1) != 0; }
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

/// What engines differ in: the output ports of a switch that may be selected for a destination.
class CandidateRule {
 public:
  virtual ~CandidateRule() = default;
  /// Adds the candidates of `sw` to `candidates`, which is empty. Several threads call it at once, for
  /// different switches.
  virtual void add_to(Candidates& candidates, SwitchId sw) const = 0;
};

/// The output ports of one switch to other switches in scan order, and for every destination switch, or for
/// some, which of them may be selected (routing-engines 14.3).
class Candidates {
 public:
  struct OutputPort {
    PortNum port;
    std::uint8_t scan_position;  ///< among all ports of the switch, from 1
    std::uint8_t weight;         ///< hops that leaving by it costs
    std::uint32_t neighbor;      ///< index into graph.neighbors(switch)
  };

  Candidates(const PortContext& context, const CandidateRule& rule)
      : context_(context), rule_(rule), switches_(context.graph().switch_count()) {}

  /// Finds the candidates of a switch for all destinations. Storage is reused.
  void examine(SwitchId sw);
  /// The same for these destinations alone.
  void examine(SwitchId sw, std::span<const SwitchId> destinations);

  const std::vector<OutputPort>& outputs() const { return outputs_; }
  bool contains(SwitchId destination, std::size_t output) const {
    return ((planes_[output / 8 * switches_ + destination.index()] >> (output % 8)) & 1) != 0;
  }
  /// W * 64 must be at least the number of outputs.
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

  void add(SwitchId destination, std::size_t output) {
    planes_[output / 8 * switches_ + destination.index()] |= static_cast<std::uint8_t>(1U << (output % 8));
  }
  /// Adds the output for every destination that is nearer from its neighbor than from here, by exactly the
  /// `weight` that leaving by it costs. Both rows are hops by destination, HopMatrix::kUnknown without a
  /// path.
  void add_where_nearer(std::size_t output, std::span<const std::uint8_t> own,
                        std::span<const std::uint8_t> neighbor, std::uint8_t weight = 1);
  /// Of the candidates of each destination keeps the first and those to the same neighbor.
  void keep_first_neighbor();

 private:
  void list_outputs(SwitchId sw);
  std::size_t plane_bytes() const { return (outputs_.size() + 63) / 64 * 8 * switches_; }
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

  const PortContext& context_;
  const CandidateRule& rule_;
  std::size_t switches_;
  std::vector<OutputPort> outputs_;
  std::span<const SwitchId> only_;  ///< the destinations in question; empty: all
  /// [output / 8 * switch_count + destination], bit output % 8; as many planes as words of 64 outputs have.
  std::vector<std::uint8_t> planes_;
};

/// All output ports on shortest paths (routing-engines 2.2). Keeps references.
class ShortestPaths : public CandidateRule {
 public:
  ShortestPaths(const fabric::SwitchGraph& graph, const HopMatrix& hops) : graph_(graph), hops_(hops) {}
  void add_to(Candidates& candidates, SwitchId sw) const override;

 private:
  const fabric::SwitchGraph& graph_;
  const HopMatrix& hops_;
};

}  // namespace rch::engines::common
