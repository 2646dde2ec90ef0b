#include "sa/group_record.h"

#include <algorithm>
#include <utility>

#include "sa/rates.h"

namespace rch::sa {

namespace mc = mc_member;

GroupRecord group_record(const GroupTraits& group, const Gid& port, std::uint8_t join_state, bool proxy) {
  GroupRecord record{};
  std::ranges::copy(group.mgid, record.begin() + mc::kMgid);
  std::ranges::copy(port, record.begin() + mc::kPortGid);
  constexpr auto kExactly = static_cast<std::uint64_t>(Selector::exactly);
  const std::pair<hw::Field, std::uint64_t> values[] = {
      {mc::kQKey, group.q_key},
      {mc::kMlid, group.mlid.value},
      {mc::kMtuSelector, kExactly},
      {mc::kMtu, group.mtu},
      {mc::kTrafficClass, group.traffic_class},
      {mc::kPKey, group.pkey},
      {mc::kRateSelector, kExactly},
      {mc::kRate, group.rate},
      {mc::kLifeSelector, kExactly},
      {mc::kLife, group.life},
      {mc::kSl, group.sl},
      {mc::kFlowLabelHigh, group.flow_label >> 16},
      {mc::kFlowLabelLow, group.flow_label},
      {mc::kHopLimit, group.hop_limit},
      {mc::kScope, group.scope()},
      {mc::kJoinState, join_state},
      {mc::kProxyJoin, proxy ? 1 : 0},
  };
  for (const auto& [field, value] : values) set(record, field, value);
  return record;
}

GroupTraits traits_of(std::span<const std::uint8_t> record) {
  const auto value = [&]<class T>(T& member, hw::Field field) {
    member = static_cast<T>(get(record, field));
  };
  GroupTraits traits;
  traits.mgid = read_gid(record.subspan(mc::kMgid));
  value(traits.mlid.value, mc::kMlid);
  value(traits.q_key, mc::kQKey);
  value(traits.pkey, mc::kPKey);
  value(traits.mtu, mc::kMtu);
  value(traits.rate, mc::kRate);
  value(traits.life, mc::kLife);
  value(traits.sl, mc::kSl);
  value(traits.traffic_class, mc::kTrafficClass);
  value(traits.hop_limit, mc::kHopLimit);
  traits.flow_label =
      static_cast<std::uint32_t>(get(record, mc::kFlowLabelHigh) << 16 | get(record, mc::kFlowLabelLow));
  return traits;
}

}  // namespace rch::sa
