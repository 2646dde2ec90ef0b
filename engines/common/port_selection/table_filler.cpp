#include "engines/common/port_selection/table_filler.h"

#include <algorithm>

namespace rch::engines::common {

/// One table, which stays shared with the installed one until an entry differs.
class TableEdit {
 public:
  TableEdit(fabric::ForwardingTables& lfts, SwitchId sw)
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

TableFiller::TableFiller(const SelectionInput& input, const DestinationIndex& index,
                         fabric::ForwardingTables& lfts)
    : input_(input),
      context_(input.context),
      index_(index),
      order_(index.order()),
      candidates_(context_, input.rule),
      lfts_(lfts) {}

void TableFiller::fill(SwitchId sw, opensm_compat::GlibcRandom* sequence) {
  const auto& installed = context_.options().installed;
  if (installed) installed_ = installed->table(sw);
  const AffectedEntries* affected = input_.affected;
  if (affected == nullptr || affected->whole_table(sw)) return fill_whole(sw, sequence);
  affected->list(sw, affected_);
  if (affected_.empty()) return installed->copy_to(lfts_, sw);
  candidates_.examine(sw, affected_);
  if (needs_general_selector(sw)) return fill_whole(sw, sequence);
  installed->copy_to(lfts_, sw);
  groups_.clear();
  for (SwitchId to : affected_)
    groups_.insert(groups_.end(), index_.groups_of(to).begin(), index_.groups_of(to).end());
  std::ranges::sort(groups_);
  reselect(sw, groups_);
}

void TableFiller::fill_whole(SwitchId sw, opensm_compat::GlibcRandom* sequence) {
  const std::span<std::uint8_t> table = lfts_.row(sw);
  std::fill(table.begin(), table.end(), kNoPath);
  candidates_.examine(sw);
  if (needs_general_selector(sw))
    fill_by_general_rules(sw, table, sequence);
  else if (!installed_.empty())
    reselect(sw, index_.groups());
  else if (candidates_.outputs().size() <= 64)
    fill_by_counters<1>(sw, table);
  else
    fill_by_counters<4>(sw, table);
  if (input_.affected != nullptr) keep_unassigned(sw, table);
}

void TableFiller::keep_unassigned(SwitchId sw, std::span<std::uint8_t> table) const {
  for (Lid lid : index_.unassigned_lids()) {
    const std::uint8_t port = installed(lid.index());
    if (port != kNoPath && input_.affected->changes().same_peer(sw, PortNum(port))) table[lid.index()] = port;
  }
}

bool TableFiller::needs_general_selector(SwitchId sw) const {
  const PortOptions& options = context_.options();
  return order_.max_lmc > 0 || options.scatter_ports != 0 || options.port_shifting ||
         (context_.rules().counts_kept_in_order && options.installed) ||
         (context_.has_uncounted() && std::ranges::any_of(candidates_.outputs(), [&](const auto& output) {
            return !context_.counts(sw, output.port);
          }));
}

/// Entries for hosts on the switch itself and for its own port 0.
void TableFiller::deliver(const DestinationGroup& group, std::span<std::uint8_t> table) const {
  for (const Destination& to : order_.destinations(group))
    std::fill_n(table.begin() + to.base.value, std::size_t{1} << to.lmc, to.attach.value);
}

/// Entries of destinations from number `first` on. LIDs are mostly consecutive, as ports are.
[[gnu::always_inline]] inline void TableFiller::write(std::uint32_t first,
                                                      std::span<const std::uint8_t> ports,
                                                      std::span<std::uint8_t> table) const {
  const Destination* to = order_.all.data() + first;
  if (index_.are_consecutive(first, ports.size()))
    std::ranges::copy(ports, table.begin() + to->base.value);
  else
    for (std::uint8_t port : ports) table[(to++)->base.index()] = port;
}

template <std::size_t W>
[[gnu::always_inline]] inline void TableFiller::select_group(const DestinationGroup& group,
                                                             CounterSelector<W>& selector,
                                                             const CandidateSet<W>& candidates,
                                                             std::span<std::uint8_t> table) const {
  selector.choose_from(candidates);
  if (selector.only() != kNoPath) {
    const std::uint8_t only = selector.only();
    for (const Destination& to : order_.destinations(group)) table[to.base.index()] = only;
    selector.count_only(group.end - group.begin);
    return;
  }
  for (std::uint32_t i = group.begin; i < group.end;) {
    const std::span<const std::uint8_t> ports = selector.next(group.end - i);
    write(i, ports, table);
    i += static_cast<std::uint32_t>(ports.size());
  }
}

template <std::size_t W>
void TableFiller::fill_by_counters(SwitchId sw, std::span<std::uint8_t> table) {
  CounterSelector<W> selector(candidates_.outputs(), context_.initial_loads(sw));
  for (const DestinationGroup& group : order_.groups) {
    if (group.sw == sw) {
      deliver(group, table);
      continue;
    }
    const CandidateSet<W> candidates = candidates_.set<W>(group.sw);
    if (candidates.none()) continue;
    if (index_.counts(group))
      select_group(group, selector, candidates, table);
    else
      table[order_.all[group.begin].base.index()] = selector.look_up(candidates);
  }
}

void TableFiller::reselect(SwitchId sw, std::span<const std::uint32_t> groups) {
  if (candidates_.outputs().size() <= 64)
    reselect_groups<1>(sw, groups);
  else
    reselect_groups<4>(sw, groups);
}

/// Entries for some groups. For all others the table has the installed ones.
template <std::size_t W>
void TableFiller::reselect_groups(SwitchId sw, std::span<const std::uint32_t> groups) {
  TableEdit table(lfts_, sw);
  Reselector<W> selector(candidates_.outputs(), context_.initial_loads(sw));
  lost_.clear();
  for (std::uint32_t g : groups) {
    const DestinationGroup& group = order_.groups[g];
    if (group.sw == sw) {
      for (const Destination& to : order_.destinations(group)) table.set(to.base, to.attach.value);
      continue;
    }
    const CandidateSet<W> candidates = candidates_.set<W>(group.sw);
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      const Lid lid = order_.all[i].base;
      const std::uint8_t port = installed(lid.index());
      const bool stays = selector.is_candidate(candidates, port);
      table.set(lid, stays ? port : kNoPath);
      if (!stays && !candidates.none()) lost_.push_back({&group, i});
    }
  }
  if (!lost_.empty()) replace_lost(selector, table);
}

template <std::size_t W>
void TableFiller::replace_lost(Reselector<W>& selector, TableEdit& table) const {
  for (const DestinationIndex::LidRange& lids : index_.counted_lids())
    selector.count(table.entries().subspan(lids.begin, lids.end - lids.begin));
  for (const auto& [group, i] : lost_) {
    const std::uint8_t port = selector.least_loaded(candidates_.set<W>(group->sw));
    table.set(order_.all[i].base, port);
    if (index_.counts(*group)) selector.count(port);
  }
}

/// The first LID of all destinations, then the second, and so on.
void TableFiller::fill_by_general_rules(SwitchId sw, std::span<std::uint8_t> table,
                                        opensm_compat::GlibcRandom* sequence) const {
  opensm_compat::GlibcRandom own(own_seed(sw));
  GeneralSelector selector(input_, sw, candidates_, sequence != nullptr ? *sequence : own);
  for (std::uint32_t bit = 0; bit < 1U << order_.max_lmc; ++bit)
    for (const DestinationGroup& group : order_.groups) {
      if (group.sw == sw)
        deliver(group, table);
      else if (selector.choose_from(group.sw))
        select_group(group, bit, selector, table);
    }
}

void TableFiller::select_group(const DestinationGroup& group, std::uint32_t path_bit,
                               GeneralSelector& selector, std::span<std::uint8_t> table) const {
  const bool scatter = context_.options().scatter_ports != 0 && group.scatter && path_bit == 0;
  for (std::uint32_t i = group.begin; i < group.end; ++i) {
    if (path_bit >> order_.all[i].lmc != 0) continue;
    const std::size_t lid = order_.all[i].base.index() + path_bit;
    table[lid] = selector.select({.destination = i,
                                  .previous = path_bit == 0 ? std::uint8_t{0} : table[lid - 1],
                                  .installed = installed(lid),
                                  .scatter = scatter,
                                  .count = index_.counts(group)});
  }
}

/// What a switch draws does not depend on the others.
std::uint32_t TableFiller::own_seed(SwitchId sw) const {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  return static_cast<std::uint32_t>(
      ((context_.view().node(sw).guid.value ^ context_.options().scatter_ports) * kOdd) >> 32);
}

}  // namespace rch::engines::common
