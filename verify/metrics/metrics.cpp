// Figures of merit, by definitions that other tools use, so that anyone can compare: ibdmchk's histograms,
// and the congestion and effective bisection bandwidth of the oblivious routing congestion simulator (ORCS,
// Schneider, Hoefler, Lumsdaine 2009).
//
//   path_sums   everything that is a sum over all pairs: one walk per destination, never pair by pair
//   patterns    one flow per host at a time: shifts, random permutations and bisections
//   overlaps    what the paths of different path bits have in common

#include "verify/metrics/metrics.h"

#include <algorithm>

#include "fabric/parts.h"
#include "verify/columns.h"
#include "verify/metrics/overlaps.h"
#include "verify/metrics/path_sums.h"
#include "verify/metrics/patterns.h"
#include "verify/wiring.h"

namespace rch::verify {
namespace {

/// Index as value, element as count.
Histogram histogram(const std::vector<std::uint64_t>& counts) {
  Histogram out;
  for (std::size_t value = 0; value < counts.size(); ++value)
    if (counts[value] != 0) out.bins.push_back({value, counts[value]});
  return out;
}

/// Slots of the links that leave a switch.
std::vector<std::size_t> links_of(const Wiring& wiring, std::size_t sw) {
  std::vector<std::size_t> slots;
  for (unsigned out = 1; out <= wiring.num_ports(sw); ++out)
    if (wiring.exit(sw, static_cast<std::uint8_t>(out)).kind == Exit::Kind::to_switch)
      slots.push_back(wiring.slot(sw, out));
  return slots;
}

Histogram destinations_per_link(const Wiring& wiring, const PathSums& sums) {
  std::vector<std::uint64_t> counts;
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw) {
    const auto links = links_of(wiring, sw);
    const auto idle = [&](std::size_t slot) { return sums.hosts[slot] == 0; };
    if (std::all_of(links.begin(), links.end(), idle)) continue;
    for (const std::size_t slot : links) {
      if (counts.size() <= sums.hosts[slot]) counts.resize(sums.hosts[slot] + 1);
      ++counts[sums.hosts[slot]];
    }
  }
  return histogram(counts);
}

std::vector<std::uint64_t> flows_by_link(const Wiring& wiring, const PathSums& sums) {
  std::vector<std::uint64_t> flows;
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw)
    for (const std::size_t slot : links_of(wiring, sw)) flows.push_back(sums.flows[slot]);
  return flows;
}

Metrics::AllToAll all_to_all(const std::vector<std::uint64_t>& flows_by_link) {
  Metrics::AllToAll load;
  load.links = flows_by_link.size();
  for (const std::uint64_t flows : flows_by_link) {
    if (flows == 0) continue;
    load.least = load.used == 0 ? flows : std::min(load.least, flows);
    load.most = std::max(load.most, flows);
    ++load.used;
  }
  return load;
}

/// Pairs of a host and a LID of another one that no cable joins.
std::uint64_t disconnected_pairs(const fabric::Fabric& fabric, const Wiring& wiring,
                                 std::span<const Destination> targets) {
  const fabric::Parts parts = fabric::parts(fabric.graph());
  std::vector<std::uint64_t> hosts(parts.count);
  for (const Source& source : wiring.sources()) ++hosts[parts.of[source.sw.index()]];
  std::uint64_t pairs = 0;
  for (const Destination& to : targets)
    pairs += wiring.sources().size() - hosts[parts.of[to.owner.sw.index()]];
  return pairs;
}

/// Port capabilities do not matter: no path is looked at by VL.
constexpr std::uint8_t kAnyVls = 5;

}  // namespace

double Histogram::mean() const {
  double sum = 0, count = 0;
  for (const Bin& bin : bins) {
    sum += static_cast<double>(bin.value) * static_cast<double>(bin.count);
    count += static_cast<double>(bin.count);
  }
  return count == 0 ? 0 : sum / count;
}

std::vector<std::uint64_t> link_flows(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  const Wiring wiring(fabric, kAnyVls);
  const std::vector<Destination> targets = destinations(fabric, wiring);
  return flows_by_link(wiring, path_sums(tables, wiring, targets, MetricsOptions{}.column_bytes));
}

std::vector<std::uint64_t> flows_to(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                                    const IdSet<Lid>& lids) {
  const Wiring wiring(fabric, kAnyVls);
  std::vector<Destination> targets = destinations(fabric, wiring);
  std::erase_if(targets, [&](const Destination& to) { return !lids.contains(to.lid); });
  const PathSums sums = path_sums(tables, wiring, targets, MetricsOptions{}.column_bytes);
  std::vector<std::uint64_t> flows(fabric.ports().size());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (unsigned out = 1; out <= wiring.num_ports(s); ++out) {
      const auto number = PortNum(static_cast<std::uint8_t>(out));
      if (wiring.exit(s, number.value).kind == Exit::Kind::to_switch)
        flows[fabric.port_id(SwitchId(s), number).index()] = sums.flows[wiring.slot(s, out)];
    }
  return flows;
}

Metrics measure(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                const MetricsOptions& options) {
  const Wiring wiring(fabric, kAnyVls);
  const std::vector<Destination> targets = destinations(fabric, wiring);
  const PathSums sums = path_sums(tables, wiring, targets, options.column_bytes);
  Overlaps common = overlaps(fabric, tables.lfts, wiring);

  Metrics metrics;
  metrics.pairs = sums.pairs;
  const std::uint64_t hosts = wiring.sources().size();
  metrics.disconnected = disconnected_pairs(fabric, wiring, targets);
  metrics.missing = hosts == 0 ? 0 : targets.size() * (hosts - 1) - sums.pairs - metrics.disconnected;
  metrics.hops = histogram(sums.hops);
  metrics.destinations = destinations_per_link(wiring, sums);
  metrics.all_to_all = all_to_all(flows_by_link(wiring, sums));
  metrics.shifts = shifts(fabric, tables.lfts, wiring);
  metrics.samples = samples(fabric, tables.lfts, wiring, options);
  metrics.common_switches = std::move(common.switches);
  metrics.common_systems = std::move(common.systems);
  return metrics;
}

}  // namespace rch::verify
