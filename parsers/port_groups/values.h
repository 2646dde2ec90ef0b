#pragma once

#include <optional>

#include "parsers/common/value.h"
#include "parsers/port_groups/port_groups.h"

namespace rch::parsers::port_groups {

/// One value per rule qualifier; nothing, with diagnostics, if it does not fit. `mixed` of read_port_name is
/// set when both `;` and blanks separate fields.
struct Separators {
  std::optional<Span> semicolon, blank;
};

/// 0 to 254; what nodes have is for the fabric to say.
std::optional<Number> read_port(const Token& token, Diagnostics& diagnostics);
std::optional<PortGuid> read_port_guid(const Value& value, Diagnostics& diagnostics);
std::optional<PortGuidRange> read_port_guid_range(const Value& value, Diagnostics& diagnostics);
std::optional<PortName> read_port_name(const Value& value, Separators& separators, Diagnostics& diagnostics);
std::optional<PortRegexp> read_port_regexp(const Value& value, Diagnostics& diagnostics);
std::optional<SetRule> read_set_rule(const Value& value, bool is_union, Diagnostics& diagnostics);

}  // namespace rch::parsers::port_groups
