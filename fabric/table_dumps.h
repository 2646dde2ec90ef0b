#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"

namespace rch::fabric {

/// Forwarding tables as a file holds them (opensm-lfts.dump, or what dump_lfts and ibroute print). LIDs are
/// those of the fabric as it was; the GUIDs of their owners tell where they are now.
struct LftDump {
  struct Entry {
    Guid owner;              ///< port GUID; 0: the line names none
    std::uint32_t line = 0;  ///< of the file, from 1
    Lid lid;
    std::uint8_t port = 0;
  };
  struct Table {
    Guid sw;
    std::vector<Entry> entries;  ///< in file order
  };
  std::vector<Table> tables;  ///< in file order; a switch may have several, of which the last counts
};

/// Hop counts as a file holds them (opensm-lid-matrix.dump; OpenSM's osm_dump.c).
struct HopDump {
  struct Row {
    Guid owner;  ///< port GUID; 0: the line names none
    Lid lid;
    std::vector<std::uint8_t> hops;  ///< the fewest, then by port from 1; 255 unknown
  };
  struct Table {
    Guid sw;
    std::vector<Row> rows;  ///< in file order
  };
  std::vector<Table> tables;
};

/// Nothing if there was an error; every problem is in `diagnostics`.
std::optional<LftDump> read_lft_dump(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);
std::optional<HopDump> read_hop_dump(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::fabric
