#include "hw/attributes.h"

namespace rch::hw {
namespace {

/// A member and its field.
template <class Info, class Value>
struct Row {
  Value Info::*member;
  Field field;
};
template <class Info, class Value>
Row(Value Info::*, Field) -> Row<Info, Value>;

/// Calls `f` with each row of an attribute. One list serves both directions.
template <class F>
void for_each_row(const NodeInfo&, F f) {
  namespace at = node_info;
  using I = NodeInfo;
  f(Row{&I::type, at::kType});
  f(Row{&I::num_ports, at::kNumPorts});
  f(Row{&I::system_guid, at::kSystemGuid});
  f(Row{&I::node_guid, at::kNodeGuid});
  f(Row{&I::port_guid, at::kPortGuid});
  f(Row{&I::partition_cap, at::kPartitionCap});
  f(Row{&I::device_id, at::kDeviceId});
  f(Row{&I::revision, at::kRevision});
  f(Row{&I::local_port, at::kLocalPort});
  f(Row{&I::vendor_id, at::kVendorId});
}

template <class F>
void for_each_row(const SwitchInfo&, F f) {
  namespace at = switch_info;
  using I = SwitchInfo;
  f(Row{&I::linear_cap, at::kLinearCap});
  f(Row{&I::multicast_cap, at::kMulticastCap});
  f(Row{&I::linear_top, at::kLinearTop});
  f(Row{&I::life_time, at::kLifeTime});
  f(Row{&I::port_state_change, at::kPortStateChange});
  f(Row{&I::optimized_sl2vl, at::kOptimizedSl2Vl});
  f(Row{&I::partition_enforcement_cap, at::kPartitionEnforcementCap});
  f(Row{&I::enhanced_port0, at::kEnhancedPort0});
  f(Row{&I::multicast_top, at::kMulticastTop});
}

template <class F>
void for_each_row(const PortInfo&, F f) {
  namespace at = port_info;
  using I = PortInfo;
  f(Row{&I::m_key, at::kMKey});
  f(Row{&I::gid_prefix, at::kGidPrefix});
  f(Row{&I::lid, at::kLid});
  f(Row{&I::master_sm_lid, at::kMasterSmLid});
  f(Row{&I::heeds_multicast_top, at::kCapMulticastTop});
  f(Row{&I::reregisters_clients, at::kCapClientReregistration});
  f(Row{&I::has_extended_speeds, at::kCapExtendedSpeeds});
  f(Row{&I::maps_sls, at::kCapSlMapping});
  f(Row{&I::is_sm, at::kCapIsSm});
  f(Row{&I::m_key_lease, at::kMKeyLease});
  f(Row{&I::width_active, at::kWidthActive});
  f(Row{&I::state, at::kState});
  f(Row{&I::phys_state, at::kPhysState});
  f(Row{&I::link_down_default, at::kLinkDownDefault});
  f(Row{&I::m_key_protect, at::kMKeyProtect});
  f(Row{&I::lmc, at::kLmc});
  f(Row{&I::speed_active, at::kSpeedActive});
  f(Row{&I::neighbor_mtu, at::kNeighborMtu});
  f(Row{&I::master_sm_sl, at::kMasterSmSl});
  f(Row{&I::vl_cap, at::kVlCap});
  f(Row{&I::vl_high_limit, at::kVlHighLimit});
  f(Row{&I::vl_arb_high_cap, at::kVlArbHighCap});
  f(Row{&I::vl_arb_low_cap, at::kVlArbLowCap});
  f(Row{&I::mtu_cap, at::kMtuCap});
  f(Row{&I::vl_stall, at::kVlStall});
  f(Row{&I::hoq_life, at::kHoqLife});
  f(Row{&I::oper_vls, at::kOperVls});
  f(Row{&I::partition_enforcement_in, at::kPartitionEnforcementIn});
  f(Row{&I::partition_enforcement_out, at::kPartitionEnforcementOut});
  f(Row{&I::guid_cap, at::kGuidCap});
  f(Row{&I::client_reregister, at::kClientReregister});
  f(Row{&I::subnet_timeout, at::kSubnetTimeout});
  f(Row{&I::local_phy_errors, at::kLocalPhyErrors});
  f(Row{&I::overrun_errors, at::kOverrunErrors});
  f(Row{&I::speed_ext_active2, at::kSpeedExtActive2});
  f(Row{&I::speed_ext_active, at::kSpeedExtActive});
}

template <class F>
void for_each_row(const SmInfo&, F f) {
  namespace at = sm_info;
  using I = SmInfo;
  f(Row{&I::guid, at::kGuid});
  f(Row{&I::key, at::kKey});
  f(Row{&I::activity, at::kActivity});
  f(Row{&I::priority, at::kPriority});
  f(Row{&I::state, at::kState});
}

template <class Value>
Value from_number(std::uint64_t number) {
  if constexpr (requires { typename Value::rep; })
    return Value(static_cast<typename Value::rep>(number));
  else
    return static_cast<Value>(number);
}

template <class Value>
std::uint64_t to_number(Value value) {
  if constexpr (requires { typename Value::rep; })
    return value.value;
  else
    return static_cast<std::uint64_t>(value);
}

}  // namespace

template <class Info>
Info decode(const SmpData& payload) {
  Info info;
  info.rest = payload;
  for_each_row(info, [&]<class Value>(Row<Info, Value> row) {
    info.*row.member = from_number<Value>(get(payload, row.field));
    set(info.rest, row.field, 0);
  });
  return info;
}

template <class Info>
SmpData encode(const Info& info) {
  SmpData payload = info.rest;
  for_each_row(info, [&](auto row) { set(payload, row.field, to_number(info.*row.member)); });
  return payload;
}

template NodeInfo decode(const SmpData&);
template SwitchInfo decode(const SmpData&);
template PortInfo decode(const SmpData&);
template SmInfo decode(const SmpData&);
template SmpData encode(const NodeInfo&);
template SmpData encode(const SwitchInfo&);
template SmpData encode(const PortInfo&);
template SmpData encode(const SmInfo&);

}  // namespace rch::hw
