#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/port_selection/port_context.h"

namespace rch::engines::common {

/// The destinations of a context, indexed for port selection. The tables of all switches share one.
class DestinationIndex {
 public:
  /// Keeps a reference.
  explicit DestinationIndex(const PortContext& context);

  const DestinationOrder& order() const { return order_; }
  /// Entries of the group raise load counters.
  bool counts(const DestinationGroup& group) const { return group.hosts || counts_switches_; }
  /// The first LIDs of `count` destinations, from number `first` on, are consecutive.
  bool are_consecutive(std::size_t first, std::size_t count) const {
    return run_end_[first] >= first + count;
  }

  // Only with installed tables:

  /// Numbers of all groups in order().groups.
  std::span<const std::uint32_t> groups() const { return groups_; }
  /// Those whose destinations are on one switch.
  std::span<const std::uint32_t> groups_of(SwitchId sw) const {
    return std::span(by_switch_).subspan(begin_[sw.index()], begin_[sw.index() + 1] - begin_[sw.index()]);
  }
  struct LidRange {
    std::size_t begin, end;
  };
  /// LIDs whose entries raise load counters, if every destination has one LID.
  std::span<const LidRange> counted_lids() const { return counted_lids_; }
  /// LIDs that no port has.
  std::span<const Lid> unassigned_lids() const { return unassigned_lids_; }

 private:
  void list_runs();
  void list_groups(std::size_t switches);
  void list_lids(Lid max_lid);

  const DestinationOrder& order_;
  bool counts_switches_;
  std::vector<std::uint32_t> run_end_;  ///< by destination
  std::vector<std::uint32_t> groups_, by_switch_;
  std::vector<std::uint32_t> begin_;  ///< by switch, into by_switch_
  std::vector<LidRange> counted_lids_;
  std::vector<Lid> unassigned_lids_;
};

}  // namespace rch::engines::common
