#include "verify/service_levels.h"

namespace rch::verify {

void service_levels(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, Lid lid,
                    std::vector<std::uint8_t>& out) {
  const fabric::ForwardingTables& lfts = tables.lfts;
  if (tables.steps.empty() || lfts.switch_count() < fabric.switch_count() || lid.index() >= lfts.stride()) {
    out.assign(fabric.switch_count(), 0);
    return;
  }
  fabric::path_sls_to(fabric, tables, lid, out);
  for (std::uint8_t& sl : out) sl &= 15U;
}

SlSet expected_sls(const fabric::RoutingTables& tables) {
  // base with each subset of the bits that dimensions and borders may set.
  const auto add_subsets = [](SlSet& sls, unsigned base, unsigned bits) {
    for (unsigned subset = bits;; subset = (subset - 1) & bits) {
      sls = static_cast<SlSet>(sls | sl_bit(static_cast<std::uint8_t>(base | subset)));
      if (subset == 0) break;
    }
  };
  unsigned border = 0;
  for (const fabric::RoutedStep& step : tables.steps) border |= step.sl.border & 15U;
  SlSet sls = sl_bit(0);  // of tables without steps
  for (const fabric::RoutedStep& step : tables.steps) {
    unsigned bits = border;
    for (const fabric::SlRule::Dimension& d : step.sl.dimensions) bits |= (1U << d.bit) & 15U;
    add_subsets(sls, step.sl.base & 15U, bits);
  }
  for (const fabric::MulticastGroup& group : tables.groups) sls = static_cast<SlSet>(sls | sl_bit(group.sl));
  return sls;
}

}  // namespace rch::verify
