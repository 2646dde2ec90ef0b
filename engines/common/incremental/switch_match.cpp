#include "engines/common/incremental/switch_match.h"

namespace rch::engines::common {

SwitchMatch::SwitchMatch(const fabric::SubFabric& before, const fabric::SubFabric& now)
    : now_count(now.switch_count()),
      joint_of(before.switch_count(), SwitchId::none()),
      before_of(now_count, SwitchId::none()),
      fabric_before_of(now_count, SwitchId::none()) {
  for (std::uint32_t s = 0; s < now_count; ++s) {
    const auto sw = before.fabric().find_switch(now.node(SwitchId(s)).guid);
    if (!sw) continue;
    fabric_before_of[s] = *sw;
    const auto own = before.view_switch(*sw);
    if (!own) continue;
    before_of[s] = *own;
    joint_of[own->index()] = SwitchId(s);
  }
  for (std::uint32_t s = 0; s < joint_of.size(); ++s) {
    if (!joint_of[s].is_none()) continue;
    joint_of[s] = SwitchId(static_cast<std::uint32_t>(before_of.size()));
    before_of.push_back(SwitchId(s));
  }
}

bool SwitchMatch::is_identity() const {
  if (joint_of.size() != now_count || joint_count() != now_count) return false;
  for (std::uint32_t s = 0; s < now_count; ++s)
    if (joint_of[s] != SwitchId(s)) return false;
  return true;
}

}  // namespace rch::engines::common
