#include "engines/tree/unrouted_pairs.h"

#include <algorithm>

#include "fabric/parts.h"

namespace rch::engines::tree {

std::vector<std::string> remarks_on_unrouted_pairs(const Tree& tree, const UpDownHops& hops,
                                                   const fabric::ForwardingTables& lfts) {
  const fabric::SubFabric& view = tree.view();
  const auto host = [&](const fabric::EndPort& end) {
    return view.fabric().node(view.fabric().port(end.port).node).name();
  };
  const fabric::Parts parts = fabric::parts(view.graph());
  std::size_t unrouted = 0;
  std::string example;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const auto sources = view.end_ports_of(SwitchId(s));
    const auto row = hops.row(SwitchId(s));
    if (sources.empty() || std::ranges::count(row, HopMatrix::kUnknown) == 0) continue;
    for (std::uint32_t c = 0; c < row.size(); ++c) {
      if (row[c] != HopMatrix::kUnknown || parts.of[s] != parts.of[tree.order()[c].index()]) continue;
      for (const fabric::EndPort& end : view.end_ports_of(tree.order()[c])) {
        if (end.lid == kUnassignedLid || lfts.at(SwitchId(s), end.lid) != kNoPath) continue;
        const std::size_t own = end.sw == SwitchId(s) ? 1 : 0;
        if (unrouted == 0 && sources.size() > own)
          example = fmt::format("`{}` to `{}`", host(sources.front()), host(end));
        unrouted += sources.size() - own;
      }
    }
  }
  if (unrouted == 0) return {};
  const std::size_t ports = view.end_ports().size();
  return {fmt::format("{} of {} pairs of end ports have no up-down path: {}{}", unrouted, ports * (ports - 1),
                      example, unrouted > 1 ? "…" : "")};
}

}  // namespace rch::engines::tree
