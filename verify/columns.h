#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bitset.h"
#include "fabric/routing_tables.h"
#include "verify/wiring.h"

namespace rch::verify {

/// A LID as something to be reached: of a CA or router port, or of port 0 of a switch.
struct Destination {
  Lid lid;
  Source owner;

  /// An entry of `at` hands packets over to the owner.
  bool handed_over(std::size_t at, std::uint8_t entry) const {
    return at == owner.sw.index() && entry == owner.attach.value;
  }
  /// Port 0 is inside its switch: packets to it leave on no VL.
  bool is_switch() const { return owner.attach.value == 0; }
};

/// LIDs of CA and router ports, by switch they hang on, then LID.
std::vector<Destination> destinations(const fabric::Fabric& fabric, const Wiring& wiring);

/// LIDs of switches, in their order.
std::vector<Destination> switch_destinations(const fabric::Fabric& fabric);

/// Unicast LIDs that no port has and for which some switch has an entry, ascending. No entry hands packets to
/// them over.
std::vector<Destination> absent_destinations(const fabric::Fabric& fabric,
                                             const fabric::ForwardingTables& lfts);

/// Destinations that are the same for every packet until the last hop: all of one switch, with the same
/// entries on every other switch, and covered by the same steps (so that path SLs agree as well).
struct Group {
  std::span<const Destination* const> members;  ///< ascending LID
  /// Entry for the members by switch. At the destination switch: 0 when the group is `proper`, else what the
  /// table says.
  std::span<const std::uint8_t> column;
  bool proper = true;  ///< the destination switch hands the members to their ports; otherwise a group of one

  SwitchId sw() const { return members.front()->owner.sw; }
};

/// Table columns of a run of destinations. The tables are row-major, and a walk towards a destination needs a
/// column: one pass over the rows transposes them, a cache line (64 LIDs) of 64 rows at a time.
class Columns {
 public:
  Columns(const fabric::RoutingTables& tables, const Wiring& wiring, std::span<const Destination> run);

  std::span<const Group> groups() const { return groups_; }
  /// The destinations of the run, in their order.
  std::span<const Destination> destinations() const { return run_; }
  /// Entry towards one of them by switch; 0 at its own switch if that one hands it over.
  std::span<const std::uint8_t> of(const Destination& destination) const {
    return {bytes_.get() + static_cast<std::size_t>(&destination - run_.data()) * height_, height_};
  }
  /// Entry of the destination's own switch.
  std::uint8_t own_entry(const Destination& destination) const {
    return own_entries_[static_cast<std::size_t>(&destination - run_.data())];
  }

 private:
  void transpose(const fabric::ForwardingTables& lfts);
  void group(const fabric::RoutingTables& tables);
  void group_switch(const fabric::RoutingTables& tables, std::size_t begin, std::size_t end);
  bool alike(const fabric::RoutingTables& tables, std::size_t a, std::size_t b) const;
  void set_own_entries();
  std::span<std::uint8_t> column(std::size_t at) const { return {bytes_.get() + at * height_, height_}; }

  std::span<const Destination> run_;
  std::size_t height_;                       ///< switches
  std::unique_ptr<std::uint8_t[]> bytes_;    ///< column by destination of the run
  std::vector<std::uint8_t> own_entries_;    ///< by destination of the run
  std::vector<std::uint64_t> hashes_;        ///< by destination of the run
  IdSet<Lid> holed_;                         ///< LIDs with entries that a step left to earlier ones
  std::vector<const Destination*> members_;  ///< of all groups, one after the other
  std::vector<Group> groups_;
};

/// Calls f(run) for runs of destinations: about as many as have `column_bytes` of entries, all LIDs of a port
/// together.
template <class F>
void for_runs(const Wiring& wiring, std::span<const Destination> destinations, std::size_t column_bytes,
              const F& f) {
  const std::size_t height = std::max<std::size_t>(wiring.switch_count(), 1);
  const std::size_t at_a_time = std::max<std::size_t>(column_bytes / height, 1);
  for (std::size_t begin = 0, end = 0; begin < destinations.size(); begin = end) {
    end = std::min(begin + at_a_time, destinations.size());
    while (end < destinations.size() && destinations[end].owner.port == destinations[end - 1].owner.port)
      ++end;
    f(destinations.subspan(begin, end - begin));
  }
}

/// Calls f(columns) for the same runs.
template <class F>
void for_columns(const fabric::RoutingTables& tables, const Wiring& wiring,
                 std::span<const Destination> destinations, std::size_t column_bytes, const F& f) {
  for_runs(wiring, destinations, column_bytes,
           [&](std::span<const Destination> run) { f(Columns(tables, wiring, run)); });
}

/// Entry of the tables, kNoPath where they have no such row or column.
std::uint8_t entry(const fabric::ForwardingTables& lfts, SwitchId sw, Lid lid);

}  // namespace rch::verify
