#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"

namespace rch::dumps {

/// Linear forwarding tables as files hold them.
struct UnicastDump {
  struct Table {
    Guid sw;
    Span heading;
    std::vector<std::uint8_t> ports;  ///< by LID; kNoPath where the file has no entry
  };
  /// The port whose LID it is, by the comment of an entry (opensm-lfts.dump, dump_lfts, ibroute).
  struct Owner {
    Lid lid;
    Guid port;
    Span entry;
  };
  std::vector<Table> tables;  ///< in file order
  std::vector<Owner> owners;  ///< ascending by LID, one for each
};

/// Reads opensm.fdbs and ibdiagnet's `.fdbs`, opensm-lfts.dump, and what `dump_lfts` and `ibroute` print
/// (OpenSM's osm_dump.c; dump_lfts(8), ibroute(8)). Multicast tables in the same file are left to
/// read_multicast(). Returns nothing if there was an error; every problem is in `diagnostics`.
std::optional<UnicastDump> read_unicast(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::dumps
