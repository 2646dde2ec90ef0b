#include "engines/common/incremental/installed_tables.h"

#include <algorithm>

namespace rch::engines::common {

std::span<const std::uint8_t> InstalledTables::table(SwitchId sw) const {
  const SwitchId was = changes->switches().fabric_before_of[sw.index()];
  return was.is_none() ? std::span<const std::uint8_t>() : lfts->row(was);
}

void InstalledTables::copy_to(fabric::ForwardingTables& target, SwitchId sw) const {
  const SwitchId was = changes->switches().fabric_before_of[sw.index()];
  if (!was.is_none() && target.max_lid() == lfts->max_lid()) return target.share_row(sw, *lfts, was);
  const std::span<std::uint8_t> to = target.row(sw);
  const std::span<const std::uint8_t> from = table(sw);
  const std::size_t lids = std::min(from.size(), target.max_lid().index() + 1);
  std::ranges::copy(from.first(lids), to.begin());
  std::ranges::fill(to.subspan(lids), kNoPath);
}

}  // namespace rch::engines::common
