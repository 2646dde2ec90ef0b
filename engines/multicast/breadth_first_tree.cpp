#include "engines/multicast/breadth_first_tree.h"

#include <cstdint>

namespace rch::engines::multicast {
namespace {

constexpr std::uint32_t kNoSubtree = UINT32_MAX;

/// Branches of the subtrees as an undirected graph.
class Branches {
 public:
  Branches(std::size_t switch_count, std::span<const SpanningTree* const> subtrees)
      : subtree_(switch_count, kNoSubtree), at_(switch_count) {
    for (std::uint32_t i = 0; i < subtrees.size(); ++i)
      for (SwitchId sw : subtrees[i]->order) {
        subtree_[sw.index()] = i;
        if (const SwitchId up = subtrees[i]->parent[sw.index()]; !up.is_none()) {
          at_[sw.index()].push_back(up);
          at_[up.index()].push_back(sw);
        }
      }
  }

  /// True unless a and b are in one subtree, whose branches alone join them.
  bool may_join(SwitchId a, SwitchId b) const {
    return subtree_[a.index()] == kNoSubtree || subtree_[a.index()] != subtree_[b.index()];
  }
  std::span<const SwitchId> at(SwitchId sw) const { return at_[sw.index()]; }

 private:
  std::vector<std::uint32_t> subtree_;  ///< by switch
  std::vector<std::vector<SwitchId>> at_;
};

class BreadthFirst {
 public:
  BreadthFirst(const fabric::SwitchGraph& graph, std::span<const SpanningTree* const> subtrees)
      : graph_(graph), branches_(graph.switch_count(), subtrees), seen_(graph.switch_count(), 0) {
    tree_.parent.resize(graph.switch_count(), SwitchId::none());
  }

  SpanningTree from(SwitchId root) && {
    add_subtree(root, SwitchId::none());
    for (std::size_t at = 0; at < tree_.order.size(); ++at) {
      const SwitchId sw = tree_.order[at];
      for (const fabric::Neighbor& n : graph_.neighbors(sw))
        if (seen_[n.sw.index()] == 0 && branches_.may_join(sw, n.sw)) add_subtree(n.sw, sw);
    }
    return std::move(tree_);
  }

 private:
  /// Adds a switch with all of its subtree, so that no other branch enters it later.
  void add_subtree(SwitchId sw, SwitchId parent) {
    std::size_t at = tree_.order.size();
    add(sw, parent);
    for (; at < tree_.order.size(); ++at)
      for (SwitchId next : branches_.at(tree_.order[at]))
        if (seen_[next.index()] == 0) add(next, tree_.order[at]);
  }

  void add(SwitchId sw, SwitchId parent) {
    seen_[sw.index()] = 1;
    tree_.parent[sw.index()] = parent;
    tree_.order.push_back(sw);
  }

  const fabric::SwitchGraph& graph_;
  Branches branches_;
  std::vector<std::uint8_t> seen_;
  SpanningTree tree_;
};

}  // namespace

SpanningTree breadth_first_tree(const fabric::SwitchGraph& graph, SwitchId root,
                                std::span<const SpanningTree* const> subtrees) {
  return BreadthFirst(graph, subtrees).from(root);
}

}  // namespace rch::engines::multicast
