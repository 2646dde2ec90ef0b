#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::verify {

enum class FindingKind {
  unreachable,    ///< a pair of end ports without a path: a table entry drops, or leads to a dead port
  dropped_by_vl,  ///< the SL of a path maps to VL 15 or to a VL that the port does not have
  loop,           ///< the forwarding tables send a packet in circles
  credit_loop,    ///< channels (link, VL) wait for each other in a circle: traffic can deadlock
};

/// `unreachable`, `dropped-by-vl`, `loop`, `credit-loop`: what `--accept` takes.
std::string_view name(FindingKind kind);

/// One hop of a witness: the packet sits on the channel that leaves `sw` by `out` on `vl`.
struct Hop {
  SwitchId sw;
  PortNum in;  ///< 0 when the path starts here
  PortNum out;
  std::uint8_t vl = 0;
  /// Credit loops: a path that holds this channel and asks for the next one.
  PortId source = PortId::none();
  Lid destination;
  std::uint8_t sl = 0;
};

struct Finding {
  FindingKind kind;
  /// One sentence that names nodes (description and GUID), ports and LIDs.
  std::string message;
  /// Pairs, entries or channels concerned; the witness shows one case.
  std::uint64_t count = 0;
  /// The path as far as it goes, or a shortest cycle (the last hop leads to the first).
  std::vector<Hop> witness;
  bool accepted = false;  ///< the operator allowed this kind by name
};

struct Verdict {
  std::vector<Finding> findings;
  std::uint64_t pairs = 0;         ///< ordered (source end port, destination LID) pairs examined
  std::uint64_t channels = 0;      ///< (link, VL) channels that some path uses
  std::uint64_t dependencies = 0;  ///< pairs of channels of which some path takes one after the other

  /// Nothing found but what was accepted.
  bool clean() const;
};

struct Options {
  std::uint8_t max_op_vls = 5;  ///< code 1..5: VLs configured at most, besides what each port is capable of
};

/// Judges the tables alone; knows nothing of engines. Every CA and router port is taken as a source towards
/// every LID of every other one; service levels come from fabric::path_sls_to, VLs from the SL2VL maps. Pairs
/// are proven per destination tree, never one by one (routing-engines 12.2). Same result for any number of
/// threads.
Verdict verify(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
               const Options& options = {});

}  // namespace rch::verify
