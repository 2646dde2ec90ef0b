#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engines/common/channels.h"

namespace rch::engines::dfsssp {

/// Searches depth first along dependencies: a channel is done when all that its packets ask for are done.
/// `Depends` says whether packets on one channel ask for another that leaves where it leads to. Keeps a
/// reference.
template <class Depends>
class DepthFirst {
 public:
  DepthFirst(const common::Channels& channels, Depends depends)
      : channels_(channels), depends_(std::move(depends)), states_(channels.size(), State::fresh) {}

  void search_from(common::ChannelId start) {
    if (states_[start.index()] != State::fresh) return;
    open(start);
    while (!way_.empty()) {
      Step& step = way_.back();
      const SwitchId at = channels_.to(step.channel);
      if (step.next == channels_.degree(at)) {
        states_[step.channel.index()] = State::done;
        done_.push_back(step.channel);
        way_.pop_back();
        continue;
      }
      const common::ChannelId next(channels_.first(at).value + step.next++);
      if (!depends_(step.channel, next)) continue;
      if (states_[next.index()] == State::fresh)
        open(next);
      else
        has_circle_ |= states_[next.index()] == State::open;
    }
  }

  /// In the order in which they were.
  std::vector<common::ChannelId>& done() { return done_; }
  bool has_circle() const { return has_circle_; }

 private:
  enum class State : std::uint8_t { fresh, open, done };
  struct Step {
    common::ChannelId channel;
    std::uint32_t next = 0;  ///< place of the next channel to look at, among those that follow
  };

  void open(common::ChannelId c) {
    states_[c.index()] = State::open;
    way_.push_back({c});
  }

  const common::Channels& channels_;
  Depends depends_;
  std::vector<State> states_;  ///< by channel
  std::vector<Step> way_;
  std::vector<common::ChannelId> done_;
  bool has_circle_ = false;
};

}  // namespace rch::engines::dfsssp
