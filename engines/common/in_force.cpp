#include "engines/common/in_force.h"

namespace rch::engines::common {

HeldRows::HeldRows(const fabric::SubFabric& now, const InForce& held) {
  const fabric::Fabric& before = held.view->fabric();
  rows_.resize(now.switch_count());
  for (std::uint32_t s = 0; s < now.switch_count(); ++s)
    if (const auto node = before.find_node(now.node(SwitchId(s)).guid))
      if (const auto sw = before.switch_id(*node)) rows_[s] = held.lfts->row(*sw);
}

}  // namespace rch::engines::common
