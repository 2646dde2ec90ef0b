#include "chains/fitted_tree.h"

#include <algorithm>
#include <utility>

#include "engines/multicast/breadth_first_tree.h"
#include "fabric/random.h"

namespace rch::chains {
namespace {

using engines::SpanningTree;
using engines::common::ChannelId;
using engines::common::Channels;

constexpr std::uint32_t kVls = 16;
constexpr std::uint64_t kRandomTrees = 64;

std::uint32_t channel_node(ChannelId channel, unsigned vl) { return channel.value * kVls + vl % kVls; }

/// A tree in the making with its dependencies. The packets on each channel are known, so that a branch adds
/// only dependencies that occur. Leaves the CDG as it was.
class GrowingTree {
 public:
  GrowingTree(const Channels& channels, std::span<const TreePackets> groups, const TreeEnds& ends,
              GrowingCdg& cdg)
      : channels_(channels),
        groups_(groups),
        ends_(ends),
        cdg_(cdg),
        parent_(channels.switch_count(), SwitchId::none()),
        in_tree_(channels.switch_count()),
        branch_(groups.size(), std::vector<std::uint8_t>(channels.size())),
        carries_(groups.size(), std::vector<std::uint16_t>(channels.size())) {}
  ~GrowingTree() {
    while (!joined_.empty()) leave();
  }
  GrowingTree(const GrowingTree&) = delete;
  GrowingTree& operator=(const GrowingTree&) = delete;

  void begin(SwitchId root) {
    while (!joined_.empty()) leave();
    for (const SwitchId sw : order_) in_tree_[sw.index()] = 0;
    order_.assign(1, root);
    in_tree_[root.index()] = 1;
  }

  bool contains(SwitchId sw) const { return in_tree_[sw.index()] != 0; }
  std::span<const SwitchId> order() const { return order_; }
  SpanningTree tree() const { return {order_, parent_}; }

  /// Joins `next` to `sw`, which is in the tree, by all links between them, unless that closes a cycle.
  bool join(SwitchId sw, SwitchId next) {
    const std::size_t packets = carried_.size();
    edges_.clear();
    set_branches(sw, next, 1);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      channels_.for_each_leaving(sw, [&](ChannelId out) {
        if (channels_.to(out) != next || branch_[g][out.index()] == 0) return;
        send_from_sources(g, sw, out);
        send_from_sources(g, next, channels_.back(out));
        send_what_comes_to(g, sw, out);
      });
    for (std::size_t i = packets; i < carried_.size(); ++i) forward(carried_[i]);
    if (!cdg_.try_add(edges_)) {
      forget(packets);
      set_branches(sw, next, 0);
      return false;
    }
    joined_.push_back({packets, added_.size()});
    added_.insert(added_.end(), edges_.begin(), edges_.end());
    in_tree_[next.index()] = 1;
    parent_[next.index()] = sw;
    order_.push_back(next);
    return true;
  }

  /// Undoes the last join().
  void leave() {
    const SwitchId next = order_.back();
    const auto [packets, edges] = joined_.back();
    cdg_.take_back(std::span(added_).subspan(edges));
    added_.resize(edges);
    forget(packets);
    set_branches(parent_[next.index()], next, 0);
    in_tree_[next.index()] = 0;
    parent_[next.index()] = SwitchId::none();
    order_.pop_back();
    joined_.pop_back();
  }

 private:
  /// Packets of a group on a channel and VL.
  struct Packets {
    std::size_t group;
    ChannelId channel;
    unsigned vl;
  };
  /// Sizes before a join.
  struct Joined {
    std::size_t packets, edges;
  };

  /// A group takes the parallel link that engines::multicast::branches() selects, or all of them.
  void set_branches(SwitchId sw, SwitchId next, std::uint8_t value) {
    parallel_.clear();
    channels_.for_each_leaving(next, [&](ChannelId c) {
      if (channels_.to(c) == sw) parallel_.push_back(c);
    });
    std::ranges::sort(parallel_, {}, [&](ChannelId c) { return channels_.port(c); });
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t i = 0; i < parallel_.size(); ++i)
        if (!groups_[g].mlid || groups_[g].mlid->value % parallel_.size() == i)
          branch_[g][parallel_[i].index()] = branch_[g][channels_.back(parallel_[i]).index()] = value;
  }

  void hold(const Packets& packets) {
    std::uint16_t& carried = carries_[packets.group][packets.channel.index()];
    const auto with = static_cast<std::uint16_t>(carried | 1U << packets.vl);
    if (std::exchange(carried, with) != with) carried_.push_back(packets);
  }

  void forget(std::size_t packets) {
    for (; carried_.size() > packets; carried_.pop_back()) {
      const auto& [group, channel, vl] = carried_.back();
      std::uint16_t& carried = carries_[group][channel.index()];
      carried = static_cast<std::uint16_t>(carried & ~(1U << vl));
    }
  }

  void send_from_sources(std::size_t g, SwitchId sw, ChannelId out) {
    for (const PortNum source : ends_.sources[sw.index()])
      hold({g, out, groups_[g].vl(sw, source, channels_.port(out)) % kVls});
  }

  /// Packets that the tree brought to `sw` before.
  void send_what_comes_to(std::size_t g, SwitchId sw, ChannelId out) {
    channels_.for_each_leaving(sw, [&](ChannelId back) {
      const ChannelId in = channels_.back(back);
      if (branch_[g][in.index()] == 0 || channels_.from(in) == channels_.to(out)) return;
      for (unsigned vl = 0; vl < kVls; ++vl)
        if ((carries_[g][in.index()] >> vl & 1U) != 0) cross({g, in, vl}, out);
    });
  }

  /// Packets leave by all other branches of the switch that they come to.
  void forward(Packets packets) {
    channels_.for_each_leaving(channels_.to(packets.channel), [&](ChannelId out) {
      if (branch_[packets.group][out.index()] != 0 && channels_.to(out) != channels_.from(packets.channel))
        cross(packets, out);
    });
  }

  void cross(const Packets& packets, ChannelId out) {
    const PortNum in = channels_.port(channels_.back(packets.channel));
    const unsigned vl =
        groups_[packets.group].vl(channels_.to(packets.channel), in, channels_.port(out)) % kVls;
    edges_.emplace_back(channel_node(packets.channel, packets.vl), channel_node(out, vl));
    hold({packets.group, out, vl});
  }

  const Channels& channels_;
  std::span<const TreePackets> groups_;
  const TreeEnds& ends_;
  GrowingCdg& cdg_;
  std::vector<SwitchId> order_, parent_;
  std::vector<std::uint8_t> in_tree_;                ///< by switch
  std::vector<std::vector<std::uint8_t>> branch_;    ///< by group and channel: of the tree
  std::vector<std::vector<std::uint16_t>> carries_;  ///< by group and channel, a bit for each VL
  std::vector<ChannelId> parallel_;                  ///< from the switch that joins
  std::vector<Joined> joined_;
  std::vector<Packets> carried_;                 ///< in the order in which they were added
  std::vector<GrowingCdg::Edge> added_, edges_;  ///< of all joins; of the join at hand
};

/// Grows trees in one part of a fabric.
class Search {
 public:
  Search(const fabric::Fabric& fabric, const Channels& channels, std::span<const TreePackets> groups,
         const TreeEnds& ends, GrowingCdg& cdg, SwitchId somewhere)
      : channels_(channels),
        cdg_(cdg),
        ends_(ends),
        tree_(channels, groups, ends, cdg),
        part_(engines::multicast::breadth_first_tree(fabric.graph(), somewhere).order),
        excluded_(channels.size()),
        seen_(channels.switch_count()) {
    for (const SwitchId sw : part_) needed_ += ends.needed[sw.index()] ? 1 : 0;
  }

  std::span<const SwitchId> part() const { return part_; }
  bool has(SwitchId sw) const { return std::ranges::find(part_, sw) != part_.end(); }
  SpanningTree tree() const { return tree_.tree(); }
  bool is_needed(SwitchId sw) const { return ends_.needed[sw.index()]; }

  /// A switch joins where its branch closes no cycle.
  bool grow_breadth_first(SwitchId root) {
    tree_.begin(root);
    for (std::size_t at = 0; at < tree_.order().size(); ++at) {
      const SwitchId sw = tree_.order()[at];
      channels_.for_each_leaving(sw, [&](ChannelId c) {
        if (!tree_.contains(channels_.to(c))) tree_.join(sw, channels_.to(c));
      });
    }
    return spans();
  }

  bool grow_at_random(SwitchId root, std::uint64_t seed) {
    fabric::Random random(seed);
    tree_.begin(root);
    std::vector<ChannelId> open;
    const auto open_all = [&](SwitchId sw) {
      channels_.for_each_leaving(sw, [&](ChannelId c) { open.push_back(c); });
    };
    open_all(root);
    while (!open.empty()) {
      std::swap(open[random.below(open.size())], open.back());
      const ChannelId c = open.back();
      open.pop_back();
      const SwitchId next = channels_.to(c);
      if (!tree_.contains(next) && tree_.join(channels_.from(c), next)) open_all(next);
    }
    return spans();
  }

  /// `root` is needed. Returns false if it is given up; then and if there is no tree, spans() is false.
  bool visit_all(SwitchId root, std::uint64_t last_work) {
    tree_.begin(root);
    decisions_.clear();
    while (!spans()) {
      if (cdg_.work() > last_work) return false;
      exclude_what_closes_cycles();
      const ChannelId branch = all_in_reach() ? best_branch() : ChannelId::none();
      if (!branch.is_none())
        decide(branch, tree_.join(channels_.from(branch), channels_.to(branch)));
      else if (!take_back())
        return true;
    }
    return true;
  }

  bool spans() const {
    std::size_t reached = 0;
    for (const SwitchId sw : tree_.order()) reached += is_needed(sw) ? 1 : 0;
    return reached == needed_;
  }

 private:
  /// A branch from the tree was taken or, once and for all below this decision, excluded.
  struct Decision {
    ChannelId branch;
    bool taken;
  };

  void decide(ChannelId branch, bool taken) {
    decisions_.push_back({branch, taken});
    if (!taken) exclude(branch, 1);
  }

  void exclude(ChannelId branch, std::uint8_t value) {
    const SwitchId next = channels_.to(branch);
    channels_.for_each_leaving(channels_.from(branch), [&](ChannelId c) {
      if (channels_.to(c) == next) excluded_[c.index()] = value;
    });
  }

  template <class F>
  void for_each_open(const F& f) {
    for (std::size_t at = 0; at < tree_.order().size(); ++at)
      channels_.for_each_leaving(tree_.order()[at], [&](ChannelId c) {
        if (excluded_[c.index()] == 0 && !tree_.contains(channels_.to(c))) f(c);
      });
  }

  /// A branch that closes a cycle with a part of a tree does so with the whole.
  void exclude_what_closes_cycles() {
    for_each_open([&](ChannelId c) {
      if (tree_.join(channels_.from(c), channels_.to(c)))
        tree_.leave();
      else
        decide(c, false);
    });
  }

  /// The remaining branches join all needed switches.
  bool all_in_reach() {
    std::ranges::fill(seen_, std::uint8_t{0});
    queue_.assign(tree_.order().begin(), tree_.order().end());
    for (const SwitchId sw : queue_) seen_[sw.index()] = 1;
    std::size_t reached = 0;
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      reached += is_needed(queue_[at]) ? 1 : 0;
      channels_.for_each_leaving(queue_[at], [&](ChannelId c) {
        const SwitchId next = channels_.to(c);
        if (excluded_[c.index()] != 0 || std::exchange(seen_[next.index()], std::uint8_t{1}) != 0) return;
        queue_.push_back(next);
      });
    }
    return reached == needed_;
  }

  /// To the switch that the fewest branches can join: what fails does so early.
  ChannelId best_branch() {
    ChannelId best = ChannelId::none();
    std::size_t fewest = 0;
    for_each_open([&](ChannelId c) {
      const SwitchId next = channels_.to(c);
      std::size_t branches = is_needed(next) ? 0 : channels_.size();
      channels_.for_each_leaving(
          next, [&](ChannelId back) { branches += excluded_[channels_.back(back).index()] == 0 ? 1 : 0; });
      if (!best.is_none() && branches >= fewest) return;
      best = c;
      fewest = branches;
    });
    return best;
  }

  /// Excludes the last branch that was taken. False if there is none: every tree was visited.
  bool take_back() {
    while (!decisions_.empty()) {
      const Decision last = decisions_.back();
      decisions_.pop_back();
      if (last.taken) {
        tree_.leave();
        decide(last.branch, false);
        return true;
      }
      exclude(last.branch, 0);
    }
    return false;
  }

  const Channels& channels_;
  GrowingCdg& cdg_;
  const TreeEnds& ends_;
  GrowingTree tree_;
  std::vector<SwitchId> part_;
  std::size_t needed_ = 0;
  std::vector<Decision> decisions_;
  std::vector<std::uint8_t> excluded_;  ///< by channel
  std::vector<std::uint8_t> seen_;      ///< by switch
  std::vector<SwitchId> queue_;
};

std::vector<GrowingCdg::Edge> edges_of(const fabric::Fabric& fabric, const Channels& channels,
                                       std::span<const verify::ChannelDependency> paths) {
  const auto at = [&](PortId id, std::uint8_t vl) {
    const fabric::Port& port = fabric.port(id);
    return channel_node(channels.at(SwitchId(port.node.value), port.number.value), vl);
  };
  std::vector<GrowingCdg::Edge> edges;
  edges.reserve(paths.size());
  for (const verify::ChannelDependency& d : paths)
    edges.emplace_back(at(d.from, d.from_vl), at(d.to, d.to_vl));
  return edges;
}

}  // namespace

FittedTrees::FittedTrees(const fabric::Fabric& fabric, std::span<const verify::ChannelDependency> paths,
                         std::vector<TreePackets> groups, TreeEnds ends)
    : fabric_(fabric),
      channels_(fabric.graph()),
      groups_(std::move(groups)),
      ends_(std::move(ends)),
      cdg_(channels_.size() * kVls, edges_of(fabric, channels_, paths)) {}

bool FittedTrees::fits(const SpanningTree& tree) {
  std::vector<bool> leads_on = ends_.needed;
  for (auto sw = tree.order.rbegin(); sw != tree.order.rend(); ++sw)
    if (const SwitchId up = tree.parent[sw->index()]; !up.is_none() && leads_on[sw->index()])
      leads_on[up.index()] = true;
  GrowingTree growing(channels_, groups_, ends_, cdg_);
  growing.begin(tree.order.front());
  return std::ranges::all_of(tree.order.begin() + 1, tree.order.end(), [&](SwitchId sw) {
    return !leads_on[sw.index()] || growing.join(tree.parent[sw.index()], sw);
  });
}

TreeSearch FittedTrees::search(std::span<const SwitchId> roots, std::uint64_t most_work) {
  const std::uint64_t begin = cdg_.work();
  {
    Search search(fabric_, channels_, groups_, ends_, cdg_, roots.front());
    const auto may_go_on = [&] { return cdg_.work() - begin < most_work / 2; };
    for (const SwitchId root : roots)
      if (may_go_on() && search.has(root) && search.grow_breadth_first(root)) return {search.tree(), true};
    for (const SwitchId root : search.part())
      if (may_go_on() && search.grow_breadth_first(root)) return {search.tree(), true};
    for (std::uint64_t seed = 0; seed < kRandomTrees; ++seed)
      if (may_go_on() && search.grow_at_random(search.part()[seed % search.part().size()], seed))
        return {search.tree(), true};
  }
  const std::uint64_t spent = cdg_.work() - begin;
  return search_all(roots.front(), spent < most_work ? most_work - spent : 0);
}

TreeSearch FittedTrees::search_all(SwitchId root, std::uint64_t most_work) {
  Search search(fabric_, channels_, groups_, ends_, cdg_, root);
  const auto needed = std::ranges::find_if(search.part(), [&](SwitchId sw) { return search.is_needed(sw); });
  if (needed != search.part().end()) root = *needed;
  const bool complete = search.visit_all(root, cdg_.work() + most_work);
  if (search.spans()) return {search.tree(), true};
  return {std::nullopt, complete};
}

}  // namespace rch::chains
