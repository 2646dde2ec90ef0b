#pragma once

#include <vector>

#include "engines/engine.h"

namespace rch::engines::updn {

struct Options {
  /// Node GUIDs of the switches at the top; a CA or router stands for its switch. Empty: detected.
  std::vector<Guid> roots = {};
  /// Pairs that no up-then-down route joins (root to root) are routed by the shortest way that leads to one.
  /// Such routes may bring credit loops.
  bool connect_roots = false;
  /// OpenSM's search and its root detection, flaws included (routing-engines 3.1, 3.4). Equal to OpenSM's
  /// tables; not free of credit loops where switches of equal rank are neighbours.
  bool compat = false;
  /// `port_profile_switch_nodes`: switch LIDs raise the load counters too (routing-engines 1.6).
  bool count_switch_lids = false;
};

/// Up towards the roots, then down: free of credit loops on every graph, unless `compat` or `connect_roots`.
/// Ports are chosen as minhop does. Pairs without an up-then-down route are left out and counted in a remark.
/// Fails (`no-roots`) when there is nothing to start from (routing-engines 3).
EngineResult route(const fabric::SubFabric& view, const Options& options);

struct DnupOptions {
  bool connect_roots = false;  ///< as above
  bool count_switch_lids = false;
};

/// Away from the switches with CAs or routers, then towards them: for fabrics whose hosts sit nearer to the
/// roots than some switches (routing-engines 3.7). Fails (`no-leaves`) when no switch has any.
EngineResult route_dnup(const fabric::SubFabric& view, const DnupOptions& options);

}  // namespace rch::engines::updn
