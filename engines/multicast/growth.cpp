#include "engines/multicast/growth.h"

#include <cstdint>

namespace rch::engines::multicast {
namespace {

constexpr std::uint32_t kNoIsland = UINT32_MAX;

/// Branches of the islands as an undirected graph.
class Branches {
 public:
  Branches(std::size_t switch_count, std::span<const SpanningTree* const> islands)
      : island_(switch_count, kNoIsland), at_(switch_count) {
    for (std::uint32_t i = 0; i < islands.size(); ++i)
      for (SwitchId sw : islands[i]->order) {
        island_[sw.index()] = i;
        if (const SwitchId up = islands[i]->parent[sw.index()]; !up.is_none()) {
          at_[sw.index()].push_back(up);
          at_[up.index()].push_back(sw);
        }
      }
  }

  /// False when a and b lie in one island: its branches alone join them.
  bool apart(SwitchId a, SwitchId b) const {
    return island_[a.index()] == kNoIsland || island_[a.index()] != island_[b.index()];
  }
  std::span<const SwitchId> at(SwitchId sw) const { return at_[sw.index()]; }

 private:
  std::vector<std::uint32_t> island_;
  std::vector<std::vector<SwitchId>> at_;
};

class Growth {
 public:
  Growth(const fabric::SwitchGraph& graph, std::span<const SpanningTree* const> islands)
      : graph_(graph), branches_(graph.switch_count(), islands), met_(graph.switch_count(), 0) {
    tree_.parent.resize(graph.switch_count(), SwitchId::none());
  }

  SpanningTree from(SwitchId root) && {
    take(root, SwitchId::none());
    for (std::size_t at = 0; at < tree_.order.size(); ++at) {
      const SwitchId sw = tree_.order[at];
      for (const fabric::Neighbor& n : graph_.neighbors(sw))
        if (met_[n.sw.index()] == 0 && branches_.apart(sw, n.sw)) take(n.sw, sw);
    }
    return std::move(tree_);
  }

 private:
  /// Takes a switch, and with it all of its island: no other way leads in after that.
  void take(SwitchId sw, SwitchId parent) {
    std::size_t at = tree_.order.size();
    add(sw, parent);
    for (; at < tree_.order.size(); ++at)
      for (SwitchId next : branches_.at(tree_.order[at]))
        if (met_[next.index()] == 0) add(next, tree_.order[at]);
  }

  void add(SwitchId sw, SwitchId parent) {
    met_[sw.index()] = 1;
    tree_.parent[sw.index()] = parent;
    tree_.order.push_back(sw);
  }

  const fabric::SwitchGraph& graph_;
  Branches branches_;
  std::vector<std::uint8_t> met_;
  SpanningTree tree_;
};

}  // namespace

SpanningTree grow(const fabric::SwitchGraph& graph, SwitchId root,
                  std::span<const SpanningTree* const> islands) {
  return Growth(graph, islands).from(root);
}

}  // namespace rch::engines::multicast
