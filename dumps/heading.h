#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/source.h"
#include "dumps/recognise.h"
#include "fabric/reporter.h"

namespace rch::dumps {

/// The line that begins the table of a switch, and where the table ends.
struct Heading {
  Kind kind = Kind::other;  ///< unicast or multicast
  Guid sw;
  std::uint32_t begin = 0, end = 0;  ///< from the heading to the next one
};

/// All of a text, in order: `… Switch 0x<guid>` (opensm.fdbs, opensm.mcfdbs) with the kind in the next line,
/// `Unicast lids` and `Multicast mlids` with ` guid 0x<guid>` (dump_lfts(8), dump_mfts(8)). Reports those
/// without a GUID.
std::vector<Heading> headings_of(std::string_view text, SourceId source, fabric::Reporter& report);

/// The GUID in hexadecimal behind `key`; nothing if there is none, or if more than a blank or a bracket
/// follows it.
std::optional<Guid> guid_behind(std::string_view line, std::string_view key);

/// Reports a last line without a line end: it may be half a line.
void check_end(std::string_view text, SourceId source, fabric::Reporter& report);

}  // namespace rch::dumps
