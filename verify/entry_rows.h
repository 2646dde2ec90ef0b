#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "verify/columns.h"
#include "verify/context.h"
#include "verify/switch_order.h"

namespace rch::verify {

/// Switches on forwarding loops, by LID.
using ForwardingLoops = std::unordered_map<Lid, std::vector<SwitchId>>;

/// Destinations of one switch with the same entries everywhere else, and covered by the same steps (so that
/// path SLs agree as well).
struct EntryColumn {
  std::span<const Destination> members;
  bool proper = true;  ///< the destination switch hands the members to their ports; otherwise one member
  SwitchId sw() const { return members.front().owner.sw; }
  Lid lid() const { return members.front().lid; }  ///< the lowest
};

/// All destinations in columns, by lowest LID: a block of them is near each other in each row of the tables.
/// `apart`: each in a column of its own, as service levels that were given need not agree.
std::vector<EntryColumn> columns_of(const fabric::RoutingTables& tables,
                                    std::span<const Destination> destinations, bool apart = false);

/// The `switches` to which packets do not go as to the first of `hosts` at that switch. Both are sorted
/// by switch.
std::vector<Destination> with_other_entries(const fabric::RoutingTables& tables,
                                            std::span<const Destination> switches,
                                            std::span<const Destination> hosts);

/// Table entries of a block of columns, by switch in their order: whoever works at one switch reads one
/// stretch of memory.
class EntryRows {
 public:
  /// An entry that leads to no other switch.
  static constexpr std::uint8_t kEnd = 0;
  /// Bytes between two rows: where rows are apart by a power of two, the same column of all of them would
  /// share one set of the cache.
  static constexpr std::size_t kApart = 64;

  EntryRows(const Context& context, const SwitchOrder& order, std::size_t most_columns);

  /// Entries of switches on `loops` become kEnd.
  void gather(std::span<const EntryColumn> columns, const ForwardingLoops& loops);

  /// Entries of the switch with that number in the order, by column.
  const std::uint8_t* row(std::size_t at) const { return bytes_.get() + at * pitch_; }

 private:
  /// By entry of a switch: the same, or kEnd.
  using Onward = std::array<std::uint8_t, 256>;

  Onward onward(std::uint32_t sw) const;

  const Context& context_;
  const SwitchOrder& order_;
  std::size_t pitch_;  ///< bytes from row to row
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::vector<std::uint16_t> lids_;  ///< by column
};

}  // namespace rch::verify
