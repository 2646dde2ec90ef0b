#include "dumps/recognise.h"

#include "dumps/pkeys.h"
#include "fabric/formats.h"
#include "fabric/line_cursor.h"

namespace rch::dumps {
namespace {

using fabric::LineCursor;

/// Words of the line that are numbers, as `0x` and hexadecimal digits or in decimal; 0 if others are among
/// them.
std::size_t numbers_in(std::string_view line) {
  LineCursor at(line, SourceId::none(), 0);
  std::size_t count = 0;
  for (at.skip_blanks(); !at.at_end(); at.skip_blanks(), ++count) {
    const int base = at.accept("0x") ? 16 : 10;
    if (!at.number(base) || (!at.at_end() && at.peek() != ' ' && at.peek() != '\t')) return 0;
  }
  return count;
}

bool names_guid(std::string_view line) { return line.starts_with("0x") && line.find(' ') >= 10; }

/// What one line says, `other` for most.
Kind kind_of(std::string_view line) {
  if (line.starts_with("Unicast lids") || line.starts_with("LID    : Port")) return Kind::unicast;
  if (line.starts_with("Multicast mlids") || line.starts_with("LID    : Out Port")) return Kind::multicast;
  if (line.starts_with("GROUP PKey:") || line.starts_with("PKeyTableRecord dump:")) return Kind::pkeys;
  if (line.starts_with("Groups Definition")) return Kind::adaptive;
  if (line.starts_with("START_")) return Kind::settings;
  if (line.starts_with("#in out")) return Kind::sl2vl;
  if (line.starts_with("# LID  : SL")) return Kind::path_sls;
  if (line.starts_with("Channel Adapter 0x") || line.starts_with("Router 0x"))
    return line.find(", port ") != std::string_view::npos ? Kind::path_sls : Kind::other;
  if (!names_guid(line)) return Kind::other;
  const std::size_t numbers = numbers_in(line);
  if (numbers == 3 && line.rfind("0x") != 0) return Kind::lids;
  if (numbers == 3) return Kind::path_sls;
  return numbers == 11 || numbers == 19 ? Kind::sl2vl : Kind::other;
}

}  // namespace

Kind recognise(std::string_view name, std::string_view text) {
  // A file of groups that is taken for none would leave them out of the proof, so its name counts, too.
  const bool is_named_far = name.ends_with(".far");
  if (text.empty())
    return is_named_far ? Kind::adaptive : name.ends_with("mcfdbs") ? Kind::multicast : Kind::other;
  Kind kind = Kind::other;
  fabric::for_each_line(text.substr(0, kRecognised), [&](std::string_view line, std::uint32_t) {
    if (kind == Kind::other) kind = kind_of(line);
  });
  if (kind == Kind::other && is_named_far) return Kind::adaptive;
  if (kind == Kind::other && name.ends_with(".pkey") && has_port_tables(text.substr(0, kRecognised)))
    return Kind::pkeys;
  const bool is_smdb = kind == Kind::settings && fabric::recognise(text) == fabric::Format::smdb;
  return is_smdb ? Kind::sm_records : kind;
}

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::unicast:
      return "forwarding tables";
    case Kind::multicast:
      return "multicast tables";
    case Kind::sl2vl:
      return "SL2VL tables";
    case Kind::path_sls:
      return "SLs of paths";
    case Kind::pkeys:
      return "P_Keys";
    case Kind::adaptive:
      return "tables of adaptive routing";
    case Kind::settings:
      return "settings of switches and ports";
    case Kind::sm_records:
      return "records of the subnet manager";
    case Kind::lids:
      return "LIDs";
    case Kind::other:
      break;
  }
  return "no tables";
}

}  // namespace rch::dumps
