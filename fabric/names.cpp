#include "fabric/names.h"

#include "base/text.h"

namespace rch::fabric {
namespace {

std::optional<NodeId> find_by_guid(const Fabric& fabric, std::string_view name) {
  if (!name.starts_with("0x")) return std::nullopt;
  const auto guid = parse_hex(name.substr(2));
  if (!guid) return std::nullopt;
  if (const auto node = fabric.find_node(Guid(*guid))) return node;
  const auto port = fabric.find_port(Guid(*guid));
  if (!port) return std::nullopt;
  return fabric.port(*port).node;
}

}  // namespace

Result<NodeId> find_named(const Fabric& fabric, std::string_view name) {
  if (const auto node = find_by_guid(fabric, name)) return *node;
  std::optional<NodeId> found;
  for (std::uint32_t i = 0; i < fabric.nodes().size(); ++i) {
    const Node& node = fabric.node(NodeId(i));
    if (node.description != name && node.given_name != name) continue;
    if (found)
      return fail(ErrorKind::usage, fmt::format("`{}` names two nodes, {} and {}", name,
                                                fabric.node(*found).guid, fabric.node(NodeId(i)).guid));
    found = NodeId(i);
  }
  if (!found) return fail(ErrorKind::usage, fmt::format("the fabric has no node `{}`", name));
  return *found;
}

std::string label_behind(const Fabric& fabric, NodeId node, PortNum number) {
  if (number.value > fabric.node(node).num_ports) return "";
  const std::string_view label = fabric.label(fabric.port_id(node, number));
  return label.empty() ? std::string() : fmt::format(" ({})", label);
}

NodeNames names_of(const Fabric& fabric) {
  NodeNames names;
  for (const Node& node : fabric.nodes())
    if (!node.given_name.empty()) names.emplace(node.guid, node.given_name);
  return names;
}

}  // namespace rch::fabric
