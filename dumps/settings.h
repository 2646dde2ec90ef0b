#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"
#include "dumps/adaptive.h"
#include "fabric/fabric.h"

namespace rch::dumps {

/// What switches and ports are set to beside their tables, as a db_csv of ibdiagnet 2 tells it.
struct SettingsDump {
  /// A row of PORTS. What the file does not tell of a port is unknown, or 0.
  struct Port {
    Guid node;
    PortNum number;
    Span line;
    fabric::LinkWidth width = fabric::LinkWidth::unknown;  ///< active
    fabric::LinkSpeed speed = fabric::LinkSpeed::unknown;  ///< active
    std::uint8_t mtu = 0;                                  ///< NeighborMTU: code 1..5 = 256..4096 bytes
    std::uint8_t op_vls = 0;         ///< OperationalVLs: code 1..5 = 1, 2, 4, 8, 15 data VLs
    std::optional<bool> checks_in;   ///< PartitionEnforcementInbound
    std::optional<bool> checks_out;  ///< PartitionEnforcementOutbound
  };
  /// A row of SWITCHES.
  struct Switch {
    Guid sw;
    Span line;
    Lid top;  ///< LinearFDBTop
  };
  AdaptiveSettings adaptive;  ///< section AR_INFO
  std::vector<Port> ports;
  std::vector<Switch> switches;  ///< those whose LinearFDBTop the file tells
};

/// Reads the sections AR_INFO, PORTS and SWITCHES of a db_csv, each of which may be absent. What the fabric
/// needs of them is left to fabric::read_db_csv(). PORTS holds M_Keys: every column that is not read is
/// hidden in the text. Returns nothing if there was an error; every problem is in `diagnostics`.
std::optional<SettingsDump> read_settings(SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::dumps
