#include "engines/updn/second_look.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engines/common/acyclic_cdg.h"
#include "engines/common/incremental/installed_tables.h"
#include "engines/common/path_distribution.h"
#include "engines/multicast/acyclic_tree.h"
#include "engines/multicast/breadth_first_tree.h"
#include "engines/updn/orientation.h"

// Between switches of one rank any order of switches is as good as another for being free of circles, but not
// for the load: a switch with one neighbour above it sends by that one to all that are not below it, half of
// a hypercube. OpenSM's search sends by all cables that lead nearer, and mostly closes a circle. Here every
// entry of its tables is admitted, switch by switch away from the destination, unless it would close one:
// then another cable that leads nearer takes its place, the one with the fewest hosts so far. What multicast
// may wait for counts too: first a tree is fitted in between the routes as they are; if none fits, or they
// have circles, the tree comes first. The result need not be better, so both are followed and compared.

namespace rch::engines::updn {
namespace {

using common::ChannelId;
using common::PortContext;

constexpr std::size_t kMostHosts = 1024;
constexpr std::size_t kMostSwitches = 1024;
/// Links on all paths between hosts, if all were as long as the longest: of all tables that are tried.
constexpr std::size_t kMostSteps = std::size_t{1} << 24;
constexpr std::size_t kMostRoots = 64;  ///< of the trees that are tried

std::vector<ChannelId> all_channels(const common::Channels& channels) {
  std::vector<ChannelId> all;
  for (std::uint32_t c = 0; c < channels.size(); ++c) all.push_back(ChannelId(c));
  return all;
}

/// The most hops on a way there is.
std::size_t longest_way(std::span<const std::uint8_t> hops) {
  std::uint8_t longest = 0;
  for (std::uint8_t h : hops)
    if (h != HopMatrix::kUnknown) longest = std::max(longest, h);
  return longest;
}

/// `count` switches of all, or all if there are no more, spread evenly.
std::vector<SwitchId> some_switches(std::size_t all, std::size_t count) {
  std::vector<SwitchId> some;
  count = std::min(all, count);
  for (std::size_t i = 0; i < count; ++i)
    some.push_back(SwitchId(static_cast<std::uint32_t>(i * all / count)));
  return some;
}

std::size_t count_with_hosts(const fabric::SubFabric& view, const SpanningTree& tree) {
  const auto has_hosts = [&](SwitchId sw) { return !view.end_ports_of(sw).empty(); };
  return static_cast<std::size_t>(std::ranges::count_if(tree.order, has_hosts));
}

/// Switches with hosts that one tree can join: all, unless the fabric lies in pieces.
std::size_t most_with_hosts(const PortContext& plan) {
  std::size_t most = 0;
  std::vector<std::uint8_t> seen(plan.graph().switch_count());
  for (std::uint32_t s = 0; s < seen.size(); ++s) {
    if (seen[s] != 0) continue;
    const SpanningTree tree = multicast::breadth_first_tree(plan.graph(), SwitchId(s));
    for (SwitchId sw : tree.order) seen[sw.index()] = 1;
    most = std::max(most, count_with_hosts(plan.view(), tree));
  }
  return most;
}

/// What all that is tried has in common.
struct Ground {
  explicit Ground(const PortContext& of) : plan(of), channels(of.graph()), with_hosts(most_with_hosts(of)) {}

  const PortContext& plan;
  common::Channels channels;
  std::size_t with_hosts;  ///< switches that a tree for multicast has to join
};

struct Mended {
  fabric::ForwardingTables lfts;
  SpanningTree tree;
};

/// Makes tables free of circles, from every switch to every LID, together with a tree for multicast.
class Mending {
 public:
  Mending(const Ground& ground, const StepTables& tables)
      : ground_(ground),
        channels_(ground.channels),
        hops_(*tables.hops),
        made_{tables.lfts.clone(), {}},
        waits_(channels_, all_channels(channels_)),
        hosts_on_(channels_.size()) {
    for (std::uint32_t s = 0; s < channels_.switch_count(); ++s)
      for_each_destination(true, [&](SwitchId, Lid lid) {
        if (const ChannelId c = exit(SwitchId(s), lid); !c.is_none()) ++hosts_on_[c.index()];
        return true;
      });
  }

  /// Leaves the routes to hosts as they are. False if they have a circle or leave no room for a tree.
  bool fit_tree() {
    if (!for_each_destination(true, [&](SwitchId to, Lid lid) { return lay(to, lid, false); })) return false;
    for (SwitchId root : some_switches(channels_.switch_count(), kMostRoots)) {
      common::AcyclicCdg among = waits_;
      if (!reserve_tree(root, among)) continue;
      reserve_tree(root, waits_);
      return for_each_destination(false, [&](SwitchId to, Lid lid) { return lay_to_switch(to, lid); });
    }
    return false;
  }

  /// The other way round. False if some switch has no cable left that leads nearer.
  bool fit_routes(SwitchId root) {
    return reserve_tree(root, waits_) &&
           for_each_destination(true, [&](SwitchId to, Lid lid) { return lay(to, lid, true); }) &&
           for_each_destination(false, [&](SwitchId to, Lid lid) { return lay_to_switch(to, lid); });
  }

  Mended result() && { return std::move(made_); }

 private:
  /// Calls f(switch, LID) for LIDs of hosts, or of switches, as long as it returns true.
  template <class F>
  bool for_each_destination(bool hosts, F&& f) const {
    const common::DestinationOrder& order = ground_.plan.destinations();
    return std::ranges::all_of(order.groups, [&](const common::DestinationGroup& group) {
      return group.hosts != hosts ||
             std::ranges::all_of(order.destinations(group),
                                 [&](const common::Destination& to) { return f(group.sw, to.base); });
    });
  }

  ChannelId exit(SwitchId sw, Lid lid) const {
    return channels_.at(sw, std::as_const(made_.lfts).at(sw, lid));
  }

  /// True if it joins all switches with hosts that it can.
  bool reserve_tree(SwitchId root, common::AcyclicCdg& among) {
    made_.tree = multicast::acyclic_tree(channels_, root, among);
    return count_with_hosts(ground_.plan.view(), made_.tree) == ground_.with_hosts;
  }

  /// The route from every switch to a LID, beginning at its destination.
  bool lay(SwitchId to, Lid lid, bool mends) {
    from_.clear();
    for (std::uint32_t s = 0; s < channels_.switch_count(); ++s)
      if (SwitchId(s) != to && hops_.at(SwitchId(s), to) != HopMatrix::kUnknown) from_.push_back(SwitchId(s));
    std::ranges::stable_sort(from_, {}, [&](SwitchId s) { return hops_.at(s, to); });
    return std::ranges::all_of(from_, [&](SwitchId s) {
      const ChannelId c = exit(s, lid);
      return (!c.is_none() && admit(c, to, lid)) || (mends && take_another(s, to, lid));
    });
  }

  /// Where that would close a circle, packets to a switch go with those to a host there.
  bool lay_to_switch(SwitchId to, Lid lid) {
    const auto hosts = ground_.plan.view().end_ports_of(to);
    const auto host =
        std::ranges::find_if(hosts, [](const fabric::EndPort& end) { return end.lid != kUnassignedLid; });
    if (host == hosts.end()) return lay(to, lid, true);
    waits_.checkpoint();
    if (lay(to, lid, false)) return true;
    waits_.roll_back();
    for (SwitchId s : from_) made_.lfts.row(s)[lid.index()] = std::as_const(made_.lfts).at(s, host->lid);
    return true;
  }

  /// False if the channel does not lead one hop nearer, or would close a circle.
  bool admit(ChannelId c, SwitchId to, Lid lid) {
    const SwitchId next = channels_.to(c);
    return hops_.at(next, to) + 1 == hops_.at(channels_.from(c), to) &&
           (next == to || waits_.try_add(c, exit(next, lid)));
  }

  bool take_another(SwitchId sw, SwitchId to, Lid lid) {
    others_.clear();
    channels_.for_each_leaving(sw, [&](ChannelId c) { others_.push_back(c); });
    std::ranges::stable_sort(others_, {}, [&](ChannelId c) { return hosts_on_[c.index()]; });
    const auto found = std::ranges::find_if(others_, [&](ChannelId c) { return admit(c, to, lid); });
    if (found == others_.end()) return false;
    if (const ChannelId before = exit(sw, lid); !before.is_none()) --hosts_on_[before.index()];
    ++hosts_on_[found->index()];
    made_.lfts.row(sw)[lid.index()] = channels_.port(*found).value;
    return true;
  }

  const Ground& ground_;
  const common::Channels& channels_;
  const HopMatrix& hops_;
  Mended made_;
  common::AcyclicCdg waits_;
  std::vector<std::uint32_t> hosts_on_;  ///< by channel
  std::vector<SwitchId> from_;
  std::vector<ChannelId> others_;
};

bool joins_all_of(const HopMatrix& hops, const HopMatrix& other) {
  return std::ranges::equal(hops.hops, other.hops, [](std::uint8_t own, std::uint8_t theirs) {
    return own != HopMatrix::kUnknown || theirs == HopMatrix::kUnknown;
  });
}

common::PathDistribution distribution(const PortContext& plan, const fabric::ForwardingTables& lfts) {
  return common::path_distribution(common::Channels(plan.view().graph()), lfts,
                                   common::hosts_by_guid(plan.view()));
}

/// Installed entries that would become others.
std::size_t moved_entries(const PortContext& plan, const fabric::ForwardingTables& lfts) {
  std::size_t moved = 0;
  for (std::uint32_t s = 0; s < lfts.switch_count(); ++s) {
    const auto before = plan.options().installed->table(SwitchId(s));
    for (const common::Destination& to : plan.destinations().all)
      moved += to.base.index() < before.size() && before[to.base.index()] != lfts.at(SwitchId(s), to.base);
  }
  return moved;
}

/// Mends tables in one way after the other, and calls f(Mended) for each that leads to any, as long as it
/// returns true. `turns`: around how many trees.
template <class F>
void for_each_mended(const PortContext& plan, const StepTables& tables, std::size_t turns, F&& f) {
  const Ground ground(plan);
  Mending as_they_are(ground, tables);
  if (as_they_are.fit_tree() && !f(std::move(as_they_are).result())) return;
  for (SwitchId root : some_switches(plan.graph().switch_count(), turns)) {
    Mending around_tree(ground, tables);
    if (around_tree.fit_routes(root) && !f(std::move(around_tree).result())) return;
  }
}

/// Nothing if `ordered` is no worse than `searched`, or the latter cannot be mended without getting worse
/// than the former.
std::optional<Mended> spread_better(const PortContext& plan, const StepTables& ordered,
                                    const StepTables& searched, std::size_t turns) {
  const common::PathDistribution wanted = distribution(plan, searched.lfts);
  common::PathDistribution spread = distribution(plan, ordered.lfts);
  std::optional<Mended> best;
  if (spread.no_worse_than(wanted)) return best;
  for_each_mended(plan, searched, turns, [&](Mended mended) {
    const common::PathDistribution other = distribution(plan, mended.lfts);
    const bool suffices = other.no_worse_than(wanted);
    if (suffices || other.no_worse_than(spread)) {
      best = std::move(mended);
      spread = other;
    }
    return !suffices;
  });
  return best;
}

/// Nothing if `ordered` leaves most of the installed tables.
std::optional<Mended> keep_more(const PortContext& plan, const StepTables& ordered,
                                const StepTables& searched, std::size_t turns) {
  std::size_t moved = moved_entries(plan, ordered.lfts);
  std::optional<Mended> best;
  if (moved == 0) return best;
  for_each_mended(plan, searched, turns, [&](Mended mended) {
    const std::size_t other = moved_entries(plan, mended.lfts);
    if (other < moved) {
      best = std::move(mended);
      moved = other;
    }
    return moved > 0;
  });
  return best;
}

}  // namespace

bool gets_second_look(const common::WeightedGraph& links, std::span<const std::uint32_t> ranks) {
  return links.view().end_ports().size() <= kMostHosts && links.view().switch_count() <= kMostSwitches &&
         common::has_single_lids(links.view()) && !is_graded(links.graph(), ranks);
}

StepTables look_again(const PortContext& plan, StepTables ordered, StepTables searched) {
  const std::size_t hosts = plan.view().end_ports().size();
  const std::size_t longest = std::max(longest_way(ordered.hops->hops), longest_way(searched.hops->hops));
  const std::size_t turns =
      std::min(kMostRoots, kMostSteps / std::max<std::size_t>(1, hosts * hosts * longest));
  if (turns == 0 || !joins_all_of(*searched.hops, *ordered.hops)) return ordered;
  std::optional<Mended> mended = plan.options().installed ? keep_more(plan, ordered, searched, turns)
                                                          : spread_better(plan, ordered, searched, turns);
  if (!mended) return ordered;
  searched.lfts = std::move(mended->lfts);
  searched.trees.push_back(std::move(mended->tree));
  return searched;
}

}  // namespace rch::engines::updn
