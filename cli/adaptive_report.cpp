#include "cli/adaptive_report.h"

#include <algorithm>

#include "base/text.h"

namespace rch::cli {

void report_groups(Output& output, const fabric::RoutingTables& tables) {
  const fabric::AdaptiveTables& adaptive = tables.adaptive;
  if (adaptive.empty()) return;
  std::size_t lids = 0, switches = 0, groups = 0, recovering = 0, most = 0;
  for (std::uint32_t lid = 0; lid <= adaptive.max_lid().value; ++lid)
    if (adaptive.column_of(Lid(static_cast<std::uint16_t>(lid))) != fabric::AdaptiveTables::kNoColumn) ++lids;
  for (std::uint32_t s = 0; s < adaptive.switch_count(); ++s) {
    const fabric::AdaptiveSwitch& sw = adaptive.at(SwitchId(s));
    if (sw.groups.empty() || !(sw.enabled || sw.fast_recovery)) continue;
    ++switches;
    recovering += sw.fast_recovery ? 1 : 0;
    groups += sw.groups.size();
    for (const fabric::PortGroup& group : sw.groups) most = std::max(most, group.ports.count());
  }
  output.line(
      fmt::format("adaptive {} of {}, {} with fast recovery, may send packets to {} by the entry or any of "
                  "up to {} of a group; the verdict is for every choice",
                  switches, counted(adaptive.switch_count(), "switch"), recovering, counted(lids, "LID"),
                  counted(most, "port")));
  output.json("adaptive", {{"switches", switches},
                           {"with_fast_recovery", recovering},
                           {"lids", lids},
                           {"groups", groups},
                           {"ports_at_most", most},
                           {"bytes", adaptive.byte_count()}});
}

void warn_of_choices(Output& output, const fabric::RoutingTables& tables) {
  if (!tables.adaptive.empty())
    output.warning(
        "the paths shown are those of the entries; switches may choose other ports of their groups");
}

}  // namespace rch::cli
