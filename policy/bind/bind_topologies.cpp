#include "policy/bind/bind_topologies.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/lint/rules/bind.h"

namespace rch::policy {
namespace {

using fabric::Fabric;
using PortSet = IdSet<PortId>;

/// Every port of every switch.
PortSet switch_ports(const Fabric& fabric) {
  PortSet ports(fabric.ports().size());
  for (std::size_t s = 0; s < fabric.switch_count(); ++s) {
    const auto sw = SwitchId(static_cast<std::uint32_t>(s));
    for (unsigned p = 0; p <= fabric.node(sw).num_ports; ++p)
      ports.insert(fabric.port_id(sw, PortNum(static_cast<std::uint8_t>(p))));
  }
  return ports;
}

/// Sizes of the connected parts of a topology, largest first.
class Components {
 public:
  Components(const Fabric& fabric, const PortSet& ports) : parent_(fabric.switch_count()) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    std::vector<bool> member(fabric.switch_count());
    ports.for_each([&](PortId id) {
      const fabric::Port& port = fabric.port(id);
      if (!fabric.is_switch(port.node)) return;
      member[port.node.index()] = true;
      if (port.peer.is_none() || !ports.contains(port.peer)) return;
      const NodeId other = fabric.port(port.peer).node;
      if (fabric.is_switch(other)) parent_[root(port.node.index())] = root(other.index());
    });
    std::map<std::size_t, std::size_t> count;
    for (std::size_t s = 0; s < member.size(); ++s)
      if (member[s]) ++count[root(s)];
    for (const auto& [top, size] : count) sizes_.push_back(size);
    std::sort(sizes_.rbegin(), sizes_.rend());
  }
  const std::vector<std::size_t>& sizes() const { return sizes_; }

 private:
  std::size_t root(std::size_t s) {
    while (parent_[s] != s) s = parent_[s] = parent_[parent_[s]];
    return s;
  }
  std::vector<std::size_t> parent_;
  std::vector<std::size_t> sizes_;
};

class TopologyBinder {
 public:
  TopologyBinder(const Fabric& fabric, const PortSet& all_switch_ports, Diagnostics& diagnostics)
      : fabric_(fabric), switch_ports_(all_switch_ports), diagnostics_(diagnostics) {}

  PortSet bind(const Topology& topology, const PortSet& switch_group, const PortSet& host_group,
               const Policy& policy) {
    PortSet switches = switch_group, hosts = host_group;
    switches &= switch_ports_;
    hosts -= switch_ports_;
    report_ignored(topology, switch_group.count() - switches.count(),
                   policy.groups[topology.switches.index()], "switch ports");
    report_ignored(topology, host_group.count() - hosts.count(), policy.groups[topology.hosts.index()],
                   "ports of channel adapters");
    PortSet ports = switches;
    switches.for_each([&](PortId id) { ports.insert(fabric_.port_id(fabric_.port(id).node, PortNum(0))); });
    if (switches.empty()) {
      diagnostics_
          .add(kEmptySwitchGroup, topology.span,
               fmt::format("topology {} has no switch on this fabric", topology.id))
          .labels = label(policy.groups[topology.switches.index()]);
      return ports;
    }
    report_hosts(topology, hosts, ports);
    report_components(topology, ports);
    ports |= hosts;
    return ports;
  }

 private:
  static std::vector<Label> label(const PortGroup& group) {
    if (group.name.span.source.is_none()) return {};
    return {{group.name.span, fmt::format("group `{}`", group.name.text)}};
  }

  void report_ignored(const Topology& topology, std::size_t count, const PortGroup& group,
                      std::string_view expected) {
    if (count == 0) return;
    diagnostics_
        .add(kIgnoredMembers, topology.span,
             fmt::format("topology {} ignores {} ports of group `{}` that are no {}", topology.id, count,
                         group.name.text, expected))
        .labels = label(group);
  }

  /// Hosts whose link the topology does not have.
  void report_hosts(const Topology& topology, const PortSet& hosts, const PortSet& ports) {
    std::size_t outside = 0;
    PortId first = PortId::none();
    hosts.for_each([&](PortId id) {
      const PortId peer = fabric_.port(id).peer;
      if (peer.is_none() || !switch_ports_.contains(peer) || ports.contains(peer)) return;
      if (outside++ == 0) first = id;
    });
    if (outside == 0) return;
    const fabric::Port& host = fabric_.port(first);
    const fabric::Port& leaf = fabric_.port(host.peer);
    const fabric::Node& leaf_node = fabric_.node(leaf.node);
    diagnostics_
        .add(kHostCutOff, topology.span,
             fmt::format("{} of topology {} hang{} on switch ports outside it, first `{}` port "
                         "{} on `{}` ({}) port {}",
                         counted(outside, "host port"), topology.id, outside == 1 ? "s" : "",
                         fabric_.node(host.node).name(), host.number, leaf_node.name(), leaf_node.guid,
                         leaf.number))
        .hint = "this step does not route to them; add the switch ports to `sw-grp`";
  }

  void report_components(const Topology& topology, const PortSet& ports) {
    constexpr std::size_t kShown = 8;
    const Components components(fabric_, ports);
    const auto& sizes = components.sizes();
    if (sizes.size() < 2) return;
    const std::size_t shown = std::min(sizes.size(), kShown);
    diagnostics_.add(
        kDisconnectedTopology, topology.span,
        fmt::format("topology {} is in {} parts of {}{} switches", topology.id, sizes.size(),
                    fmt::join(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                    shown < sizes.size() ? ", …" : ""));
  }

  const Fabric& fabric_;
  const PortSet& switch_ports_;
  Diagnostics& diagnostics_;
};

/// A switch in more topologies than `max_topologies_per_sw`.
void check_membership(const Policy& policy, const Fabric& fabric, const std::vector<PortSet>& topologies,
                      Diagnostics& diagnostics) {
  std::size_t over = 0;
  for (std::size_t s = 0; s < fabric.switch_count(); ++s) {
    const auto sw = SwitchId(static_cast<std::uint32_t>(s));
    std::vector<std::size_t> of;
    for (std::size_t t = 0; t < topologies.size(); ++t)
      if (topologies[t].contains(fabric.port_id(sw, PortNum(0)))) of.push_back(t);
    if (of.size() <= policy.options.chain.max_topologies_per_sw || over++ > 0) continue;
    std::vector<TopologyId> ids;
    ids.reserve(of.size());
    for (std::size_t t : of) ids.push_back(policy.topologies[t].id);
    diagnostics
        .add(kTooManyTopologies, policy.topologies[of.back()].span,
             fmt::format("`{}` ({}) is in {} topologies, {}; the limit is {}", fabric.node(sw).name(),
                         fabric.node(sw).guid, of.size(), fmt::join(ids, ", "),
                         policy.options.chain.max_topologies_per_sw))
        .hint = "raise `max_topologies_per_sw`";
  }
}

/// `auto_join_hca_wo_topo`: the port of a host that no topology has joins that of its switch port, where one
/// topology alone has it.
void join_hosts(const Fabric& fabric, std::vector<PortSet>& topologies) {
  for (const fabric::EndPort& end : fabric.end_ports()) {
    const PortId host = end.port, leaf = fabric.port(host).peer;
    if (fabric.is_switch(fabric.port(host).node) || leaf.is_none()) continue;
    std::vector<PortSet*> of_leaf;
    bool is_member = false;
    for (PortSet& topology : topologies) {
      is_member = is_member || topology.contains(host);
      if (topology.contains(leaf)) of_leaf.push_back(&topology);
    }
    if (!is_member && of_leaf.size() == 1) of_leaf.front()->insert(host);
  }
}

}  // namespace

std::vector<PortSet> bind_topologies(const Policy& policy, const Fabric& fabric,
                                     const std::vector<SparseSet<PortId>>& groups, Diagnostics& diagnostics) {
  const PortSet all_switch_ports = switch_ports(fabric);
  TopologyBinder binder(fabric, all_switch_ports, diagnostics);
  std::vector<PortSet> bound;
  const auto ports_of = [&](GroupId group) { return groups[group.index()].dense(fabric.ports().size()); };
  for (const Topology& topology : policy.topologies) {
    // Single files may leave the groups open.
    const bool known = !topology.switches.is_none() && !topology.hosts.is_none();
    bound.push_back(known
                        ? binder.bind(topology, ports_of(topology.switches), ports_of(topology.hosts), policy)
                        : PortSet(fabric.ports().size()));
  }
  if (policy.options.chain.auto_join_hca_wo_topo) join_hosts(fabric, bound);
  check_membership(policy, fabric, bound, diagnostics);
  return bound;
}

}  // namespace rch::policy
