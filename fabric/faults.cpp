#include "fabric/faults.h"

#include <algorithm>

#include "base/text.h"
#include "fabric/fabric_builder.h"
#include "fabric/names.h"
#include "fabric/random.h"

namespace rch::fabric {
namespace {

struct Cable {
  PortId a;
  PortId b;
};

/// Both names may hold colons themselves, so every colon is tried.
std::optional<std::pair<NodeId, NodeId>> split(const Fabric& fabric, std::string_view name) {
  for (std::size_t at = name.find(':'); at != std::string_view::npos; at = name.find(':', at + 1)) {
    const auto a = find_named(fabric, name.substr(0, at)), b = find_named(fabric, name.substr(at + 1));
    if (a && b) return std::pair(*a, *b);
  }
  return std::nullopt;
}

/// Ports that a link's name stands for, with a cable or without.
Result<std::vector<PortId>> ports_of_link(const Fabric& fabric, std::string_view name) {
  std::vector<PortId> ports;
  if (const std::size_t open = name.rfind('['); open != std::string_view::npos && name.ends_with(']')) {
    const auto node = find_named(fabric, name.substr(0, open));
    if (!node) return tl::unexpected(node.error());
    const auto number = parse_integer(name.substr(open + 1, name.size() - open - 2));
    if (number && *number >= 1 && *number <= fabric.node(*node).num_ports)
      ports.push_back(fabric.port_id(*node, PortNum(static_cast<std::uint8_t>(*number))));
    return ports;
  }
  const auto ends = split(fabric, name);
  if (!ends) return fail(ErrorKind::usage, fmt::format("`{}` names no link; write `A:B` or `A[port]`", name));
  const Node& node = fabric.node(ends->first);
  for (std::uint32_t p = 1; p <= node.num_ports; ++p) {
    const PortId port(node.first_port.value + p);
    const PortId peer = fabric.port(port).peer;
    if (!peer.is_none() && fabric.port(peer).node == ends->second) ports.push_back(port);
  }
  return ports;
}

tl::unexpected<Error> no_cable_at(std::string_view name) {
  return fail(ErrorKind::usage, fmt::format("there is no cable at `{}`", name));
}

/// Marks what is gone and builds the rest at the end.
class Removal {
 public:
  explicit Removal(const Fabric& fabric)
      : fabric_(fabric), node_gone_(fabric.nodes().size(), false), cut_(fabric.ports().size(), false) {}

  Result<void> remove_link(std::string_view name);
  Result<void> remove_switch(std::string_view name);
  Result<void> remove_random_switches(const Faults& faults, Random& random);
  Result<void> remove_random_links(const Faults& faults, Random& random);
  Result<Damaged> build();

 private:
  bool has_cable(PortId port) const { return !fabric_.port(port).peer.is_none() && !cut_[port.index()]; }
  void cut(PortId port);
  void drop_switch(NodeId node);
  bool connected() const;
  std::string end_name(PortId port) const;

  const Fabric& fabric_;
  std::vector<bool> node_gone_;
  std::vector<bool> cut_;  ///< by port
  std::vector<std::string> removed_;
};

std::string Removal::end_name(PortId port) const {
  const Port& p = fabric_.port(port);
  return fmt::format("`{}`[{}]", fabric_.node(p.node).name(), p.number);
}

void Removal::cut(PortId port) {
  cut_[port.index()] = true;
  cut_[fabric_.port(port).peer.index()] = true;
}

Result<void> Removal::remove_link(std::string_view name) {
  auto ports = ports_of_link(fabric_, name);
  if (!ports) return tl::unexpected(ports.error());
  std::erase_if(*ports, [&](PortId port) { return !has_cable(port); });
  if (ports->empty()) return no_cable_at(name);
  for (PortId port : *ports) {
    if (cut_[port.index()]) continue;  // both ends of a cable from a node to itself
    removed_.push_back(fmt::format("cable {} - {}", end_name(port), end_name(fabric_.port(port).peer)));
    cut(port);
  }
  return {};
}

void Removal::drop_switch(NodeId id) {
  const Node& node = fabric_.node(id);
  node_gone_[id.index()] = true;
  removed_.push_back(fmt::format("switch `{}` ({})", node.name(), node.guid));
  for (std::uint32_t p = 1; p <= node.num_ports; ++p) {
    const PortId port(node.first_port.value + p);
    if (!has_cable(port)) continue;
    const NodeId peer = fabric_.port(fabric_.port(port).peer).node;
    cut(port);
    if (fabric_.is_switch(peer)) continue;
    const Node& host = fabric_.node(peer);
    bool alone = true;
    for (std::uint32_t q = 1; q <= host.num_ports; ++q)
      alone = alone && !has_cable(PortId(host.first_port.value + q));
    if (alone) node_gone_[peer.index()] = true;
  }
}

Result<void> Removal::remove_switch(std::string_view name) {
  const auto node = find_named(fabric_, name);
  if (!node) return tl::unexpected(node.error());
  if (!fabric_.is_switch(*node)) return fail(ErrorKind::usage, fmt::format("`{}` is no switch", name));
  if (node_gone_[node->index()]) return fail(ErrorKind::usage, fmt::format("`{}` is removed twice", name));
  drop_switch(*node);
  return {};
}

bool Removal::connected() const {
  std::vector<bool> seen(fabric_.switch_count(), false);
  std::vector<SwitchId> todo;
  std::size_t left = 0;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    if (node_gone_[s]) continue;
    if (left++ == 0) todo.push_back(SwitchId(s));
  }
  if (left == 0) return true;
  seen[todo.front().index()] = true;
  std::size_t reached = 0;
  while (!todo.empty()) {
    const SwitchId sw = todo.back();
    todo.pop_back();
    ++reached;
    for (const Neighbor& n : fabric_.graph().neighbors(sw))
      for (const SwitchLink& link : fabric_.graph().links(n)) {
        if (seen[n.sw.index()] || cut_[fabric_.port_id(sw, link.out).index()]) continue;
        seen[n.sw.index()] = true;
        todo.push_back(n.sw);
      }
  }
  return reached == left;
}

Result<void> Removal::remove_random_switches(const Faults& faults, Random& random) {
  NodeId home = NodeId::none();
  if (const auto origin = fabric_.origin()) {
    const Port& port = fabric_.port(*origin);
    home = fabric_.is_switch(port.node) || port.peer.is_none() ? port.node : fabric_.port(port.peer).node;
  }
  std::vector<NodeId> candidates;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
    if (!node_gone_[s] && NodeId(s) != home) candidates.push_back(NodeId(s));
  random.shuffle(candidates);
  const bool keep = faults.keep_connected && connected();
  std::uint32_t done = 0;
  for (auto at = candidates.begin(); at != candidates.end() && done < faults.random_switches; ++at) {
    const Removal before = *this;
    drop_switch(*at);
    if (!keep || connected()) {
      ++done;
      continue;
    }
    node_gone_ = before.node_gone_;
    cut_ = before.cut_;
    removed_ = before.removed_;
  }
  if (done < faults.random_switches)
    return fail(ErrorKind::usage,
                fmt::format("only {} of {} switches can be removed", done, faults.random_switches));
  return {};
}

Result<void> Removal::remove_random_links(const Faults& faults, Random& random) {
  std::vector<PortId> candidates;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
    for (const Neighbor& n : fabric_.graph().neighbors(SwitchId(s)))
      for (const SwitchLink& link : fabric_.graph().links(n)) {
        const PortId port = fabric_.port_id(SwitchId(s), link.out);
        if (has_cable(port) && port < fabric_.port(port).peer) candidates.push_back(port);
      }
  random.shuffle(candidates);
  const bool keep = faults.keep_connected && connected();
  std::uint32_t done = 0;
  for (auto at = candidates.begin(); at != candidates.end() && done < faults.random_links; ++at) {
    const PortId peer = fabric_.port(*at).peer;
    cut(*at);
    if (keep && !connected()) {
      cut_[at->index()] = cut_[peer.index()] = false;
      continue;
    }
    removed_.push_back(fmt::format("cable {} - {}", end_name(*at), end_name(peer)));
    ++done;
  }
  if (done < faults.random_links)
    return fail(ErrorKind::usage,
                fmt::format("only {} of {} cables can be removed", done, faults.random_links));
  return {};
}

Result<Damaged> Removal::build() {
  FabricBuilder builder(fabric_);
  const auto handle = [](NodeId node) { return FabricBuilder::Handle(node.value); };
  for (const Port& port : fabric_.ports())
    if (!port.peer.is_none() && cut_[fabric_.port_id(port.node, port.number).index()])
      builder.disconnect(handle(port.node), port.number);
  for (std::uint32_t n = 0; n < node_gone_.size(); ++n)
    if (node_gone_[n]) builder.remove(handle(NodeId(n)));
  auto fabric = std::move(builder).build();
  if (!fabric) return tl::unexpected(fabric.error());
  return Damaged{std::move(*fabric), std::move(removed_)};
}

}  // namespace

Result<std::vector<PortId>> find_cables(const Fabric& fabric, std::string_view name) {
  auto ports = ports_of_link(fabric, name);
  if (!ports) return ports;
  std::vector<PortId> cables;
  for (const PortId port : *ports) {
    const PortId peer = fabric.port(port).peer;
    if (peer.is_none() || std::ranges::find(cables, peer) != cables.end()) continue;
    cables.push_back(port);
  }
  if (cables.empty()) return no_cable_at(name);
  return cables;
}

Result<Damaged> remove_parts(const Fabric& fabric, const Faults& faults) {
  Removal removal(fabric);
  Random random(faults.seed);
  for (const std::string& name : faults.switches)
    if (auto done = removal.remove_switch(name); !done) return tl::unexpected(done.error());
  for (const std::string& name : faults.links)
    if (auto done = removal.remove_link(name); !done) return tl::unexpected(done.error());
  if (auto done = removal.remove_random_switches(faults, random); !done) return tl::unexpected(done.error());
  if (auto done = removal.remove_random_links(faults, random); !done) return tl::unexpected(done.error());
  return removal.build();
}

}  // namespace rch::fabric
