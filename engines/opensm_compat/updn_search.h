#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engines/common/port_selection/candidates.h"

namespace rch::engines::opensm_compat {

/// OpenSM's search for up-down paths (OpenSM's osm_ucast_updn.c and osm_ucast_dnup.c): breadth first from
/// every destination, with one state per switch, that of the first arrival. Where switches of equal rank are
/// neighbors its routes may have down-up turns.
class UpdnSearch : public common::CandidateRule {
 public:
  /// Part of a path, seen from its destination, that a step from one switch to the next belongs to. A step of
  /// the first part must not follow one of the second.
  enum class Part : std::uint8_t { first, second, either };

  struct Rules {
    std::function<Part(SwitchId from, SwitchId to)> part;
    /// Null, or rows to start from towards the marked destinations.
    const HopMatrix* known = nullptr;
    std::vector<std::uint8_t> is_known = {};
    /// Hops that a forbidden step costs; 0: it is not taken.
    std::uint8_t penalty = 0;
  };
  UpdnSearch(const common::PortContext& context, Rules rules);

  const HopMatrix& hops() const { return hops_; }
  /// Hops of the longest path found, even if a shorter one has replaced it.
  std::uint8_t longest() const;
  void add_to(common::Candidates& candidates, SwitchId sw) const override;

 private:
  struct Channel {
    SwitchId to;
    PortNum out, in;
    std::uint32_t reverse;  ///< the same link from the other end, index into channels_
    Part part;
  };
  struct State;

  void list_channels(const fabric::SwitchGraph& graph);
  std::uint32_t channel_at(SwitchId sw, PortNum port) const;
  void copy_known(const common::WeightedGraph& links, SwitchId destination);
  void search(SwitchId destination, State& state);
  void expand(SwitchId from, SwitchId destination, State& state);
  std::uint8_t& told(std::uint32_t channel, SwitchId destination) {
    return told_[channel * hops_.switch_count + destination.index()];
  }

  Rules rules_;
  std::vector<std::uint32_t> first_channel_;  ///< by switch, and one past the last
  std::vector<Channel> channels_;             ///< of each switch by ascending port
  HopMatrix hops_;
  /// [channel * switches + destination]: hops that the neighbor had when the search came by it.
  std::vector<std::uint8_t> told_;
  std::vector<std::uint8_t> longest_;  ///< by destination
};

/// Up, then down. `shortest` is null, or the rows that OpenSM starts from towards roots (`connect_roots`).
UpdnSearch search_updn(const common::PortContext& context, std::span<const std::uint32_t> ranks,
                       std::span<const std::uint64_t> numbers, const HopMatrix* shortest);
/// Away from the leaves, then towards them; steps between equal ranks are neutral. With `connect_roots` a
/// forbidden step costs more hops than the longest legal path.
UpdnSearch search_dnup(const common::PortContext& context, std::span<const std::uint32_t> ranks,
                       bool connect_roots);

}  // namespace rch::engines::opensm_compat
