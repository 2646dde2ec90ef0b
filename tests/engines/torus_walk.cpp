#include "torus_walk.h"

#include <algorithm>
#include <map>
#include <set>

namespace rch::test {
namespace {

/// Calls f(source switch, port it is entered by, destination LID, destination switch) for every ordered pair
/// of end ports, switch ports 0 among them.
template <class F>
void for_each_pair(const fabric::Fabric& fabric, F&& f) {
  struct End {
    SwitchId sw;
    PortNum attach;
    Lid lid;
  };
  std::vector<End> ends;
  for (const fabric::EndPort& e : fabric.end_ports()) ends.push_back({e.sw, e.attach, e.lid});
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    ends.push_back({SwitchId(s), PortNum(0), fabric.port(fabric.port_id(SwitchId(s), PortNum(0))).lid});
  for (const End& from : ends)
    for (const End& to : ends)
      if (from.lid != to.lid) f(from.sw, from.attach, to.lid, to.sw);
}

using Channel = std::tuple<std::uint32_t, std::uint8_t, std::uint8_t>;  ///< switch, out port, VL
using Dependencies = std::map<Channel, std::set<Channel>>;

Dependencies dependencies(const fabric::Fabric& fabric, const engines::StepTables& tables) {
  Dependencies graph;
  for_each_pair(fabric, [&](SwitchId from, PortNum in, Lid lid, SwitchId to) {
    for (const unsigned qos : {0U, 8U}) {
      const auto sl = static_cast<std::uint8_t>(tables.sl.sl(from, to) | qos);
      const Walk path = walk(fabric, tables, from, in, lid, sl);
      for (std::size_t h = 0; h + 1 < path.hops.size(); ++h) {
        const WalkHop &a = path.hops[h], &b = path.hops[h + 1];
        graph[{a.sw.value, a.out.value, a.vl}].insert({b.sw.value, b.out.value, b.vl});
      }
    }
  });
  return graph;
}

/// Removes channels without dependencies until nothing changes: what stays is on or before a
/// cycle.
void prune(Dependencies& graph) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto channel = graph.begin(); channel != graph.end();) {
      std::erase_if(channel->second, [&](const Channel& next) { return !graph.contains(next); });
      if (channel->second.empty()) {
        channel = graph.erase(channel);
        changed = true;
      } else {
        ++channel;
      }
    }
  }
}

}  // namespace

SwitchId far_switch(const fabric::Fabric& fabric, SwitchId sw, PortNum out) {
  const PortId peer = fabric.port(fabric.port_id(sw, out)).peer;
  if (peer.is_none()) return SwitchId::none();
  return fabric.switch_id(fabric.port(peer).node).value_or(SwitchId::none());
}

Walk walk(const fabric::Fabric& fabric, const engines::StepTables& tables, SwitchId from, PortNum in, Lid to,
          std::uint8_t sl) {
  Walk path;
  path.end = from;
  for (std::size_t steps = 0; steps <= fabric.switch_count(); ++steps) {
    const std::uint8_t entry = tables.lfts.at(path.end, to);
    if (entry > fabric.node(path.end).num_ports) return path;  // dropped
    const PortNum out(entry);
    const PortId port = fabric.port_id(path.end, out);
    const SwitchId next = entry == 0 ? SwitchId::none() : far_switch(fabric, path.end, out);
    if (next.is_none()) {
      const PortId target = entry == 0 ? port : fabric.port(port).peer;
      path.arrived = !target.is_none() && fabric.lid_owner(to) == target;
      return path;
    }
    path.hops.push_back({path.end, in, out, tables.sl2vl.at(path.end, in, out)[sl]});
    in = fabric.port(fabric.port(port).peer).number;
    path.end = next;
  }
  return path;  // loops
}

std::string path_text(const Grid& grid, const engines::StepTables& tables, const At& from, const At& to) {
  const fabric::Fabric& fabric = grid.fabric();
  const SwitchId source = grid.sw(from), target = grid.sw(to);
  const auto hosts = fabric.end_ports_of(source), targets = fabric.end_ports_of(target);
  const PortNum in = hosts.empty() ? PortNum(0) : hosts.front().attach;
  const Lid lid = targets.empty() ? fabric.port(fabric.port_id(target, PortNum(0))).lid : targets.front().lid;
  const std::uint8_t sl = tables.sl.sl(source, target);
  const Walk path = walk(fabric, tables, source, in, lid, sl);
  std::string text, vls;
  for (const WalkHop& hop : path.hops) {
    text += digits_of(grid.at(hop.sw)) + " ";
    vls += fmt::format(" {}", hop.vl);
  }
  return fmt::format("{}{}; sl {}; vl{}", text, path.arrived ? digits_of(grid.at(path.end)) : "lost", sl,
                     vls);
}

std::string unreachable_pair(const fabric::Fabric& fabric, const engines::StepTables& tables) {
  std::string first;
  for_each_pair(fabric, [&](SwitchId from, PortNum in, Lid lid, SwitchId to) {
    if (!first.empty() || walk(fabric, tables, from, in, lid, tables.sl.sl(from, to)).arrived) return;
    first =
        fmt::format("{} to LID {} on {}", fabric.node(from).description, lid, fabric.node(to).description);
  });
  return first;
}

std::string credit_loop(const fabric::Fabric& fabric, const engines::StepTables& tables) {
  Dependencies graph = dependencies(fabric, tables);
  prune(graph);
  if (graph.empty()) return {};
  std::vector<Channel> way{graph.begin()->first};
  for (;;) {
    const Channel next = *graph.at(way.back()).begin();
    const auto seen = std::find(way.begin(), way.end(), next);
    if (seen == way.end()) {
      way.push_back(next);
      continue;
    }
    std::string text;
    for (auto c = seen; c != way.end(); ++c)
      text += fmt::format("{} port {} vl {}; ", fabric.node(SwitchId(std::get<0>(*c))).description,
                          std::get<1>(*c), std::get<2>(*c));
    return text;
  }
}

}  // namespace rch::test
