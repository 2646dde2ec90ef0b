#include "engines/common/incremental/installed_tables.h"

#include <algorithm>

namespace rch::engines::common {

InstalledLfts::InstalledLfts(const fabric::SubFabric& now, const InstalledTables& installed)
    : lfts_(*installed.lfts), installed_(now.switch_count(), SwitchId::none()) {
  const fabric::Fabric& before = installed.view->fabric();
  for (std::uint32_t s = 0; s < now.switch_count(); ++s)
    if (const auto node = before.find_node(now.node(SwitchId(s)).guid))
      if (const auto sw = before.switch_id(*node)) installed_[s] = *sw;
}

void InstalledLfts::copy_to(fabric::ForwardingTables& lfts, SwitchId sw) const {
  if (!installed_[sw.index()].is_none() && lfts.max_lid() == lfts_.max_lid()) {
    lfts.share_row(sw, lfts_, installed_[sw.index()]);
    return;
  }
  const std::span<std::uint8_t> to = lfts.row(sw);
  const std::span<const std::uint8_t> from = row(sw);
  const std::size_t lids = std::min(from.size(), lfts.max_lid().index() + 1);
  std::ranges::copy(from.first(lids), to.begin());
  std::ranges::fill(to.subspan(lids), kNoPath);
}

}  // namespace rch::engines::common
