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

  /// Adds the dependencies between installed entries first, and keeps these entries from then on. Those were
  /// acyclic together, so only other entries are replaced.
  void pin_installed() {
    pinned_ = true;
    for (const bool hosts : {true, false})
      for_each_destination(hosts, [&](SwitchId to, Lid lid) {
        for (std::uint32_t s = 0; s < channels_.switch_count(); ++s) pin(SwitchId(s), to, lid);
        return true;
      });
  }

  /// False if the entries for hosts have a cycle or leave no room for a tree. Entries that are not installed
  /// are replaced where installed ones are pinned.
  bool fit_tree() {
    if (!for_each_destination(true, [&](SwitchId to, Lid lid) { return add_entries(to, lid, pinned_); }))
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

  ChannelId installed_channel(SwitchId sw, Lid lid) const {
    const auto before = context_.options().installed->table(sw);
    return lid.index() < before.size() ? channels_.at(sw, before[lid.index()]) : ChannelId::none();
  }
  bool is_installed(SwitchId sw, Lid lid) const {
    return installed_channel(sw, lid) == next_channel(sw, lid);
  }

  void pin(SwitchId sw, SwitchId to, Lid lid) {
    const ChannelId c = sw == to ? ChannelId::none() : next_channel(sw, lid);
    if (c.is_none() || channels_.to(c) == to) return;
    if (!is_installed(sw, lid) || !is_installed(channels_.to(c), lid)) return;
    if (const ChannelId next = next_channel(channels_.to(c), lid); !next.is_none()) cdg_.try_add(c, next);
  }

  /// True if the tree joins all switches with hosts that one tree can join.
  bool add_tree(SwitchId root, AcyclicCdg& cdg) {
    made_.tree = multicast::acyclic_tree(channels_, root, cdg);
    return count_with_hosts(context_.view(), made_.tree) == switches_with_hosts_;
  }

  bool reaches(SwitchId from, SwitchId to) const {
    return from != to && hops_.at(from, to) != HopMatrix::kUnknown;
  }

  /// The entries of all switches for one LID, the nearest switch first.
  bool add_entries(SwitchId to, Lid lid, bool replace) {
    from_.clear();
    for (std::uint32_t s = 0; s < channels_.switch_count(); ++s)
      if (reaches(SwitchId(s), to)) from_.push_back(SwitchId(s));
    std::ranges::stable_sort(from_, {}, [&](SwitchId s) { return hops_.at(s, to); });
    added_.assign(channels_.switch_count(), 0);
    // A detour may lead by switches that are farther away, so what fails is tried again after these.
    for (std::size_t left = from_.size() + 1; from_.size() < left;) {
      left = from_.size();
      bool goes_on = true;
      std::erase_if(from_, [&](SwitchId s) {
        if (!goes_on) return false;
        const ChannelId c = next_channel(s, lid);
        if (added_[s.index()] == 0)
          added_[s.index()] = (!c.is_none() && try_add(c, to, lid)) || (replace && replace_entry(s, to, lid));
        goes_on = pinned_ || added_[s.index()] != 0;
        return added_[s.index()] != 0;
      });
    }
    return from_.empty();
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
    if (add_entries(to, lid, pinned_)) return true;
    cdg_.roll_back();
    for (std::uint32_t s = 0; s < channels_.switch_count(); ++s)
      if (reaches(SwitchId(s), to))
        made_.lfts.row(SwitchId(s))[lid.index()] = std::as_const(made_.lfts).at(SwitchId(s), host->lid);
    return true;
  }

  /// False if the channel is not on a shortest path, or would close a cycle.
  bool try_add(ChannelId c, SwitchId to, Lid lid) {
    const SwitchId next = channels_.to(c);
    return hops_.at(next, to) + 1 == hops_.at(channels_.from(c), to) &&
           (next == to || (added_[next.index()] != 0 && cdg_.try_add(c, next_channel(next, lid))));
  }

  bool replace_entry(SwitchId sw, SwitchId to, Lid lid) {
    others_.clear();
    channels_.for_each_leaving(sw, [&](ChannelId c) { others_.push_back(c); });
    std::ranges::stable_sort(others_, {}, [&](ChannelId c) { return hosts_on_[c.index()]; });
    auto found =
        std::find_if(others_.begin(), others_.end(), [&](ChannelId c) { return try_add(c, to, lid); });
    if (found == others_.end() && pinned_) found = find_detour(to, lid);
    if (found == others_.end()) return false;
    set_entry(lid, *found);
    return true;
  }

  void set_entry(Lid lid, ChannelId c) {
    const SwitchId sw = channels_.from(c);
    if (const ChannelId before = next_channel(sw, lid); !before.is_none()) --hosts_on_[before.index()];
    ++hosts_on_[c.index()];
    made_.lfts.row(sw)[lid.index()] = channels_.port(c).value;
  }

  /// Of `others_`, the installed channel, else the one whose path to the destination is the shortest, if that
  /// closes no cycle. Pinned entries may leave no output port on a shortest path.
  std::vector<ChannelId>::iterator find_detour(SwitchId to, Lid lid) {
    std::ranges::stable_sort(others_, {}, [&](ChannelId c) {
      return std::pair(c != installed_channel(channels_.from(c), lid), path_length(c, to, lid));
    });
    return std::find_if(others_.begin(), others_.end(), [&](ChannelId c) {
      return path_length(c, to, lid) < channels_.switch_count() && try_add_path(c, to, lid);
    });
  }

  /// The channel after this one on the path along added entries, and installed ones of other switches.
  ChannelId next_on_path(ChannelId c, Lid lid) const {
    const SwitchId at = channels_.to(c);
    return added_[at.index()] != 0 ? next_channel(at, lid) : installed_channel(at, lid);
  }

  /// Channels on that path; as many as switches if it does not reach the destination, or leads back.
  std::size_t path_length(ChannelId first, SwitchId to, Lid lid) const {
    std::size_t length = 1;
    for (ChannelId c = first; channels_.to(c) != to; ++length) {
      if (channels_.to(c) == channels_.from(first) || length >= channels_.switch_count())
        return channels_.switch_count();
      c = next_on_path(c, lid);
      if (c.is_none()) return channels_.switch_count();
    }
    return length;
  }

  /// Adds the dependencies of the path. Installed entries on it stay from then on.
  bool try_add_path(ChannelId first, SwitchId to, Lid lid) {
    for (ChannelId c = first; channels_.to(c) != to; c = next_on_path(c, lid))
      if (!cdg_.try_add(c, next_on_path(c, lid))) return false;
    for (ChannelId c = first; channels_.to(c) != to;) {
      c = next_on_path(c, lid);
      if (added_[channels_.from(c).index()] == 0) set_entry(lid, c);
      added_[channels_.from(c).index()] = 1;
    }
    return true;
  }

  const PortContext& context_;
  const Channels& channels_;
  std::size_t switches_with_hosts_;
  const HopMatrix& hops_;
  AcyclicTables made_;
  AcyclicCdg cdg_;
  bool pinned_ = false;
  std::vector<std::uint32_t> hosts_on_;  ///< by channel
  std::vector<SwitchId> from_;
  std::vector<std::uint8_t> added_;  ///< by switch: its entry for the destination at hand is in the CDG
  std::vector<ChannelId> others_;
};

}  // namespace

AcyclicRepair::AcyclicRepair(const PortContext& context, const StepTables& tables, std::size_t roots)
    : context_(context),
      tables_(tables),
      channels_(context.graph()),
      switches_with_hosts_(most_with_hosts(context)),
      roots_(sample(channels_.switch_count(), roots)),
      pins_(context.options().installed.has_value()) {}

std::optional<AcyclicTables> AcyclicRepair::attempt(std::size_t number) const {
  RowRepair repair(context_, channels_, switches_with_hosts_, tables_);
  if (pins_) repair.pin_installed();
  if (number == 0 ? repair.fit_tree() : repair.fit_entries(roots_[number - 1]))
    return std::move(repair).result();
  return std::nullopt;
}

std::optional<AcyclicTables> AcyclicRepair::next() {
  while (true) {
    if (attempts_ > roots_.size()) {
      if (!pins_ || has_pinned_) return std::nullopt;
      pins_ = false;
      attempts_ = 0;
    }
    auto made = attempt(attempts_++);
    if (!made) continue;
    has_pinned_ = has_pinned_ || pins_;
    return made;
  }
}

}  // namespace rch::engines::common
