#include "fabric/parts.h"

namespace rch::fabric {

Parts parts(const SwitchGraph& graph) {
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  Parts parts{std::vector<std::uint32_t>(graph.switch_count(), kNone)};
  std::vector<SwitchId> queue;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    if (parts.of[s] != kNone) continue;
    queue.assign(1, SwitchId(s));
    parts.of[s] = parts.count;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const Neighbor& n : graph.neighbors(queue[i])) {
        if (parts.of[n.sw.index()] != kNone) continue;
        parts.of[n.sw.index()] = parts.count;
        queue.push_back(n.sw);
      }
    ++parts.count;
  }
  return parts;
}

}  // namespace rch::fabric
