#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"

namespace rch::dumps {

/// P_Keys of ports as files hold them.
struct PKeyDump {
  /// Some of the P_Keys of one port, which is named by its GUID, or by the LID of its node and its number.
  struct Row {
    Guid guid;  ///< 0: by LID
    Lid lid;
    PortNum number;
    std::uint32_t begin = 0, end = 0;  ///< in `keys`
    Span line;
  };
  std::vector<Row> rows;            ///< in file order; a port may have several
  std::vector<std::uint16_t> keys;  ///< with free slots

  std::span<const std::uint16_t> of(const Row& row) const {
    return std::span(keys).subspan(row.begin, row.end - row.begin);
  }
};

/// Reads ibdiagnet.pkey of ibdiagnet 1, which lists the ports of CAs by partition, and what
/// `saquery --smkey KEY PKTR` prints, which has all blocks of all ports, those of switches too. A `.pkey`
/// file of ibdiagnet 2 has another form, which nobody who works on rch has seen: it is refused. Returns
/// nothing if there was an error; every problem is in `diagnostics`.
std::optional<PKeyDump> read_pkeys(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::dumps
