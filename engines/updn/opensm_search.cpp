#include "engines/updn/opensm_search.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/parallel.h"

namespace rch::engines::updn {
namespace {

using common::PortContext;
using Part = OpenSmSearch::Part;

constexpr std::uint8_t kUnknown = HopMatrix::kUnknown;

constexpr std::uint8_t plus(std::uint8_t hops, unsigned more) {
  return static_cast<std::uint8_t>(std::min<unsigned>(hops + more, kUnknown));
}

}  // namespace

/// Of one destination's search.
struct OpenSmSearch::State {
  explicit State(std::size_t switches) : second(switches), queued(switches) {}

  std::deque<std::uint32_t> queue;
  std::vector<std::uint8_t> second;  ///< by switch: the search arrived by a step of the second part
  std::vector<std::uint8_t> queued;
};

OpenSmSearch::OpenSmSearch(const PortContext& plan, Rules rules) : rules_(std::move(rules)) {
  list_cables(plan.graph());
  const std::size_t count = plan.graph().switch_count();
  hops_ = {count, std::vector<std::uint8_t>(count * count, kUnknown)};
  told_.assign(cables_.size() * count, kUnknown);
  longest_.resize(count);
  parallel_ranges(count, 8, [&](std::size_t begin, std::size_t end) {
    State state(count);
    for (std::size_t d = begin; d < end; ++d) {
      const SwitchId destination(static_cast<std::uint32_t>(d));
      if (rules_.known != nullptr && rules_.knows[d] != 0) copy_rows(plan, destination);
      search(destination, state);
    }
  });
}

std::uint8_t OpenSmSearch::longest() const {
  return longest_.empty() ? 0 : *std::ranges::max_element(longest_);
}

void OpenSmSearch::list_cables(const fabric::SwitchGraph& graph) {
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    first_cable_.push_back(static_cast<std::uint32_t>(cables_.size()));
    for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s)))
      for (const fabric::SwitchLink& link : graph.links(n))
        cables_.push_back({n.sw.value, link.out, link.in, 0, rules_.part(SwitchId(s), n.sw)});
    std::sort(cables_.begin() + first_cable_.back(), cables_.end(),
              [](const Cable& a, const Cable& b) { return a.out < b.out; });
  }
  first_cable_.push_back(static_cast<std::uint32_t>(cables_.size()));
  for (Cable& cable : cables_) cable.reverse = cable_at(SwitchId(cable.neighbor), cable.in);
}

std::uint32_t OpenSmSearch::cable_at(SwitchId sw, PortNum port) const {
  const auto begin = cables_.begin() + first_cable_[sw.index()];
  const auto end = cables_.begin() + first_cable_[sw.index() + 1];
  const auto found = std::lower_bound(begin, end, port,
                                      [](const Cable& cable, PortNum number) { return cable.out < number; });
  return static_cast<std::uint32_t>(found - cables_.begin());
}

void OpenSmSearch::copy_rows(const PortContext& plan, SwitchId destination) {
  for (std::uint32_t s = 0; s + 1 < first_cable_.size(); ++s) {
    hops_.hops[s * hops_.switch_count + destination.index()] = rules_.known->at(SwitchId(s), destination);
    for (std::uint32_t c = first_cable_[s]; c < first_cable_[s + 1]; ++c)
      told(c, destination) = plus(rules_.known->at(SwitchId(cables_[c].neighbor), destination),
                                  plan.links().weight(SwitchId(s), cables_[c].out) - 1U);
  }
}

void OpenSmSearch::search(SwitchId destination, State& state) {
  hops_.hops[destination.index() * hops_.switch_count + destination.index()] = 0;
  state.second[destination.index()] = 0;
  state.queue.push_back(destination.value);
  while (!state.queue.empty()) {
    const std::uint32_t from = state.queue.front();
    state.queue.pop_front();
    state.queued[from] = 0;
    expand(from, destination, state);
  }
}

void OpenSmSearch::expand(std::uint32_t from, SwitchId destination, State& state) {
  const std::uint8_t& own = hops_.hops[from * hops_.switch_count + destination.index()];
  const bool after_second = state.second[from] != 0;
  for (std::uint32_t c = first_cable_[from]; c < first_cable_[from + 1]; ++c) {
    const Cable& cable = cables_[c];
    const bool forbidden = after_second && cable.part == Part::first;
    if (forbidden && rules_.penalty == 0) continue;
    const std::uint8_t hops = plus(own, forbidden ? rules_.penalty : 0);
    if (hops >= told(cable.reverse, destination)) continue;
    told(cable.reverse, destination) = hops;
    longest_[destination.index()] = std::max(longest_[destination.index()], plus(hops, 1));
    std::uint8_t& least = hops_.hops[cable.neighbor * hops_.switch_count + destination.index()];
    least = std::min(least, plus(hops, 1));
    if (state.queued[cable.neighbor] != 0) continue;
    state.second[cable.neighbor] = cable.part == Part::second;
    state.queued[cable.neighbor] = 1;
    state.queue.push_back(cable.neighbor);
  }
}

void OpenSmSearch::add_to(common::Candidates& candidates, SwitchId sw) const {
  const std::size_t count = hops_.switch_count;
  for (std::size_t c = 0; c < candidates.outputs().size(); ++c)
    candidates.add_where_nearer(
        c, hops_.row(sw),
        std::span(told_).subspan(cable_at(sw, candidates.outputs()[c].port) * count, count));
}

/// Between equal ranks the numbers decide, but two roots are up from each other, both ways (3.3).
OpenSmSearch updn_search(const PortContext& plan, std::span<const std::uint32_t> ranks,
                         std::span<const std::uint64_t> numbers, const HopMatrix* shortest) {
  const auto is_up = [=](SwitchId from, SwitchId to) {
    const std::uint32_t a = ranks[from.index()], b = ranks[to.index()];
    if (a != b) return b < a;
    return a == 0 || numbers[from.index()] > numbers[to.index()];
  };
  std::vector<std::uint8_t> is_root;
  for (std::uint32_t rank : ranks) is_root.push_back(rank == 0);
  return OpenSmSearch(
      plan, {.part = [=](SwitchId from, SwitchId to) { return is_up(from, to) ? Part::first : Part::second; },
             .known = shortest,
             .knows = std::move(is_root)});
}

OpenSmSearch dnup_search(const PortContext& plan, std::span<const std::uint32_t> ranks, bool connect_roots) {
  OpenSmSearch::Rules rules{.part = [=](SwitchId from, SwitchId to) {
    const std::uint32_t a = ranks[from.index()], b = ranks[to.index()];
    return a == b ? Part::either : a < b ? Part::first : Part::second;
  }};
  OpenSmSearch legal(plan, rules);
  if (!connect_roots) return legal;
  rules.penalty = plus(legal.longest(), 1);
  return OpenSmSearch(plan, std::move(rules));
}

}  // namespace rch::engines::updn
