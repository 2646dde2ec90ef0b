#pragma once

#include <cstdint>
#include <vector>

#include "compare/flow_waves.h"
#include "compare/matching.h"
#include "compare/side.h"

namespace rch::compare {

/// Entries of forwarding tables that differ, where both sides have the switch.
struct EntryCounts {
  std::uint64_t changed = 0;  ///< another port
  std::uint64_t fresh = 0;    ///< there was no path before
  std::uint64_t gone = 0;     ///< there is no path any more

  std::uint64_t total() const { return changed + fresh + gone; }
  void add(const EntryCounts& other);
};

struct EntryChange {
  Lid lid_before, lid_after;           ///< kUnassignedLid where that side has no such destination
  std::uint8_t before = 0, after = 0;  ///< ports; kNoPath: no path
};

/// Paths to one LID, from hosts that both sides have.
struct DestinationPaths {
  LidPair lids;
  std::uint64_t changed = 0;  ///< over other cables
  std::uint64_t lost = 0, gained = 0;
};

/// How evenly paths spread, when every host sends to every LID of the others (verify::Metrics::all_to_all).
struct Balance {
  std::uint64_t fullest = 0;  ///< pairs on the fullest link between switches
  std::uint64_t sum = 0;      ///< over all links
};

/// What differs in where packets go. Everything but `entries` counts hosts: CA and router ports with a LID
/// that hang on a switch.
struct Forwarding {
  EntryCounts entries;
  std::vector<EntryCounts> by_switch;  ///< by switch before
  std::uint64_t pairs =
      0;  ///< of hosts and LIDs of other hosts, both on both sides, that arrive on some side
  std::uint64_t changed = 0, lost = 0, gained = 0;
  std::vector<DestinationPaths> destinations;          ///< to which paths differ, by LID after
  std::vector<std::uint64_t> hops_before, hops_after;  ///< pairs of each side by cables on their path
  Balance balance_before, balance_after;
};

/// Reads every entry of both tables once. The same result for any number of threads.
Forwarding compare_forwarding(const Side& before, const verify::Wiring& wiring_before, const Side& after,
                              const verify::Wiring& wiring_after, const Matching& matching);

/// The entries that differ at one switch, which both sides have, by LID after.
std::vector<EntryChange> changed_entries(const Side& before, SwitchId sw_before, const Side& after,
                                         SwitchId sw_after, const Matching& matching);

}  // namespace rch::compare
