#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"

namespace rch::dumps {

/// What NVIDIA SM tells of its routing in `opensm-smdb.dump`, beside the fabric.
struct SmDump {
  struct Rank {
    Guid sw;
    Span line;
    std::uint32_t rank = 0;  ///< 0 at the roots
  };
  std::string engine;  ///< RoutingEngine of section SM; empty: the file does not tell it
  Span engine_line;
  std::vector<Rank> ranks;  ///< of section SWITCHES, in file order
};

/// Reads the columns RoutingEngine of SM and Rank of SWITCHES, each of which may be absent. The columns are
/// those that public parsers name (docs/fabric-files.md), so a note says that the form is not confirmed.
/// Returns nothing if there was an error; every problem is in `diagnostics`.
std::optional<SmDump> read_sm_records(SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::dumps
