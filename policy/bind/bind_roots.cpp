#include "policy/bind/bind_roots.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/lint/rules/bind.h"

namespace rch::policy {
namespace {

using fabric::SubFabric;

/// Hosts that a spine may have without being a leaf: `max_cas_on_spine` of NVIDIA SM (docs/options.md).
constexpr std::size_t kHostsOnSpine = 2;

/// Steps from each switch to the nearest leaf; all 0 when the view does not tell leaves from spines.
std::vector<std::uint32_t> heights(const SubFabric& view) {
  constexpr auto kUnseen = std::numeric_limits<std::uint32_t>::max();
  std::vector<SwitchId> queue;
  std::vector<std::uint32_t> height(view.switch_count(), kUnseen);
  for (const std::size_t allowed : {kHostsOnSpine, std::size_t{0}}) {
    for (std::uint32_t s = 0; s < view.switch_count(); ++s)
      if (view.end_ports_of(SwitchId(s)).size() > allowed) queue.push_back(SwitchId(s));
    if (!queue.empty()) break;
  }
  for (const SwitchId leaf : queue) height[leaf.index()] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (const fabric::Neighbor& n : view.graph().neighbors(queue[next])) {
      if (height[n.sw.index()] != kUnseen) continue;
      height[n.sw.index()] = height[queue[next].index()] + 1;
      queue.push_back(n.sw);
    }
  std::replace(height.begin(), height.end(), kUnseen, 0U);
  return height;
}

class RootCheck {
 public:
  RootCheck(const SubFabric& view, Diagnostics& diagnostics)
      : view_(view), height_(heights(view)), diagnostics_(diagnostics) {}

  /// Reports the first root that is no spine, and how many more there are.
  void run(const std::vector<ListMember>& roots) {
    if (std::all_of(height_.begin(), height_.end(), [](std::uint32_t h) { return h == 0; })) return;
    std::size_t wrong = 0;
    Diagnostic* first = nullptr;
    for (const ListMember& root : roots) {
      const std::string reason = why_no_spine(std::get<Guid>(root.who));
      if (reason.empty() || wrong++ > 0) continue;
      first = &diagnostics_.add(kRootNoSpine, root.span, reason);
    }
    if (wrong > 1) first->message += fmt::format("; so it is with {} of {} roots", wrong, roots.size());
  }

 private:
  /// Empty for a spine, and for a switch outside the view.
  std::string why_no_spine(Guid guid) const {
    const auto global = view_.fabric().find_switch(guid);
    const auto sw = global ? view_.view_switch(*global) : std::nullopt;
    if (!sw) return {};
    const std::uint32_t height = height_[sw->index()];
    if (height == 0)
      return fmt::format("root `{}` ({}) is a leaf with {}", view_.node(*sw).name(), guid,
                         counted(view_.end_ports_of(*sw).size(), "host"));
    const auto around = view_.graph().neighbors(*sw);
    const auto above = std::find_if(around.begin(), around.end(), [&](const fabric::Neighbor& n) {
      return height_[n.sw.index()] > height;
    });
    if (above == around.end()) return {};
    return fmt::format("root `{}` ({}) is not at the top: `{}` is linked to it and further from the hosts",
                       view_.node(*sw).name(), guid, view_.node(above->sw).name());
  }

  const SubFabric& view_;
  std::vector<std::uint32_t> height_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_roots(const BoundPolicy& bound, Diagnostics& diagnostics) {
  std::set<std::pair<SourceId, TopologyId>> checked;
  for (std::size_t i = 0; i < bound.policy->steps.size(); ++i) {
    const Step& step = bound.policy->steps[i];
    const auto& roots = bound.files[i].roots;
    if (roots.empty() || !bound.is_placed(step) ||
        !checked.insert({roots.front().span.source, step.topology}).second)
      continue;
    const auto scope = bound.scope(step);
    const SubFabric view = scope ? SubFabric(*bound.fabric, *scope) : SubFabric(*bound.fabric);
    RootCheck(view, diagnostics).run(roots);
  }
}

}  // namespace rch::policy
