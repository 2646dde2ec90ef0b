#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"

namespace rch::dumps {

/// Multicast forwarding tables as files hold them.
struct MulticastDump {
  struct Entry {
    Lid mlid;
    std::uint8_t port = 0;
  };
  struct Table {
    Guid sw;
    Span heading;
    std::vector<Entry> entries;  ///< in file order
  };
  std::vector<Table> tables;  ///< in file order; a switch without an entry has none
};

/// Reads opensm.mcfdbs and ibdiagnet's `.mcfdbs`, and what `dump_mfts` prints (OpenSM's osm_dump.c,
/// dump_mfts(8)). Returns nothing if there was an error; every problem is in `diagnostics`.
std::optional<MulticastDump> read_multicast(const SourceSet& sources, SourceId source,
                                            Diagnostics& diagnostics);

}  // namespace rch::dumps
