#include "engines/common/distances.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/parallel.h"

// Breadth-first search from 512 sources at once (Then et al., VLDB 2014): each switch holds one bit per
// source, "the search from there is here". A level of all 512 searches is one OR over the links of every
// switch. Links are symmetric, so the distance from a source is also the distance to it: each batch of
// sources fills its own columns of every row. Batches are independent and are the unit of parallel work.

namespace rch::engines::common {
namespace {

constexpr std::size_t kBatch = 512;
constexpr std::uint8_t kLongest = HopMatrix::kUnknown - 1;

/// One bit per source of a batch.
struct alignas(64) SourceSet {
  std::array<std::uint64_t, kBatch / 64> words{};

  bool any() const {
    std::uint64_t all = 0;
    for (std::uint64_t word : words) all |= word;
    return all != 0;
  }
};

/// Writes `level` into the columns whose bits are set.
void mark(const SourceSet& set, std::uint8_t* columns, std::uint8_t level) {
  for (std::size_t w = 0; w < set.words.size(); ++w)
    for (std::uint64_t word = set.words[w]; word != 0; word &= word - 1)
      columns[w * 64 + static_cast<std::size_t>(std::countr_zero(word))] = level;
}

/// The searches of one batch, one level after the other.
class Search {
 public:
  /// From `sources`, whose columns begin at `first`.
  Search(const fabric::SwitchGraph& graph, std::span<const SwitchId> sources, std::size_t first,
         HopMatrix& matrix)
      : graph_(graph),
        first_(first),
        matrix_(matrix),
        front_(graph.switch_count()),
        next_(graph.switch_count()) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::size_t source = sources[i].index();
      front_[source].words[i / 64] |= std::uint64_t{1} << (i % 64);
      all_.words[i / 64] |= std::uint64_t{1} << (i % 64);
      matrix_.hops[source * matrix_.switch_count + first + i] = 0;
    }
    unseen_.assign(graph.switch_count(), all_);
    for (std::size_t v = 0; v < unseen_.size(); ++v) remove(unseen_[v], front_[v]);
  }

  void run() {
    for (std::uint8_t level = 1; level <= kLongest && advance(level); ++level) std::swap(front_, next_);
  }

 private:
  static void remove(SourceSet& from, const SourceSet& what) {
    for (std::size_t w = 0; w < from.words.size(); ++w) from.words[w] &= ~what.words[w];
  }

  /// True if some search reached a switch it had not seen.
  bool advance(std::uint8_t level) {
    bool any = false;
    for (std::uint32_t v = 0; v < unseen_.size(); ++v) {
      next_[v] = {};
      if (!unseen_[v].any()) continue;
      SourceSet fresh;
      for (const fabric::Neighbor& n : graph_.neighbors(SwitchId(v)))
        for (std::size_t w = 0; w < fresh.words.size(); ++w) fresh.words[w] |= front_[n.sw.index()].words[w];
      for (std::size_t w = 0; w < fresh.words.size(); ++w) fresh.words[w] &= unseen_[v].words[w];
      if (!fresh.any()) continue;
      any = true;
      next_[v] = fresh;
      remove(unseen_[v], fresh);
      mark(fresh, matrix_.hops.data() + v * matrix_.switch_count + first_, level);
    }
    return any;
  }

  const fabric::SwitchGraph& graph_;
  std::size_t first_;
  HopMatrix& matrix_;
  SourceSet all_;
  std::vector<SourceSet> front_;   ///< reached on the previous level
  std::vector<SourceSet> next_;    ///< reached on this level
  std::vector<SourceSet> unseen_;  ///< not reached yet
};

}  // namespace

HopMatrix distances(const fabric::SwitchGraph& graph) {
  std::vector<SwitchId> all;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) all.push_back(SwitchId(s));
  return distances_to(graph, all);
}

HopMatrix distances_to(const fabric::SwitchGraph& graph, std::span<const SwitchId> destinations) {
  const std::size_t count = destinations.size();
  HopMatrix matrix{count, std::vector<std::uint8_t>(graph.switch_count() * count, HopMatrix::kUnknown)};
  parallel_ranges((count + kBatch - 1) / kBatch, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b)
      Search(graph, destinations.subspan(b * kBatch, std::min(kBatch, count - b * kBatch)), b * kBatch,
             matrix)
          .run();
  });
  return matrix;
}

}  // namespace rch::engines::common
