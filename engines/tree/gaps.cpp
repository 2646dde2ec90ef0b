#include "engines/tree/gaps.h"

#include <algorithm>

namespace rch::engines::tree {

std::vector<std::string> remarks_on_gaps(const Tree& tree, const Ways& ways,
                                         const fabric::ForwardingTables& lfts) {
  const fabric::SubFabric& view = tree.view();
  const auto host = [&](const fabric::EndPort& end) {
    return view.fabric().node(view.fabric().port(end.port).node).description;
  };
  std::size_t lost = 0;
  std::string example;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const auto sources = view.end_ports_of(SwitchId(s));
    const auto row = ways.row(SwitchId(s));
    if (sources.empty() || std::ranges::count(row, HopMatrix::kUnknown) == 0) continue;
    for (std::uint32_t c = 0; c < row.size(); ++c) {
      if (row[c] != HopMatrix::kUnknown) continue;
      for (const fabric::EndPort& end : view.end_ports_of(tree.order()[c])) {
        if (end.lid == kUnassignedLid || lfts.at(SwitchId(s), end.lid) != kNoPath) continue;
        const std::size_t own = end.sw == SwitchId(s) ? 1 : 0;
        if (lost == 0 && sources.size() > own)
          example = fmt::format("`{}` to `{}`", host(sources.front()), host(end));
        lost += sources.size() - own;
      }
    }
  }
  if (lost == 0) return {};
  const std::size_t ports = view.end_ports().size();
  return {fmt::format("{} of {} pairs of end ports have no way up and down again: {}{}", lost,
                      ports * (ports - 1), example, lost > 1 ? "…" : "")};
}

}  // namespace rch::engines::tree
