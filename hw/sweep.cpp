#include "hw/sweep.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "fabric/fabric.h"

namespace rch::hw {
namespace {

using fabric::NodeType;
using fabric::PortState;

/// Problems spelled out in a message; the rest is counted.
constexpr std::size_t kShownProblems = 5;

std::uint8_t byte(const SmpData& data, Field field) { return static_cast<std::uint8_t>(get(data, field)); }
NodeType type_of(const SmpData& info) { return static_cast<NodeType>(byte(info, node_info::kType)); }
PortState state_of(const SmpData& info) { return static_cast<PortState>(byte(info, port_info::kState)); }

/// Why an answer cannot be believed (sm-sa 2.1); empty if it can.
std::string fault_in_node_info(const SmpData& info) {
  const auto type = byte(info, node_info::kType);
  const auto ports = byte(info, node_info::kNumPorts);
  if (type < 1 || type > 3) return fmt::format("node type {}", type);
  if (ports < 1 || ports > 254) return fmt::format("{} ports", ports);
  if (byte(info, node_info::kLocalPort) > ports) return fmt::format("local port {} of {}", info[36], ports);
  if (get(info, node_info::kNodeGuid) == 0) return "a node GUID of 0";
  if (get(info, node_info::kPortGuid) == 0) return "a port GUID of 0";
  return {};
}

std::string fault_in_port_info(const SmpData& info, bool port0) {
  const auto state = byte(info, port_info::kState);
  if (state > 4) return fmt::format("port state {}", state);
  if (!port0 && state <= static_cast<std::uint8_t>(PortState::down))
    return {};  // nothing else counts (sm-sa 3.2)
  for (auto [field, what] : {std::pair{port_info::kMtuCap, "MTU"}, std::pair{port_info::kVlCap, "VL"}}) {
    const auto code = byte(info, field);
    if (code < 1 || code > 5) return fmt::format("{} capability code {}", what, code);
  }
  return {};
}

std::string_view attribute_name(Attribute attribute) {
  switch (attribute) {
    case Attribute::node_description:
      return "NodeDescription";
    case Attribute::node_info:
      return "NodeInfo";
    case Attribute::switch_info:
      return "SwitchInfo";
    default:
      return "PortInfo";
  }
}

/// Trailing padding off, unprintable bytes to blanks, as ibnetdiscover shows it.
std::string description_from(const SmpData& data) {
  std::string text(data.begin(), std::find(data.begin(), data.end(), 0));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E) c = ' ';
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

Result<void> Sweep::run() {
  auto self = client_.ask({.route = {}, .attribute = Attribute::node_info});
  if (!self) return tl::unexpected(self.error());
  if (!self->good()) return fail(ErrorKind::fabric, "our own port does not answer Get(NodeInfo)");
  if (const std::string fault = fault_in_node_info(self->data); !fault.empty()) {
    return fail(ErrorKind::fabric, "our own port answered Get(NodeInfo) with " + fault);
  }
  local_port_ = byte(self->data, node_info::kLocalPort);
  meet(self->data, {});
  if (auto walked = client_.wait_all(); !walked) return walked;
  if (auto whole = verdict(); !whole) return whole;
  const SweepPort& own = nodes_[0].ports[local_port_];
  if (type_of(nodes_[0].info) == NodeType::sw || state_of(own.info) > PortState::down) return {};
  return fail(ErrorKind::fabric, fmt::format("our port is down: {}", name(0, local_port_)));
}

void Sweep::ask(SweepNodeId node, std::uint8_t port, const Route& route, Attribute attribute,
                std::uint32_t modifier) {
  client_.submit({.route = route, .attribute = attribute, .modifier = modifier, .node = node},
                 [this, node, port, attribute](const SmpAnswer& a) { on_answer(node, port, attribute, a); });
}

void Sweep::on_answer(SweepNodeId node, std::uint8_t port, Attribute attribute, const SmpAnswer& answer) {
  if (!answer.good()) {
    const std::string how = answer.answered ? fmt::format("answers with status 0x{:02x}", answer.status)
                                            : std::string("does not answer");
    return problem(node, port, "", fmt::format(" {} Get({})", how, attribute_name(attribute)));
  }
  SweepNode& seen = nodes_[node];
  if (attribute == Attribute::node_description) {
    seen.description = description_from(answer.data);
  } else if (attribute == Attribute::switch_info) {
    seen.switch_info = answer.data;
    const auto cap = get(answer.data, switch_info::kLinearCap);
    if (cap == 0) problem(node, 0, "", " has no linear forwarding table");
  } else {
    seen.ports[port].info = answer.data;
    on_port_info(node, port);
  }
}

void Sweep::on_port_info(SweepNodeId node, std::uint8_t port) {
  const SweepNode& seen = nodes_[node];
  const SmpData& info = seen.ports[port].info;
  const bool is_switch = type_of(seen.info) == NodeType::sw;
  if (const std::string fault = fault_in_port_info(info, is_switch && port == 0); !fault.empty()) {
    return problem(node, port, "", " answers Get(PortInfo) with " + fault);
  }
  // A CA port that is not ours was reached over its cable, so what is behind it is known.
  if (port != 0 && state_of(info) > PortState::down && (is_switch || node == 0)) explore(node, port);
}

void Sweep::explore(SweepNodeId node, std::uint8_t port) {
  SweepNode& from = nodes_[node];
  SweepPort& exit = from.ports[port];
  if (exit.explored || exit.peer) return;
  exit.explored = true;
  const Route& route = type_of(from.info) == NodeType::sw ? from.route : exit.route;
  if (route.full()) return problem(node, port, "", " is 63 hops away: directed routes end there");
  client_.submit({.route = route.through(PortNum(port)), .attribute = Attribute::node_info},
                 [this, node, port](const SmpAnswer& answer) { on_neighbor(node, port, answer); });
}

void Sweep::on_neighbor(SweepNodeId from, std::uint8_t from_port, const SmpAnswer& answer) {
  if (!answer.answered) return problem(from, from_port, "nothing answers behind ", ", which is up");
  const std::string fault =
      answer.status != 0 ? fmt::format("status 0x{:02x}", answer.status) : fault_in_node_info(answer.data);
  if (!fault.empty()) {
    return problem(from, from_port, "what is behind ", " answers Get(NodeInfo) with " + fault);
  }
  const SweepNode& origin = nodes_[from];
  const bool from_switch = type_of(origin.info) == NodeType::sw;
  const Route route =
      (from_switch ? origin.route : origin.ports[from_port].route).through(PortNum(from_port));
  if (const auto node = meet(answer.data, route)) {
    link(from, from_port, *node, byte(answer.data, node_info::kLocalPort));
  } else {
    problem(from, from_port, "what is behind ",
            fmt::format(" has GUID {} and other ports than the node of that GUID seen before",
                        Guid(get(answer.data, node_info::kNodeGuid))));
  }
}

/// The node that gave this answer, new or known; nothing if it contradicts what is known.
std::optional<SweepNodeId> Sweep::meet(const SmpData& info, const Route& route) {
  const Guid guid(get(info, node_info::kNodeGuid));
  const std::size_t slots = byte(info, node_info::kNumPorts) + std::size_t{1};
  const auto [found, fresh] = by_guid_.emplace(guid, static_cast<SweepNodeId>(nodes_.size()));
  const SweepNodeId id = found->second;
  if (fresh) {
    nodes_.push_back({guid, route, info, {}, {}, std::vector<SweepPort>(slots)});
    ask(id, byte(info, node_info::kLocalPort), route, Attribute::node_description, 0);
  }
  SweepNode& node = nodes_[id];
  if (type_of(node.info) != type_of(info) || node.ports.size() != slots) return std::nullopt;
  const auto local = byte(info, node_info::kLocalPort);
  if (type_of(info) != NodeType::sw) {
    node.ports[local].guid = Guid(get(info, node_info::kPortGuid));
    look_at_port(id, local, route);
  } else if (fresh) {
    for (SweepPort& port : node.ports) port.guid = Guid(get(info, node_info::kPortGuid));
    ask(id, 0, route, Attribute::switch_info, 0);
    for (std::size_t port = 0; port < slots; ++port) look_at_port(id, static_cast<std::uint8_t>(port), route);
  }
  return id;
}

void Sweep::look_at_port(SweepNodeId node, std::uint8_t port, const Route& route) {
  SweepPort& seen = nodes_[node].ports[port];
  if (seen.seen) return;
  seen.seen = true;
  seen.route = route;
  ask(node, port, route, Attribute::port_info, port | kExtendedSpeeds);
}

void Sweep::link(SweepNodeId a, std::uint8_t a_port, SweepNodeId b, std::uint8_t b_port) {
  if (a == b && a_port == b_port) return;  // a loop-back plug is no link (sm-sa 2.2)
  SweepPort& near = nodes_[a].ports[a_port];
  SweepPort& far = nodes_[b].ports[b_port];
  const std::pair to_far{b, b_port};
  const std::pair to_near{a, a_port};
  if (near.peer.value_or(to_far) == to_far && far.peer.value_or(to_near) == to_near) {
    near.peer = to_far;
    far.peer = to_near;
    return;
  }
  const auto& clash = far.peer.value_or(to_near) == to_near ? near.peer : far.peer;
  problem(a, a_port, "",
          fmt::format(
              " leads to port {} of {}, but one of them leads to port {} of {} (two nodes with one GUID, or "
              "a cable that moved)",
              b_port, nodes_[b].guid, clash->second, nodes_[clash->first].guid));
}

void Sweep::problem(SweepNodeId node, std::uint8_t port, std::string before, std::string after) {
  problems_.push_back({node, port, std::move(before), std::move(after)});
}

std::string Sweep::name(SweepNodeId node, std::uint8_t port) const {
  const SweepNode& seen = nodes_[node];
  return fmt::format("`{}` port {} ({}, route {})", seen.description, port, seen.guid, to_string(seen.route));
}

Result<void> Sweep::verdict() {
  if (problems_.empty()) return {};
  const auto order = [this](const SweepProblem& p) {
    return std::tuple(nodes_[p.node].guid, p.port, std::string_view(p.before), std::string_view(p.after));
  };
  std::sort(problems_.begin(), problems_.end(),
            [&](const auto& a, const auto& b) { return order(a) < order(b); });
  std::string text = "the fabric cannot be seen whole: ";
  for (std::size_t i = 0; i < std::min(problems_.size(), kShownProblems); ++i) {
    const SweepProblem& p = problems_[i];
    text += fmt::format("{}{}{}{}", i == 0 ? "" : "; ", p.before, name(p.node, p.port), p.after);
  }
  if (problems_.size() > kShownProblems)
    text += fmt::format("; and {} more", problems_.size() - kShownProblems);
  return fail(ErrorKind::fabric, std::move(text));
}

}  // namespace rch::hw
