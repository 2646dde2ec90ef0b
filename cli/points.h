#pragma once

// Points: how operators name nodes, ports and LIDs in every command (docs/points.md).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/names.h"
#include "fabric/fabric.h"

namespace rch::cli {

/// What `group:NAME` stands for: points by name of the group.
using PointGroups = std::map<std::string, std::vector<std::string>>;

/// Adds `--groups`, a file whose `groups` are those of `rch test` (docs/assertions.md).
void add_groups(const Command& command, std::string& file);
/// The groups of the file; none if it is empty. Everything that is wrong has been reported when it fails.
Stage<PointGroups> read_groups(Context& context, const std::string& file);

/// The end ports that a point names: `pattern:`, `group:` and `all` several, all other forms one. A group has
/// all linked ports of its nodes. `absence`: of find_end_port(). Fails (usage) when it names none.
Result<std::vector<NamedPort>> find_end_ports(const fabric::Fabric& fabric, std::string_view point,
                                              std::string_view absence = {}, const PointGroups& groups = {});
/// True for the forms that may name several.
bool names_several(std::string_view point);

/// The switch that a point names. Fails (usage) if it names none, or what is no switch.
Result<SwitchId> find_switch_point(const fabric::Fabric& fabric, std::string_view point);

/// The LID that a point names. Unlike find_end_port() it may be a number that nobody has.
Result<Lid> find_lid_point(const fabric::Fabric& fabric, std::string_view point);

/// `port:N`, the port of a node that is named elsewhere. None: the text has another form.
std::optional<std::uint64_t> port_number(std::string_view point);

}  // namespace rch::cli
