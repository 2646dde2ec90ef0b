#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engines/common/port_selection/candidates.h"
#include "engines/updn/orientation.h"

namespace rch::engines::updn {

/// OpenSM's own search (routing-engines 3.4, 3.7): from every destination breadth first, with one state per
/// switch, that of the first to arrive. Where switches of equal rank are neighbours its routes may turn back;
/// rch keeps it to be compared with OpenSM, not to route by.
class OpenSmSearch : public common::CandidateRule {
 public:
  /// Part of a route, seen from its destination, that a step from one switch to the next belongs to. A step
  /// of the first part must not follow one of the second.
  enum class Part : std::uint8_t { first, second, either };

  struct Rules {
    std::function<Part(SwitchId from, SwitchId to)> part;
    /// Null, or rows to start from towards the destinations marked.
    const HopMatrix* known = nullptr;
    std::vector<std::uint8_t> knows = {};
    /// Hops that a forbidden step costs; 0: it is not taken.
    std::uint8_t penalty = 0;
  };
  OpenSmSearch(const common::PortContext& plan, Rules rules);

  const HopMatrix& hops() const { return hops_; }
  /// The longest way that was found, and perhaps replaced by a shorter one.
  std::uint8_t longest() const;
  void add_to(common::Candidates& candidates, SwitchId sw) const override;

 private:
  struct Cable {
    std::uint32_t neighbor;
    PortNum out, in;
    std::uint32_t reverse;  ///< the same cable from the other end, index into cables_
    Part part;
  };
  struct State;

  void list_cables(const fabric::SwitchGraph& graph);
  std::uint32_t cable_at(SwitchId sw, PortNum port) const;
  void copy_rows(const common::PortContext& plan, SwitchId destination);
  void search(SwitchId destination, State& state);
  void expand(std::uint32_t from, SwitchId destination, State& state);
  std::uint8_t& told(std::uint32_t cable, SwitchId destination) {
    return told_[cable * hops_.switch_count + destination.index()];
  }

  Rules rules_;
  std::vector<std::uint32_t> first_cable_;  ///< by switch, and one past the last
  std::vector<Cable> cables_;               ///< of each switch by ascending port
  HopMatrix hops_;
  /// [cable * switches + destination]: hops that the neighbour on this cable had when the search came by it.
  std::vector<std::uint8_t> told_;
  std::vector<std::uint8_t> longest_;  ///< by destination
};

/// Up, then down. `shortest` is null, or the rows that OpenSM starts from towards roots (`connect_roots`).
OpenSmSearch updn_search(const common::PortContext& plan, std::span<const std::uint32_t> ranks,
                         std::span<const std::uint64_t> numbers, const HopMatrix* shortest);
/// Away from the leaves, then towards them; steps between equal ranks are neutral. With `connect_roots` the
/// steps that this forbids cost more hops than the longest legal way.
OpenSmSearch dnup_search(const common::PortContext& plan, std::span<const std::uint32_t> ranks,
                         bool connect_roots);

}  // namespace rch::engines::updn
