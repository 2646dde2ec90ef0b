#include <array>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "engines/common/distances.h"

// Dial's variant of Dijkstra's search, from one switch after the other: distances are small, so a list of
// switches per distance takes the place of a heap. Rare enough that it need not be as fast as the search that
// counts every hop as one.

namespace rch::engines::common {
namespace {

constexpr std::size_t kUnknown = HopMatrix::kUnknown;

/// A way to a neighbour, by its cheapest cable.
struct Way {
  std::uint32_t to;
  std::uint8_t weight;
};

class Ways {
 public:
  Ways(const fabric::SwitchGraph& graph, const PortContext& costs) {
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      begin_.push_back(ways_.size());
      for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s))) {
        Way way{n.sw.value, HopMatrix::kUnknown};
        for (const fabric::SwitchLink& link : graph.links(n))
          way.weight = std::min(way.weight, costs.weight(SwitchId(s), link.out));
        ways_.push_back(way);
      }
    }
    begin_.push_back(ways_.size());
  }

  std::span<const Way> from(std::uint32_t sw) const {
    return std::span(ways_).subspan(begin_[sw], begin_[sw + 1] - begin_[sw]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Way> ways_;
};

class Search {
 public:
  explicit Search(const Ways& ways) : ways_(ways) {}

  /// Fills the row of a switch, which is unknown everywhere.
  void run(std::uint32_t from, std::uint8_t* row) {
    row[from] = 0;
    at_[0].push_back(from);
    for (std::size_t distance = 0; distance < kUnknown; ++distance) {
      for (std::uint32_t sw : at_[distance])
        if (row[sw] == distance) settle(sw, distance, row);
      at_[distance].clear();
    }
  }

 private:
  void settle(std::uint32_t sw, std::size_t distance, std::uint8_t* row) {
    for (const Way& way : ways_.from(sw)) {
      const std::size_t reached = distance + way.weight;
      if (reached >= row[way.to]) continue;  // a row that holds kUnknown takes no more than 254
      row[way.to] = static_cast<std::uint8_t>(reached);
      at_[reached].push_back(way.to);
    }
  }

  const Ways& ways_;
  std::array<std::vector<std::uint32_t>, kUnknown>
      at_;  ///< reached at this distance, perhaps nearer later on
};

}  // namespace

HopMatrix distances(const PortContext& plan) { return distances(plan.graph(), plan); }

HopMatrix distances(const fabric::SwitchGraph& graph, const PortContext& costs) {
  if (costs.weights().empty()) return distances(graph);
  const std::size_t count = graph.switch_count();
  HopMatrix matrix{count,
                   std::vector<std::uint8_t>(count * count, HopMatrix::kUnknown),
                   {costs.weights().begin(), costs.weights().end()}};
  const Ways ways(graph, costs);
  parallel_ranges(count, 8, [&](std::size_t begin, std::size_t end) {
    Search search(ways);
    for (std::size_t s = begin; s < end; ++s)
      search.run(static_cast<std::uint32_t>(s), matrix.hops.data() + s * count);
  });
  return matrix;
}

}  // namespace rch::engines::common
