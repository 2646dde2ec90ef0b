#include "policy/bind/bind_groups.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/bind/bind_cables.h"
#include "policy/bind/fabric_index.h"
#include "policy/bind/group_order.h"
#include "policy/lint/rules/bind.h"
#include "policy/lint/rules/groups.h"
#include "policy/model/regexp.h"

namespace rch::policy {
namespace {

using fabric::Fabric;
using fabric::NodeType;
using Ports = SparseSet<PortId>;

/// None for a predefined group.
Span span_of(const GroupRule& rule) {
  return std::visit(
      [](const auto& r) {
        if constexpr (std::is_same_v<std::decay_t<decltype(r)>, BuiltinGroup>)
          return Span{};
        else
          return r.span;
      },
      rule);
}

/// Each expression of the groups once.
std::vector<std::string> expressions_of(const std::vector<PortGroup>& groups) {
  std::set<std::string> expressions;
  for (const PortGroup& group : groups)
    for (const GroupRule& rule : group.rules)
      if (const auto* regexp = std::get_if<PortRegexpRule>(&rule)) expressions.insert(regexp->regexp);
  return {expressions.begin(), expressions.end()};
}

class GroupBinder {
 public:
  GroupBinder(const Policy& policy, const Fabric& fabric, Diagnostics& diagnostics)
      : policy_(policy),
        fabric_(fabric),
        diagnostics_(diagnostics),
        index_(fabric),
        expressions_(expressions_of(policy.groups)),
        matched_(index_.matching(expressions_)),
        bound_(policy.groups.size()),
        explained_(policy.groups.size()) {}

  std::vector<Ports> run() {
    for (std::size_t group : dependency_order(policy_.groups)) bind(group);
    return std::move(bound_);
  }

  void operator()(const PortGuidRule& rule) {
    const auto port = fabric_.find_port(rule.guid);
    const auto node = fabric_.find_node(rule.guid);
    if (!port && !node) {
      warn(kGuidNotInFabric, rule.span, fmt::format("{}{}", rule.guid, absence(policy_, rule.guid)));
      return;
    }
    const NodeId owner = node ? *node : fabric_.port(*port).node;
    // A switch answers to its port GUID as a node does; a CA port GUID names that port alone.
    const bool one_port = port && !fabric_.is_switch(owner) && fabric_.port(*port).guid == rule.guid;
    const unsigned only = one_port ? fabric_.port(*port).number.value : 0;
    if (rule.ports.empty()) {
      if (one_port)
        into_->insert(*port);
      else
        insert_node(owner);
      if (!one_port && !fabric_.is_switch(owner) && fabric_.node(owner).num_ports > 1)
        diagnostics_.add(kMultiPortGuid, rule.span,
                         fmt::format("node GUID {} stands for all {} ports of `{}`", rule.guid,
                                     fabric_.node(owner).num_ports, fabric_.node(owner).name()));
      return;
    }
    for (const auto& [low, high] : rule.ports) insert_ports(owner, low, high, one_port ? only : 0, rule);
  }

  void operator()(const PortGuidRangeRule& rule) {
    const auto named = index_.in_range(rule.low, rule.high);
    for (const FabricIndex::Named& item : named) {
      if (item.port.is_none())
        insert_node(item.node);
      else
        into_->insert(fabric_.port_id(item.node, item.port));
    }
    if (named.empty())
      warn(kGuidNotInFabric, rule.span,
           fmt::format("no GUID of the fabric lies between {} and {}", rule.low, rule.high));
  }

  void operator()(const PortNameRule& rule) {
    bool found = false;
    for (const FabricIndex::Card& card : index_.cards_of(rule.hostname)) {
      if (rule.hca_index && card.index != *rule.hca_index) continue;
      found = true;
      insert_card(card.node, rule.port, rule.span);
    }
    if (found) return;
    const std::string card = rule.hca_index ? fmt::format("{}", *rule.hca_index) : "…";
    warn(kHostNotInFabric, rule.span,
         fmt::format("no channel adapter is described as `{} HCA-{}`", rule.hostname, card));
  }

  void operator()(const PortRegexpRule& rule) {
    const auto at = std::lower_bound(expressions_.begin(), expressions_.end(), rule.regexp);
    const SparseSet<NodeId>& nodes = matched_[static_cast<std::size_t>(at - expressions_.begin())];
    std::size_t without = 0;  // nodes that lack the port
    nodes.for_each([&](NodeId node) {
      const unsigned least = fabric_.is_switch(node) ? 0 : 1;
      if (!rule.port)
        insert_node(node);
      else if (*rule.port >= least && *rule.port <= fabric_.node(node).num_ports)
        into_->insert(fabric_.port_id(node, PortNum(*rule.port)));
      else
        ++without;
    });
    report_matches(rule, nodes.count(), without);
  }

  void operator()(const UnionRule& rule) {
    *into_ |= bound_[rule.left.index()];
    *into_ |= bound_[rule.right.index()];
  }

  void operator()(const SubtractRule& rule) {
    Ports rest = bound_[rule.left.index()];
    rest -= bound_[rule.right.index()];
    *into_ |= rest;
  }

  void operator()(BuiltinGroup builtin) {
    for (std::size_t n = 0; n < fabric_.nodes().size(); ++n) {
      const NodeType type = fabric_.nodes()[n].type;
      const bool is_member = builtin == BuiltinGroup::all ||
                             (builtin == BuiltinGroup::all_switches && type == NodeType::sw) ||
                             (builtin == BuiltinGroup::all_cas && type == NodeType::ca) ||
                             (builtin == BuiltinGroup::all_routers && type == NodeType::router);
      if (is_member) insert_node(NodeId(static_cast<std::uint32_t>(n)));
    }
  }

 private:
  void bind(std::size_t group) {
    const PortGroup& definition = policy_.groups[group];
    Ports& ports = bound_[group];
    warned_ = false;
    bool operand_explained = false, overlap_reported = false;
    for (const GroupRule& rule : definition.rules) {
      Ports added;
      into_ = &added;
      std::visit(*this, rule);
      if (!overlap_reported) overlap_reported = report_overlap(definition, rule, ports, added);
      ports |= added;
      for (GroupId operand : operands(rule))
        operand_explained = operand_explained || explained_[operand.index()];
    }
    const bool predefined = definition.name.span.source.is_none();
    if (!ports.empty() || predefined) return;
    explained_[group] = true;
    if (!warned_ && !operand_explained)
      diagnostics_.add(kEmptyGroup, definition.name.span,
                       fmt::format("group `{}` has no port on this fabric", definition.name.text));
  }

  void warn(const Rule& rule, Span span, std::string message) {
    diagnostics_.add(rule, span, std::move(message));
    warned_ = true;
  }

  void report_matches(const PortRegexpRule& rule, std::size_t matched, std::size_t without) {
    const std::size_t all = fabric_.nodes().size();
    if (without > 0)
      warn(kNoSuchPort, rule.span,
           fmt::format("{} of {} nodes that `{}` matches have no port {}", without, matched, rule.regexp,
                       *rule.port));
    if (matched == 0)
      warn(kRegexpMatchesNothing, rule.span,
           fmt::format("`{}` matches none of {} node descriptions", rule.regexp, all));
    else if (matched == all && all > 1)
      warn(kRegexpMatchesAll, rule.span,
           fmt::format("`{}` matches all {} node descriptions", rule.regexp, all));
    else if (looks_like_glob(rule.regexp))
      diagnostics_.add(kRegexpMatches, rule.span,
                       fmt::format("`{}` matches {} of {} node descriptions", rule.regexp, matched, all));
  }

  /// True when the rule adds a port that an earlier one has added.
  bool report_overlap(const PortGroup& group, const GroupRule& rule, const Ports& before,
                      const Ports& added) {
    if (before.empty()) return false;
    Ports shared = added;
    shared &= before;
    if (shared.empty()) return false;
    std::optional<PortId> first;
    shared.for_each([&](PortId port) { first = first.value_or(port); });
    const fabric::Port& port = fabric_.port(*first);
    const fabric::Node& node = fabric_.node(port.node);
    diagnostics_.add(kPortTwice, span_of(rule),
                     fmt::format("{} of this rule {} in group `{}` already, first port {} of `{}` ({})",
                                 counted(shared.count(), "port"), shared.count() == 1 ? "is" : "are",
                                 group.name.text, port.number, node.name(), node.guid));
    return true;
  }

  /// Port 0 of a switch and all external ports; the ports of another node.
  void insert_node(NodeId node) {
    for (unsigned p = fabric_.is_switch(node) ? 0 : 1; p <= fabric_.node(node).num_ports; ++p)
      into_->insert(fabric_.port_id(node, PortNum(static_cast<std::uint8_t>(p))));
  }

  /// Inserts a port of a channel adapter.
  void insert_card(NodeId node, std::optional<std::uint8_t> port, Span span) {
    if (!port)
      insert_node(node);
    else if (*port >= 1 && *port <= fabric_.node(node).num_ports)
      into_->insert(fabric_.port_id(node, PortNum(*port)));
    else
      no_port(node, *port, span);
  }

  /// `only`: the one port number that a CA port GUID has, or 0.
  void insert_ports(NodeId node, unsigned low, unsigned high, unsigned only, const PortGuidRule& rule) {
    const unsigned least = fabric_.is_switch(node) ? 0 : 1;
    const unsigned most = fabric_.node(node).num_ports;
    if (only != 0 && (low != only || high != only)) {
      warn(kNoSuchPort, rule.span,
           fmt::format("{} is port {} of `{}` and no other", rule.guid, only, fabric_.node(node).name()));
    } else if (low < least || high > most) {
      no_port(node, low < least ? low : high, rule.span);
    }
    for (unsigned p = std::max(low, least); p <= std::min(high, most); ++p)
      if (only == 0 || p == only) into_->insert(fabric_.port_id(node, PortNum(static_cast<std::uint8_t>(p))));
  }

  void no_port(NodeId node, unsigned port, Span span) {
    const fabric::Node& info = fabric_.node(node);
    warn(kNoSuchPort, span,
         fmt::format("`{}` ({}) has no port {}; its ports are {} to {}", info.name(), info.guid, port,
                     fabric_.is_switch(node) ? 0 : 1, info.num_ports));
  }

  const Policy& policy_;
  const Fabric& fabric_;
  Diagnostics& diagnostics_;
  FabricIndex index_;
  std::vector<std::string> expressions_;    ///< ascending
  std::vector<SparseSet<NodeId>> matched_;  ///< parallel to them
  std::vector<Ports> bound_;
  std::vector<bool> explained_;  ///< an empty group whose reason was reported
  Ports* into_ = nullptr;        ///< of the rule being bound
  bool warned_ = false;          ///< a rule of the group was reported
};

}  // namespace

std::vector<Ports> bind_groups(const Policy& policy, const Fabric& fabric, Diagnostics& diagnostics) {
  return GroupBinder(policy, fabric, diagnostics).run();
}

}  // namespace rch::policy
