#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "engines/common/distances.h"

// Dial's variant of Dijkstra's search, from one switch after the other: distances are small, so a list of
// switches per distance replaces the heap. Weights are rare, so it need not be as fast as the search that
// counts every hop as one.

namespace rch::engines::common {
namespace {

constexpr std::size_t kNoHops = HopMatrix::kUnknown;

/// A hop to a neighbor, by its cheapest link.
struct Hop {
  SwitchId to;
  std::uint8_t weight;
};

class Hops {
 public:
  Hops(const fabric::SwitchGraph& graph, const WeightedGraph& weights) {
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      begin_.push_back(hops_.size());
      for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s))) {
        Hop hop{n.sw, HopMatrix::kUnknown};
        for (const fabric::SwitchLink& link : graph.links(n))
          hop.weight = std::min(hop.weight, weights.weight(SwitchId(s), link.out));
        hops_.push_back(hop);
      }
    }
    begin_.push_back(hops_.size());
  }

  std::span<const Hop> from(SwitchId sw) const {
    return std::span(hops_).subspan(begin_[sw.index()], begin_[sw.index() + 1] - begin_[sw.index()]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Hop> hops_;
};

class WeightedSearch {
 public:
  explicit WeightedSearch(const Hops& hops) : hops_(hops) {}

  /// Fills the row of a switch, which is unknown everywhere.
  void run(SwitchId from, std::uint8_t* row) {
    row[from.index()] = 0;
    at_[0].push_back(from);
    for (std::size_t distance = 0; distance < kNoHops; ++distance) {
      for (SwitchId sw : at_[distance])
        if (row[sw.index()] == distance) settle(sw, distance, row);
      at_[distance].clear();
    }
  }

 private:
  void settle(SwitchId sw, std::size_t distance, std::uint8_t* row) {
    for (const Hop& hop : hops_.from(sw)) {
      const std::size_t reached = distance + hop.weight;
      if (reached >= row[hop.to.index()]) continue;  // a row that holds kNoHops takes no more than 254
      row[hop.to.index()] = static_cast<std::uint8_t>(reached);
      at_[reached].push_back(hop.to);
    }
  }

  const Hops& hops_;
  std::array<std::vector<SwitchId>, kNoHops> at_;  ///< reached at this distance, perhaps nearer later on
};

}  // namespace

HopMatrix distances(const WeightedGraph& links) { return distances(links.graph(), links); }

HopMatrix distances(const fabric::SwitchGraph& graph, const WeightedGraph& weights) {
  if (weights.weights().empty()) return distances(graph);
  const std::size_t count = graph.switch_count();
  HopMatrix matrix{count,
                   std::vector<std::uint8_t>(count * count, HopMatrix::kUnknown),
                   {weights.weights().begin(), weights.weights().end()}};
  const Hops hops(graph, weights);
  parallel_ranges(count, 8, [&](std::size_t begin, std::size_t end) {
    WeightedSearch search(hops);
    for (std::size_t s = begin; s < end; ++s)
      search.run(SwitchId(static_cast<std::uint32_t>(s)), matrix.hops.data() + s * count);
  });
  return matrix;
}

}  // namespace rch::engines::common
