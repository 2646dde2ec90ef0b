#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"
#include "fabric/sl2vl.h"

namespace rch::dumps {

/// SL2VL maps as files hold them.
struct Sl2VlDump {
  struct Row {
    Guid port;        ///< of the end port; of a switch that of its port 0, or its node GUID
    PortNum in, out;  ///< both 0: the map of a CA or router port
    fabric::Sl2VlMap map;
    Span line;
  };
  std::vector<Row> rows;  ///< in file order
};

/// Reads opensm-sl2vl.dump (OpenSM's osm_dump.c), and the form of `ibdmchk -d`: a node GUID, two ports and
/// eight bytes with two VLs each (ibdmchk(1)), or sixteen VLs. A `.slvl` file of ibdiagnet 2, which reads it
/// back, is read so, and a note says that the form is not confirmed. Returns nothing if there was an error;
/// every problem is in `diagnostics`.
std::optional<Sl2VlDump> read_sl2vl(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::dumps
