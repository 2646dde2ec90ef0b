#include "engines/tree/tree.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "fabric/aggregation_nodes.h"

namespace rch::engines::tree {
namespace {

using common::refuse;

constexpr std::uint8_t kMaxLeafRank = 7;

std::vector<Guid> sorted(std::vector<Guid> guids) {
  std::ranges::sort(guids);
  return guids;
}

const fabric::Node& node_of(const fabric::SubFabric& view, PortId port) {
  return view.fabric().node(view.fabric().port(port).node);
}

/// `host 3` port 1 (0x0002c90300010001).
std::string port_title(const fabric::SubFabric& view, PortId port) {
  const fabric::Port& p = view.fabric().port(port);
  return fmt::format("`{}` port {} ({})", node_of(view, port).name(), p.number, p.guid);
}

/// Fails when a cable joins two CAs.
std::optional<EngineFailure> find_cabled_cas(const fabric::SubFabric& view) {
  const fabric::Fabric& fabric = view.fabric();
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const PortId peer = fabric.port(PortId(p)).peer;
    if (peer.is_none() || !view.has_port(PortId(p)) || !view.has_port(peer)) continue;
    const fabric::Node &a = node_of(view, PortId(p)), &b = node_of(view, peer);
    if (a.type == fabric::NodeType::ca && b.type == fabric::NodeType::ca)
      return EngineFailure{.rule = "cas-cabled",
                           .message = fmt::format("`{}` ({}) is cabled to `{}` ({}), CA to CA", a.name(),
                                                  a.guid, b.name(), b.guid),
                           .guids = {a.guid, b.guid}};
  }
  return std::nullopt;
}

}  // namespace

class TreeBuilder {
 public:
  TreeBuilder(const fabric::SubFabric& view, const Lists& lists, bool index_from_roots)
      : view_(view), lists_(lists), index_from_roots_(index_from_roots), tree_(view) {}

  common::Attempt<Tree> run() && {
    auto ranks = rank_switches(view_, lists_.roots, lists_.as_opensm);
    if (!ranks) return tl::unexpected(std::move(ranks.error()));
    tree_.ranks_ = std::move(*ranks);
    if (auto failure = find_cabled_cas(view_)) return tl::unexpected(std::move(*failure));
    assign_roles();
    if (auto failure = find_leaf_rank()) return tl::unexpected(std::move(*failure));
    tree_.tuples_ =
        index_switches({view_, tree_.ranks_.of, tree_.leaf_rank_, tree_.is_leaf_, index_from_roots_});
    sort_switches();
    sort_port_groups();
    if (auto failure = list_leaves()) return tl::unexpected(std::move(*failure));
    return std::move(tree_);
  }

 private:
  void assign_roles() {
    const std::vector<Guid> compute = sorted(lists_.compute_nodes), io = sorted(lists_.io_nodes);
    for (const fabric::EndPort& end : view_.end_ports()) {
      const Guid guid = view_.fabric().port(end.port).guid;
      const bool named = std::ranges::binary_search(compute, guid);
      Role role = Role::other;
      if (node_of(view_, end.port).type == fabric::NodeType::ca && tree_.is_ranked(end.sw)) {
        if (!named && std::ranges::binary_search(io, guid))
          role = Role::io;
        else if (named || (compute.empty() && counts_as_host(end)))
          role = Role::compute;
      }
      tree_.roles_.push_back(role);
    }
  }

  bool counts_as_host(const fabric::EndPort& end) const {
    return lists_.as_opensm || !fabric::is_aggregation_node(node_of(view_, end.port));
  }

  /// The first compute node in OpenSM's order (GUID of the CA, then port) that meets the predicate; null if
  /// there is none.
  template <class Predicate>
  const fabric::EndPort* first_compute_node(Predicate&& predicate) const {
    const auto key = [&](const fabric::EndPort& end) {
      return std::pair(fabric::opensm_order(node_of(view_, end.port).guid),
                       view_.fabric().port(end.port).number);
    };
    const fabric::EndPort* first = nullptr;
    for (const fabric::EndPort& end : view_.end_ports())
      if (tree_.role(end) == Role::compute && predicate(end) && (first == nullptr || key(end) < key(*first)))
        first = &end;
    return first;
  }

  std::optional<EngineFailure> find_leaf_rank() {
    const fabric::EndPort* first = first_compute_node([](const fabric::EndPort&) { return true; });
    if (first == nullptr)
      return EngineFailure{.rule = "no-compute-nodes",
                           .message = fmt::format("none of {} is a compute node",
                                                  counted(view_.end_ports().size(), "end port")),
                           .guids = {}};
    tree_.leaf_rank_ = lists_.roots.empty() ? tree_.ranks_.max : tree_.rank(first->sw);
    if (tree_.leaf_rank_ < 1 || tree_.leaf_rank_ > kMaxLeafRank)
      return EngineFailure{
          .rule = "tree-depth",
          .message = fmt::format(
              "{} from the roots to {}, where the first compute node hangs: 2 to {} can be routed",
              counted(tree_.leaf_rank_ + 1U, "level"), common::title(view_, first->sw), kMaxLeafRank + 1),
          .guids = {view_.node(first->sw).guid}};
    if (const fabric::EndPort* misplaced = first_compute_node(
            [&](const fabric::EndPort& end) { return tree_.rank(end.sw) != tree_.leaf_rank_; }))
      return wrong_level(*misplaced);
    tree_.is_leaf_.assign(view_.switch_count(), 0);
    for (const fabric::EndPort& end : view_.end_ports())
      if (tree_.role(end) == Role::compute) tree_.is_leaf_[end.sw.index()] = 1;
    return std::nullopt;
  }

  EngineFailure wrong_level(const fabric::EndPort& end) const {
    std::string repair = lists_.compute_nodes.empty()
                             ? "list the compute nodes in `cn_guid_file`, or this port in `io_guid_file`"
                             : "take it out of `cn_guid_file`, or list it in `io_guid_file` instead";
    // Ranks that are counted from switches far from all CAs are wrong where CAs hang on spines.
    if (lists_.roots.empty())
      repair = "name the roots in `root_guid_file`, and CAs that hang above the leaves in `io_guid_file`";
    return {.rule = "compute-node-level",
            .message = fmt::format("compute node {} hangs on {} at rank {}, but leaves are at rank {}; {}",
                                   port_title(view_, end.port), common::title(view_, end.sw),
                                   tree_.rank(end.sw), tree_.leaf_rank_, repair),
            .guids = {view_.fabric().port(end.port).guid, view_.node(end.sw).guid}};
  }

  void sort_switches() {
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s) tree_.order_.push_back(SwitchId(s));
    std::ranges::stable_sort(tree_.order_, {}, [&](SwitchId s) { return tree_.tuple(s); });
    tree_.column_.resize(view_.switch_count());
    for (std::uint32_t c = 0; c < tree_.order_.size(); ++c) tree_.column_[tree_.order_[c].index()] = c;
  }

  void sort_port_groups() {
    tree_.begin_.push_back(0);
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s) {
      const std::uint8_t own = tree_.rank(SwitchId(s));
      for (const int direction : {-1, 0, 1}) {
        const auto first = static_cast<std::ptrdiff_t>(tree_.groups_.size());
        for (const fabric::Neighbor& n : view_.graph().neighbors(SwitchId(s))) {
          const std::uint8_t other = tree_.rank(n.sw);
          if ((other > own) - (other < own) == direction && own != kUnranked) tree_.groups_.push_back(n);
        }
        const std::size_t digit = std::min<std::size_t>(own, kNoTuple.size() - 1);
        std::stable_sort(tree_.groups_.begin() + first, tree_.groups_.end(),
                         [&](const fabric::Neighbor& a, const fabric::Neighbor& b) {
                           const Tuple &x = tree_.tuple(a.sw), &y = tree_.tuple(b.sw);
                           return direction < 0 && x[digit] != y[digit] ? x[digit] < y[digit] : x < y;
                         });
        tree_.begin_.push_back(static_cast<std::uint32_t>(tree_.groups_.size()));
      }
    }
  }

  std::optional<EngineFailure> list_leaves() {
    std::vector<SwitchId>& leaves = tree_.leaves_;
    for (SwitchId s : tree_.order_)
      if (tree_.rank(s) == tree_.leaf_rank_) leaves.push_back(s);
    const auto has_compute = [&](SwitchId s) { return tree_.is_leaf(s); };
    const auto last = std::find_if(leaves.rbegin(), leaves.rend(), has_compute).base();
    leaves.erase(last, leaves.end());
    leaves.erase(leaves.begin(), std::find_if(leaves.begin(), leaves.end(), has_compute));
    for (SwitchId leaf : leaves)
      tree_.max_cn_per_leaf_ =
          std::max(tree_.max_cn_per_leaf_, static_cast<std::size_t>(std::ranges::count_if(
                                               view_.end_ports_of(leaf), [&](const fabric::EndPort& end) {
                                                 return tree_.role(end) == Role::compute;
                                               })));
    if (leaves.size() >= 2) return std::nullopt;
    return EngineFailure{.rule = "no-leaves",
                         .message = fmt::format("all compute nodes hang on {}: a tree needs two leaves",
                                                common::title(view_, leaves.front())),
                         .guids = {view_.node(leaves.front()).guid}};
  }

  const fabric::SubFabric& view_;
  const Lists& lists_;
  bool index_from_roots_;
  Tree tree_;
};

common::Attempt<Tree> Tree::build(const fabric::SubFabric& view, const Lists& lists, bool index_from_roots) {
  return TreeBuilder(view, lists, index_from_roots).run();
}

std::vector<PortId> Tree::host_order() const {
  std::vector<PortId> order;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    for (const fabric::EndPort& end : view_->end_ports_of(leaves_[i]))
      if (role(end) == Role::compute) order.push_back(end.port);
    order.resize((i + 1) * max_cn_per_leaf_, PortId::none());
  }
  return order;
}

}  // namespace rch::engines::tree
