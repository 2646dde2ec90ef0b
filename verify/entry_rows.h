#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "verify/columns.h"

namespace rch::verify {

/// Switches on forwarding loops, by LID.
using ForwardingLoops = std::unordered_map<Lid, std::vector<SwitchId>>;

/// Table entries of a run of destinations, by switch, in the order of the destinations: whoever works at one
/// switch reads one stretch of memory, however LIDs are scattered. Neighbours of the run that are the same
/// for every packet until the last hop share one column.
class EntryRows {
 public:
  /// Destinations of one switch with the same entries everywhere else, and covered by the same steps (so that
  /// path SLs agree as well). A row of their own switch says 0 when the column is `proper`, else what the
  /// table says.
  struct Column {
    std::span<const Destination> members;
    bool proper = true;  ///< the destination switch hands the members to their ports; otherwise one member
    SwitchId sw() const { return members.front().owner.sw; }
  };

  /// Entries of switches on `loops` become kNoPath.
  EntryRows(const fabric::RoutingTables& tables, const Wiring& wiring, std::span<const Destination> run,
            const ForwardingLoops& loops);

  std::span<const Column> columns() const { return columns_; }
  /// Entries of one switch by column.
  const std::uint8_t* row(std::size_t sw) const { return bytes_.get() + sw * pitch_; }

 private:
  void gather(const fabric::ForwardingTables& lfts);
  void hand_over(std::size_t sw);
  void take_out(const ForwardingLoops& loops);
  void mark_new_columns(std::size_t first, std::size_t last);
  void group(const fabric::RoutingTables& tables);
  void compact(std::span<const std::uint32_t> kept);
  std::uint8_t* row(std::size_t sw) { return bytes_.get() + sw * pitch_; }

  std::span<const Destination> run_;
  std::size_t height_;  ///< switches
  std::size_t pitch_;   ///< bytes from row to row
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::vector<std::uint8_t> proper_;   ///< by destination
  std::vector<std::uint8_t> differs_;  ///< by destination, 0: the same entries as the one before
  std::vector<Column> columns_;
};

}  // namespace rch::verify
