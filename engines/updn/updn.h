#pragma once

#include <vector>

#include "engines/common/port_selection/port_options.h"
#include "engines/engine.h"
#include "engines/updn/roots.h"

namespace rch::engines::updn {

struct Options {
  /// `root_guid_file`: the switches at the top. Empty: detected.
  std::vector<Root> roots = {};
  /// Pairs without an up-down path (root to root) are routed by the shortest path to a switch with one. Such
  /// routes may make credit loops.
  bool connect_roots = false;
  /// `ids_guid_file`: numbers that replace GUIDs between switches of equal rank.
  std::vector<SwitchNumber> ids = {};
  /// All paths go along one order of the switches: no repair pass.
  bool one_order = false;
  /// What an earlier run found by itself. Its roots are kept, unless `compat`: OpenSM finds roots anew.
  EarlierRoots earlier = {};
  /// With `compat` OpenSM's search and its root detection, flaws included (OpenSM's osm_ucast_updn.c). The
  /// tables are equal to OpenSM's. They may have credit loops where switches of equal rank are neighbors. Hop
  /// weights matter only to its root detection and to `connect_roots`.
  common::PortOptions ports = {};
};

/// Up towards the roots, then down: free of credit loops on every graph, unless `compat` or `connect_roots`.
/// On small fabrics a repair pass may leave that order between switches of one rank, if this distributes
/// paths better; the CDG stays acyclic (docs/decisions/0012). Ports are selected as in minhop. A remark
/// counts the pairs without an up-down path. Fails (`no-roots`) without a root (opensm(8), UPDN).
EngineResult route(const fabric::SubFabric& view, const Options& options);

struct DnupOptions {
  bool connect_roots =
      false;  ///< as above; with `compat`: forbidden turns cost more hops than any legal path
  common::PortOptions ports = {};
};

/// Away from the switches with CAs or routers, then towards them: for fabrics whose hosts are nearer to the
/// roots than some switches (OpenSM's osm_ucast_dnup.c), with the same repair pass. Fails (`no-leaves`) when
/// no switch has any.
EngineResult route_dnup(const fabric::SubFabric& view, const DnupOptions& options);

}  // namespace rch::engines::updn
