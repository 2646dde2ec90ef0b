#include "engines/dfsssp/dealer.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rch::engines::dfsssp {

Ground::Ground(const HopMatrix& all_hops, const NextHops& all_next_hops, const fabric::SubFabric& view)
    : hops(all_hops), next_hops(all_next_hops) {
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    hosts.push_back(static_cast<std::uint32_t>(view.end_ports_of(SwitchId(s)).size()));
}

Dealer::Dealer(const Ground& ground)
    : ground_(ground),
      next_hops_(ground.next_hops),
      added_(next_hops_.exit_count()),
      met_(next_hops_.group_count()),
      costs_(next_hops_.switch_count()),
      passed_(next_hops_.switch_count()) {}

void Dealer::deal(SwitchId to, std::span<const std::uint32_t> chosen, const PathCounts& loads, Dealt& dealt) {
  ++round_;
  lids_ = chosen.size();
  passing_.resize(next_hops_.switch_count() * lids_);
  meet(to);
  offers_.clear();
  costs_[to.index()] = 0;
  for (std::uint32_t number : nearest_first_) find_costs(peers_[number], loads);
  dealt.strings.resize(next_hops_.switch_count(), Dealt::kNone);
  std::size_t strings = 0;
  for (auto number = nearest_first_.rbegin(); number != nearest_first_.rend(); ++number) {
    const Peers& peers = peers_[*number];
    count_paths(peers);
    choose(peers);
    pass_on(peers);
    note(peers, chosen, strings, dealt);
  }
}

/// Who has a path to the destination, by the group of next hops.
void Dealer::meet(SwitchId to) {
  const std::span<const std::uint8_t> hops = ground_.hops.row(to);
  const std::span<const std::uint16_t> numbers = next_hops_.numbers_to(to);
  peers_.clear();
  unsorted_.clear();
  from_hosts_ = 0;
  for (std::uint32_t s = 0; s < hops.size(); ++s) {
    if (numbers[s] == NextHops::kNone) continue;
    const NextHops::ExitSet& set = next_hops_.exit_set(SwitchId(s), numbers[s]);
    Met& met = met_[set.group.index()];
    if (met.round != round_) {
      met = {round_, static_cast<std::uint32_t>(peers_.size())};
      peers_.push_back({.group = set.group, .hops = hops[s]});
    }
    ++peers_[met.peers].end;
    unsorted_.emplace_back(met.peers, set);
    from_hosts_ += ground_.hosts[s];
  }
  list_members();
  nearest_first_.resize(peers_.size());
  std::iota(nearest_first_.begin(), nearest_first_.end(), 0U);
  std::ranges::stable_sort(nearest_first_, {}, [&](std::uint32_t number) { return peers_[number].hops; });
}

void Dealer::list_members() {
  std::uint32_t first = 0;
  for (Peers& peers : peers_) {
    peers.begin = first;
    first += peers.end;
    peers.end = peers.begin;
  }
  members_.resize(first);
  for (const auto& [peers, set] : unsorted_) members_[peers_[peers].end++] = set;
}

void Dealer::find_costs(Peers& peers, const PathCounts& loads) {
  const std::span<const SwitchId> next = next_hops_.next_hops(peers.group);
  const std::span<const NextHops::ExitSet> members = this->members(peers);
  sums_.assign(next.size(), 0);  // a path comes by a next hop once: together they are no more than all paths
  for (const NextHops::ExitSet& set : members) {
    const std::uint32_t* const carried = loads.data();
    std::uint32_t* const sums = sums_.data();
    next_hops_.for_each_exit(set, next.size(),
                             [=](std::size_t p, std::size_t exit) { sums[p] += carried[exit]; });
  }
  peers.offers = offers_.size();
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t p = 0; p < next.size(); ++p) {
    const std::uint64_t carried = sums_[p] + members.size() * costs_[next[p].index()];
    least = std::min(least, carried);
    offers_.push_back(carried << kPlaceBits | p);
  }
  for (const NextHops::ExitSet& set : members) costs_[set.sw.index()] = least / members.size();
}

void Dealer::count_paths(const Peers& peers) {
  std::uint32_t from_hosts = 0;
  paths_.assign(lids_, 0);
  for (const NextHops::ExitSet& set : members(peers)) {
    const SwitchId sw = set.sw;
    if (passed_[sw.index()] != round_) {
      from_hosts += ground_.hosts[sw.index()];
      continue;
    }
    const std::uint32_t* const passing = this->passing(sw);
    for (std::size_t t = 0; t < lids_; ++t) paths_[t] += passing[t];
  }
  open_.clear();
  for (std::uint32_t t = 0; t < lids_; ++t) {
    paths_[t] += from_hosts;
    if (paths_[t] != 0) open_.push_back(t);
  }
}

/// A LID that is dealt makes paths by its next hop cost more: on the channels to it by what the peers send,
/// on each that follows by what comes together there, which is at most what all hosts send. LIDs that no
/// host sends by here are for the switches' own packets alone, and follow the first.
void Dealer::choose(const Peers& peers) {
  const auto begin = offers_.begin() + static_cast<std::ptrdiff_t>(peers.offers);
  rivals_.assign(begin, begin + static_cast<std::ptrdiff_t>(next_hops_.next_hops(peers.group).size()));
  first_rival_ = 0;
  takers_.assign(rivals_.size(), 0);
  std::ranges::sort(rivals_);
  places_.assign(lids_, place(rivals_.front()));
  const std::uint64_t behind = (peers.hops - std::uint64_t{1}) * (peers.end - peers.begin) * from_hosts_;
  for (std::uint32_t t : open_) {
    places_[t] = take_lightest(paths_[t] + behind);
    ++takers_[places_[t]];
  }
}

/// Returns its place; what paths by it carry is more then.
std::uint8_t Dealer::take_lightest(std::uint64_t more) {
  const Offer taken = rivals_[first_rival_++];
  const Offer heavier = taken + (more << kPlaceBits);
  std::size_t at = rivals_.size();
  rivals_.push_back(heavier);
  for (; at > first_rival_ && rivals_[at - 1] > heavier; --at) rivals_[at] = rivals_[at - 1];
  rivals_[at] = heavier;
  return place(taken);
}

void Dealer::pass_on(const Peers& peers) {
  const std::span<const SwitchId> next = next_hops_.next_hops(peers.group);
  for (std::uint32_t t : open_) {
    const SwitchId sw = next[places_[t]];
    if (passed_[sw.index()] != round_) {
      std::fill_n(passing(sw), lids_, ground_.hosts[sw.index()]);
      passed_[sw.index()] = round_;
    }
    passing(sw)[t] += paths_[t];
  }
  for (const NextHops::ExitSet& set : members(peers)) add(set);
}

/// What the exits of one switch get to carry.
void Dealer::add(const NextHops::ExitSet& set) {
  std::uint32_t* const added = added_.data();
  if (passed_[set.sw.index()] != round_) {
    const std::uint32_t hosts = ground_.hosts[set.sw.index()];
    const std::uint32_t* const takers = takers_.data();
    if (hosts != 0)
      next_hops_.for_each_exit(set, takers_.size(),
                               [=](std::size_t p, std::size_t exit) { added[exit] += hosts * takers[p]; });
    return;
  }
  const std::uint32_t* const passing = this->passing(set.sw);
  if (takers_.size() == 1)
    added[set.first] += std::accumulate(passing, passing + lids_, 0U);
  else
    for (std::uint32_t t : open_) added[next_hops_.exit(set, places_[t])] += passing[t];
}

void Dealer::note(const Peers& peers, std::span<const std::uint32_t> chosen, std::size_t& strings,
                  Dealt& dealt) const {
  std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
  for (const NextHops::ExitSet& set : members(peers)) {
    if (set.ports != last) {
      last = set.ports;
      dealt.ports.resize(std::max(dealt.ports.size(), (strings + 1) * dealt.lids));
      const std::uint8_t* const ports = next_hops_.ports(set);
      for (std::size_t t = 0; t < lids_; ++t)
        dealt.ports[strings * dealt.lids + chosen[t]] = ports[places_[t]];
      ++strings;
    }
    dealt.strings[set.sw.index()] = static_cast<std::uint16_t>(strings - 1);
  }
}

}  // namespace rch::engines::dfsssp
