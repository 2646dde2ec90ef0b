#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fabric/routing_tables.h"

namespace rch::certificate {

// A certificate lets anybody see that tables cannot deadlock, by a program that is short enough to be read:
//
//   tables ──make──> order of channels ──file──> check <── tables
//
// A channel is a virtual lane of a link between two switches. If the channels stand in an order, and each
// packet takes them in ascending order only, no cycle of the channel dependency graph is possible (Dally
// and Seitz 1987). Nor is a forwarding loop. To find such an order takes a search; to check one, each table
// entry is looked at once.

/// Whose packets the order is for.
enum class Packets : std::uint8_t {
  any_sl,    ///< of any service level, whatever the SL2VL maps are: channels are links
  path_sls,  ///< of the service levels of their paths, by the SL2VL maps
};

/// Ports of switches, and the virtual lane: 0 where channels are links.
struct Channel {
  PortId port;
  std::uint8_t vl = 0;

  friend auto operator<=>(const Channel&, const Channel&) = default;
};

struct Certificate {
  std::string fabric;  ///< Fabric::fingerprint()
  Packets packets = Packets::any_sl;
  bool to_switches = false;  ///< the order holds for packets to LIDs of switches, too
  /// Pairs of an end port and a LID of another one without a path, at the service levels that are known.
  std::uint64_t lost_pairs = 0;
  std::uint64_t lost_members =
      0;                       ///< of multicast groups, that the first member of their group does not reach
  std::vector<Channel> order;  ///< ascending
};

/// Tables whose packets are known.
struct Tables {
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;
  std::uint8_t max_op_vls = 5;  ///< code 1..5 of the VLs configured at most
  /// Service level of the packets from an end port to a LID; null: fabric::path_sls_to() gives it.
  std::function<std::uint8_t(PortId from, Lid to)> sl{};
  /// False: service levels, or SL2VL maps, are not known. Then only an order for packets of any service level
  /// counts, and paths are followed at service level 0.
  bool knows_lanes = true;
  bool knows_sls_to_switches = true;  ///< false: packets to LIDs of switches are not looked at
};

/// Whether what a certificate says of packets to LIDs of switches is looked at. Where it is for any service
/// level, theirs do not matter.
inline bool knows_sls_to_switches(const Tables& tables, Packets packets) {
  return packets == Packets::any_sl || tables.knows_sls_to_switches;
}

/// Fails (forbidden) with the first thing that the certificate says and the tables do not hold.
Result<void> check(const Tables& tables, const Certificate& certificate);

/// Finds an order: for packets of any service level if there is one, for those to LIDs of switches if there
/// is one. Fails (forbidden) when some cycle of channels leaves none.
Result<Certificate> make(const Tables& tables);

/// A text, a line for each channel: GUID of the switch, port, virtual lane.
std::string to_text(const fabric::Fabric& fabric, const Certificate& certificate);
/// Fails (forbidden) if it is of another fabric, (invalid) with the number of the first line that is wrong.
Result<Certificate> from_text(const fabric::Fabric& fabric, std::string_view text);

}  // namespace rch::certificate
