#include "cli/drain_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/names.h"
#include "fabric/faults.h"

namespace rch::cli {
namespace {

/// A name of the form `A[3]`.
struct PortOfNode {
  std::string_view node;
  PortNum port;
};

std::optional<PortOfNode> port_of_node(std::string_view name) {
  const std::size_t bracket = name.rfind('[');
  if (!name.ends_with(']') || bracket == std::string_view::npos) return std::nullopt;
  const auto number = parse_integer(name.substr(bracket + 1, name.size() - bracket - 2));
  if (!number || *number == 0 || *number > 254) return std::nullopt;
  return PortOfNode{name.substr(0, bracket), PortNum(static_cast<std::uint8_t>(*number))};
}

bool is_form_of_cable(std::string_view name) { return name.ends_with(']') || name.find(':') != name.npos; }

/// An adapter with one port is left out whole.
sm::Part part_of(const fabric::Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  const fabric::Node& node = fabric.node(port.node);
  const bool is_whole = node.type != fabric::NodeType::sw && node.num_ports == 1;
  return {node.guid, is_whole ? PortNum{} : port.number};
}

Result<void> add_part(const fabric::Fabric& fabric, const std::string& name, std::string_view absence,
                      DrainParts& found) {
  const auto named = find_end_port(fabric, name, absence);
  if (named) {
    const NodeId node = fabric.port(named->port).node;
    found.failure.nodes.push_back(node);
    found.parts.push_back({fabric.node(node).guid, PortNum{}});
    return {};
  }
  if (!is_form_of_cable(name)) return tl::unexpected(named.error());
  const auto cables = fabric::find_cables(fabric, name);
  if (!cables) return tl::unexpected(cables.error());
  for (const PortId cable : *cables) {
    found.failure.cables.push_back(cable);
    found.parts.push_back(part_of(fabric, cable));
  }
  return {};
}

/// Nodes that a sweep saw, by description, by its first word, or by GUID.
bool is_called(const hw::Sweep& sweep, hw::SweepNodeId id, std::string_view name) {
  const std::string shown = sweep.shown_name(id);
  if (shown == name || std::string_view(shown).substr(0, shown.find(' ')) == name) return true;
  const auto guid = parse_integer(name);
  return guid && name.starts_with("0x") && Guid(*guid) == sweep.nodes()[id.index()].info.node_guid;
}

/// Both ends of the cables that the name means, as the sweep saw them.
std::vector<sm::Part> ends_of(const hw::Sweep& sweep, const std::string& name) {
  std::vector<sm::Part> ends;
  const auto port = port_of_node(name);
  for (std::uint32_t n = 0; n < sweep.nodes().size(); ++n) {
    const hw::SweepNode& node = sweep.nodes()[n];
    for (std::size_t p = 1; p < node.ports.size(); ++p) {
      const auto& peer = node.ports[p].peer;
      const PortNum number(static_cast<std::uint8_t>(p));
      bool is_meant = port && number == port->port && is_called(sweep, hw::SweepNodeId(n), port->node);
      for (std::size_t colon = name.find(':'); peer && !is_meant && colon != std::string::npos;
           colon = name.find(':', colon + 1))
        is_meant = is_called(sweep, hw::SweepNodeId(n), std::string_view(name).substr(0, colon)) &&
                   is_called(sweep, peer->first, std::string_view(name).substr(colon + 1));
      if (!is_meant) continue;
      ends.push_back({node.info.node_guid, number});
      if (peer) ends.push_back({sweep.nodes()[peer->first.index()].info.node_guid, peer->second});
    }
  }
  return ends;
}

}  // namespace

Result<DrainParts> drain_parts(const fabric::Fabric& fabric, const std::vector<std::string>& names,
                               std::string_view absence) {
  DrainParts found;
  for (const std::string& name : names)
    if (auto added = add_part(fabric, name, absence, found); !added) return tl::unexpected(added.error());
  return found;
}

Result<std::vector<sm::Part>> parts_left_out(const hw::Sweep& sweep, const sm::Health& health,
                                             const std::string& name) {
  const std::vector<sm::Part> ends = ends_of(sweep, name);
  std::vector<sm::Part> found;
  for (const auto& [part, unhealthy] : health.unhealthy()) {
    if (unhealthy.condition != sm::Condition::manual) continue;
    const auto id = sweep.find(part.node);
    const bool is_node =
        part.port.value == 0 && (id ? is_called(sweep, *id, name) : fmt::format("{}", part.node) == name);
    // The cable of an adapter with one port stands for the adapter.
    const bool is_adapter = part.port.value == 0 && id && !sweep.nodes()[id->index()].is_switch();
    const auto is_end = [is_adapter, whole = part](const sm::Part& end) {
      return end == whole || (is_adapter && end.node == whole.node);
    };
    if (is_node || std::ranges::any_of(ends, is_end)) found.push_back(part);
  }
  if (found.empty())
    return fail(ErrorKind::usage,
                fmt::format("`{}` is not drained: `rch quarantine list` names what the operator left out",
                            printable(name)));
  return found;
}

}  // namespace rch::cli
