#include "engines/common/port_choice.h"

#include <algorithm>
#include <span>

#include "base/parallel.h"
#include "engines/common/dealer.h"
#include "engines/common/keeper.h"
#include "engines/common/picker.h"

namespace rch::engines::common {
namespace {

/// Fills rows one after the other. They do not depend on each other, but for the numbers drawn.
class RowFiller {
 public:
  /// `held` is null if no tables are in force.
  RowFiller(const ChoiceInput& input, const HeldRows* held, fabric::ForwardingTables& lfts)
      : plan_(input.plan),
        order_(plan_.destinations()),
        input_(input),
        candidates_(plan_, input.rule),
        held_(held),
        lfts_(lfts) {}

  /// The whole row, padding included. Numbers are drawn from `sequence`; null: from one of the switch's own.
  void fill(SwitchId sw, GlibcRandom* sequence) {
    const std::span<std::uint8_t> row = lfts_.row(sw);
    if (input_.settled.rows.contains(sw)) {
      std::ranges::copy(held_->row(sw), row.begin());
      return;
    }
    std::fill(row.begin(), row.end(), kNoPath);
    candidates_.examine(sw);
    if (takes_picking(sw))
      pick_row(sw, row, sequence);
    else if (candidates_.cables().size() <= 64)
      count_row<1>(sw, row);
    else
      count_row<4>(sw, row);
  }

 private:
  bool takes_picking(SwitchId sw) const {
    const PortOptions& options = plan_.options();
    return order_.max_lmc > 0 || options.scatter_ports != 0 || options.port_shifting ||
           (options.compat && held_ != nullptr) ||
           (plan_.has_uncounted() && std::ranges::any_of(candidates_.cables(), [&](const auto& cable) {
              return !plan_.counts(sw, cable.port);
            }));
  }

  /// Hosts on the switch itself and its own port 0 need no choice.
  void deliver(const DestinationGroup& group, std::span<std::uint8_t> row) const {
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      const Destination& d = order_.all[i];
      std::fill_n(row.begin() + d.base.value, std::size_t{1} << d.lmc, d.attach.value);
    }
  }

  bool counts(const DestinationGroup& group) const {
    return group.hosts || plan_.options().port_profile_switch_nodes;
  }

  /// Row of a switch when every destination has one LID and counters alone decide.
  template <std::size_t W>
  void count_row(SwitchId sw, std::span<std::uint8_t> row) {
    if (held_ != nullptr && !held_->row(sw).empty())
      keep_row<W>(sw, row);
    else
      deal_row<W>(sw, row);
  }

  template <std::size_t W>
  void keep_row(SwitchId sw, std::span<std::uint8_t> row) {
    const bool same_cables = input_.settled.cables.contains(sw);
    if (same_cables) std::ranges::copy(held_->row(sw), row.begin());
    Keeper<W> keeper(candidates_.cables(), plan_.standing_loads(sw));
    lost_.clear();
    for (const DestinationGroup& group : order_.groups) {
      if (same_cables && !input_.settled.moved.contains(group.sw)) continue;
      if (group.sw == sw) {
        deliver(group, row);
        continue;
      }
      const CandidateSet<W> candidates = candidates_.set<W>(group.sw);
      for (std::uint32_t i = group.begin; i < group.end; ++i) {
        const std::size_t lid = order_.all[i].base.index();
        const std::uint8_t port = held(sw, lid);
        const bool stays = keeper.leads_on(candidates, port);
        row[lid] = stays ? port : kNoPath;
        if (!stays && !candidates.none()) lost_.push_back({&group, i});
      }
    }
    if (!lost_.empty()) find_ports(keeper, row);
  }

  template <std::size_t W>
  void find_ports(Keeper<W>& keeper, std::span<std::uint8_t> row) const {
    for (const DestinationGroup& group : order_.groups)
      if (counts(group))
        for (std::uint32_t i = group.begin; i < group.end; ++i) keeper.count(row[order_.all[i].base.index()]);
    for (const auto& [group, i] : lost_) {
      const std::uint8_t port = keeper.lightest(candidates_.set<W>(group->sw));
      row[order_.all[i].base.index()] = port;
      if (counts(*group)) keeper.count(port);
    }
  }

  template <std::size_t W>
  void deal_row(SwitchId sw, std::span<std::uint8_t> row) const {
    Dealer<W> dealer(candidates_.cables(), plan_.standing_loads(sw));
    for (const DestinationGroup& group : order_.groups) {
      if (group.sw == sw) {
        deliver(group, row);
        continue;
      }
      if (!dealer.choose_from(candidates_.set<W>(group.sw))) continue;
      if (counts(group)) {
        for (std::uint32_t i = group.begin; i < group.end;)
          for (std::uint8_t port : dealer.deal(group.end - i)) row[order_.all[i++].base.index()] = port;
      } else {
        row[order_.all[group.begin].base.index()] = dealer.next();
      }
    }
  }

  /// Row of any switch: first LID of all destinations, then the second…
  void pick_row(SwitchId sw, std::span<std::uint8_t> row, GlibcRandom* sequence) const {
    GlibcRandom own(own_seed(sw));
    Picker picker(input_, sw, candidates_, sequence != nullptr ? *sequence : own);
    for (std::uint32_t bit = 0; bit < 1U << order_.max_lmc; ++bit)
      for (const DestinationGroup& group : order_.groups) {
        if (group.sw == sw)
          deliver(group, row);
        else if (picker.aim_at(group.sw))
          pick_group(sw, group, bit, picker, row);
      }
  }

  void pick_group(SwitchId sw, const DestinationGroup& group, std::uint32_t bit, Picker& picker,
                  std::span<std::uint8_t> row) const {
    const bool scatter = plan_.options().scatter_ports != 0 && group.scatter && bit == 0;
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      if (bit >> order_.all[i].lmc != 0) continue;
      const std::size_t lid = order_.all[i].base.index() + bit;
      row[lid] = picker.pick({.destination = i,
                              .previous = bit == 0 ? std::uint8_t{0} : row[lid - 1],
                              .held = held(sw, lid),
                              .scatter = scatter,
                              .count = counts(group)});
    }
  }

  std::uint8_t held(SwitchId sw, std::size_t lid) const {
    if (held_ == nullptr || lid >= held_->row(sw).size()) return kNoPath;
    return held_->row(sw)[lid];
  }

  /// What a switch draws shall not depend on the others.
  std::uint32_t own_seed(SwitchId sw) const {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    return static_cast<std::uint32_t>(
        ((plan_.view().node(sw).guid.value ^ plan_.options().scatter_ports) * kOdd) >> 32);
  }

  const PortPlan& plan_;
  const DestinationOrder& order_;
  const ChoiceInput& input_;
  Candidates candidates_;
  const HeldRows* held_;
  /// Destinations whose port in force leads nowhere now.
  std::vector<std::pair<const DestinationGroup*, std::uint32_t>> lost_;
  fabric::ForwardingTables& lfts_;
};

/// OpenSM draws the numbers of all switches from one sequence, in the order of its map.
void fill_in_turn(const ChoiceInput& input, const HeldRows* held, fabric::ForwardingTables& lfts) {
  GlibcRandom sequence(input.plan.options().scatter_ports);
  RowFiller filler(input, held, lfts);
  for (SwitchId sw : switches_in_opensm_order(input.plan.view())) filler.fill(sw, &sequence);
}

void fill_in_parallel(const ChoiceInput& input, const HeldRows* held, fabric::ForwardingTables& lfts) {
  parallel_ranges(lfts.switch_count(), 4, [&](std::size_t begin, std::size_t end) {
    RowFiller filler(input, held, lfts);
    for (std::size_t s = begin; s < end; ++s) filler.fill(SwitchId(static_cast<std::uint32_t>(s)), nullptr);
  });
}

}  // namespace

fabric::ForwardingTables choose_ports(const ChoiceInput& input) {
  const fabric::SubFabric& view = input.plan.view();
  auto lfts = fabric::ForwardingTables::uninitialised(view.switch_count(), view.fabric().max_lid());
  const PortOptions& options = input.plan.options();
  const auto held = options.held ? std::optional<HeldRows>(std::in_place, view, *options.held) : std::nullopt;
  const HeldRows* rows = held ? &*held : nullptr;
  if (options.compat && options.scatter_ports != 0)
    fill_in_turn(input, rows, lfts);
  else
    fill_in_parallel(input, rows, lfts);
  return lfts;
}

}  // namespace rch::engines::common
