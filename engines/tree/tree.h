#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engines/common/failure.h"
#include "engines/tree/index.h"
#include "engines/tree/ranks.h"

namespace rch::engines::tree {

/// GUIDs of `root_guid_file`, `cn_guid_file` and `io_guid_file`.
struct Lists {
  /// Node GUIDs of the root switches; a CA or router stands for its switch. Empty: the switches farthest from
  /// the CAs.
  std::vector<Guid> roots = {};
  /// Port GUIDs of compute nodes. Empty: all CA ports that are no I/O nodes.
  std::vector<Guid> compute_nodes = {};
  /// Port GUIDs of I/O nodes. A port in both lists is a compute node.
  std::vector<Guid> io_nodes = {};
  /// Aggregation nodes, which spines carry too, are CAs like others. Otherwise they count as compute nodes
  /// only where they are listed, and they tell nothing of the leaves.
  bool as_opensm = false;
};

/// Role of an end port (OpenSM's osm_ucast_ftree.c). Compute nodes hang on leaf switches, the others on any
/// switch.
enum class Role : std::uint8_t { compute, io, other };

/// A view as a fat tree: ranks, port groups by direction, switches and compute nodes in tuple order.
///
/// A port group is all links between two switches, as in OpenSM's ftree.
class Tree {
 public:
  /// Fails as rank_switches() does, and with `cas-cabled`, `no-compute-nodes`, `tree-depth`,
  /// `compute-node-level`, `no-leaves`. Keeps a pointer to the view.
  static common::Attempt<Tree> build(const fabric::SubFabric& view, const Lists& lists,
                                     bool index_from_roots = false);

  const fabric::SubFabric& view() const { return *view_; }
  std::uint8_t rank(SwitchId sw) const { return ranks_.of[sw.index()]; }
  std::uint8_t leaf_rank() const { return leaf_rank_; }
  /// Rank of the switches farthest from the roots.
  std::uint8_t max_rank() const { return ranks_.max; }
  bool is_ranked(SwitchId sw) const { return rank(sw) != kUnranked; }
  const Tuple& tuple(SwitchId sw) const { return tuples_[sw.index()]; }
  std::span<const std::string> remarks() const { return ranks_.remarks; }

  // Port groups by direction, in tuple order; in port order where tuples are missing. Up groups are ordered
  // by the digit that the step up sets, so that equal places correspond in all sub-trees.

  std::span<const fabric::Neighbor> up_groups(SwitchId sw) const { return groups(sw, 0); }
  std::span<const fabric::Neighbor> sibling_groups(SwitchId sw) const { return groups(sw, 1); }
  std::span<const fabric::Neighbor> down_groups(SwitchId sw) const { return groups(sw, 2); }

  /// All switches in tuple order. Leaves are contiguous.
  std::span<const SwitchId> order() const { return order_; }
  /// Place of a switch in order(): its column in the tables of this folder.
  std::uint32_t column(SwitchId sw) const { return column_[sw.index()]; }

  /// Switches of leaf rank in tuple order, from the first to the last one with compute nodes.
  std::span<const SwitchId> leaves() const { return leaves_; }
  bool is_leaf(SwitchId sw) const { return is_leaf_[sw.index()] != 0; }
  /// `end` must be an element of view().end_ports().
  Role role(const fabric::EndPort& end) const {
    return roles_[static_cast<std::size_t>(&end - view_->end_ports().data())];
  }
  /// Compute nodes of the leaf that has most of them.
  std::size_t max_cn_per_leaf() const { return max_cn_per_leaf_; }
  /// Compute nodes leaf by leaf, each leaf padded with PortId::none() to max_cn_per_leaf(). Shifts in this
  /// order meet no congestion (`opensm-ftree-ca-order.dump`).
  std::vector<PortId> host_order() const;

 private:
  friend class TreeBuilder;
  explicit Tree(const fabric::SubFabric& view) : view_(&view) {}
  std::span<const fabric::Neighbor> groups(SwitchId sw, std::size_t direction) const {
    const std::size_t at = sw.index() * 3 + direction;
    return std::span(groups_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
  }

  const fabric::SubFabric* view_;
  Ranks ranks_;
  std::uint8_t leaf_rank_ = 0;
  std::vector<Role> roles_;            ///< by place in view().end_ports()
  std::vector<std::uint8_t> is_leaf_;  ///< by switch
  std::vector<Tuple> tuples_;
  std::vector<SwitchId> order_;
  std::vector<std::uint32_t> column_;  ///< by switch
  std::vector<std::uint32_t> begin_;   ///< [3 * switch + direction], into groups_
  std::vector<fabric::Neighbor> groups_;
  std::vector<SwitchId> leaves_;
  std::size_t max_cn_per_leaf_ = 0;
};

}  // namespace rch::engines::tree
