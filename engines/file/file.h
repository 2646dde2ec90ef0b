#pragma once

#include "engines/common/port_selection/port_options.h"
#include "engines/engine.h"
#include "fabric/table_dumps.h"

namespace rch::engines::file {

struct Options {
  /// The tables of `lfts_file`; null: ports are selected as in minhop.
  const fabric::LftDump* lfts = nullptr;
  /// The hops of `lid_matrix_dump_file`; null: shortest distances.
  const fabric::HopDump* hops = nullptr;
  /// With `compat` as OpenSM: loads what fits, and does not translate LIDs of the hop matrix.
  common::PortOptions ports = {};
};

/// Tables from files (docs/engines.md, Tables from files). An entry follows the GUID of the port that owned
/// its LID to the LID that this port has now. Tables of switches outside the view are not used. Nothing is
/// checked for loops.
///
/// Fails when an entry leaves by a port that its switch does not have (`port-absent`); and, unless `compat`,
/// when the file does not fit: it names a switch that is not in the fabric (`switch-unknown`), leaves out one
/// that is (`switch-missing`) or an end port (`destination-missing`), or leaves by a port without a link
/// (`port-unlinked`). With `compat` those are remarks.
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::file
