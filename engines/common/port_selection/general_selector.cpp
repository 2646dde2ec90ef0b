#include "engines/common/port_selection/general_selector.h"

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

/// Preference C, every way used already: the lowest counter, among equals the way used less often. OpenSM
/// compares with the least use it has noted so far, and a cable that wins by its counter does not raise that
/// note (observed with LMC 1 to 3; routing-engines 2.3 leaves it open).
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

GeneralSelector::GeneralSelector(const SelectionInput& input, SwitchId sw, const Candidates& candidates,
                                 GlibcRandom& random)
    : candidates_(candidates),
      random_(random),
      diversity_(input.diversity),
      shift_(input.plan.options().port_shifting),
      max_lmc_(input.plan.destinations().max_lmc),
      load_(candidates.cables().size()),
      used_(input.plan.destinations().all.size() << max_lmc_),
      used_count_(input.plan.destinations().all.size()) {
  for (const fabric::Neighbor& n : input.plan.graph().neighbors(sw)) {
    const fabric::Node& node = input.plan.view().node(n.sw);
    // A switch that names no system is one of its own.
    system_.push_back(node.system_guid == Guid{} ? node.guid : node.system_guid);
  }
  for (const Candidates::Cable& cable : candidates.cables())
    counted_.push_back(input.plan.counts(sw, cable.port));
  if (const auto loads = input.plan.standing_loads(sw); !loads.empty())
    for (std::size_t c = 0; c < load_.size(); ++c)
      if (counted_[c] != 0) load_[c] = loads[candidates.cables()[c].port.index()];
}

bool GeneralSelector::aim_at(SwitchId to) {
  open_.clear();
  for (std::size_t c = 0; c < candidates_.cables().size(); ++c)
    if (candidates_.contains(to, c)) open_.push_back(c);
  return !open_.empty();
}

std::uint8_t GeneralSelector::pick(const Turn& turn) {
  std::size_t best = 0;
  if (const auto kept = candidate_at(turn.installed)) {
    best = *kept;
  } else if (turn.scatter) {
    best = draw();
  } else {
    const std::size_t start = scan_start(turn.previous);
    best = diversity_ == Diversity::systems ? next_system(used(turn.destination), start)
                                            : next_cable(used(turn.destination), start);
  }
  const Candidates::Cable& cable = candidates_.cables()[best];
  if (turn.count && counted_[best] != 0) {
    ++load_[best];
    note(turn.destination,
         diversity_ == Diversity::systems ? cable.neighbor : static_cast<std::uint32_t>(best));
  }
  return cable.port.value;
}

std::optional<std::size_t> GeneralSelector::candidate_at(std::uint8_t port) const {
  if (port == kNoPath) return std::nullopt;
  const auto it =
      std::ranges::find_if(open_, [&](std::size_t c) { return candidates_.cables()[c].port.value == port; });
  return it == open_.end() ? std::nullopt : std::optional(*it);
}

/// One of those with the lowest counter.
std::size_t GeneralSelector::draw() {
  drawn_from_.clear();
  for (std::size_t c : open_) {
    if (!drawn_from_.empty() && load_[c] > load_[drawn_from_.front()]) continue;
    if (!drawn_from_.empty() && load_[c] < load_[drawn_from_.front()]) drawn_from_.clear();
    drawn_from_.push_back(c);
  }
  return drawn_from_[random_.next() % drawn_from_.size()];
}

/// Behind the port of the previous LID; with shifting, moved on by what is in the counters. OpenSM takes the
/// number of that port for its place in the scan, and so does this: it matters where ports are reordered.
std::size_t GeneralSelector::scan_start(std::uint8_t previous) const {
  std::size_t start = 0;
  if (diversity_ == Diversity::systems && previous != 0) {
    const auto behind =
        std::ranges::find_if(open_, [&](std::size_t c) { return candidates_.cables()[c].place > previous; });
    if (behind != open_.end()) start = static_cast<std::size_t>(behind - open_.begin());
  }
  if (!shift_) return start;
  std::size_t sum = 0;
  for (std::size_t c : open_) sum += load_[c];
  return (start + sum / open_.size()) % open_.size();
}

bool GeneralSelector::uses_system(std::span<const Used> used, Guid system) const {
  return std::ranges::any_of(used, [&](const Used& u) { return system_[u.way] == system; });
}

std::size_t GeneralSelector::next_system(std::span<const Used> used, std::size_t start) const {
  Lightest new_system, new_node;
  LeastUsed rest;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const std::size_t c = open(start, i);
    const std::uint32_t neighbor = candidates_.cables()[c].neighbor;
    const auto same_node = std::ranges::find(used, neighbor, &Used::way);
    if (same_node != used.end())
      rest.offer(c, load_[c], same_node->times);
    else if (uses_system(used, system_[neighbor]))
      new_node.offer(c, load_[c]);
    else
      new_system.offer(c, load_[c]);
  }
  return new_system.found() ? new_system.cable : new_node.found() ? new_node.cable : rest.best.cable;
}

/// All candidates lead to one neighbour. With shifting the use does not matter.
std::size_t GeneralSelector::next_cable(std::span<const Used> used, std::size_t start) const {
  LeastUsed best;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const std::size_t c = open(start, i);
    const auto same = std::ranges::find(used, static_cast<std::uint32_t>(c), &Used::way);
    best.offer(c, load_[c], same == used.end() || shift_ ? 0 : same->times);
  }
  return best.best.cable;
}

void GeneralSelector::note(std::size_t destination, std::uint32_t way) {
  const std::span<Used> known = used(destination);
  const auto same = std::ranges::find(known, way, &Used::way);
  if (same != known.end())
    ++same->times;
  else
    used_[(destination << max_lmc_) + used_count_[destination]++] = {way, 1};
}

}  // namespace rch::engines::common
