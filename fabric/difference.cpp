#include "fabric/difference.h"

#include <algorithm>

#include <fmt/format.h>

#include "fabric/link_rate.h"
#include "fabric/names.h"

namespace rch::fabric {
namespace {

std::string named(const Node& node) { return fmt::format("`{}` ({})", node.name(), node.guid); }

std::string end(const Fabric& fabric, const Port& port) {
  return fmt::format("{} port {}{}", named(fabric.node(port.node)), port.number,
                     label_behind(fabric, port.node, port.number));
}

/// True when `fabric` has the cable that leaves `port` of `other`.
bool has_cable(const Fabric& fabric, const Fabric& other, const Port& port) {
  const auto here = counterpart(fabric, other, port);
  const auto there = counterpart(fabric, other, other.port(port.peer));
  return here && there && fabric.port(*here).peer == *there;
}

/// Nodes and cables of `a` that `b` lacks.
void missing(const Fabric& a, const Fabric& b, bool is_new, std::vector<Change>& out) {
  const std::string_view verb = is_new ? "is new" : "is gone";
  for (const Node& node : a.nodes())
    if (!b.find_node(node.guid))
      out.push_back({is_new, fmt::format("{} {}", named(node), verb), node.guid, std::string(node.name())});
  for (const Port& port : a.ports()) {
    if (port.peer.is_none()) continue;
    const Port& peer = a.port(port.peer);
    const Node &near = a.node(port.node), &far = a.node(peer.node);
    const bool first_end = a.port_id(port.node, port.number) < port.peer;
    if (!first_end || has_cable(b, a, port) || !b.find_node(near.guid) || !b.find_node(far.guid)) continue;
    out.push_back({is_new, fmt::format("cable {} - {} {}", end(a, port), end(a, peer), verb), near.guid,
                   std::string(near.name()), port.number, far.guid, std::string(far.name()), peer.number});
  }
}

std::string rate(const Port& port) {
  return fmt::format("{}{}", to_string(port.width), to_string(port.speed));
}

bool same_rate(const Port& a, const Port& b) {
  const bool known =
      std::min(a.width, b.width) != LinkWidth::unknown && std::min(a.speed, b.speed) != LinkSpeed::unknown;
  return !known || (a.width == b.width && a.speed == b.speed);
}

std::string lids(const Port& port) {
  return fmt::format("{}{}", port.lid, port.lmc == 0 ? "" : fmt::format(" with LMC {}", port.lmc));
}

}  // namespace

std::optional<PortId> counterpart(const Fabric& fabric, const Fabric& other, const Port& port) {
  // Most nodes are where they were.
  const Guid guid = other.node(port.node).guid;
  const bool stayed = port.node.index() < fabric.nodes().size() && fabric.node(port.node).guid == guid;
  const auto node = stayed ? std::optional(port.node) : fabric.find_node(guid);
  if (!node || fabric.node(*node).type != other.node(port.node).type) return std::nullopt;
  if (port.number.value > fabric.node(*node).num_ports) return std::nullopt;
  return fabric.port_id(*node, port.number);
}

std::vector<Change> changes(const Fabric& before, const Fabric& after) {
  std::vector<Change> out;
  missing(before, after, false, out);
  missing(after, before, true, out);
  return out;
}

std::vector<PortChange> port_changes(const Fabric& before, const Fabric& after) {
  std::vector<PortChange> out;
  const auto add = [&](PortChange::What what, const Port& port, std::string text) {
    out.push_back({what, std::move(text), before.node(port.node).guid, port.number});
  };
  for (const Port& then : before.ports()) {
    const auto at = counterpart(after, before, then);
    if (!at) continue;
    const Port* now = &after.port(*at);
    const bool first_end = !then.peer.is_none() && before.port_id(then.node, then.number) < then.peer;
    if (first_end && !same_rate(then, *now) && has_cable(after, before, then))
      add(PortChange::What::rate, then,
          fmt::format("cable {} - {} runs at {}, ran at {}", end(before, then),
                      end(before, before.port(then.peer)), rate(*now), rate(then)));
    const bool known = then.lid != kUnassignedLid && now->lid != kUnassignedLid;
    if (known && (then.lid != now->lid || then.lmc != now->lmc))
      add(PortChange::What::lids, then,
          fmt::format("{} has LID {}, had {}", end(before, then), lids(*now), lids(then)));
  }
  return out;
}

std::vector<std::string> changed_nodes(const Fabric& before, const Fabric& after) {
  std::vector<std::string> out;
  for (const Node& node : before.nodes()) {
    const auto id = after.find_node(node.guid);
    if (!id) continue;
    const Node& now = after.node(*id);
    if (now.type != node.type || now.num_ports != node.num_ports)
      out.push_back(fmt::format("{} has {} ports, had {}", named(node), now.num_ports, node.num_ports));
  }
  return out;
}

bool only_lost_end_ports(const Fabric& before, const Fabric& after) {
  for (const Node& node : after.nodes()) {
    const auto then = before.find_node(node.guid);
    if (!then || before.node(*then).type != node.type || before.node(*then).num_ports != node.num_ports)
      return false;
  }
  const auto between_switches = [](const Fabric& fabric, const Port& port) {
    return fabric.is_switch(port.node) && fabric.is_switch(fabric.port(port.peer).node);
  };
  for (const Port& port : after.ports())
    if (!port.peer.is_none() && !has_cable(before, after, port)) return false;
  for (const Port& port : before.ports())
    if (!port.peer.is_none() && between_switches(before, port) && !has_cable(after, before, port))
      return false;
  return before.switch_count() == after.switch_count();
}

std::vector<std::string> differences(const Fabric& before, const Fabric& after, Compared what,
                                     std::size_t limit) {
  std::vector<std::string> out;
  for (Change& change : changes(before, after)) out.push_back(std::move(change.text));
  for (std::string& text : changed_nodes(before, after)) out.push_back(std::move(text));
  if (what == Compared::everything)
    for (PortChange& change : port_changes(before, after)) out.push_back(std::move(change.text));
  if (out.size() > limit) {
    const std::size_t rest = out.size() - limit;
    out.resize(limit);
    out.push_back(fmt::format("and {} more differences", rest));
  }
  return out;
}

}  // namespace rch::fabric
