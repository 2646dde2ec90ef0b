#include "engines/updn/up_down.h"

#include <optional>
#include <utility>

#include "engines/common/port_selection/select_ports.h"
#include "engines/updn/legal_paths.h"
#include "engines/updn/pairs.h"

namespace rch::engines::updn {
namespace {

using common::PortContext;

/// The order of all switches by joint ids, if those that both orders have come in the same order.
std::optional<Orientation> joint_order(const common::SwitchMatch& switches, const Orientation& before,
                                       const Orientation& now) {
  std::vector<SwitchId> then;
  for (SwitchId sw : before.order()) then.push_back(switches.joint_of[sw.index()]);
  const auto is_new = [&](SwitchId sw) { return switches.before_of[sw.index()].is_none(); };
  const auto is_gone = [&](SwitchId sw) { return switches.is_gone(sw); };

  std::vector<SwitchId> order;
  auto b = then.begin();
  auto n = now.order().begin();
  while (true) {
    for (; b != then.end() && is_gone(*b); ++b) order.push_back(*b);
    for (; n != now.order().end() && is_new(*n); ++n) order.push_back(*n);
    if (b == then.end() || n == now.order().end()) return Orientation(std::move(order));
    if (*b != *n) return std::nullopt;
    order.push_back(*n);
    ++b, ++n;
  }
}

/// `joined`: hops with the pairs that have no legal path; null: they are not routed.
StepTables select(const PortContext& context, const Orientation& orientation, LegalHops hops,
                  std::optional<HopMatrix> joined, const common::AffectedEntries* affected) {
  StepTables tables;
  tables.remarks = remarks_on_pairs(context.view(), hops.all, joined.has_value());
  const LegalPaths rule(context.graph(), orientation, hops, joined ? &*joined : nullptr);
  tables.lfts = common::select_ports({context, rule, common::Diversity::systems, affected});
  tables.hops = joined ? std::move(*joined) : std::move(hops.all);
  return tables;
}

}  // namespace

StepTables route_up_down(const PortContext& context, const Orientation& orientation, bool connect_roots,
                         const common::AffectedEntries* affected) {
  LegalHops hops = legal_hops(context.graph(), orientation);
  std::optional<HopMatrix> joined;
  if (connect_roots) joined = joined_hops(context.graph(), hops.all);
  return select(context, orientation, std::move(hops), std::move(joined), affected);
}

StepTables reroute_up_down(const common::Rerouting& rerouting, const Orientation& before,
                           const Orientation& now) {
  const auto joint = joint_order(rerouting.switches(), before, now);
  if (!joint) return route_up_down(rerouting.now(), now, false);
  UpdatedLegalHops hops = update_legal_hops(rerouting, *joint);
  const common::AffectedEntries affected(rerouting, std::move(hops.changed));
  return select(rerouting.now(), now, std::move(hops.now), std::nullopt, &affected);
}

bool needs_search(const PortContext& context, std::span<const std::uint32_t> ranks, bool connect_roots) {
  return context.rules().searches_equal_ranks && (connect_roots || !is_graded(context.graph(), ranks));
}

StepTables select_by_search(const PortContext& context, const opensm_compat::UpdnSearch& search,
                            const common::AffectedEntries* affected) {
  StepTables tables;
  tables.lfts = common::select_ports({context, search, common::Diversity::systems, affected});
  tables.hops = search.hops();
  tables.remarks = remarks_on_pairs(context.view(), search.hops(), false);
  return tables;
}

void prepend(std::vector<std::string>& remarks, const std::vector<std::string>& first) {
  remarks.insert(remarks.begin(), first.begin(), first.end());
}

}  // namespace rch::engines::updn
