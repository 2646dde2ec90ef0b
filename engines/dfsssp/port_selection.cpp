#include "engines/dfsssp/port_selection.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rch::engines::dfsssp {

SelectionContext::SelectionContext(const HopMatrix& all_hops, const NextHopSets& all_next_hops,
                                   const fabric::SubFabric& view)
    : hops(all_hops), next_hops(all_next_hops) {
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    hosts.push_back(static_cast<std::uint32_t>(view.end_ports_of(SwitchId(s)).size()));
}

PortSelection::PortSelection(const SelectionContext& context)
    : context_(context),
      next_hops_(context.next_hops),
      added_(next_hops_.out_port_count()),
      class_numbers_(next_hops_.class_count()),
      path_load_(next_hops_.switch_count()),
      transit_round_(next_hops_.switch_count()) {}

void PortSelection::select(SwitchId to, std::span<const std::uint32_t> lids, const PortLoads& loads,
                           SelectedHops& selected) {
  ++round_;
  lids_ = lids.size();
  transit_.resize(next_hops_.switch_count() * lids_);
  find_classes(to);
  candidates_.clear();
  path_load_[to.index()] = 0;
  for (std::uint32_t number : nearest_first_) find_path_loads(classes_[number], loads);
  selected.class_of = class_of_;
  selected.places.resize(classes_.size() * selected.lids);
  for (auto number = nearest_first_.rbegin(); number != nearest_first_.rend(); ++number) {
    const Class& cls = classes_[*number];
    count_flows(cls);
    choose_next_hops(cls);
    pass_flows_on(cls);
    record(*number, lids, selected);
  }
}

/// Groups the switches that have a path to the destination by equivalence class.
void PortSelection::find_classes(SwitchId to) {
  const std::span<const std::uint8_t> hops = context_.hops.row(to);
  const std::span<const std::uint16_t> numbers = next_hops_.numbers_to(to);
  classes_.clear();
  found_.clear();
  all_hosts_ = 0;
  class_of_.resize(numbers.size());
  for (std::uint32_t p = 0; p < numbers.size(); ++p) {
    if (numbers[p] == NextHopSets::kNone) continue;
    const NextHopSets::PortSet& set = next_hops_.port_set(NextHopSets::Position(p), numbers[p]);
    ClassNumber& cls = class_numbers_[set.cls.index()];
    if (cls.round != round_) {
      cls = {round_, static_cast<std::uint32_t>(classes_.size())};
      classes_.push_back({.id = set.cls, .hops = hops[set.sw.index()]});
    }
    ++classes_[cls.number].end;
    found_.emplace_back(cls.number, set);
    all_hosts_ += context_.hosts[set.sw.index()];
    class_of_[p] = static_cast<std::uint16_t>(cls.number);
  }
  list_members();
  nearest_first_.resize(classes_.size());
  std::iota(nearest_first_.begin(), nearest_first_.end(), 0U);
  std::ranges::stable_sort(nearest_first_, {}, [&](std::uint32_t number) { return classes_[number].hops; });
}

void PortSelection::list_members() {
  std::uint32_t first = 0;
  for (Class& cls : classes_) {
    cls.begin = first;
    first += cls.end;
    cls.end = cls.begin;
  }
  members_.resize(first);
  for (const auto& [number, set] : found_) members_[classes_[number].end++] = set;
}

void PortSelection::find_path_loads(Class& cls, const PortLoads& loads) {
  const std::span<const SwitchId> next = next_hops_.next_hops(cls.id);
  const std::span<const NextHopSets::PortSet> members = this->members(cls);
  sums_.assign(next.size(), 0);  // a path uses one next hop once, so the sums fit too
  for (const NextHopSets::PortSet& set : members) {
    const std::uint32_t* const load = loads.data();
    std::uint32_t* const sums = sums_.data();
    next_hops_.for_each_out_port(set, next.size(),
                                 [=](std::size_t p, std::size_t port) { sums[p] += load[port]; });
  }
  cls.candidates = candidates_.size();
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t p = 0; p < next.size(); ++p) {
    const std::uint64_t load = sums_[p] + members.size() * path_load_[next[p].index()];
    least = std::min(least, load);
    candidates_.push_back(load << kPlaceBits | p);
  }
  for (const NextHopSets::PortSet& set : members) path_load_[set.sw.index()] = least / members.size();
}

void PortSelection::count_flows(const Class& cls) {
  std::uint32_t from_hosts = 0;
  flows_.assign(lids_, 0);
  for (const NextHopSets::PortSet& set : members(cls)) {
    const SwitchId sw = set.sw;
    if (transit_round_[sw.index()] != round_) {
      from_hosts += context_.hosts[sw.index()];
      continue;
    }
    const std::uint32_t* const transit = this->transit(sw);
    for (std::size_t t = 0; t < lids_; ++t) flows_[t] += transit[t];
  }
  used_.clear();
  for (std::uint32_t t = 0; t < lids_; ++t) {
    flows_[t] += from_hosts;
    if (flows_[t] != 0) used_.push_back(t);
  }
}

/// A selected LID adds its flows to the first channel and, on every further one, what may join there: at most
/// the flows of all hosts. LIDs without flows carry only management, and follow the first candidate.
void PortSelection::choose_next_hops(const Class& cls) {
  const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(cls.candidates);
  queue_.assign(begin, begin + static_cast<std::ptrdiff_t>(next_hops_.next_hops(cls.id).size()));
  queue_begin_ = 0;
  lids_by_.assign(queue_.size(), 0);
  std::ranges::sort(queue_);
  chosen_.assign(lids_, place(queue_.front()));
  const std::uint64_t further = (cls.hops - std::uint64_t{1}) * (cls.end - cls.begin) * all_hosts_;
  for (std::uint32_t t : used_) {
    chosen_[t] = take_least_loaded(flows_[t] + further);
    ++lids_by_[chosen_[t]];
  }
}

/// Returns the place of the least loaded candidate and raises its load.
std::uint8_t PortSelection::take_least_loaded(std::uint64_t added_load) {
  const Candidate taken = queue_[queue_begin_++];
  const Candidate raised = taken + (added_load << kPlaceBits);
  std::size_t at = queue_.size();
  queue_.push_back(raised);
  for (; at > queue_begin_ && queue_[at - 1] > raised; --at) queue_[at] = queue_[at - 1];
  queue_[at] = raised;
  return place(taken);
}

void PortSelection::pass_flows_on(const Class& cls) {
  const std::span<const SwitchId> next = next_hops_.next_hops(cls.id);
  for (std::uint32_t t : used_) {
    const SwitchId sw = next[chosen_[t]];
    if (transit_round_[sw.index()] != round_) {
      std::fill_n(transit(sw), lids_, context_.hosts[sw.index()]);
      transit_round_[sw.index()] = round_;
    }
    transit(sw)[t] += flows_[t];
  }
  for (const NextHopSets::PortSet& set : members(cls)) add_loads(set);
}

/// Adds the flows of one switch to the loads of its ports.
void PortSelection::add_loads(const NextHopSets::PortSet& set) {
  std::uint32_t* const added = added_.data();
  if (transit_round_[set.sw.index()] != round_) {
    const std::uint32_t hosts = context_.hosts[set.sw.index()];
    const std::uint32_t* const lids = lids_by_.data();
    if (hosts != 0)
      next_hops_.for_each_out_port(set, lids_by_.size(),
                                   [=](std::size_t p, std::size_t port) { added[port] += hosts * lids[p]; });
    return;
  }
  const std::uint32_t* const transit = this->transit(set.sw);
  if (lids_by_.size() == 1)
    added[set.first] += std::accumulate(transit, transit + lids_, 0U);
  else
    for (std::uint32_t t : used_) added[next_hops_.out_port(set, chosen_[t])] += transit[t];
}

void PortSelection::record(std::uint32_t number, std::span<const std::uint32_t> lids,
                           SelectedHops& selected) const {
  std::uint8_t* const places = selected.places.data() + number * selected.lids;
  for (std::size_t t = 0; t < lids_; ++t) places[lids[t]] = chosen_[t];
}

}  // namespace rch::engines::dfsssp
