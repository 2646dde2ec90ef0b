#include "engines/common/port_selection/select_ports.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "engines/common/port_selection/counter_selector.h"
#include "engines/common/port_selection/general_selector.h"
#include "engines/common/port_selection/reselector.h"

namespace rch::engines::common {
namespace {

/// What all rows have in common.
class Common {
 public:
  Common(const SelectionInput& input, const InstalledLfts* installed)
      : choice_(input),
        installed_(installed),
        counts_switches_(input.plan.options().port_profile_switch_nodes) {
    list_runs();
    if (installed == nullptr) return;
    list_groups();
    list_counted();
    list_absent();
  }

  const SelectionInput& choice() const { return choice_; }
  const PortContext& plan() const { return choice_.plan; }
  const DestinationOrder& order() const { return choice_.plan.destinations(); }
  const AffectedEntries* affected() const { return choice_.affected; }
  bool counts(const DestinationGroup& group) const { return group.hosts || counts_switches_; }

  /// The first LIDs of `count` destinations, from number `first` on, follow each other.
  bool in_a_row(std::size_t first, std::size_t count) const { return run_end_[first] >= first + count; }

  // With installed tables:

  const InstalledLfts* installed() const { return installed_; }
  /// Empty for a switch that had none.
  std::span<const std::uint8_t> installed(SwitchId sw) const {
    return installed_ != nullptr ? installed_->row(sw) : std::span<const std::uint8_t>();
  }
  /// By place in order().groups, all.
  std::span<const std::uint32_t> groups() const { return groups_; }
  /// Those of one switch.
  std::span<const std::uint32_t> groups_of(SwitchId sw) const {
    return std::span(by_switch_).subspan(begin_[sw.index()], begin_[sw.index() + 1] - begin_[sw.index()]);
  }
  struct Lids {
    std::size_t begin, end;
  };
  /// Those that raise load counters, if every destination has one.
  std::span<const Lids> counted() const { return counted_; }
  /// Those that nobody has.
  std::span<const Lid> absent() const { return absent_; }

 private:
  void list_runs() {
    const std::vector<Destination>& all = order().all;
    run_end_.resize(all.size());
    for (std::size_t i = all.size(); i-- > 0;) {
      const bool goes_on = i + 1 < all.size() && all[i + 1].base.value == all[i].base.value + 1;
      run_end_[i] = goes_on ? run_end_[i + 1] : static_cast<std::uint32_t>(i + 1);
    }
  }

  void list_groups() {
    const std::vector<DestinationGroup>& groups = order().groups;
    groups_.resize(groups.size());
    std::iota(groups_.begin(), groups_.end(), 0U);
    by_switch_ = groups_;
    std::ranges::stable_sort(by_switch_, {}, [&](std::uint32_t g) { return groups[g].sw; });
    auto at = by_switch_.begin();
    for (std::uint32_t s = 0; s <= plan().graph().switch_count(); ++s) {
      at = std::find_if(at, by_switch_.end(), [&](std::uint32_t g) { return groups[g].sw.value >= s; });
      begin_.push_back(static_cast<std::uint32_t>(at - by_switch_.begin()));
    }
  }

  void list_counted() {
    std::vector<std::uint8_t> counted(plan().view().fabric().max_lid().index() + 1);
    for (const DestinationGroup& group : order().groups)
      if (counts(group))
        for (std::uint32_t i = group.begin; i < group.end; ++i) counted[order().all[i].base.index()] = 1;
    for (std::size_t end = 0; end < counted.size();) {
      const auto begin = std::find(counted.begin() + static_cast<std::ptrdiff_t>(end), counted.end(), 1);
      const auto behind = std::find(begin, counted.end(), 0);
      end = static_cast<std::size_t>(behind - counted.begin());
      if (begin != behind) counted_.push_back({static_cast<std::size_t>(begin - counted.begin()), end});
    }
  }

  void list_absent() {
    IdSet<Lid> routed(plan().view().fabric().max_lid().index() + 1);
    for (const Destination& d : order().all)
      for (std::uint32_t bit = 0; bit < 1U << d.lmc; ++bit)
        routed.insert(Lid(static_cast<std::uint16_t>(d.base.value + bit)));
    for (std::uint16_t lid = 1; lid < routed.universe(); ++lid)
      if (!routed.contains(Lid(lid))) absent_.push_back(Lid(lid));
  }

  const SelectionInput& choice_;
  const InstalledLfts* installed_;
  bool counts_switches_;
  std::vector<std::uint32_t> run_end_;  ///< by destination
  std::vector<std::uint32_t> groups_;
  std::vector<std::uint32_t> by_switch_;
  std::vector<std::uint32_t> begin_;  ///< by switch, into by_switch_
  std::vector<Lids> counted_;
  std::vector<Lid> absent_;
};

/// One row, which stays shared with the installed tables until an entry becomes another.
class RowEdit {
 public:
  RowEdit(fabric::ForwardingTables& lfts, SwitchId sw)
      : lfts_(lfts), sw_(sw), entries_(std::as_const(lfts).row(sw)) {}

  std::span<const std::uint8_t> entries() const { return entries_; }
  void set(Lid lid, std::uint8_t port) {
    if (entries_[lid.index()] == port) return;
    const std::span<std::uint8_t> own = lfts_.row(sw_);
    own[lid.index()] = port;
    entries_ = own;
  }

 private:
  fabric::ForwardingTables& lfts_;
  SwitchId sw_;
  std::span<const std::uint8_t> entries_;
};

/// Fills rows one after the other. They do not depend on each other, but for the numbers drawn.
class RowFiller {
 public:
  RowFiller(const Common& common, fabric::ForwardingTables& lfts)
      : common_(common),
        plan_(common.plan()),
        order_(common.order()),
        candidates_(plan_, common.choice().rule),
        lfts_(lfts) {}

  /// The whole row, padding included. Numbers are drawn from `sequence`; null: from one of the switch's own.
  void fill(SwitchId sw, GlibcRandom* sequence) {
    const AffectedEntries* affected = common_.affected();
    if (affected == nullptr || affected->whole_row(sw)) return fill_whole(sw, sequence);
    affected->list(sw, revisited_);
    if (revisited_.empty()) return common_.installed()->copy_to(lfts_, sw);
    candidates_.examine(sw, revisited_);
    if (takes_picking(sw)) return fill_whole(sw, sequence);
    common_.installed()->copy_to(lfts_, sw);
    listed_.clear();
    for (SwitchId to : revisited_)
      listed_.insert(listed_.end(), common_.groups_of(to).begin(), common_.groups_of(to).end());
    std::ranges::sort(listed_);
    if (candidates_.cables().size() <= 64)
      keep_row<1>(sw, listed_);
    else
      keep_row<4>(sw, listed_);
  }

 private:
  void fill_whole(SwitchId sw, GlibcRandom* sequence) {
    const std::span<std::uint8_t> row = lfts_.row(sw);
    std::fill(row.begin(), row.end(), kNoPath);
    candidates_.examine(sw);
    if (takes_picking(sw))
      pick_row(sw, row, sequence);
    else if (candidates_.cables().size() <= 64)
      count_row<1>(sw, row);
    else
      count_row<4>(sw, row);
    if (common_.affected() != nullptr) keep_absent(sw, row);
  }

  void keep_absent(SwitchId sw, std::span<std::uint8_t> row) const {
    for (Lid lid : common_.absent()) {
      const std::uint8_t port = installed(sw, lid.index());
      if (port != kNoPath && common_.affected()->earlier().leads_alike(sw, PortNum(port)))
        row[lid.index()] = port;
    }
  }

  bool takes_picking(SwitchId sw) const {
    const PortOptions& options = plan_.options();
    return order_.max_lmc > 0 || options.scatter_ports != 0 || options.port_shifting ||
           (options.compat && options.installed) ||
           (plan_.has_uncounted() && std::ranges::any_of(candidates_.cables(), [&](const auto& cable) {
              return !plan_.counts(sw, cable.port);
            }));
  }

  /// Hosts on the switch itself and its own port 0 need no choice.
  void deliver(const DestinationGroup& group, std::span<std::uint8_t> row) const {
    for (const Destination& d : order_.destinations(group))
      std::fill_n(row.begin() + d.base.value, std::size_t{1} << d.lmc, d.attach.value);
  }

  /// Row of a switch when every destination has one LID and counters alone decide.
  template <std::size_t W>
  void count_row(SwitchId sw, std::span<std::uint8_t> row) {
    if (!common_.installed(sw).empty())
      keep_row<W>(sw, common_.groups());
    else
      deal_row<W>(sw, row);
  }

  /// Entries for some groups; of all others the row has installed those.
  template <std::size_t W>
  void keep_row(SwitchId sw, std::span<const std::uint32_t> groups) {
    RowEdit row(lfts_, sw);
    Reselector<W> reselector(candidates_.cables(), plan_.standing_loads(sw));
    lost_.clear();
    for (std::uint32_t g : groups) {
      const DestinationGroup& group = order_.groups[g];
      if (group.sw == sw) {
        for (const Destination& d : order_.destinations(group)) row.set(d.base, d.attach.value);
        continue;
      }
      const CandidateSet<W> candidates = candidates_.set<W>(group.sw);
      for (std::uint32_t i = group.begin; i < group.end; ++i) {
        const Lid lid = order_.all[i].base;
        const std::uint8_t port = installed(sw, lid.index());
        const bool stays = reselector.leads_on(candidates, port);
        row.set(lid, stays ? port : kNoPath);
        if (!stays && !candidates.none()) lost_.push_back({&group, i});
      }
    }
    if (!lost_.empty()) find_ports(reselector, row);
  }

  template <std::size_t W>
  void find_ports(Reselector<W>& reselector, RowEdit& row) const {
    for (const Common::Lids& lids : common_.counted())
      reselector.count(row.entries().subspan(lids.begin, lids.end - lids.begin));
    for (const auto& [group, i] : lost_) {
      const std::uint8_t port = reselector.lightest(candidates_.set<W>(group->sw));
      row.set(order_.all[i].base, port);
      if (common_.counts(*group)) reselector.count(port);
    }
  }

  template <std::size_t W>
  void deal_row(SwitchId sw, std::span<std::uint8_t> row) const {
    CounterSelector<W> selector(candidates_.cables(), plan_.standing_loads(sw));
    for (const DestinationGroup& group : order_.groups) {
      if (group.sw == sw) {
        deliver(group, row);
        continue;
      }
      const CandidateSet<W> candidates = candidates_.set<W>(group.sw);
      if (candidates.none()) continue;
      if (common_.counts(group))
        deal_group(group, selector, candidates, row);
      else
        row[order_.all[group.begin].base.index()] = selector.look_up(candidates);
    }
  }

  template <std::size_t W>
  void deal_group(const DestinationGroup& group, CounterSelector<W>& selector,
                  const CandidateSet<W>& candidates, std::span<std::uint8_t> row) const {
    selector.choose_from(candidates);
    if (selector.only() != kNoPath) {
      const std::uint8_t only = selector.only();
      for (const Destination& d : order_.destinations(group)) row[d.base.index()] = only;
      selector.deal_only(group.end - group.begin);
      return;
    }
    for (std::uint32_t i = group.begin; i < group.end;) {
      const std::span<const std::uint8_t> ports = selector.deal(group.end - i);
      place(i, ports, row);
      i += static_cast<std::uint32_t>(ports.size());
    }
  }

  /// Entries of destinations from number `first` on. LIDs mostly follow each other as ports do.
  void place(std::uint32_t first, std::span<const std::uint8_t> ports, std::span<std::uint8_t> row) const {
    const Destination* to = order_.all.data() + first;
    if (common_.in_a_row(first, ports.size()))
      std::ranges::copy(ports, row.begin() + to->base.value);
    else
      for (std::uint8_t port : ports) row[(to++)->base.index()] = port;
  }

  /// Row of any switch: first LID of all destinations, then the second…
  void pick_row(SwitchId sw, std::span<std::uint8_t> row, GlibcRandom* sequence) const {
    GlibcRandom own(own_seed(sw));
    GeneralSelector selector(common_.choice(), sw, candidates_, sequence != nullptr ? *sequence : own);
    for (std::uint32_t bit = 0; bit < 1U << order_.max_lmc; ++bit)
      for (const DestinationGroup& group : order_.groups) {
        if (group.sw == sw)
          deliver(group, row);
        else if (selector.aim_at(group.sw))
          pick_group(sw, group, bit, selector, row);
      }
  }

  void pick_group(SwitchId sw, const DestinationGroup& group, std::uint32_t bit, GeneralSelector& selector,
                  std::span<std::uint8_t> row) const {
    const bool scatter = plan_.options().scatter_ports != 0 && group.scatter && bit == 0;
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      if (bit >> order_.all[i].lmc != 0) continue;
      const std::size_t lid = order_.all[i].base.index() + bit;
      row[lid] = selector.pick({.destination = i,
                                .previous = bit == 0 ? std::uint8_t{0} : row[lid - 1],
                                .installed = installed(sw, lid),
                                .scatter = scatter,
                                .count = common_.counts(group)});
    }
  }

  std::uint8_t installed(SwitchId sw, std::size_t lid) const {
    const std::span<const std::uint8_t> row = common_.installed(sw);
    return lid < row.size() ? row[lid] : kNoPath;
  }

  /// What a switch draws shall not depend on the others.
  std::uint32_t own_seed(SwitchId sw) const {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    return static_cast<std::uint32_t>(
        ((plan_.view().node(sw).guid.value ^ plan_.options().scatter_ports) * kOdd) >> 32);
  }

  const Common& common_;
  const PortContext& plan_;
  const DestinationOrder& order_;
  Candidates candidates_;
  std::vector<SwitchId> revisited_;
  std::vector<std::uint32_t> listed_;  ///< groups
  /// Destinations whose installed port leads nowhere now.
  std::vector<std::pair<const DestinationGroup*, std::uint32_t>> lost_;
  fabric::ForwardingTables& lfts_;
};

/// OpenSM draws the numbers of all switches from one sequence, in the order of its map.
void fill_in_turn(const Common& common, fabric::ForwardingTables& lfts) {
  GlibcRandom sequence(common.plan().options().scatter_ports);
  RowFiller filler(common, lfts);
  for (SwitchId sw : switches_in_opensm_order(common.plan().view())) filler.fill(sw, &sequence);
}

void fill_in_parallel(const Common& common, fabric::ForwardingTables& lfts) {
  parallel_ranges(lfts.switch_count(), 4, [&](std::size_t begin, std::size_t end) {
    RowFiller filler(common, lfts);
    for (std::size_t s = begin; s < end; ++s) filler.fill(SwitchId(static_cast<std::uint32_t>(s)), nullptr);
  });
}

}  // namespace

fabric::ForwardingTables select_ports(const SelectionInput& input) {
  const fabric::SubFabric& view = input.plan.view();
  auto lfts = fabric::ForwardingTables::uninitialised(view.switch_count(), view.fabric().max_lid());
  const PortOptions& options = input.plan.options();
  const auto installed = options.installed
                             ? std::optional<InstalledLfts>(std::in_place, view, *options.installed)
                             : std::nullopt;
  const Common common(input, installed ? &*installed : nullptr);
  if (options.compat && options.scatter_ports != 0)
    fill_in_turn(common, lfts);
  else
    fill_in_parallel(common, lfts);
  return lfts;
}

}  // namespace rch::engines::common
