#include "verify/transition/changed_hops.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rch::verify {
namespace {

/// Calls f(switch) where two columns differ. Most words are equal.
template <class F>
void for_each_difference(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, const F& f) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  for (std::size_t first = 0; first < a.size(); first += kWord) {
    const std::size_t end = std::min(first + kWord, a.size());
    if (std::memcmp(&a[first], &b[first], end - first) == 0) continue;
    for (std::size_t s = first; s < end; ++s)
      if (a[s] != b[s]) f(s);
  }
}

}  // namespace

bool ChangedHops::walk(const Move& move, Stage stage, bool repaired, Dependencies<1>* dependencies) {
  move_ = &move;
  stage_ = stage;
  repaired_ = repaired;
  ++round_;
  reached_.clear();
  for_each_difference(move.installed, move.target,
                      [&](std::size_t sw) { begin_at(static_cast<std::uint32_t>(sw), dependencies); });
  for (std::size_t head = 0; head < reached_.size(); ++head)
    for (const std::uint8_t out : hops(reached_[head]))
      if (follow(reached_[head], out, dependencies)) ++pending_[wiring_.exit(reached_[head], out).to];
  return is_ordered();
}

/// As TransientWalker::build() has it.
std::uint8_t ChangedHops::installed(std::size_t sw) const {
  const std::uint8_t entry = move_->installed[sw];
  if (!repaired_) return entry;
  const Exit::Kind kind = wiring_.exit(sw, entry).kind;
  return kind == Exit::Kind::no_link || kind == Exit::Kind::no_such_port ? move_->target[sw] : entry;
}

ChangedHops::Hops ChangedHops::hops(std::size_t sw) const {
  const std::uint8_t before = installed(sw), after = move_->target[sw];
  if (before == after) return {after, kNoPath};
  switch (stage_) {
    case Stage::installed:
      return {before, kNoPath};
    case Stage::target:
      return {after, kNoPath};
    case Stage::drained:
      return {kNoPath, kNoPath};
    default:
      return {before, after};
  }
}

/// At a changed entry. The target paths of moves that are not proven may close a loop, too.
void ChangedHops::begin_at(std::uint32_t sw, Dependencies<1>* dependencies) {
  const std::uint8_t before = installed(sw);
  const bool is_taken = stage_ == Stage::installed || stage_ == Stage::both;
  const bool is_old = is_taken && before != move_->target[sw];
  if ((!is_old && move_->proven) || !is_live(sw)) return;
  if (!move_->proven) meet(sw);
  if (!is_old || !follow(sw, before, dependencies) || dependencies == nullptr) return;
  for_each_sender(sw, [&](std::uint32_t from, std::size_t port) {
    if (is_live(from)) dependencies->add(wiring_.cell(sw, port, before), 0, 0);
  });
}

/// Packets get to this switch: hops lead here from a sending one. Goes against them until it meets such a
/// one.
bool ChangedHops::is_live(std::uint32_t sw) {
  if (known_[sw] == round_) return live_[sw] != 0;
  ++search_;
  upstream_.clear();
  const auto add = [this](std::uint32_t from, std::uint32_t to) {
    if (std::exchange(searched_[from], search_) == search_) return;
    next_[from] = to;
    upstream_.push_back(from);
  };
  const auto leads_here = [this](std::uint32_t from) {
    return known_[from] == round_ ? live_[from] != 0
           : move_->to_switch     ? wiring_.sends_to_switches(from)
                                  : wiring_.sends(from);
  };
  const auto note = [this](std::uint32_t at, bool live) {
    known_[at] = round_;
    live_[at] = live ? 1 : 0;
  };
  add(sw, sw);
  for (std::size_t head = 0; head < upstream_.size(); ++head) {
    const std::uint32_t at = upstream_[head];
    if (leads_here(at)) {
      for (std::uint32_t way = at; way != sw; way = next_[way]) note(way, true);
      note(sw, true);
      return true;
    }
    if (known_[at] != round_) for_each_sender(at, [&](std::uint32_t from, std::size_t) { add(from, at); });
  }
  for (const std::uint32_t at : upstream_) note(at, false);
  return false;
}

/// Calls f(switch, port) for switches that send by a cable to this one, and where it comes in.
template <class F>
void ChangedHops::for_each_sender(std::size_t sw, const F& f) const {
  for (std::size_t port = 1; port <= wiring_.num_ports(sw); ++port) {
    const Exit& back = wiring_.exit(sw, static_cast<std::uint8_t>(port));
    if (back.kind != Exit::Kind::to_switch) continue;
    const Hops sends = hops(back.to);
    if (std::ranges::find(sends, back.in) != sends.end()) f(back.to, port);
  }
}

/// Behind a changed hop: packets that take this one leave the next switch by all its hops. False: it leads to
/// no switch.
bool ChangedHops::follow(std::size_t sw, std::uint8_t out, Dependencies<1>* dependencies) {
  const Exit& exit = wiring_.exit(sw, out);
  if (exit.kind != Exit::Kind::to_switch) return false;
  meet(exit.to);
  if (dependencies == nullptr) return true;
  dependencies->use(wiring_.slot(sw, out), 1);
  for (const std::uint8_t next : hops(exit.to))
    if (wiring_.exit(exit.to, next).kind == Exit::Kind::to_switch)
      dependencies->add(wiring_.cell(exit.to, exit.in, next), 0, 0);
  return true;
}

void ChangedHops::meet(std::uint32_t sw) {
  if (met_[sw] == round_) return;
  met_[sw] = round_;
  pending_[sw] = 0;
  reached_.push_back(sw);
}

/// Takes the switches off that no open hop leads to. False: some lie on a cycle or behind one.
bool ChangedHops::is_ordered() {
  order_.clear();
  for (const std::uint32_t sw : reached_)
    if (pending_[sw] == 0) order_.push_back(sw);
  for (std::size_t head = 0; head < order_.size(); ++head)
    for (const std::uint8_t out : hops(order_[head]))
      if (const Exit& exit = wiring_.exit(order_[head], out);
          exit.kind == Exit::Kind::to_switch && --pending_[exit.to] == 0)
        order_.push_back(exit.to);
  return order_.size() == reached_.size();
}

}  // namespace rch::verify
