#pragma once

// Points: how operators name nodes, ports and LIDs in every command (docs/points.md).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/names.h"
#include "fabric/fabric.h"

namespace rch::cli {

/// The end ports that a point names: `pattern:` several, all other forms one. `absence`: of find_end_port().
/// Fails (usage) when it names none.
Result<std::vector<NamedPort>> find_end_ports(const fabric::Fabric& fabric, std::string_view point,
                                              std::string_view absence = {});
/// True for the form that may name several.
bool names_several(std::string_view point);

/// The switch that a point names. Fails (usage) if it names none, or what is no switch.
Result<SwitchId> find_switch_point(const fabric::Fabric& fabric, std::string_view point);

/// The LID that a point names. Unlike find_end_port() it may be a number that nobody has.
Result<Lid> find_lid_point(const fabric::Fabric& fabric, std::string_view point);

/// `port:N`, the port of a node that is named elsewhere. None: the text has another form.
std::optional<std::uint64_t> port_number(std::string_view point);

}  // namespace rch::cli
