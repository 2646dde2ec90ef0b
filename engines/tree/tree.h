#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engines/common/failure.h"
#include "engines/tree/index.h"
#include "engines/tree/levels.h"

namespace rch::engines::tree {

/// What the operator lists for a tree.
struct Lists {
  /// Node GUIDs of the switches at the top; a CA or router stands for its switch. Empty: the switches
  /// farthest from the CAs, and the tree must be regular (check_shape).
  std::vector<Guid> roots = {};
  /// Port GUIDs of compute nodes. Empty: all CA ports that are no I/O nodes.
  std::vector<Guid> compute_nodes = {};
  /// Port GUIDs of I/O nodes; those that are compute nodes too do not count.
  std::vector<Guid> io_nodes = {};
};

/// What an end port is to the tree (routing-engines 4.2). Compute nodes hang on leaves, the others anywhere.
enum class Role : std::uint8_t { compute, io, other };

/// A view seen as a tree: ranks, cables by direction, switches and hosts in index order.
class Tree {
 public:
  /// Fails as levels() does, and with `cas-cabled`, `no-compute-nodes`, `tree-depth`, `compute-node-level`,
  /// `no-leaves`. Keeps a pointer to the view.
  static common::Attempt<Tree> grow(const fabric::SubFabric& view, const Lists& lists,
                                    bool index_from_roots = false);

  const fabric::SubFabric& view() const { return *view_; }
  std::uint8_t rank(SwitchId sw) const { return levels_.rank[sw.index()]; }
  std::uint8_t leaf_rank() const { return leaf_rank_; }
  std::uint8_t lowest_rank() const { return levels_.lowest; }
  bool is_ranked(SwitchId sw) const { return rank(sw) != kUnranked; }
  const Tuple& tuple(SwitchId sw) const { return tuples_[sw.index()]; }
  std::span<const std::string> remarks() const { return levels_.remarks; }

  // Neighbours by direction, ordered by tuple, by port where tuples are missing; those above so that switches
  // of all sub-trees list what corresponds at the same place.

  std::span<const fabric::Neighbor> up(SwitchId sw) const { return part(sw, 0); }
  std::span<const fabric::Neighbor> beside(SwitchId sw) const { return part(sw, 1); }
  std::span<const fabric::Neighbor> down(SwitchId sw) const { return part(sw, 2); }

  /// All switches by tuple: a column of tables that work along the tree. Leaves follow each other.
  std::span<const SwitchId> order() const { return order_; }
  /// Place of a switch in order().
  std::uint32_t column(SwitchId sw) const { return column_[sw.index()]; }

  /// Switches of leaf rank by tuple, from the first to the last one with compute nodes.
  std::span<const SwitchId> leaves() const { return leaves_; }
  bool is_leaf(SwitchId sw) const { return is_leaf_[sw.index()] != 0; }
  /// `end` must be an element of view().end_ports().
  Role role(const fabric::EndPort& end) const {
    return roles_[static_cast<std::size_t>(&end - view_->end_ports().data())];
  }
  /// Compute nodes of the leaf that has most of them.
  std::size_t widest_leaf() const { return widest_leaf_; }
  /// Compute nodes leaf by leaf, PortId::none() for those that a leaf lacks to the widest: ranks in this
  /// order shift without congestion (`opensm-ftree-ca-order.dump`).
  std::vector<PortId> host_order() const;

 private:
  friend class Grower;
  explicit Tree(const fabric::SubFabric& view) : view_(&view) {}
  std::span<const fabric::Neighbor> part(SwitchId sw, std::size_t direction) const {
    const std::size_t at = sw.index() * 3 + direction;
    return std::span(neighbors_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
  }

  const fabric::SubFabric* view_;
  Levels levels_;
  std::uint8_t leaf_rank_ = 0;
  std::vector<Role> roles_;            ///< by place in view().end_ports()
  std::vector<std::uint8_t> is_leaf_;  ///< by switch
  std::vector<Tuple> tuples_;
  std::vector<SwitchId> order_;
  std::vector<std::uint32_t> column_;  ///< by switch
  std::vector<std::uint32_t> begin_;   ///< [3 * switch + direction], into neighbors_
  std::vector<fabric::Neighbor> neighbors_;
  std::vector<SwitchId> leaves_;
  std::size_t widest_leaf_ = 0;
};

}  // namespace rch::engines::tree
