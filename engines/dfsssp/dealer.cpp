#include "engines/dfsssp/dealer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace rch::engines::dfsssp {

Ground::Ground(const HopMatrix& all_hops, const Routes& routes) : hops(all_hops) {
  const common::Channels& channels = routes.channels();
  for (std::uint32_t s = 0; s < hops.switch_count; ++s) {
    first.push_back(channels.first(SwitchId(s)).value);
    hosts.push_back(static_cast<std::uint32_t>(routes.view().end_ports_of(SwitchId(s)).size()));
  }
  for (std::uint32_t c = 0; c < channels.size(); ++c) {
    to.push_back(channels.to(common::ChannelId(c)).value);
    port.push_back(channels.port(common::ChannelId(c)).value);
  }
}

void Dealer::deal(const NearChannels& near, std::size_t column, const PathCounts& loads,
                  const PortSheet& ports) {
  const std::span<const std::uint8_t> hops = ground_.hops.row(near.destination(column));
  order_by_distance(near.destination(column));
  find_costs(near, column, loads);
  lids_ = ports.lids;
  passing_.resize(hops.size() * lids_);
  for (std::uint32_t s = 0; s < hops.size(); ++s) {
    std::fill_n(passing_.data() + s * lids_, lids_, ground_.hosts[s]);
    if (hops[s] == HopMatrix::kUnknown) std::fill_n(ports.row(SwitchId(s)), lids_, kNoPath);
  }
  for (std::size_t i = order_.size(); i-- > 1;) {
    list_offers(order_[i], near, column, loads);
    deal_at(order_[i], hops[order_[i].index()], ports.row(order_[i]));
  }
}

void Dealer::order_by_distance(SwitchId destination) {
  const std::span<const std::uint8_t> hops = ground_.hops.row(destination);
  std::array<std::uint32_t, HopMatrix::kUnknown + 2> place{};
  for (std::uint8_t h : hops) ++place[h + std::size_t{1}];
  std::partial_sum(place.begin(), place.end(), place.begin());
  order_.resize(place[HopMatrix::kUnknown]);
  for (std::uint32_t s = 0; s < hops.size(); ++s)
    if (hops[s] != HopMatrix::kUnknown) order_[place[hops[s]]++] = SwitchId(s);
}

void Dealer::find_costs(const NearChannels& near, std::size_t column, const PathCounts& loads) {
  costs_[order_.front().index()] = 0;
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::uint32_t* carried = loads.data() + ground_.first[order_[i].index()];
    const std::uint32_t* to = ground_.to.data() + ground_.first[order_[i].index()];
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    near.for_each(order_[i], column,
                  [&](std::size_t place) { least = std::min(least, carried[place] + costs_[to[place]]); });
    costs_[order_[i].index()] = least;
  }
}

void Dealer::list_offers(SwitchId sw, const NearChannels& near, std::size_t column, const PathCounts& loads) {
  const std::uint32_t* carried = loads.data() + ground_.first[sw.index()];
  const std::uint32_t* to = ground_.to.data() + ground_.first[sw.index()];
  const std::uint64_t* costs = costs_.data();
  offers_.resize(lids_ + HopMatrix::kUnknown);
  Offer* offers = offers_.data();
  std::size_t count = 0;
  near.for_each(sw, column, [&](std::size_t place) {
    offers[count++] = (carried[place] + costs[to[place]]) << kPlaceBits | place;
  });
  offers_.resize(count);
  first_offer_ = 0;
}

/// A LID that is dealt makes paths by its channel cost more by what it adds to each channel of them. LIDs
/// that no host sends by here are for the switch's own packets alone, and follow the first.
void Dealer::deal_at(SwitchId sw, std::uint64_t hops, std::uint8_t* ports) {
  const std::size_t first = ground_.first[sw.index()];
  const std::uint32_t* passing = passing_.data() + sw.index() * lids_;
  const auto is_open = [](std::uint32_t paths) { return paths != 0; };
  const auto open = static_cast<std::size_t>(std::count_if(passing, passing + lids_, is_open));
  if (open <= 1)
    std::ranges::iter_swap(offers_.begin(), std::ranges::min_element(offers_));
  else if (!std::ranges::is_sorted(offers_))
    std::ranges::sort(offers_);
  if (open < lids_) std::fill_n(ports, lids_, ground_.port[first + place(offers_.front())]);
  const std::uint32_t* const to = ground_.to.data() + first;
  for (std::size_t t = 0; t < lids_ && open > 0; ++t) {
    if (passing[t] == 0) continue;
    const std::size_t p = open == 1 ? place(offers_.front()) : take_lightest(passing[t] * hops);
    ports[t] = ground_.port[first + p];
    added_[first + p] += passing[t];
    passing_[to[p] * lids_ + t] += passing[t];
  }
}

/// Returns its place; what paths by it carry is more then.
std::size_t Dealer::take_lightest(std::uint64_t more) {
  const Offer taken = offers_[first_offer_++];
  const Offer heavier = taken + (more << kPlaceBits);
  std::size_t at = offers_.size();
  offers_.push_back(heavier);
  for (; at > first_offer_ && offers_[at - 1] > heavier; --at) offers_[at] = offers_[at - 1];
  offers_[at] = heavier;
  return place(taken);
}

}  // namespace rch::engines::dfsssp
