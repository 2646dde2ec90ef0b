#pragma once

#include <vector>

#include "engines/common/port_selection/port_options.h"
#include "engines/engine.h"
#include "engines/updn/roots.h"

namespace rch::engines::updn {

struct Options {
  /// `root_guid_file`: the switches at the top. Empty: detected.
  std::vector<Root> roots = {};
  /// Pairs that no up-then-down route joins (root to root) are routed by the shortest way that leads to one.
  /// Such routes may bring credit loops.
  bool connect_roots = false;
  /// `ids_guid_file`: numbers that take the place of GUIDs between switches of equal rank.
  std::vector<SwitchNumber> ids = {};
  /// With `compat` OpenSM's search and its root detection, flaws included (routing-engines 3.1, 3.4): equal
  /// to OpenSM's tables; not free of credit loops where switches of equal rank are neighbours. Hop weights
  /// matter to its root detection and to `connect_roots` alone.
  common::PortOptions ports = {};
};

/// Up towards the roots, then down: free of credit loops on every graph, unless `compat` or `connect_roots`.
/// Ports are chosen as minhop does. Pairs without an up-then-down route are left out and counted in a remark.
/// Fails (`no-roots`) when there is nothing to start from (routing-engines 3).
EngineResult route(const fabric::SubFabric& view, const Options& options);

struct DnupOptions {
  bool connect_roots = false;  ///< as above; with `compat`: forbidden turns cost more hops than any legal way
  common::PortOptions ports = {};
};

/// Away from the switches with CAs or routers, then towards them: for fabrics whose hosts sit nearer to the
/// roots than some switches (routing-engines 3.7). Between switches of one rank small fabrics may leave that
/// order where this spreads traffic better, proven to close no circle (docs/decisions/0012). Fails
/// (`no-leaves`) when no switch has any.
EngineResult route_dnup(const fabric::SubFabric& view, const DnupOptions& options);

}  // namespace rch::engines::updn
