#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "engines/common/incremental/installed_tables.h"
#include "engines/engine.h"

namespace rch::engines::dfsssp {

struct Options {
  /// `cn_guid_file`, `io_guid_file`: ports whose LIDs are routed first, and next. A port on both lists is a
  /// compute node.
  std::vector<Guid> compute_nodes = {};
  std::vector<Guid> io_nodes = {};
  /// Main option `qos`. Without it hosts do not request SLs, and there is one virtual layer.
  bool qos = true;
  std::uint8_t max_op_vls = 5;  ///< code of the main option, 1..5
  /// Excludes links between switches that run below what both ends support.
  bool avoid_throttled_links = false;
  /// Makes paths beside which a multicast tree fits, also where paths without credit loops need no layers.
  bool needs_multicast_tree = false;
  /// Installed tables. Entries that still lie on a minimal path are kept, provided that the VLs suffice for
  /// layers without credit loops. If other rules may have made them, only where that is as even as fresh
  /// tables, on as few layers. Otherwise all is routed anew.
  std::optional<common::InstalledTables> installed = {};
};

/// Deadlock-free SSSP routing (Domke, Hoefler, Nagel: IPDPS 2011): balanced minimal paths on any fabric. The
/// paths are divided among the fewest virtual layers, and the CDG of each layer is acyclic. The SL of a path
/// depends on its source and destination switch; with one layer SLs and SL2VL maps are left alone. Where VLs
/// do not suffice some paths are not minimal, and a remark counts them. `hops` are those of minimal paths.
/// Never fails.
EngineResult route(const fabric::SubFabric& view, const Options& options);

/// SSSP routing: the same minimal paths on one VL. They may contain credit loops.
EngineResult route_sssp(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::dfsssp
