#include "engines/minhop/spreader.h"

#include <algorithm>
#include <limits>

namespace rch::engines::minhop {
namespace {

/// The first candidate seen with the lowest counter.
struct Best {
  std::size_t cable = std::numeric_limits<std::size_t>::max();
  std::uint32_t load = std::numeric_limits<std::uint32_t>::max();

  bool found() const { return cable != std::numeric_limits<std::size_t>::max(); }
  void offer(std::size_t c, std::uint32_t l) {
    if (l < load) *this = {c, l};
  }
};

}  // namespace

Spreader::Spreader(const ChoiceInput& input, SwitchId sw, const Candidates& candidates)
    : candidates_(candidates), load_(candidates.cables().size()), used_(input.order.all.size()) {
  for (const fabric::Neighbor& n : input.view.graph().neighbors(sw)) {
    const fabric::Node& node = input.view.node(n.sw);
    // A switch that names no system is one of its own.
    system_.push_back(node.system_guid == Guid{} ? node.guid : node.system_guid);
  }
}

std::size_t Spreader::scan_start(PortNum after) const {
  const auto& cables = candidates_.cables();
  const auto it = std::find_if(cables.begin(), cables.end(), [&](const auto& c) { return c.port > after; });
  return static_cast<std::size_t>(it - cables.begin());
}

std::size_t Spreader::choose(SwitchId to, std::size_t destination, PortNum after, bool count) {
  const auto& cables = candidates_.cables();
  std::vector<Used>& used = used_[destination];
  Best new_system, new_node, any;
  std::uint32_t any_times = 0;
  for (std::size_t i = 0, start = scan_start(after); i < cables.size(); ++i) {
    const std::size_t c = (start + i) % cables.size();
    if (!candidates_.contains(to, c)) continue;
    const std::uint32_t neighbor = cables[c].neighbor;
    const auto same_node =
        std::find_if(used.begin(), used.end(), [&](const Used& u) { return u.neighbor == neighbor; });
    const bool same_system = std::any_of(
        used.begin(), used.end(), [&](const Used& u) { return system_[u.neighbor] == system_[neighbor]; });
    if (!same_system) {
      new_system.offer(c, load_[c]);
    } else if (same_node == used.end()) {
      new_node.offer(c, load_[c]);
    } else if (load_[c] < any.load || (load_[c] == any.load && same_node->times < any_times)) {
      any = {c, load_[c]};
      any_times = same_node->times;
    }
  }
  const Best& best = new_system.found() ? new_system : new_node.found() ? new_node : any;
  if (!best.found()) return cables.size();
  if (!count) return best.cable;
  ++load_[best.cable];
  const std::uint32_t neighbor = cables[best.cable].neighbor;
  const auto it =
      std::find_if(used.begin(), used.end(), [&](const Used& u) { return u.neighbor == neighbor; });
  if (it == used.end())
    used.push_back({neighbor, 1});
  else
    ++it->times;
  return best.cable;
}

}  // namespace rch::engines::minhop
