#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"
#include "fabric/adaptive_tables.h"

namespace rch::dumps {

/// Tables of adaptive routing as ibdiagnet's `.far` has them: for each LID a port, and often a group.
struct AdaptiveDump {
  static constexpr std::uint16_t kNoGroup = 0xFFFF;

  struct Table {
    Guid sw;
    Span heading;
    std::vector<std::uint8_t> ports;        ///< by LID; kNoPath where the file has no entry
    std::vector<std::uint16_t> group_of;    ///< by LID: index into `groups`, or kNoGroup
    std::vector<fabric::PortGroup> groups;  ///< those that some entry names
    bool has_private = false;               ///< the switch has further tables, which are left out
    bool has_hashed = false;                ///< some entry spreads packets by a hash (HBF)
  };
  std::vector<Table> tables;  ///< in file order
};

/// Reads a `.far` of ibdiagnet 2: per switch a line `Switch 0x…`, the tables `Groups Definition:` and
/// `LFT Definition:`, each below a line of dashes. The line above the dashes names the columns of groups. An
/// entry is a LID and a port in decimal, one of the states `Static`, `Free`, `Bounded` and `HBF`, and a
/// group. Lines between that rch does not know are passed over with a warning, unless they look like rows.
/// Returns nothing if there was an error; every problem is in `diagnostics`.
std::optional<AdaptiveDump> read_adaptive(const SourceSet& sources, SourceId source,
                                          Diagnostics& diagnostics);

/// How switches use their groups: the section AR_INFO of a db_csv.
struct AdaptiveSettings {
  struct Row {
    Guid sw;
    Span line;
    bool enabled = false;
    bool fast_recovery = false;
    std::uint16_t sls = 0xFFFF;  ///< service levels that are routed adaptively

    bool says_the_same(const Row& other) const {
      return enabled == other.enabled && fast_recovery == other.fast_recovery && sls == other.sls;
    }
  };
  std::vector<Row> rows;  ///< in file order; a switch may have several
};

/// Reads the section AR_INFO by the names of its columns: NodeGUID, e, fr_enabled, by_sl_en,
/// enable_by_sl_mask. A file without the section has no rows. A section that does not end is an error:
/// switches whose rows are missing would be taken for others.
std::optional<AdaptiveSettings> read_adaptive_settings(const SourceSet& sources, SourceId source,
                                                       Diagnostics& diagnostics);

}  // namespace rch::dumps
