#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engines/common/port_selection/candidates.h"
#include "engines/common/port_selection/counter_selector.h"
#include "engines/common/port_selection/destination_index.h"
#include "engines/common/port_selection/general_selector.h"
#include "engines/common/port_selection/reselector.h"
#include "engines/common/port_selection/select_ports.h"

namespace rch::engines::common {

class TableEdit;

/// Fills the tables of switches one after the other. They do not depend on each other, apart from the numbers
/// drawn.
class TableFiller {
 public:
  /// Keeps references.
  TableFiller(const SelectionInput& input, const DestinationIndex& index, fabric::ForwardingTables& lfts);

  /// The whole table, padding included. Numbers are drawn from `sequence`; null: from the switch's own.
  void fill(SwitchId sw, opensm_compat::GlibcRandom* sequence);

 private:
  void fill_whole(SwitchId sw, opensm_compat::GlibcRandom* sequence);
  void keep_unassigned(SwitchId sw, std::span<std::uint8_t> table) const;
  bool needs_general_selector(SwitchId sw) const;
  void deliver(const DestinationGroup& group, std::span<std::uint8_t> table) const;

  template <std::size_t W>
  void fill_by_counters(SwitchId sw, std::span<std::uint8_t> table);
  template <std::size_t W>
  void select_group(const DestinationGroup& group, CounterSelector<W>& selector,
                    const CandidateSet<W>& candidates, std::span<std::uint8_t> table) const;
  void write(std::uint32_t first, std::span<const std::uint8_t> ports, std::span<std::uint8_t> table) const;

  void reselect(SwitchId sw, std::span<const std::uint32_t> groups);
  template <std::size_t W>
  void reselect_groups(SwitchId sw, std::span<const std::uint32_t> groups);
  template <std::size_t W>
  void replace_lost(Reselector<W>& selector, TableEdit& table) const;

  void fill_by_general_rules(SwitchId sw, std::span<std::uint8_t> table,
                             opensm_compat::GlibcRandom* sequence) const;
  void select_group(const DestinationGroup& group, std::uint32_t path_bit, GeneralSelector& selector,
                    std::span<std::uint8_t> table) const;
  std::uint32_t own_seed(SwitchId sw) const;

  /// The installed port; kNoPath if there is none.
  std::uint8_t installed(std::size_t lid) const {
    return lid < installed_.size() ? installed_[lid] : kNoPath;
  }

  const SelectionInput& input_;
  const PortContext& context_;
  const DestinationIndex& index_;
  const DestinationOrder& order_;
  Candidates candidates_;
  fabric::ForwardingTables& lfts_;
  std::span<const std::uint8_t> installed_;  ///< the switch's table; empty if it had none
  std::vector<SwitchId> affected_;           ///< destinations
  std::vector<std::uint32_t> groups_;        ///< of affected_
  /// Destinations, by group and number, whose installed port leads nowhere now.
  std::vector<std::pair<const DestinationGroup*, std::uint32_t>> lost_;
};

}  // namespace rch::engines::common
