#include "engines/common/repair/acyclic_repair.h"

#include <algorithm>
#include <utility>

#include "engines/common/acyclic_cdg.h"
#include "engines/multicast/acyclic_tree.h"
#include "engines/multicast/breadth_first_tree.h"

namespace rch::engines::common {
namespace {

std::vector<ChannelId> all_channels(const Channels& channels) {
  std::vector<ChannelId> all;
  for (std::uint32_t c = 0; c < channels.size(); ++c) all.push_back(ChannelId(c));
  return all;
}

/// At most `count` of all switches, at equal distances.
std::vector<SwitchId> sample(std::size_t all, std::size_t count) {
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

/// Switches with hosts that one tree can join: all, if the fabric is connected.
std::size_t most_with_hosts(const PortContext& context) {
  std::size_t most = 0;
  std::vector<std::uint8_t> seen(context.graph().switch_count());
  for (std::uint32_t s = 0; s < seen.size(); ++s) {
    if (seen[s] != 0) continue;
    const SpanningTree tree = multicast::breadth_first_tree(context.graph(), SwitchId(s));
    for (SwitchId sw : tree.order) seen[sw.index()] = 1;
    most = std::max(most, count_with_hosts(context.view(), tree));
  }
  return most;
}

/// One attempt to repair the rows.
class RowRepair {
 public:
  RowRepair(const PortContext& context, const Channels& channels, std::size_t switches_with_hosts,
            const StepTables& tables)
      : context_(context),
        channels_(channels),
        switches_with_hosts_(switches_with_hosts),
        hops_(*tables.hops),
        made_{tables.lfts.clone(), {}},
        cdg_(channels_, all_channels(channels_)),
        hosts_on_(channels_.size()) {
    for (std::uint32_t s = 0; s < channels_.switch_count(); ++s)
      for_each_destination(true, [&](SwitchId, Lid lid) {
        if (const ChannelId c = next_channel(SwitchId(s), lid); !c.is_none()) ++hosts_on_[c.index()];
        return true;
      });
  }

  /// False if the entries for hosts have a cycle or leave no room for a tree.
  bool fit_tree() {
    if (!for_each_destination(true, [&](SwitchId to, Lid lid) { return add_entries(to, lid, false); }))
      return false;
    for (SwitchId root : sample(channels_.switch_count(), AcyclicRepair::kMostRoots)) {
      AcyclicCdg trial = cdg_;
      if (!add_tree(root, trial)) continue;
      return add_tree(root, cdg_) && add_switch_entries();
    }
    return false;
  }

  /// False if some switch has no output port left on a shortest path.
  bool fit_entries(SwitchId root) {
    return add_tree(root, cdg_) &&
           for_each_destination(true, [&](SwitchId to, Lid lid) { return add_entries(to, lid, true); }) &&
           add_switch_entries();
  }

  AcyclicTables result() && { return std::move(made_); }

 private:
  /// Calls f(switch, LID) for LIDs of hosts, or of switches, while it returns true.
  template <class F>
  bool for_each_destination(bool hosts, F&& f) const {
    const DestinationOrder& order = context_.destinations();
    return std::ranges::all_of(order.groups, [&](const DestinationGroup& group) {
      return group.hosts != hosts ||
             std::ranges::all_of(order.destinations(group),
                                 [&](const Destination& to) { return f(group.sw, to.base); });
    });
  }

  ChannelId next_channel(SwitchId sw, Lid lid) const {
    return channels_.at(sw, std::as_const(made_.lfts).at(sw, lid));
  }

  /// True if the tree joins all switches with hosts that one tree can join.
  bool add_tree(SwitchId root, AcyclicCdg& cdg) {
    made_.tree = multicast::acyclic_tree(channels_, root, cdg);
    return count_with_hosts(context_.view(), made_.tree) == switches_with_hosts_;
  }

  /// The entries of all switches for one LID, the nearest switch first.
  bool add_entries(SwitchId to, Lid lid, bool replace) {
    from_.clear();
    for (std::uint32_t s = 0; s < channels_.switch_count(); ++s)
      if (SwitchId(s) != to && hops_.at(SwitchId(s), to) != HopMatrix::kUnknown) from_.push_back(SwitchId(s));
    std::ranges::stable_sort(from_, {}, [&](SwitchId s) { return hops_.at(s, to); });
    return std::ranges::all_of(from_, [&](SwitchId s) {
      const ChannelId c = next_channel(s, lid);
      return (!c.is_none() && try_add(c, to, lid)) || (replace && replace_entry(s, to, lid));
    });
  }

  bool add_switch_entries() {
    return for_each_destination(false, [&](SwitchId to, Lid lid) { return add_switch_entries(to, lid); });
  }

  /// Where they would close a cycle, packets to a switch follow those to a host there.
  bool add_switch_entries(SwitchId to, Lid lid) {
    const auto hosts = context_.view().end_ports_of(to);
    const auto host =
        std::ranges::find_if(hosts, [](const fabric::EndPort& end) { return end.lid != kUnassignedLid; });
    if (host == hosts.end()) return add_entries(to, lid, true);
    cdg_.checkpoint();
    if (add_entries(to, lid, false)) return true;
    cdg_.roll_back();
    for (SwitchId s : from_) made_.lfts.row(s)[lid.index()] = std::as_const(made_.lfts).at(s, host->lid);
    return true;
  }

  /// False if the channel is not on a shortest path, or would close a cycle.
  bool try_add(ChannelId c, SwitchId to, Lid lid) {
    const SwitchId next = channels_.to(c);
    return hops_.at(next, to) + 1 == hops_.at(channels_.from(c), to) &&
           (next == to || cdg_.try_add(c, next_channel(next, lid)));
  }

  bool replace_entry(SwitchId sw, SwitchId to, Lid lid) {
    others_.clear();
    channels_.for_each_leaving(sw, [&](ChannelId c) { others_.push_back(c); });
    std::ranges::stable_sort(others_, {}, [&](ChannelId c) { return hosts_on_[c.index()]; });
    const auto found = std::ranges::find_if(others_, [&](ChannelId c) { return try_add(c, to, lid); });
    if (found == others_.end()) return false;
    if (const ChannelId before = next_channel(sw, lid); !before.is_none()) --hosts_on_[before.index()];
    ++hosts_on_[found->index()];
    made_.lfts.row(sw)[lid.index()] = channels_.port(*found).value;
    return true;
  }

  const PortContext& context_;
  const Channels& channels_;
  std::size_t switches_with_hosts_;
  const HopMatrix& hops_;
  AcyclicTables made_;
  AcyclicCdg cdg_;
  std::vector<std::uint32_t> hosts_on_;  ///< by channel
  std::vector<SwitchId> from_;
  std::vector<ChannelId> others_;
};

}  // namespace

AcyclicRepair::AcyclicRepair(const PortContext& context, const StepTables& tables, std::size_t roots)
    : context_(context),
      tables_(tables),
      channels_(context.graph()),
      switches_with_hosts_(most_with_hosts(context)),
      roots_(sample(channels_.switch_count(), roots)) {}

std::optional<AcyclicTables> AcyclicRepair::next() {
  while (attempts_ <= roots_.size()) {
    const std::size_t number = attempts_++;
    RowRepair repair(context_, channels_, switches_with_hosts_, tables_);
    if (number == 0 ? repair.fit_tree() : repair.fit_entries(roots_[number - 1]))
      return std::move(repair).result();
  }
  return std::nullopt;
}

}  // namespace rch::engines::common
