#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "verify/dependencies.h"

namespace rch::verify {

/// A topological order of a channel dependency graph that grows. Whether new dependencies close a cycle is
/// found between the places of their ends in the order, without a search of the whole graph (Pearce, Kelly: A
/// dynamic topological sort algorithm for directed acyclic graphs, 2006; for many edges at a time Marchetti-
/// Spaccamela, Nanni, Rohnert: Maintaining a topological order under edge insertions, 1996).
///
/// A channel has the number slot * N + lane.
template <std::size_t N>
class GrowingOrder {
 public:
  using Part = typename Dependencies<N>::Part;

  explicit GrowingOrder(const Wiring& wiring)
      : wiring_(wiring), heads_(wiring.slot_count()), state_(wiring.slot_count() * N) {
    for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw)
      for (std::size_t port = 1; port <= wiring.num_ports(sw); ++port) {
        const Exit& exit = wiring.exit(sw, static_cast<std::uint8_t>(port));
        if (exit.kind != Exit::Kind::to_switch) continue;
        heads_[wiring.slot(sw, port)] = {static_cast<std::uint32_t>(wiring.cell(exit.to, exit.in, 0)),
                                         static_cast<std::uint32_t>(wiring.slot(exit.to, 0)),
                                         wiring.num_ports(exit.to) + 1U};
      }
  }

  /// Orders the dependencies of both. False if they close a cycle: then no other function may be called.
  bool reset(const Dependencies<N>& one, const Dependencies<N>& other) {
    std::vector<std::uint32_t> waiting(state_.size());
    const auto for_each_after = [&](std::uint32_t channel, auto&& f) {
      for_each_successor(one, channel, f);
      for_each_successor(other, channel, f);
    };
    for (std::uint32_t c = 0; c < waiting.size(); ++c)
      for_each_after(c, [&](std::uint32_t next) { ++waiting[next]; });
    order_.clear();
    for (std::uint32_t c = 0; c < waiting.size(); ++c)
      if (waiting[c] == 0) order_.push_back(c);
    for (std::size_t i = 0; i < order_.size(); ++i)
      for_each_after(order_[i], [&](std::uint32_t next) {
        if (--waiting[next] == 0) order_.push_back(next);
      });
    place_.resize(waiting.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    return order_.size() == waiting.size();
  }

  /// `added`: dependencies that `one` has and had not when the order was made. True, and the order is one of
  /// them, too, unless they close a cycle with the others.
  bool add(std::span<const Part> added, const Dependencies<N>& one, const Dependencies<N>& other) {
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max(), last = 0;
    starts_.clear();
    for (const Part& part : added)
      Dependencies<N>::for_each(part, [&](std::size_t cell, std::size_t in_lane, std::size_t out_lane) {
        const Wiring::Crossing at = wiring_.crossing(cell);
        const Exit& before = wiring_.exit(at.sw, static_cast<std::uint8_t>(at.in));
        const std::uint32_t from = place_[wiring_.slot(before.to, before.in) * N + in_lane];
        const std::size_t to = wiring_.slot(at.sw, at.out) * N + out_lane;
        if (from < place_[to]) return;
        starts_.push_back(static_cast<std::uint32_t>(to));
        first = std::min(first, place_[to]);
        last = std::max(last, from);
      });
    if (starts_.empty()) return true;
    const bool is_acyclic = search(last, one, other);
    if (is_acyclic) move_back(first, last);
    for (const std::uint32_t channel : met_) state_[channel] = State::unmet;
    return is_acyclic;
  }

 private:
  enum class State : std::uint8_t { unmet, open, done };
  /// Where the cable of a slot ends.
  struct Head {
    std::uint32_t cells = 0;  ///< first of the port that it enters
    std::uint32_t slots = 0;  ///< first of that switch
    std::uint32_t ports = 0;  ///< of that switch, 0 included; 0: the cable leads to no switch
  };
  struct Frame {
    std::uint32_t channel;
    std::size_t first_successor, next;
  };

  template <class F>
  void for_each_successor(const Dependencies<N>& dependencies, std::uint32_t channel, const F& f) const {
    const Head& head = heads_[channel / N];
    if (head.ports == 0) return;
    dependencies.for_each_after(head.cells, head.ports, channel % N, [&](std::size_t out, std::size_t lane) {
      f(static_cast<std::uint32_t>((head.slots + out) * N + lane));
    });
  }

  /// Visits, depth first, what `starts_` lead to up to a place. False if there is a cycle. `met_` has the
  /// channels that were visited, `done_` the same, each after those that it leads to.
  bool search(std::uint32_t last, const Dependencies<N>& one, const Dependencies<N>& other) {
    met_.clear();
    done_.clear();
    frames_.clear();
    successors_.clear();
    const auto enter = [&](std::uint32_t channel) {
      state_[channel] = State::open;
      met_.push_back(channel);
      frames_.push_back({channel, successors_.size(), successors_.size()});
      const auto note = [&](std::uint32_t next) {
        if (place_[next] <= last && state_[next] != State::done) successors_.push_back(next);
      };
      for_each_successor(one, channel, note);
      for_each_successor(other, channel, note);
    };
    for (const std::uint32_t start : starts_) {
      if (state_[start] == State::unmet) enter(start);
      while (!frames_.empty()) {
        Frame& frame = frames_.back();
        if (frame.next == successors_.size()) {
          state_[frame.channel] = State::done;
          done_.push_back(frame.channel);
          successors_.resize(frame.first_successor);
          frames_.pop_back();
          continue;
        }
        const std::uint32_t next = successors_[frame.next++];
        if (state_[next] == State::open) return false;
        if (state_[next] == State::unmet) enter(next);
      }
    }
    return true;
  }

  /// Puts what was visited behind all other channels between two places.
  void move_back(std::uint32_t first, std::uint32_t last) {
    std::uint32_t place = first;
    for (std::uint32_t i = first; i <= last; ++i)
      if (state_[order_[i]] == State::unmet) order_[place++] = order_[i];
    for (auto channel = done_.rbegin(); channel != done_.rend(); ++channel) order_[place++] = *channel;
    for (std::uint32_t i = first; i <= last; ++i) place_[order_[i]] = i;
  }

  const Wiring& wiring_;
  std::vector<Head> heads_;           ///< by slot
  std::vector<std::uint32_t> order_;  ///< channels
  std::vector<std::uint32_t> place_;  ///< by channel
  std::vector<State> state_;          ///< by channel, in a search
  std::vector<std::uint32_t> starts_, met_, done_, successors_;
  std::vector<Frame> frames_;
};

}  // namespace rch::verify
