#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"

namespace rch::dumps {

/// Service levels of paths as files hold them.
struct PathSlDump {
  static constexpr std::uint8_t kUnknown = 0xFF;
  struct Source {
    Guid guid;  ///< of the port, or of its node (ibdmchk(1), `-c`)
    Span heading;
    std::vector<std::uint8_t> levels;  ///< by LID of the destination; kUnknown where the file has none
  };
  std::vector<Source> sources;  ///< in file order
};

/// Reads opensm-path-records.dump, path-sl.dump of `rch plan`, and the form of `ibdmchk -c`: a node GUID, a
/// LID and a service level (ibdmchk(1)). Returns nothing if there was an error; every problem is in
/// `diagnostics`.
std::optional<PathSlDump> read_path_sls(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::dumps
