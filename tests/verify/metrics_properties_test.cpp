// Random fabrics with random tables, good and broken: sums over destination trees are what walking every pair
// gives, and nothing depends on threads.

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>

#include "riddle.h"
#include "verify/metrics/metrics.h"

namespace rch::verify {
namespace {

using fabric::Fabric;
using fabric::RoutingTables;
using test::Riddle;

/// Switch ports that a packet leaves by on its way from one host to a LID of another, the last to the host;
/// empty if it does not get there.
std::vector<PortId> walk(const Fabric& fabric, const RoutingTables& tables, const fabric::EndPort& from,
                         const fabric::EndPort& to, Lid lid) {
  std::vector<PortId> ports;
  SwitchId sw = from.sw;
  while (ports.size() <= fabric.switch_count()) {
    const std::uint8_t out = tables.lfts.at(sw, lid);
    if (out == 0 || out > fabric.node(sw).num_ports) return {};
    ports.push_back(fabric.port_id(sw, PortNum(out)));
    const PortId peer = fabric.port(ports.back()).peer;
    if (peer == to.port) return ports;
    if (peer.is_none() || !fabric.is_switch(fabric.port(peer).node)) return {};
    sw = SwitchId(fabric.port(peer).node.value);
  }
  return {};
}

/// Some cables lead from one switch to the other.
bool joined(const Fabric& fabric, SwitchId from, SwitchId to) {
  std::set<SwitchId> met{from};
  for (std::size_t before = 0; before != met.size();) {
    before = met.size();
    for (const SwitchId sw : std::set(met))
      for (const fabric::Neighbor& n : fabric.graph().neighbors(sw)) met.insert(n.sw);
  }
  return met.contains(to);
}

struct ByHand {
  std::uint64_t pairs = 0, missing = 0, disconnected = 0;
  std::map<std::uint64_t, std::uint64_t> hops;
  std::map<PortId, std::uint64_t> flows;
  std::map<PortId, std::set<PortId>> destinations;
};

ByHand by_hand(const Fabric& fabric, const RoutingTables& tables) {
  ByHand sums;
  for (const fabric::EndPort& from : fabric.end_ports())
    for (const fabric::EndPort& to : fabric.end_ports())
      for (unsigned k = 0; k < 1U << to.lmc; ++k) {
        if (from.port == to.port) continue;
        const Lid lid(static_cast<std::uint16_t>(to.lid.value + k));
        const std::vector<PortId> ports = walk(fabric, tables, from, to, lid);
        ++(!ports.empty() ? sums.pairs : joined(fabric, from.sw, to.sw) ? sums.missing : sums.disconnected);
        if (ports.empty()) continue;
        ++sums.hops[ports.size() + 1];
        for (std::size_t i = 0; i + 1 < ports.size(); ++i) {
          ++sums.flows[ports[i]];
          sums.destinations[ports[i]].insert(to.port);
        }
      }
  return sums;
}

std::map<std::uint64_t, std::uint64_t> as_map(const Histogram& histogram) {
  std::map<std::uint64_t, std::uint64_t> out;
  for (const auto& bin : histogram.bins) out[bin.value] = bin.count;
  return out;
}

std::uint64_t links(const Fabric& fabric) {
  std::uint64_t count = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (unsigned p = 1; p <= fabric.node(SwitchId(s)).num_ports; ++p) {
      const PortId peer =
          fabric.port(fabric.port_id(SwitchId(s), PortNum(static_cast<std::uint8_t>(p)))).peer;
      count += !peer.is_none() && fabric.is_switch(fabric.port(peer).node);
    }
  return count;
}

RC_GTEST_PROP(Metrics, SumsAreThoseOfEveryPairWalked, (std::uint64_t seed)) {
  const Riddle riddle(seed);
  const ByHand sums = by_hand(riddle.fabric(), riddle.tables());
  const Metrics m = measure(riddle.fabric(), riddle.tables(),
                            {.samples = 3, .column_bytes = riddle.options().column_bytes});
  RC_ASSERT(m.pairs == sums.pairs);
  RC_ASSERT(m.missing == sums.missing);
  RC_ASSERT(m.disconnected == sums.disconnected);
  RC_ASSERT(as_map(m.hops) == sums.hops);
  RC_ASSERT(m.all_to_all.links == links(riddle.fabric()));
  RC_ASSERT(m.all_to_all.used == sums.flows.size());

  std::map<std::uint64_t, std::uint64_t> destinations = as_map(m.destinations);
  std::uint64_t most = 0, idle = destinations[0];
  for (const auto& [port, hosts] : sums.destinations) --destinations[hosts.size()];
  for (const auto& [port, flows] : sums.flows) most = std::max(most, flows);
  for (const auto& [value, rest] : destinations) RC_ASSERT(value == 0 || rest == 0);
  RC_ASSERT(idle <= m.all_to_all.links - m.all_to_all.used);
  RC_ASSERT(m.all_to_all.most == most);
}

RC_GTEST_PROP(Metrics, PatternsAreWithinTheirBounds, (std::uint64_t seed)) {
  const Riddle riddle(seed);
  const std::size_t hosts = riddle.fabric().end_ports().size();
  const Metrics m = measure(riddle.fabric(), riddle.tables(), {.samples = 20});
  RC_ASSERT(m.shifts.count == (hosts < 2 ? 0 : hosts - 1));
  RC_ASSERT(m.shifts.mean <= static_cast<double>(m.shifts.worst));
  RC_ASSERT(m.shifts.worst <= hosts);
  RC_ASSERT(m.samples.permutation <= static_cast<double>(hosts));
  RC_ASSERT(m.samples.bisection >= 0);
  RC_ASSERT(m.samples.bisection <= 1);
  if (m.missing + m.disconnected == 0 && hosts > 1)
    RC_ASSERT(m.samples.bisection * static_cast<double>(hosts) >= 1);

  // Every pair of paths of one host is compared once.
  std::uint64_t in_switches = 0, in_systems = 0, pairs = 0;
  for (const auto& o : m.common_switches) in_switches += o.pairs;
  for (const auto& o : m.common_systems) in_systems += o.pairs;
  for (const fabric::EndPort& to : riddle.fabric().end_ports()) pairs += ((1U << to.lmc) - 1) * (hosts - 1);
  RC_ASSERT(in_switches == in_systems);
  RC_ASSERT(m.missing + m.disconnected != 0 || in_switches == pairs);
}

RC_GTEST_PROP(Metrics, DoNotDependOnThreads, (std::uint64_t seed)) {
  const Riddle riddle(seed);
  const auto with_threads = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return measure(riddle.fabric(), riddle.tables(), {.samples = 30, .seed = seed});
  };
  const Metrics one = with_threads(1), two = with_threads(2);
  RC_ASSERT(one.hops.bins == two.hops.bins);
  RC_ASSERT(one.destinations.bins == two.destinations.bins);
  RC_ASSERT(one.shifts.mean == two.shifts.mean);
  RC_ASSERT(one.samples.permutation == two.samples.permutation);
  RC_ASSERT(one.samples.bisection == two.samples.bisection);
  RC_ASSERT(one.common_switches == two.common_switches);
  RC_ASSERT(one.common_systems == two.common_systems);
}

}  // namespace
}  // namespace rch::verify
