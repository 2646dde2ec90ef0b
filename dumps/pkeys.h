#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
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

/// Reads
///
/// - ibdiagnet.pkey of ibdiagnet 1, which lists the ports of CAs by partition;
/// - what `saquery --smkey KEY PKTR` prints, which has all blocks of all ports, those of switches too;
/// - a `.pkey` file with a table for each port, below a line with the GUID of the port: an index, a P_Key and
///   perhaps a membership in each line. ibdiagnet 2 is said to write such a file. Nobody who works on rch has
///   seen one, so a note says that the form is not confirmed.
///
/// Returns nothing if there was an error; every problem is in `diagnostics`.
std::optional<PKeyDump> read_pkeys(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// Whether the text has a table of a port in the last of these forms.
bool has_port_tables(std::string_view text);

}  // namespace rch::dumps
