#include "engines/updn/opensm_search.h"

#include <algorithm>
#include <deque>

#include "base/parallel.h"

namespace rch::engines::updn {
namespace {

/// Between equal ranks the GUID decides, but two roots are up from each other, both ways (3.3).
bool is_up(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks, SwitchId from, SwitchId to) {
  const std::uint32_t a = ranks[from.index()], b = ranks[to.index()];
  if (a != b) return b < a;
  return a == 0 || view.node(from).guid > view.node(to).guid;
}

}  // namespace

/// Of one destination's search.
struct OpenSmSearch::State {
  explicit State(std::size_t switches) : goes_up(switches), queued(switches) {}

  std::deque<std::uint32_t> queue;
  std::vector<std::uint8_t> goes_up;  ///< by switch: direction in which the search arrived
  std::vector<std::uint8_t> queued;
};

OpenSmSearch::OpenSmSearch(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks,
                           const HopMatrix* shortest) {
  list_cables(view, ranks);
  const std::size_t count = view.switch_count();
  hops_ = {count, std::vector<std::uint8_t>(count * count, HopMatrix::kUnknown)};
  told_.assign(cables_.size() * count, HopMatrix::kUnknown);
  parallel_ranges(count, 8, [&](std::size_t begin, std::size_t end) {
    State state(count);
    for (std::size_t d = begin; d < end; ++d) {
      const SwitchId destination(static_cast<std::uint32_t>(d));
      if (shortest != nullptr && ranks[d] == 0)
        copy_rows(destination, *shortest);
      else
        search(destination, state);
    }
  });
}

void OpenSmSearch::list_cables(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks) {
  const fabric::SwitchGraph& graph = view.graph();
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    first_cable_.push_back(static_cast<std::uint32_t>(cables_.size()));
    for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s)))
      for (const fabric::SwitchLink& link : graph.links(n))
        cables_.push_back({n.sw.value, link.out, link.in, 0, is_up(view, ranks, SwitchId(s), n.sw)});
    std::sort(cables_.begin() + first_cable_.back(), cables_.end(),
              [](const Cable& a, const Cable& b) { return a.out < b.out; });
  }
  first_cable_.push_back(static_cast<std::uint32_t>(cables_.size()));
  for (Cable& cable : cables_) {
    const auto begin = cables_.begin() + first_cable_[cable.neighbor];
    const auto end = cables_.begin() + first_cable_[cable.neighbor + 1];
    const auto twin = std::lower_bound(begin, end, cable.in,
                                       [](const Cable& other, PortNum port) { return other.out < port; });
    cable.reverse = static_cast<std::uint32_t>(twin - cables_.begin());
  }
}

void OpenSmSearch::copy_rows(SwitchId destination, const HopMatrix& shortest) {
  for (std::uint32_t s = 0; s + 1 < first_cable_.size(); ++s) {
    hops_.hops[s * hops_.switch_count + destination.index()] = shortest.at(SwitchId(s), destination);
    for (std::uint32_t c = first_cable_[s]; c < first_cable_[s + 1]; ++c)
      told(c, destination) = shortest.at(SwitchId(cables_[c].neighbor), destination);
  }
}

void OpenSmSearch::search(SwitchId destination, State& state) {
  hops_.hops[destination.index() * hops_.switch_count + destination.index()] = 0;
  state.goes_up[destination.index()] = 1;
  state.queue.push_back(destination.value);
  while (!state.queue.empty()) {
    const std::uint32_t from = state.queue.front();
    state.queue.pop_front();
    state.queued[from] = 0;
    expand(from, destination, state);
  }
}

void OpenSmSearch::expand(std::uint32_t from, SwitchId destination, State& state) {
  const std::uint8_t hops = hops_.at(SwitchId(from), destination);
  for (std::uint32_t c = first_cable_[from]; c < first_cable_[from + 1]; ++c) {
    const Cable& cable = cables_[c];
    if (!state.goes_up[from] && cable.up) continue;
    if (hops >= told(cable.reverse, destination)) continue;
    told(cable.reverse, destination) = hops;
    std::uint8_t& least = hops_.hops[cable.neighbor * hops_.switch_count + destination.index()];
    least = std::min<std::uint8_t>(least, static_cast<std::uint8_t>(hops + 1));
    if (state.queued[cable.neighbor]) continue;
    state.goes_up[cable.neighbor] = cable.up;
    state.queued[cable.neighbor] = 1;
    state.queue.push_back(cable.neighbor);
  }
}

void OpenSmSearch::add_to(common::Candidates& candidates, SwitchId sw) const {
  const std::size_t count = hops_.switch_count;
  for (std::size_t c = 0; c < candidates.cables().size(); ++c)
    candidates.add_where_nearer(c, hops_.row(sw),
                                std::span(told_).subspan((first_cable_[sw.index()] + c) * count, count));
}

}  // namespace rch::engines::updn
