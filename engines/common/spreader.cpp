#include "engines/common/spreader.h"

#include <algorithm>
#include <limits>

namespace rch::engines::common {
namespace {

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

/// Preferences A and B: the first cable seen with the lowest counter.
struct Lightest {
  std::size_t cable = 0;
  std::uint32_t load = kMost;

  bool found() const { return load != kMost; }
  void offer(std::size_t c, std::uint32_t l) {
    if (l < load) *this = {c, l};
  }
};

/// Preference C, every neighbour used already: the lowest counter, among equals the neighbour used less
/// often. OpenSM compares with the least use it has noted so far, and a cable that wins by its counter does
/// not raise that note (observed with LMC 1 to 3; routing-engines 2.3 leaves it open).
struct LeastUsed {
  Lightest best;
  std::uint32_t least_use = kMost;

  void offer(std::size_t c, std::uint32_t load, std::uint32_t use) {
    if (load > best.load || (load == best.load && use >= least_use)) return;
    best = {c, load};
    least_use = std::min(least_use, use);
  }
};

}  // namespace

Spreader::Spreader(const ChoiceInput& input, SwitchId sw, const Candidates& candidates)
    : candidates_(candidates),
      max_lmc_(input.order.max_lmc),
      load_(candidates.cables().size()),
      used_(input.order.all.size() << max_lmc_),
      used_count_(input.order.all.size()) {
  for (const fabric::Neighbor& n : input.view.graph().neighbors(sw)) {
    const fabric::Node& node = input.view.node(n.sw);
    // A switch that names no system is one of its own.
    system_.push_back(node.system_guid == Guid{} ? node.guid : node.system_guid);
  }
}

bool Spreader::aim_at(SwitchId to) {
  open_.clear();
  for (std::size_t c = 0; c < candidates_.cables().size(); ++c)
    if (candidates_.contains(to, c)) open_.push_back(c);
  return !open_.empty();
}

std::size_t Spreader::scan_start(std::uint8_t after) const {
  const auto it =
      std::ranges::find_if(open_, [&](std::size_t c) { return candidates_.cables()[c].port.value > after; });
  return it == open_.end() ? 0 : static_cast<std::size_t>(it - open_.begin());
}

bool Spreader::uses_system(std::span<const Used> used, Guid system) const {
  return std::ranges::any_of(used, [&](const Used& u) { return system_[u.neighbor] == system; });
}

std::size_t Spreader::best_cable(std::span<const Used> used, std::size_t start) const {
  Lightest new_system, new_node;
  LeastUsed rest;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const std::size_t c = open_[start + i < open_.size() ? start + i : start + i - open_.size()];
    const std::uint32_t neighbor = candidates_.cables()[c].neighbor;
    const auto same_node = std::ranges::find(used, neighbor, &Used::neighbor);
    if (same_node != used.end())
      rest.offer(c, load_[c], same_node->times);
    else if (uses_system(used, system_[neighbor]))
      new_node.offer(c, load_[c]);
    else
      new_system.offer(c, load_[c]);
  }
  return new_system.found() ? new_system.cable : new_node.found() ? new_node.cable : rest.best.cable;
}

std::uint8_t Spreader::choose(std::size_t destination, std::uint8_t after, bool count) {
  const std::size_t best = best_cable(used(destination), scan_start(after));
  if (count) {
    ++load_[best];
    note(destination, candidates_.cables()[best].neighbor);
  }
  return candidates_.cables()[best].port.value;
}

void Spreader::note(std::size_t destination, std::uint32_t neighbor) {
  const std::span<Used> known = used(destination);
  const auto same_node = std::ranges::find(known, neighbor, &Used::neighbor);
  if (same_node != known.end())
    ++same_node->times;
  else
    used_[(destination << max_lmc_) + used_count_[destination]++] = {neighbor, 1};
}

}  // namespace rch::engines::common
