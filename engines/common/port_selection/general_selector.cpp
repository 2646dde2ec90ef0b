#include "engines/common/port_selection/general_selector.h"

#include <algorithm>
#include <limits>

namespace rch::engines::common {
namespace {

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

/// Preferences A and B: the first output seen with the lowest counter.
struct LeastLoaded {
  std::size_t output = 0;
  std::uint32_t load = kMost;

  bool found() const { return load != kMost; }
  void offer(std::size_t c, std::uint32_t l) {
    if (l < load) *this = {c, l};
  }
};

/// Preference C, all next hops used already: the lowest counter, of equals the next hop used less often.
/// OpenSM compares with the least use noted so far, and an output that wins by its counter does not raise
/// that note (observed with LMC 1 to 3).
struct LeastUsed {
  LeastLoaded best;
  std::uint32_t least_use = kMost;

  void offer(std::size_t c, std::uint32_t load, std::uint32_t use) {
    if (load > best.load || (load == best.load && use >= least_use)) return;
    best = {c, load};
    least_use = std::min(least_use, use);
  }
};

}  // namespace

GeneralSelector::GeneralSelector(const SelectionInput& input, SwitchId sw, const Candidates& candidates,
                                 opensm_compat::GlibcRandom& random)
    : candidates_(candidates),
      random_(random),
      diversity_(input.diversity),
      shift_(input.context.options().port_shifting),
      max_lmc_(input.context.destinations().max_lmc),
      load_(candidates.outputs().size()),
      uses_(input.context.destinations().all.size() << max_lmc_),
      use_count_(input.context.destinations().all.size()) {
  for (const fabric::Neighbor& n : input.context.graph().neighbors(sw)) {
    const fabric::Node& node = input.context.view().node(n.sw);
    // A switch that names no system is one of its own.
    system_.push_back(node.system_guid == Guid{} ? node.guid : node.system_guid);
  }
  for (const Candidates::OutputPort& output : candidates.outputs())
    counted_.push_back(input.context.counts(sw, output.port));
  if (const auto loads = input.context.initial_loads(sw); !loads.empty())
    for (std::size_t c = 0; c < load_.size(); ++c)
      if (counted_[c] != 0) load_[c] = loads[candidates.outputs()[c].port.index()];
}

bool GeneralSelector::choose_from(SwitchId to) {
  open_.clear();
  for (std::size_t c = 0; c < candidates_.outputs().size(); ++c)
    if (candidates_.contains(to, c)) open_.push_back(c);
  return !open_.empty();
}

std::uint8_t GeneralSelector::select(const Request& request) {
  std::size_t best = 0;
  if (const auto kept = candidate_at(request.installed)) {
    best = *kept;
  } else if (request.scatter) {
    best = draw();
  } else {
    const std::size_t start = scan_start(request.previous);
    const std::span<const Use> uses = uses_of(request.destination);
    best = diversity_ == Diversity::systems ? select_system(uses, start) : select_link(uses, start);
  }
  const Candidates::OutputPort& output = candidates_.outputs()[best];
  if (request.count && counted_[best] != 0) {
    ++load_[best];
    count_use(request.destination,
              diversity_ == Diversity::systems ? output.neighbor : static_cast<std::uint32_t>(best));
  }
  return output.port.value;
}

/// Nothing if the port is no candidate.
std::optional<std::size_t> GeneralSelector::candidate_at(std::uint8_t port) const {
  if (port == kNoPath) return std::nullopt;
  const auto it =
      std::ranges::find_if(open_, [&](std::size_t c) { return candidates_.outputs()[c].port.value == port; });
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

/// The scan starts behind the port of the previous LID; shifting moves it on by the mean counter. OpenSM
/// takes the number of that port for its scan position, and so does this: it matters where ports are
/// reordered.
std::size_t GeneralSelector::scan_start(std::uint8_t previous) const {
  std::size_t start = 0;
  if (diversity_ == Diversity::systems && previous != 0) {
    const auto behind = std::ranges::find_if(
        open_, [&](std::size_t c) { return candidates_.outputs()[c].scan_position > previous; });
    if (behind != open_.end()) start = static_cast<std::size_t>(behind - open_.begin());
  }
  if (!shift_) return start;
  std::size_t sum = 0;
  for (std::size_t c : open_) sum += load_[c];
  return (start + sum / open_.size()) % open_.size();
}

bool GeneralSelector::uses_system(std::span<const Use> uses, Guid system) const {
  return std::ranges::any_of(uses, [&](const Use& use) { return system_[use.next_hop] == system; });
}

std::size_t GeneralSelector::select_system(std::span<const Use> uses, std::size_t start) const {
  LeastLoaded new_system, new_node;
  LeastUsed rest;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const std::size_t c = scanned(start, i);
    const std::uint32_t neighbor = candidates_.outputs()[c].neighbor;
    const auto same_node = std::ranges::find(uses, neighbor, &Use::next_hop);
    if (same_node != uses.end())
      rest.offer(c, load_[c], same_node->times);
    else if (uses_system(uses, system_[neighbor]))
      new_node.offer(c, load_[c]);
    else
      new_system.offer(c, load_[c]);
  }
  return new_system.found() ? new_system.output : new_node.found() ? new_node.output : rest.best.output;
}

/// All candidates lead to one neighbor. With shifting the use does not matter.
std::size_t GeneralSelector::select_link(std::span<const Use> uses, std::size_t start) const {
  LeastUsed best;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const std::size_t c = scanned(start, i);
    const auto same = std::ranges::find(uses, static_cast<std::uint32_t>(c), &Use::next_hop);
    best.offer(c, load_[c], same == uses.end() || shift_ ? 0 : same->times);
  }
  return best.best.output;
}

void GeneralSelector::count_use(std::size_t destination, std::uint32_t next_hop) {
  const std::span<Use> known = uses_of(destination);
  const auto same = std::ranges::find(known, next_hop, &Use::next_hop);
  if (same != known.end())
    ++same->times;
  else
    uses_[(destination << max_lmc_) + use_count_[destination]++] = {next_hop, 1};
}

}  // namespace rch::engines::common
