#include "engines/dfsssp/sssp.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "engines/dfsssp/channel_loads.h"
#include "engines/dfsssp/next_hop_sets.h"
#include "engines/dfsssp/port_selection.h"

// Each destination raises the loads that the next one avoids. OpenSM searches once for every LID. Here all
// LIDs on one switch choose among the same minimal paths, so their ports are selected together.

namespace rch::engines::dfsssp {
namespace {

/// Destinations whose ports are selected concurrently, from the same loads. In a fat tree all of them select
/// the same of the up ports. So the size should divide the ports of a switch (docs/decisions/0007).
std::size_t batch_size(const common::Channels& channels) {
  std::size_t ports = 0;
  for (std::uint32_t s = 0; s < channels.switch_count(); ++s)
    ports = std::max(ports, channels.degree(SwitchId(s)));
  std::size_t size = 8;
  while (size > 4 && ports % size != 0) --size;
  return size;
}

/// Trees to one switch whose ports are selected together.
using Job = std::span<const std::uint32_t>;

/// Trees to hosts by priority, then in the order of the switches.
std::vector<std::uint32_t> by_priority(const Routes& routes, std::span<const std::uint8_t> priorities,
                                       std::span<const SwitchId> switches) {
  std::vector<std::uint32_t> trees;
  for (SwitchId sw : switches) {
    const auto [begin, end] = routes.trees_to(sw);
    for (std::uint32_t t = begin; t < end; ++t)
      if (!routes.tree(t).host.is_none()) trees.push_back(t);
  }
  std::ranges::stable_sort(trees, {}, [&](std::uint32_t t) { return priorities[t]; });
  return trees;
}

/// The jobs of each priority.
std::vector<std::vector<Job>> jobs(const Routes& routes, std::span<const std::uint8_t> priorities,
                                   std::span<const std::uint32_t> trees) {
  std::vector<std::vector<Job>> jobs;
  for (std::size_t begin = 0, end; begin < trees.size(); begin = end) {
    const std::uint32_t first = trees[begin];
    if (begin == 0 || priorities[first] != priorities[trees[begin - 1]]) jobs.emplace_back();
    for (end = begin; end < trees.size() && priorities[first] == priorities[trees[end]] &&
                      routes.tree(first).to == routes.tree(trees[end]).to;)
      ++end;
    jobs.back().push_back(trees.subspan(begin, end - begin));
  }
  return jobs;
}

/// Jobs in order, `size` to a batch. Those of a batch are far apart in their priority, where they share few
/// channels. Empty jobs fill the last batch of a priority.
std::vector<Job> in_batches(const std::vector<std::vector<Job>>& by_priority, std::size_t size) {
  std::vector<Job> order;
  for (const std::vector<Job>& jobs : by_priority) {
    const std::size_t batches = (jobs.size() + size - 1) / size;
    for (std::size_t b = 0; b < batches; ++b)
      for (std::size_t i = 0; i < size; ++i)
        order.push_back(b + i * batches < jobs.size() ? jobs[b + i * batches] : Job());
  }
  return order;
}

/// Selects ports destination by destination, then writes the tables switch by switch.
class Sssp {
 public:
  Sssp(const NextHopSets& next_hops, const HopMatrix& hops, const Routes& routes)
      : next_hops_(next_hops),
        routes_(routes),
        context_(hops, next_hops, routes.view()),
        loads_(next_hops.out_port_count()),
        selected_(next_hops.switch_count()),
        selections_([this] { return PortSelection(context_); }) {
    for (std::uint32_t s = 0; s < selected_.size(); ++s) {
      const auto [begin, end] = routes.trees_to(SwitchId(s));
      selected_[s].lids = end - begin;
    }
  }

  /// `order` as in_batches() returns it.
  void select(std::span<const Job> order, std::size_t batch) {
    for (std::size_t begin = 0; begin < order.size(); begin += batch)
      select_batch(order.subspan(begin, std::min(batch, order.size() - begin)));
    selections_.clear();  // their memory is needed for the tables
  }

  fabric::ForwardingTables tables() const {
    const std::size_t count = selected_.size();
    auto tables = fabric::ForwardingTables::uninitialised(count, routes_.view().fabric().max_lid());
    parallel_ranges((count + kBlock - 1) / kBlock, 1, [&](std::size_t begin, std::size_t end) {
      std::vector<Selected> block(kBlock * count);  // by position, then destination
      for (std::size_t first = begin * kBlock; first < std::min(count, end * kBlock); first += kBlock) {
        const std::size_t size = std::min(kBlock, count - first);
        for (std::uint32_t to = 0; to < count; ++to)
          for (std::size_t i = 0; i < size && has_hosts(SwitchId(to)); ++i)
            block[i * count + to] = {next_hops_.numbers_to(SwitchId(to))[first + i],
                                     selected_[to].class_of[first + i]};
        for (std::size_t i = 0; i < size; ++i) {
          const NextHopSets::Position p(static_cast<std::uint32_t>(first + i));
          fill_table(p, std::span(block).subspan(i * count, count), tables.row(next_hops_.switch_at(p)));
        }
      }
    });
    return tables;
  }

  bool is_even() const {
    Evenness evenness;
    std::size_t first = 0;
    for (std::uint32_t p = 0; p < next_hops_.switch_count(); ++p) {
      const std::size_t ports = routes_.channels().degree(next_hops_.switch_at(NextHopSets::Position(p)));
      evenness.add(std::span(loads_).subspan(first, ports));
      first += ports;
    }
    return evenness.is_even();
  }

 private:
  /// Added loads are summed after the batch, so that the number of threads does not matter.
  void select_batch(std::span<const Job> jobs) {
    parallel_ranges(jobs.size(), 1, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t> lids;
      for (std::size_t i = begin; i < end; ++i) {
        if (jobs[i].empty()) continue;
        const SwitchId to = routes_.tree(jobs[i].front()).to;
        lids.clear();
        for (std::uint32_t tree : jobs[i]) lids.push_back(tree - routes_.trees_to(to).first);
        selections_.local().select(to, lids, loads_, selected_[to.index()]);
      }
    });
    constexpr std::size_t kGrain = 16384;
    parallel_ranges(loads_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (PortSelection& selection : selections_)
        for (std::size_t p = begin; p < end; ++p) loads_[p] += std::exchange(selection.added()[p], 0);
    });
  }

  /// Switches whose tables are written consecutively. They are neighbours, so that they use the same classes.
  static constexpr std::size_t kBlock = 32;

  /// The ports selected for a switch and a destination with hosts.
  struct Selected {
    std::uint16_t port_set = 0;  ///< number; NextHopSets::kNone: there is no path
    std::uint16_t cls = 0;
  };

  bool has_hosts(SwitchId to) const { return !selected_[to.index()].class_of.empty(); }

  /// Ports to destinations without hosts need no loads.
  void fill_table(NextHopSets::Position p, std::span<const Selected> of_switch,
                  std::span<std::uint8_t> table) const {
    std::ranges::fill(table, kNoPath);
    std::uint8_t* const entries = table.data();
    for (std::uint32_t to = 0; to < of_switch.size(); ++to) {
      const auto [port_set, cls] = of_switch[to];
      const std::span<const Routes::Delivery> deliveries = routes_.deliveries(SwitchId(to));
      if (SwitchId(to) == next_hops_.switch_at(p)) {
        for (const Routes::Delivery& d : deliveries) entries[d.lid.index()] = d.port;
      } else if (!has_hosts(SwitchId(to))) {
        const std::uint8_t port = next_hops_.round_robin_port(p, SwitchId(to));
        for (const Routes::Delivery& d : deliveries) entries[d.lid.index()] = port;
      } else if (port_set != NextHopSets::kNone) {
        const std::uint8_t* const ports = next_hops_.ports(next_hops_.port_set(p, port_set));
        const std::uint8_t* const places = selected_[to].places.data() + cls * selected_[to].lids;
        const std::uint32_t first = routes_.trees_to(SwitchId(to)).first;
        for (const Routes::Delivery& d : deliveries) entries[d.lid.index()] = ports[places[d.tree - first]];
      }
    }
  }

  const NextHopSets& next_hops_;
  const Routes& routes_;
  const SelectionContext context_;
  PortLoads loads_;
  std::vector<SelectedHops> selected_;  ///< by switch; empty where there are no hosts
  tbb::enumerable_thread_specific<PortSelection> selections_;
};

}  // namespace

SsspTables sssp_tables(const fabric::SwitchGraph& graph, const HopMatrix& hops, const HopBits& bits,
                       std::span<const std::uint8_t> priorities, const Routes& routes) {
  const std::vector<std::uint32_t> trees = by_priority(routes, priorities, bits.order());
  IdSet<SwitchId> with_hosts(graph.switch_count());
  for (std::uint32_t tree : trees) with_hosts.insert(routes.tree(tree).to);
  const NextHopSets next_hops(graph, bits, with_hosts);
  Sssp sssp(next_hops, hops, routes);
  const std::size_t batch = batch_size(routes.channels());
  sssp.select(in_batches(jobs(routes, priorities, trees), batch), batch);
  return {sssp.tables(), sssp.is_even()};
}

}  // namespace rch::engines::dfsssp
