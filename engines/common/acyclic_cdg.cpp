#include "engines/common/acyclic_cdg.h"

#include <algorithm>

namespace rch::engines::common {

AcyclicCdg::AcyclicCdg(const Channels& channels, std::span<const ChannelId> order)
    : channels_(channels),
      states_(channels.dependency_count(), State::unknown),
      position_(channels.size()),
      seen_(channels.size()) {
  for (std::uint32_t at = 0; at < order.size(); ++at) position_[order[at].index()] = at;
}

bool AcyclicCdg::try_add(ChannelId c, ChannelId next) {
  const std::size_t dependency = channels_.dependency(c, next);
  State& state = states_[dependency];
  if (state == State::unknown) {
    const Search result = make_room(c, next);
    state = result == Search::acyclic ? State::present : State::refused;
    if (result == Search::acyclic) added_.push_back(dependency);
    if (result == Search::cycle) refused_.push_back(dependency);
  }
  return state == State::present;
}

void AcyclicCdg::checkpoint() {
  added_.clear();
  refused_.clear();
}

/// Moves `c` before `next` in the order, unless it is reachable from there.
AcyclicCdg::Search AcyclicCdg::make_room(ChannelId c, ChannelId next) {
  if (position_[c.index()] < position_[next.index()]) return Search::acyclic;
  const Search result = search_forward(next, c);
  if (result == Search::acyclic) {
    search_backward(c, position_[next.index()]);
    reorder();
  }
  return result;
}

/// Visits the channels reachable from `start`, as far as `target` in the order.
AcyclicCdg::Search AcyclicCdg::search_forward(ChannelId start, ChannelId target) {
  forward_.assign(1, start);
  seen_[start.index()] = 1;
  bool found = start == target;
  for (std::size_t i = 0; i < forward_.size() && forward_.size() <= search_limit_ && !found; ++i) {
    const ChannelId c = forward_[i];
    channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
      if (seen_[next.index()] != 0 || !has(c, next) || position_[next.index()] > position_[target.index()])
        return;
      seen_[next.index()] = 1;
      forward_.push_back(next);
      found |= next == target;
    });
  }
  for (ChannelId c : forward_) seen_[c.index()] = 0;
  if (found) return Search::cycle;
  return forward_.size() > search_limit_ ? Search::gave_up : Search::acyclic;
}

/// Visits the channels that `start` is reachable from, back to a position in the order.
void AcyclicCdg::search_backward(ChannelId start, std::uint32_t first_position) {
  backward_.assign(1, start);
  seen_[start.index()] = 1;
  for (std::size_t i = 0; i < backward_.size(); ++i) {
    const ChannelId c = backward_[i];
    channels_.for_each_leaving(channels_.from(c), [&](ChannelId leaving) {
      const ChannelId previous = channels_.back(leaving);
      if (seen_[previous.index()] != 0 || position_[previous.index()] < first_position || !has(previous, c))
        return;
      seen_[previous.index()] = 1;
      backward_.push_back(previous);
    });
  }
  for (ChannelId c : backward_) seen_[c.index()] = 0;
}

/// Gives the positions of all channels visited to the backward ones, then to the forward ones, each in their
/// order.
void AcyclicCdg::reorder() {
  const auto position = [&](ChannelId c) { return position_[c.index()]; };
  std::ranges::sort(backward_, {}, position);
  std::ranges::sort(forward_, {}, position);
  backward_.insert(backward_.end(), forward_.begin(), forward_.end());
  positions_.clear();
  for (ChannelId c : backward_) positions_.push_back(position(c));
  std::ranges::sort(positions_);
  for (std::size_t i = 0; i < backward_.size(); ++i) position_[backward_[i].index()] = positions_[i];
}

}  // namespace rch::engines::common
