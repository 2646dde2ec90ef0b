#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "engines/common/port_selection/port_options.h"
#include "fabric/shapes.h"
#include "fabric/sub_fabric.h"
#include "fabric/table_dumps.h"

namespace rch::engines {

/// A line of `root_guid_file`: a switch by the GUID of its node or port 0; a CA or router (by node or port
/// GUID) stands for the switches it hangs on.
struct Root {
  Guid guid;
  std::uint8_t rank = 0;  ///< NVIDIA SM: its level, if it is not at the top
};

/// A line of `ids_guid_file`: of two switches of equal rank the one with the smaller number is the upper one.
struct SwitchNumber {
  Guid sw;
  std::uint64_t number = 0;
};

/// StepTables::found_roots of an earlier run. All that it points to outlives the run.
struct EarlierRoots {
  std::span<const Guid> guids = {};
  const fabric::SubFabric* view = nullptr;  ///< that they were found in; not null unless `guids` is empty
};

/// What a routing step hands to its engine. Fields are named after the options that fill them; an option that
/// the engine does not read (Descriptor::reads) keeps its default. GUIDs need not be in the view.
struct Inputs {
  /// Also OpenSM's exact behaviour (`compat`), installed tables and initial loads.
  common::PortOptions ports = {};
  std::vector<Root> roots = {};          ///< empty: the engine detects them
  EarlierRoots earlier_roots = {};       ///< found by the same engine, for the same step
  std::vector<Guid> compute_nodes = {};  ///< by port
  std::vector<Guid> io_nodes = {};       ///< by port
  std::vector<SwitchNumber> ids = {};
  bool connect_roots = false;
  bool quasi_ftree_indexing = false;
  std::uint16_t max_reverse_hops = 0;
  std::optional<fabric::FatTreeShape> pqft_structure = {};
  std::optional<fabric::TorusShape> torus = {};  ///< of `torus_config`
  const fabric::LftDump* lfts = nullptr;         ///< of `lfts_file`; null: none
  const fabric::HopDump* hops = nullptr;         ///< of `lid_matrix_dump_file`; null: none
  std::uint8_t ar_mode = 3;                      ///< 0: an adaptive engine makes no groups
  std::uint16_t ar_sl_mask = 0xFFFF;             ///< service levels that are routed adaptively
  std::uint8_t shield_mode = 3;                  ///< 0: no fast recovery
  bool qos = false;                              ///< main option, for every engine
  std::uint8_t max_op_vls = 5;                   ///< main option, for every engine: the code of PortInfo
  /// No multicast tree fitted beside the paths that the engine made before: it makes others.
  bool needs_multicast_tree = false;
};

}  // namespace rch::engines
