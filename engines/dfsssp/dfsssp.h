#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "engines/common/incremental/installed_tables.h"
#include "engines/engine.h"

namespace rch::engines::dfsssp {

struct Options {
  /// `cn_guid_file`, `io_guid_file`: ports whose LIDs are routed first, and next. Those on both lists count
  /// as compute nodes.
  std::vector<Guid> compute_nodes = {};
  std::vector<Guid> io_nodes = {};
  /// Main option `qos`: without it hosts do not ask for service levels, and there is one virtual lane.
  bool qos = true;
  std::uint8_t max_op_vls = 5;  ///< code of the main option, 1..5
  /// Cables between switches that run below what both ends could do are taken as unplugged.
  bool avoid_throttled_links = false;
  /// Tables in force. If the same rules made them, entries that still lie on a shortest path stay, as long as
  /// all paths fit on one lane so; else everything is laid anew.
  std::optional<common::InstalledTables> installed = {};
};

/// Shortest paths on any fabric, every LID along the channels that carry the least, and no credit loops: each
/// destination switch has a virtual lane of its own or shares one with others, and no lane has a circle of
/// dependencies between what hosts send. The SL of a path depends on its destination alone. Where one lane
/// does, SLs and SL2VL maps are left alone; where those that there are do not suffice for shortest paths,
/// some paths are longer, and a remark says how many. `hops` are those of shortest paths. Never fails.
EngineResult route(const fabric::SubFabric& view, const Options& options);

/// The same shortest paths on one lane, whether they close credit loops or not.
EngineResult route_sssp(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::dfsssp
