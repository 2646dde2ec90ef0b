#include "policy/bind/bind_side_files.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "policy/bind/bind_cables.h"
#include "policy/lint/rules/bind.h"
#include "policy/lint/rules/side_files.h"

namespace rch::policy {
namespace {

using fabric::Fabric;
using fabric::NodeType;

std::optional<std::uint8_t> port_of(const NodeNumber&) { return std::nullopt; }
std::optional<std::uint8_t> port_of(const HopWeight& entry) { return entry.port; }
std::optional<std::uint8_t> port_of(const IgnoredPort& entry) { return entry.port; }

/// Brings the entries of files to a fabric. Steps share files, so each place is reported once.
class FileBinder {
 public:
  FileBinder(const BoundPolicy& bound, Diagnostics& diagnostics)
      : bound_(bound), fabric_(*bound.fabric), diagnostics_(diagnostics) {}

  StepFiles bind(const Step& step) {
    const StepFiles& files = step.files;
    compat_ = step.mode == EngineMode::compat;
    return {.roots = roots(files.roots),
            .compute_nodes = compute_nodes(files.compute_nodes),
            .io_nodes = end_ports(files.io_nodes),
            .routing_order = end_ports(files.routing_order),
            .ids = on_switches(files.ids),
            .hop_weights = on_switches(files.hop_weights),
            .port_orders = port_orders(files.port_orders),
            .ignored_ports = ignored_ports(files.ignored_ports),
            .lfts = files.lfts,
            .hops = files.hops};
  }

  void check(const FabricFiles& files) {
    // Held-back switches are out of sight when the fabric was seen without them.
    for (const ListMember& entry : files.held_back_switches)
      if (find_node(std::get<Guid>(entry.who))) find_switch(std::get<Guid>(entry.who), entry.span);
    for (const ListMember& entry : files.multicast_roots) find_switch(std::get<Guid>(entry.who), entry.span);
    for (const PrefixRoute& route : files.prefix_routes)
      if (route.router) check_router(*route.router, route.span);
    for (const NodeName& name : files.node_names)
      if (!find_node(name.node)) note_absent(name.node, name.span);
  }

  void check(std::span<const OptionGuid> options) {
    for (const OptionGuid& option : options) {
      const bool root = option.key.ends_with("_root_guid");
      const auto node = find_node(option.guid);
      if (!node)
        diagnostics_.add(kGuidNotInFabric, option.span,
                         fmt::format("{}{}", option.guid, absence(*bound_.policy, option.guid)));
      else if (root && !fabric_.is_switch(*node))
        diagnostics_.add(side_files::kNotASwitch, option.span,
                         fmt::format("{} is {}; it is left out", option.guid, describe(*node)));
      else if (!root && !fabric_.find_port(option.guid))
        diagnostics_
            .add(side_files::kNotAPortGuid, option.span,
                 fmt::format("{} is the node GUID of {}", option.guid, describe(*node)))
            .hint = "name the GUID of its port";
    }
  }

  /// One note for all GUIDs of a file that the fabric does not have.
  void report_absent() {
    for (const auto& [source, places] : absent_) {
      const std::string more =
          places.size() > 1 ? fmt::format(", nor {} more of this file", places.size() - 1) : "";
      diagnostics_
          .add(kGuidNotInFabric, places.begin()->second.span,
               fmt::format("{}{}{}", places.begin()->second.guid,
                           absence(*bound_.policy, places.begin()->second.guid), more))
          .severity = Severity::note;
    }
  }

 private:
  struct Absent {
    Guid guid;
    Span span;
  };

  std::string describe(NodeId node) const {
    const NodeType type = fabric_.node(node).type;
    const std::string_view kind = type == NodeType::ca       ? "a channel adapter"
                                  : type == NodeType::router ? "a router"
                                                             : "a switch";
    return fmt::format("`{}`, {}", fabric_.node(node).name(), kind);
  }

  void report(const Rule& rule, Span span, std::string message, std::string_view hint = {}) {
    if (reported_.insert({span.source, span.begin}).second)
      diagnostics_.add(rule, span, std::move(message)).hint = hint;
  }
  void note_absent(Guid guid, Span span) { absent_[span.source].emplace(span.begin, Absent{guid, span}); }

  /// The node that a GUID names, its own or that of one of its ports.
  std::optional<NodeId> find_node(Guid guid) const {
    if (const auto node = fabric_.find_node(guid)) return node;
    const auto port = fabric_.find_port(guid);
    return port ? std::optional(fabric_.port(*port).node) : std::nullopt;
  }

  std::optional<NodeId> find_switch(Guid guid, Span span) {
    const auto node = find_node(guid);
    if (!node) {
      note_absent(guid, span);
      return std::nullopt;
    }
    if (fabric_.is_switch(*node)) return node;
    report(side_files::kNotASwitch, span, fmt::format("{} is {}; it is left out", guid, describe(*node)));
    return std::nullopt;
  }

  /// The port of a switch behind the cable of a CA or router; by node GUID its first one.
  std::optional<PortId> attached_to(NodeId node, Guid guid) const {
    for (unsigned p = 1; p <= fabric_.node(node).num_ports; ++p) {
      const fabric::Port& port = fabric_.port(fabric_.port_id(node, PortNum(static_cast<std::uint8_t>(p))));
      if (port.guid != guid && fabric_.node(node).guid != guid) continue;
      if (!port.peer.is_none() && fabric_.is_switch(fabric_.port(port.peer).node)) return port.peer;
    }
    return std::nullopt;
  }

  /// A CA or router stands for the switch it hangs on; to OpenSM it is no root.
  std::optional<NodeId> find_root(Guid guid, Span span) {
    const auto node = find_node(guid);
    if (!node || compat_ || fabric_.is_switch(*node)) return find_switch(guid, span);
    const auto port = attached_to(*node, guid);
    if (!port) return find_switch(guid, span);
    const NodeId root = fabric_.port(*port).node;
    report(
        side_files::kRootIsNoSwitch, span,
        fmt::format("{} is {}; its switch `{}` is taken", guid, describe(*node), fabric_.node(root).name()),
        fmt::format("write `{}`", fabric_.node(root).guid));
    return root;
  }

  template <class Add>
  void switches_of(GroupId group, Add add) const {
    std::set<NodeId> nodes;
    bound_.groups[group.index()].for_each([&](PortId port) {
      if (fabric_.is_switch(fabric_.port(port).node)) nodes.insert(fabric_.port(port).node);
    });
    for (NodeId node : nodes) add(fabric_.node(node).guid);
  }

  std::vector<ListMember> roots(const std::vector<ListMember>& entries) {
    std::vector<ListMember> found;
    for (const ListMember& entry : entries) {
      const auto add = [&](Guid guid) { found.push_back({guid, entry.rank, entry.span}); };
      if (const auto* group = std::get_if<GroupId>(&entry.who))
        switches_of(*group, add);
      else if (const auto node = find_root(std::get<Guid>(entry.who), entry.span))
        add(fabric_.node(*node).guid);
    }
    return found.empty() ? unknown(entries) : found;
  }

  std::vector<ListMember> compute_nodes(const std::vector<ListMember>& entries) {
    std::vector<ListMember> found = end_ports(entries);
    return found.empty() ? unknown(entries) : found;
  }

  /// A list of which nothing is left must not look like none: engines refuse GUIDs that they do not find.
  static std::vector<ListMember> unknown(const std::vector<ListMember>& entries) {
    std::vector<ListMember> kept;
    for (const ListMember& entry : entries) {
      const auto* guid = std::get_if<Guid>(&entry.who);
      kept.push_back({guid != nullptr ? *guid : Guid{}, entry.rank, entry.span});
    }
    return kept;
  }

  std::vector<ListMember> end_ports(const std::vector<ListMember>& entries) {
    std::vector<ListMember> found;
    for (const ListMember& entry : entries) {
      if (const auto* group = std::get_if<GroupId>(&entry.who)) {
        bound_.groups[group->index()].for_each([&](PortId id) {
          const fabric::Port& port = fabric_.port(id);
          if (fabric_.is_switch(port.node) && port.number != PortNum(0)) return;
          found.push_back({port.guid, entry.rank, entry.span});
        });
        continue;
      }
      const Guid guid = std::get<Guid>(entry.who);
      if (fabric_.find_port(guid))
        found.push_back(entry);
      else if (const auto node = fabric_.find_node(guid))
        report(side_files::kNotAPortGuid, entry.span,
               fmt::format("{} is the node GUID of {}; it is left out", guid, describe(*node)),
               "this file names ports by port GUID");
      else
        note_absent(guid, entry.span);
    }
    return found;
  }

  bool has_port(NodeId node, std::uint8_t port, Span span) {
    if (port <= fabric_.node(node).num_ports) return true;
    report(kNoSuchPort, span,
           fmt::format("`{}` has {} ports and no port {}", fabric_.node(node).name(),
                       fabric_.node(node).num_ports, port));
    return false;
  }

  template <class Entry>
  std::vector<Entry> on_switches(const std::vector<Entry>& entries) {
    std::vector<Entry> found;
    for (Entry entry : entries) {
      const auto node = find_switch(entry.node, entry.span);
      const auto port = port_of(entry);
      if (!node || (port && !has_port(*node, *port, entry.span))) continue;
      entry.node = fabric_.node(*node).guid;
      found.push_back(entry);
    }
    return found;
  }

  /// A bare GUID is that of an end port, and means the port of a switch that it hangs on. OpenSM drops it.
  std::vector<IgnoredPort> ignored_ports(const std::vector<IgnoredPort>& entries) {
    std::vector<IgnoredPort> by_switch;
    for (const IgnoredPort& entry : entries) {
      const auto node = find_node(entry.node);
      if (entry.port || !node || fabric_.is_switch(*node)) {
        if (entry.port || !node) by_switch.push_back(entry);
        continue;
      }
      const auto port = attached_to(*node, entry.node);
      if (!port || compat_) continue;
      const fabric::Port& peer = fabric_.port(*port);
      by_switch.push_back({fabric_.node(peer.node).guid, peer.number.value, entry.span});
    }
    return on_switches(by_switch);
  }

  /// OpenSM drops a line for one port that the switch does not have.
  std::vector<PortOrder> port_orders(const std::vector<PortOrder>& entries) {
    std::vector<PortOrder> found;
    const auto add = [&](NodeId node, const PortOrder& entry) {
      const bool good = std::all_of(entry.ports.begin(), entry.ports.end(),
                                    [&](std::uint8_t port) { return has_port(node, port, entry.span); });
      if (good) found.push_back({fabric_.node(node).guid, entry.ports, entry.span});
    };
    for (const PortOrder& entry : entries) {
      if (const auto* group = std::get_if<GroupId>(&entry.who))
        switches_of(*group, [&](Guid guid) { add(*fabric_.find_node(guid), entry); });
      else if (const auto node = find_switch(std::get<Guid>(entry.who), entry.span))
        add(*node, entry);
    }
    return found;
  }

  void check_router(Guid guid, Span span) {
    const auto port = fabric_.find_port(guid);
    if (!port) return note_absent(guid, span);
    const NodeId node = fabric_.port(*port).node;
    if (fabric_.node(node).type != NodeType::router)
      report(side_files::kNotARouter, span, fmt::format("{} is {}", guid, describe(node)));
  }

  const BoundPolicy& bound_;
  const Fabric& fabric_;
  Diagnostics& diagnostics_;
  bool compat_ = false;  ///< the step has OpenSM's tables
  std::set<std::pair<SourceId, std::uint32_t>> reported_;
  std::map<SourceId, std::map<std::uint32_t, Absent>> absent_;  ///< by offset
};

}  // namespace

std::vector<StepFiles> bind_side_files(const BoundPolicy& bound, Diagnostics& diagnostics) {
  FileBinder binder(bound, diagnostics);
  std::vector<StepFiles> files;
  for (const Step& step : bound.policy->steps) files.push_back(binder.bind(step));
  binder.check(bound.policy->files);
  binder.check(bound.policy->option_guids);
  binder.report_absent();
  return files;
}

}  // namespace rch::policy
