#include "engines/common/in_force.h"

#include <algorithm>

namespace rch::engines::common {

HeldRows::HeldRows(const fabric::SubFabric& now, const InForce& held)
    : lfts_(*held.lfts), held_(now.switch_count(), SwitchId::none()) {
  const fabric::Fabric& before = held.view->fabric();
  for (std::uint32_t s = 0; s < now.switch_count(); ++s)
    if (const auto node = before.find_node(now.node(SwitchId(s)).guid))
      if (const auto sw = before.switch_id(*node)) held_[s] = *sw;
}

void HeldRows::put_into(fabric::ForwardingTables& lfts, SwitchId sw) const {
  if (!held_[sw.index()].is_none() && lfts.max_lid() == lfts_.max_lid()) {
    lfts.share_row(sw, lfts_, held_[sw.index()]);
    return;
  }
  const std::span<std::uint8_t> to = lfts.row(sw);
  const std::span<const std::uint8_t> from = row(sw);
  const std::size_t lids = std::min(from.size(), lfts.max_lid().index() + 1);
  std::ranges::copy(from.first(lids), to.begin());
  std::ranges::fill(to.subspan(lids), kNoPath);
}

}  // namespace rch::engines::common
