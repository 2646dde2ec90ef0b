#include "whatif/failure.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "fabric/faults.h"
#include "fabric/random.h"

namespace rch::whatif {
namespace {

using fabric::Fabric;

/// The lower end of every cable between two switches.
std::vector<PortId> switch_cables(const Fabric& fabric) {
  std::vector<PortId> cables;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const fabric::Node& node = fabric.node(SwitchId(s));
    for (std::uint32_t p = 1; p <= node.num_ports; ++p) {
      const PortId id(node.first_port.value + p);
      const PortId peer = fabric.port(id).peer;
      if (!peer.is_none() && id < peer && fabric.is_switch(fabric.port(peer).node)) cables.push_back(id);
    }
  }
  return cables;
}

/// Adapters and routers with a cable to a switch.
std::vector<NodeId> hosts(const Fabric& fabric) {
  std::vector<NodeId> nodes;
  for (const fabric::EndPort& end : fabric.end_ports()) nodes.push_back(fabric.port(end.port).node);
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// All of them, or as many as asked for, in their order.
template <class Part>
Result<std::vector<Part>> drawn(std::vector<Part> parts, const Draw& draw, fabric::Random& random,
                                std::string_view noun) {
  if (!draw.count) return parts;
  if (*draw.count > parts.size())
    return fail(ErrorKind::usage, fmt::format("{} cannot be drawn: the fabric has {}",
                                              counted(*draw.count, noun), parts.size()));
  random.shuffle(parts);
  parts.resize(*draw.count);
  std::ranges::sort(parts);
  return parts;
}

Result<std::vector<Failure>> drawn_pairs(const std::vector<PortId>& cables, std::uint64_t count,
                                         fabric::Random& random) {
  const std::uint64_t most = cables.size() < 2 ? 0 : cables.size() * (cables.size() - 1) / 2;
  if (count > most)
    return fail(ErrorKind::usage,
                fmt::format("{} of cables cannot be drawn: the fabric has {}", counted(count, "pair"), most));
  std::set<std::pair<PortId, PortId>> pairs;
  while (pairs.size() < count) {
    const PortId a = cables[random.below(cables.size())], b = cables[random.below(cables.size())];
    if (a != b) pairs.insert(std::minmax(a, b));
  }
  std::vector<Failure> result;
  for (const auto& [a, b] : pairs) result.push_back({{a, b}, {}});
  return result;
}

std::string end_name(const Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  return fmt::format("`{}`[{}]", fabric.node(port.node).name(), port.number);
}

}  // namespace

Result<std::vector<Failure>> failures(const Fabric& fabric, const FailureRequest& request) {
  // A generator for each kind, so that what is drawn of one does not depend on the others.
  fabric::Random of_links(request.seed), of_switches(request.seed), of_pairs(request.seed),
      of_hosts(request.seed);
  const std::vector<PortId> cables = switch_cables(fabric);
  std::vector<Failure> result;
  if (request.links) {
    const auto links = drawn(cables, *request.links, of_links, "cable");
    if (!links) return tl::unexpected(links.error());
    for (const PortId cable : *links) result.push_back({{cable}, {}});
  }
  result.insert(result.end(), request.listed.begin(), request.listed.end());
  if (request.switches) {
    std::vector<NodeId> all;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) all.emplace_back(s);
    const auto switches = drawn(std::move(all), *request.switches, of_switches, "switch");
    if (!switches) return tl::unexpected(switches.error());
    for (const NodeId node : *switches) result.push_back({{}, {node}});
  }
  if (request.pairs) {
    auto pairs = drawn_pairs(cables, request.pairs->count.value_or(0), of_pairs);
    if (!pairs) return tl::unexpected(pairs.error());
    std::ranges::move(*pairs, std::back_inserter(result));
  }
  if (request.hosts) {
    const auto nodes = drawn(hosts(fabric), *request.hosts, of_hosts, "host");
    if (!nodes) return tl::unexpected(nodes.error());
    for (const NodeId node : *nodes) result.push_back({{}, {node}});
  }
  for (const std::string& name : request.configurations) result.push_back({{}, {}, name});
  return result;
}

Result<Failure> named_cables(const Fabric& fabric, std::string_view name) {
  auto cables = fabric::find_cables(fabric, name);
  if (!cables) return tl::unexpected(cables.error());
  return Failure{std::move(*cables), {}};
}

std::string describe(const Fabric& fabric, const Failure& failure) {
  if (!failure.configuration.empty()) return fmt::format("configuration `{}`", failure.configuration);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " and ") + part; };
  for (const PortId cable : failure.cables)
    add(fmt::format("cable {} - {}", end_name(fabric, cable), end_name(fabric, fabric.port(cable).peer)));
  for (const NodeId id : failure.nodes) {
    const fabric::Node& node = fabric.node(id);
    const std::string_view kind = node.type == fabric::NodeType::sw       ? "switch"
                                  : node.type == fabric::NodeType::router ? "router"
                                                                          : "host";
    add(fmt::format("{} `{}` ({})", kind, node.name(), node.guid));
  }
  return text;
}

}  // namespace rch::whatif
