#pragma once

#include <optional>

#include "parsers/common/value.h"
#include "parsers/port_groups/port_groups.h"

namespace rch::parsers::port_groups {

/// The hint for a list of ports in another syntax.
inline constexpr std::string_view kListPorts = "list the ports with `port-guid: GUID@PORT/PORT`";

// One value for each rule keyword; nothing, with diagnostics, if it does not fit.
std::optional<PortGuid> read_port_guid(const Value& value, Diagnostics& diagnostics);
std::optional<PortGuidRange> read_port_guid_range(const Value& value, Diagnostics& diagnostics);
/// Always a rule: its separators count even where its hosts are unreadable.
std::optional<PortName> read_port_name(const Value& value, Diagnostics& diagnostics);
std::optional<PortRegexp> read_port_regexp(const Value& value, Diagnostics& diagnostics);
std::optional<SetRule> read_union(const Value& value, Diagnostics& diagnostics);
std::optional<SetRule> read_difference(const Value& value, Diagnostics& diagnostics);

}  // namespace rch::parsers::port_groups
