#include "engines/common/acyclic_dependencies.h"

#include <algorithm>

namespace rch::engines::common {

AcyclicDependencies::AcyclicDependencies(const Channels& channels, std::span<const ChannelId> order)
    : channels_(channels),
      states_(channels.dependency_count(), State::unknown),
      place_(channels.size()),
      seen_(channels.size()) {
  for (std::uint32_t place = 0; place < order.size(); ++place) place_[order[place].index()] = place;
}

bool AcyclicDependencies::admit(ChannelId c, ChannelId next) {
  const std::size_t dependency = channels_.dependency(c, next);
  State& state = states_[dependency];
  if (state == State::unknown) {
    const Behind behind = make_room(c, next);
    state = behind == Behind::others ? State::admitted : State::refused;
    if (behind == Behind::others) admitted_.push_back(dependency);
    if (behind == Behind::target) refused_.push_back(dependency);
  }
  return state == State::admitted;
}

void AcyclicDependencies::mark() {
  admitted_.clear();
  refused_.clear();
}

/// Moves `c` before `next`, unless it waits behind it, or too many others do.
AcyclicDependencies::Behind AcyclicDependencies::make_room(ChannelId c, ChannelId next) {
  if (place_[c.index()] < place_[next.index()]) return Behind::others;
  const Behind behind = find_behind(next, c);
  if (behind == Behind::others) {
    find_before(c, place_[next.index()]);
    reorder();
  }
  return behind;
}

/// Looks at the channels that wait behind `start`, as far as `target` in the order.
AcyclicDependencies::Behind AcyclicDependencies::find_behind(ChannelId start, ChannelId target) {
  behind_.assign(1, start);
  seen_[start.index()] = 1;
  bool found = start == target;
  for (std::size_t i = 0; i < behind_.size() && behind_.size() <= most_behind_ && !found; ++i) {
    const ChannelId c = behind_[i];
    channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
      if (seen_[next.index()] != 0 || !is_admitted(c, next) || place_[next.index()] > place_[target.index()])
        return;
      seen_[next.index()] = 1;
      behind_.push_back(next);
      found |= next == target;
    });
  }
  for (ChannelId c : behind_) seen_[c.index()] = 0;
  if (found) return Behind::target;
  return behind_.size() > most_behind_ ? Behind::too_many : Behind::others;
}

/// Channels that `start` waits behind, back to a place in the order.
void AcyclicDependencies::find_before(ChannelId start, std::uint32_t from_place) {
  before_.assign(1, start);
  seen_[start.index()] = 1;
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const ChannelId c = before_[i];
    channels_.for_each_leaving(channels_.from(c), [&](ChannelId leaving) {
      const ChannelId previous = channels_.back(leaving);
      if (seen_[previous.index()] != 0 || place_[previous.index()] < from_place || !is_admitted(previous, c))
        return;
      seen_[previous.index()] = 1;
      before_.push_back(previous);
    });
  }
  for (ChannelId c : before_) seen_[c.index()] = 0;
}

/// Deals the places of all channels found to those before, then to those behind, each in their order.
void AcyclicDependencies::reorder() {
  const auto place = [&](ChannelId c) { return place_[c.index()]; };
  std::ranges::sort(before_, {}, place);
  std::ranges::sort(behind_, {}, place);
  before_.insert(before_.end(), behind_.begin(), behind_.end());
  places_.clear();
  for (ChannelId c : before_) places_.push_back(place(c));
  std::ranges::sort(places_);
  for (std::size_t i = 0; i < before_.size(); ++i) place_[before_[i].index()] = places_[i];
}

}  // namespace rch::engines::common
