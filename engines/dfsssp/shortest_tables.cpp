#include "engines/dfsssp/shortest_tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "engines/dfsssp/dealer.h"
#include "engines/dfsssp/near_channels.h"

// Each destination raises the loads that the next one avoids (Hoefler, Schneider, Lumsdaine: Optimized
// Routing for Large-Scale InfiniBand Networks, HOTI 2009). OpenSM searches once for every LID. Here only
// lengths matter first, so all LIDs on one switch choose among the same channels, and are dealt over them
// together.

namespace rch::engines::dfsssp {
namespace {

/// Destinations that are dealt at the same time, not knowing of each other. More make worse balance on
/// damaged fat trees (docs/decisions/0007).
constexpr std::size_t kBatch = 4;
static_assert(NearChannels::kWidth % kBatch == 0);

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

/// Jobs in the order in which they are done, kBatch at a time. Those of a batch stand far apart in their
/// turn, where they have few channels in common; a batch that a turn leaves short ends with empty ones.
std::vector<Job> in_batches(const std::vector<std::vector<Job>>& by_turn) {
  std::vector<Job> order;
  for (const std::vector<Job>& turn : by_turn) {
    const std::size_t batches = (turn.size() + kBatch - 1) / kBatch;
    for (std::size_t b = 0; b < batches; ++b)
      for (std::size_t i = 0; i < kBatch; ++i)
        order.push_back(b + i * batches < turn.size() ? turn[b + i * batches] : Job());
  }
  return order;
}

/// Until all is dealt, rows are in the order of trees: the LIDs on a switch may be anywhere, and a row is put
/// in their order while it is in the cache.
class Layer {
 public:
  Layer(const HopMatrix& hops, const Routes& routes)
      : routes_(routes),
        tables_(hops.switch_count, routes.view().fabric().max_lid()),
        near_(hops, routes.channels()),
        loads_(routes.channels().size()),
        ground_(hops, routes),
        dealers_([this] { return Dealer(ground_); }) {
    for (std::uint32_t s = 0; s < hops.switch_count; ++s) rows_.push_back(tables_.row(SwitchId(s)).data());
  }

  /// `order` as in_batches() has it.
  void deal(std::span<const Job> order) {
    for (std::size_t begin = 0; begin < order.size(); begin += NearChannels::kWidth) {
      const auto part = order.subspan(begin, std::min(NearChannels::kWidth, order.size() - begin));
      std::vector<SwitchId> destinations;
      for (Job job : part) destinations.push_back(routes_.tree(job.empty() ? 0 : job.front()).to);
      near_.find(destinations);
      lay_out(part);
      for (std::size_t i = 0; i < part.size(); i += kBatch) deal_batch(part, i);
      for_rows([&](SwitchId sw) { write(sw); });
    }
  }

  /// To switches without hosts. No loads are known, nor raised: one destination after the other takes the
  /// next of the channels.
  void rotate() {
    std::vector<std::uint32_t> trees;
    for (std::uint32_t t = 0; t < routes_.tree_count(); ++t)
      if (routes_.tree(t).host.is_none()) trees.push_back(t);
    for (std::size_t begin = 0; begin < trees.size(); begin += NearChannels::kWidth) {
      const auto part = std::span(trees).subspan(begin, std::min(NearChannels::kWidth, trees.size() - begin));
      std::vector<SwitchId> destinations;
      for (std::uint32_t t : part) destinations.push_back(routes_.tree(t).to);
      near_.find(destinations);
      for_rows([&](SwitchId sw) {
        for (std::size_t i = 0; i < part.size(); ++i) take_in_turn(sw, i, part[i]);
      });
    }
  }

  /// Puts ports where the LIDs are.
  fabric::ForwardingTables finish() {
    for_rows([&](SwitchId sw) { routes_.expand(sw, {rows_[sw.index()], tables_.stride()}); });
    return std::move(tables_);
  }

 private:
  template <class F>
  void for_rows(F&& f) const {
    constexpr std::size_t kGrain = 16;
    parallel_ranges(rows_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t s = begin; s < end; ++s) f(SwitchId(static_cast<std::uint32_t>(s)));
    });
  }

  /// Where on the sheet the ports of each job are noted: in the order of trees, so that they are copied to
  /// rows in as few pieces as can be.
  void lay_out(std::span<const Job> part) {
    std::vector<std::size_t> columns(part.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    const auto tree = [&](std::size_t column) { return part[column].empty() ? 0 : part[column].front(); };
    std::ranges::sort(columns, {}, tree);
    std::array<std::size_t, NearChannels::kWidth> place{};
    trees_.clear();
    for (std::size_t column : columns) {
      place[column] = trees_.size();
      trees_.insert(trees_.end(), part[column].begin(), part[column].end());
    }
    sheet_.resize(trees_.size() * rows_.size());
    for (std::size_t i = 0; i < part.size(); ++i)
      sheets_[i] = {sheet_.data() + place[i], part[i].size(), trees_.size()};
    pieces_.clear();
    for (std::size_t i = 0; i < trees_.size(); ++i)
      if (i == 0 || trees_[i] != trees_[i - 1] + 1) pieces_.push_back(i);
    pieces_.push_back(trees_.size());
  }

  void write(SwitchId sw) {
    const std::uint8_t* ports = sheet_.data() + sw.index() * trees_.size();
    for (std::size_t p = 0; p + 1 < pieces_.size(); ++p)
      std::copy(ports + pieces_[p], ports + pieces_[p + 1], rows_[sw.index()] + trees_[pieces_[p]]);
  }

  /// Of `part`, from `first` on; what they add is summed up behind the batch, so that threads do not matter.
  void deal_batch(std::span<const Job> part, std::size_t first) {
    parallel_ranges(kBatch, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        if (!part[first + i].empty()) dealers_.local().deal(near_, first + i, loads_, sheets_[first + i]);
    });
    constexpr std::size_t kGrain = 16384;
    parallel_ranges(loads_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (Dealer& dealer : dealers_)
        for (std::size_t c = begin; c < end; ++c) loads_[c] += std::exchange(dealer.added()[c], 0);
    });
  }

  /// By the first of the channels from a place on that moves with the destinations.
  void take_in_turn(SwitchId sw, std::size_t column, std::uint32_t tree) {
    const common::Channels& channels = routes_.channels();
    const std::span<const std::uint64_t> words = near_.words(sw, column);
    if (words.empty()) return;
    const std::size_t start = tree % channels.degree(sw);
    for (std::size_t i = 0; i <= words.size(); ++i) {
      const std::size_t w = (start / 64 + i) % words.size();
      const std::uint64_t word = i == 0 ? words[w] & (~std::uint64_t{0} << (start % 64)) : words[w];
      if (word == 0) continue;
      const common::ChannelId c(
          channels.first(sw).value +
          static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
      rows_[sw.index()][tree] = channels.port(c).value;
      return;
    }
  }

  const Routes& routes_;
  fabric::ForwardingTables tables_;
  std::vector<std::uint8_t*> rows_;
  NearChannels near_;
  PathCounts loads_;
  const Ground ground_;
  tbb::enumerable_thread_specific<Dealer> dealers_;
  std::vector<std::uint8_t> sheet_;                     ///< by switch, then tree of the part that is dealt
  std::vector<std::uint32_t> trees_;                    ///< of that part
  std::vector<std::size_t> pieces_;                     ///< of it, that follow each other: where they begin
  std::array<PortSheet, NearChannels::kWidth> sheets_;  ///< by column
};

}  // namespace

fabric::ForwardingTables lay_shortest_paths(const HopMatrix& hops, std::span<const std::uint8_t> turns,
                                            const Routes& routes) {
  const std::vector<std::uint32_t> trees = in_turn(routes, turns);
  Layer layer(hops, routes);
  layer.deal(in_batches(jobs(routes, turns, trees)));
  layer.rotate();
  return layer.finish();
}

}  // namespace rch::engines::dfsssp
