#include "engines/dfsssp/shortest_tables.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "engines/dfsssp/dealer.h"
#include "engines/dfsssp/next_hops.h"

// Each destination raises the loads that the next one avoids (Hoefler, Schneider, Lumsdaine: Optimized
// Routing for Large-Scale InfiniBand Networks, HOTI 2009). OpenSM searches once for every LID. Here only
// lengths matter first, so all LIDs on one switch choose among the same channels, and are dealt over them
// together.

namespace rch::engines::dfsssp {
namespace {

/// Destinations that are dealt at the same time, not knowing of each other: in a fat tree all of them take
/// the same of the ways up. So there are as many batches for each way only if their size divides the ports of
/// a switch (docs/decisions/0007).
std::size_t batch_size(const common::Channels& channels) {
  std::size_t ports = 0;
  for (std::uint32_t s = 0; s < channels.switch_count(); ++s)
    ports = std::max(ports, channels.degree(SwitchId(s)));
  std::size_t size = 8;
  while (size > 4 && ports % size != 0) --size;
  return size;
}

/// Trees to one switch that are dealt together.
using Job = std::span<const std::uint32_t>;

/// Trees to hosts by turn, then switch.
std::vector<std::uint32_t> in_turn(const Routes& routes, std::span<const std::uint8_t> turns) {
  std::vector<std::uint32_t> trees;
  for (std::uint32_t t = 0; t < routes.tree_count(); ++t)
    if (!routes.tree(t).host.is_none()) trees.push_back(t);
  std::ranges::stable_sort(trees, {}, [&](std::uint32_t t) { return turns[t]; });
  return trees;
}

/// The jobs of each turn.
std::vector<std::vector<Job>> jobs(const Routes& routes, std::span<const std::uint8_t> turns,
                                   std::span<const std::uint32_t> trees) {
  std::vector<std::vector<Job>> by_turn;
  for (std::size_t begin = 0, end; begin < trees.size(); begin = end) {
    const std::uint32_t first = trees[begin];
    if (begin == 0 || turns[first] != turns[trees[begin - 1]]) by_turn.emplace_back();
    for (end = begin; end < trees.size() && turns[first] == turns[trees[end]] &&
                      routes.tree(first).to == routes.tree(trees[end]).to;)
      ++end;
    by_turn.back().push_back(trees.subspan(begin, end - begin));
  }
  return by_turn;
}

/// Jobs in the order in which they are done, `size` at a time. Those of a batch stand far apart in their
/// turn, where they have few channels in common; a batch that a turn leaves short ends with empty ones.
std::vector<Job> in_batches(const std::vector<std::vector<Job>>& by_turn, std::size_t size) {
  std::vector<Job> order;
  for (const std::vector<Job>& turn : by_turn) {
    const std::size_t batches = (turn.size() + size - 1) / size;
    for (std::size_t b = 0; b < batches; ++b)
      for (std::size_t i = 0; i < size; ++i)
        order.push_back(b + i * batches < turn.size() ? turn[b + i * batches] : Job());
  }
  return order;
}

/// All LIDs dealt, destination by destination; then put into the rows, switch by switch.
class Layer {
 public:
  Layer(const NextHops& next_hops, const HopMatrix& hops, const Routes& routes)
      : next_hops_(next_hops),
        routes_(routes),
        ground_(hops, next_hops, routes.view()),
        loads_(next_hops.exit_count()),
        dealt_(next_hops.switch_count()),
        dealers_([this] { return Dealer(ground_); }) {
    for (std::uint32_t s = 0; s < dealt_.size(); ++s) {
      const auto [begin, end] = routes.trees_to(SwitchId(s));
      dealt_[s].lids = end - begin;
    }
  }

  /// `order` as in_batches() has it.
  void deal(std::span<const Job> order, std::size_t batch) {
    for (std::size_t begin = 0; begin < order.size(); begin += batch)
      deal_batch(order.subspan(begin, std::min(batch, order.size() - begin)));
  }

  fabric::ForwardingTables tables() const {
    auto tables = fabric::ForwardingTables::uninitialised(dealt_.size(), routes_.view().fabric().max_lid());
    parallel_ranges((dealt_.size() + kRows - 1) / kRows, 1, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint8_t> ports(routes_.tree_count() + 1, kNoPath);
      std::vector<std::uint16_t> strings(kRows * dealt_.size());  // by switch, then destination
      for (std::size_t first = begin * kRows; first < std::min(dealt_.size(), end * kRows); first += kRows) {
        const std::size_t count = std::min(kRows, dealt_.size() - first);
        for (std::size_t to = 0; to < dealt_.size(); ++to)
          for (std::size_t i = 0; i < count && !dealt_[to].strings.empty(); ++i)
            strings[i * dealt_.size() + to] = dealt_[to].strings[first + i];
        for (std::size_t i = 0; i < count; ++i) {
          const SwitchId sw(static_cast<std::uint32_t>(first + i));
          list_ports(sw, std::span(strings).subspan(i * dealt_.size(), dealt_.size()), ports);
          routes_.expand(sw, ports, tables.row(sw));
        }
      }
    });
    return tables;
  }

 private:
  /// What they add is summed up behind the batch, so that threads do not matter.
  void deal_batch(std::span<const Job> jobs) {
    parallel_ranges(jobs.size(), 1, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t> chosen;
      for (std::size_t i = begin; i < end; ++i) {
        if (jobs[i].empty()) continue;
        const SwitchId to = routes_.tree(jobs[i].front()).to;
        chosen.clear();
        for (std::uint32_t tree : jobs[i]) chosen.push_back(tree - routes_.trees_to(to).first);
        dealers_.local().deal(to, chosen, loads_, dealt_[to.index()]);
      }
    });
    constexpr std::size_t kGrain = 16384;
    parallel_ranges(loads_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (Dealer& dealer : dealers_)
        for (std::size_t c = begin; c < end; ++c) loads_[c] += std::exchange(dealer.added()[c], 0);
    });
  }

  /// Switches whose rows are written one after the other: what is known of them for a destination stands
  /// together, and for so many fills a line of the cache.
  static constexpr std::size_t kRows = 32;

  /// By tree. To switches without hosts no loads are known, nor raised.
  void list_ports(SwitchId sw, std::span<const std::uint16_t> strings, std::span<std::uint8_t> ports) const {
    const std::span<const std::uint8_t> in_turn = next_hops_.ports_in_turn(sw);
    for (std::uint32_t to = 0; to < strings.size(); ++to) {
      const Dealt& dealt = dealt_[to];
      const auto [begin, end] = routes_.trees_to(SwitchId(to));
      if (dealt.strings.empty())
        std::fill_n(ports.data() + begin, end - begin, in_turn[to]);
      else if (strings[to] == Dealt::kNone)
        std::fill_n(ports.data() + begin, end - begin, kNoPath);
      else
        std::copy_n(dealt.ports.data() + strings[to] * dealt.lids, dealt.lids, ports.data() + begin);
    }
  }

  const NextHops& next_hops_;
  const Routes& routes_;
  const Ground ground_;
  PathCounts loads_;
  std::vector<Dealt> dealt_;  ///< by switch; empty where there are no hosts
  tbb::enumerable_thread_specific<Dealer> dealers_;
};

}  // namespace

fabric::ForwardingTables lay_shortest_paths(const fabric::SwitchGraph& graph, const HopMatrix& hops,
                                            const HopBits& bits, std::span<const std::uint8_t> turns,
                                            const Routes& routes) {
  const std::vector<std::uint32_t> trees = in_turn(routes, turns);
  IdSet<SwitchId> dealt(graph.switch_count());
  for (std::uint32_t tree : trees) dealt.insert(routes.tree(tree).to);
  const NextHops next_hops(graph, bits, dealt);
  Layer layer(next_hops, hops, routes);
  const std::size_t batch = batch_size(routes.channels());
  layer.deal(in_batches(jobs(routes, turns, trees), batch), batch);
  return layer.tables();
}

}  // namespace rch::engines::dfsssp
