#include "hw/attributes.h"

#include <gtest/gtest.h>
#include <infiniband/mad.h>
#include <rapidcheck.h>

#include "support/property.h"

namespace rch::hw {
namespace {

SmpData random_payload() {
  SmpData data{};
  for (std::uint8_t& b : data) b = *rc::gen::arbitrary<std::uint8_t>();
  return data;
}

template <class Info>
void expect_round_trips() {
  EXPECT_TRUE(rch::test::check([] {
    const SmpData payload = random_payload();
    const Info info = decode<Info>(payload);
    RC_ASSERT(encode(info) == payload);  // bits that no member names included
    RC_ASSERT(decode<Info>(encode(info)) == info);
  }));
}

TEST(MadFields, SettingOneFieldDropsBitsBeyondItsWidth) {
  EXPECT_TRUE(rch::test::check([](std::uint64_t value) {
    for (const Field field : {Field{34, 5, 3}, Field{36, 0, 4}, Field{53, 0, 8}, Field{30, 0, 16}}) {
      const SmpData before = random_payload();
      SmpData data = before;
      set(data, field, value);
      RC_ASSERT(get(data, field) == (value & ((std::uint64_t{1} << field.width) - 1)));
      set(data, field, get(before, field));
      RC_ASSERT(data == before);  // neighbours stayed
    }
  }));
}

TEST(Attributes, EncodeGivesBackEveryBit) {
  expect_round_trips<NodeInfo>();
  expect_round_trips<SwitchInfo>();
  expect_round_trips<PortInfo>();
  expect_round_trips<SmInfo>();
}

/// Moves one member from payload to payload, with our code and with libibmad's own table of fields.
template <class Info, class Value>
void judge(Value Info::*member, MAD_FIELDS field) {
  const SmpData payload = random_payload();
  SmpData other = random_payload();
  Info info = decode<Info>(payload);
  info.*member = decode<Info>(other).*member;
  SmpData expected = payload;
  if (sizeof(Value) == 8)
    mad_set_field64(expected.data(), 0, field, mad_get_field64(other.data(), 0, field));
  else
    mad_set_field(expected.data(), 0, field, mad_get_field(other.data(), 0, field));
  RC_ASSERT(encode(info) == expected);
}

TEST(Attributes, MembersAreTheFieldsOfLibibmad) {
  EXPECT_TRUE(rch::test::check([] {
    judge(&NodeInfo::type, IB_NODE_TYPE_F);
    judge(&NodeInfo::num_ports, IB_NODE_NPORTS_F);
    judge(&NodeInfo::system_guid, IB_NODE_SYSTEM_GUID_F);
    judge(&NodeInfo::node_guid, IB_NODE_GUID_F);
    judge(&NodeInfo::port_guid, IB_NODE_PORT_GUID_F);
    judge(&NodeInfo::partition_cap, IB_NODE_PARTITION_CAP_F);
    judge(&NodeInfo::device_id, IB_NODE_DEVID_F);
    judge(&NodeInfo::revision, IB_NODE_REVISION_F);
    judge(&NodeInfo::local_port, IB_NODE_LOCAL_PORT_F);
    judge(&NodeInfo::vendor_id, IB_NODE_VENDORID_F);
    judge(&SwitchInfo::linear_cap, IB_SW_LINEAR_FDB_CAP_F);
    judge(&SwitchInfo::multicast_cap, IB_SW_MCAST_FDB_CAP_F);
    judge(&SwitchInfo::linear_top, IB_SW_LINEAR_FDB_TOP_F);
    judge(&SwitchInfo::life_time, IB_SW_LIFE_TIME_F);
    judge(&SwitchInfo::port_state_change, IB_SW_STATE_CHANGE_F);
    judge(&SwitchInfo::optimized_sl2vl, IB_SW_OPT_SLTOVL_MAPPING_F);
    judge(&SwitchInfo::partition_enforcement_cap, IB_SW_PARTITION_ENFORCE_CAP_F);
    judge(&SwitchInfo::enhanced_port0, IB_SW_ENHANCED_PORT0_F);
    judge(&SwitchInfo::multicast_top, IB_SW_MCAST_FDB_TOP_F);
    judge(&SmInfo::guid, IB_SMINFO_GUID_F);
    judge(&SmInfo::key, IB_SMINFO_KEY_F);
    judge(&SmInfo::activity, IB_SMINFO_ACT_F);
    judge(&SmInfo::priority, IB_SMINFO_PRIO_F);
    judge(&SmInfo::state, IB_SMINFO_STATE_F);
  }));
}

TEST(Attributes, MembersOfPortInfoAreTheFieldsOfLibibmad) {
  EXPECT_TRUE(rch::test::check([] {
    judge(&PortInfo::m_key, IB_PORT_MKEY_F);
    judge(&PortInfo::gid_prefix, IB_PORT_GID_PREFIX_F);
    judge(&PortInfo::lid, IB_PORT_LID_F);
    judge(&PortInfo::master_sm_lid, IB_PORT_SMLID_F);
    judge(&PortInfo::m_key_lease, IB_PORT_MKEY_LEASE_F);
    judge(&PortInfo::width_enabled, IB_PORT_LINK_WIDTH_ENABLED_F);
    judge(&PortInfo::width_supported, IB_PORT_LINK_WIDTH_SUPPORTED_F);
    judge(&PortInfo::width_active, IB_PORT_LINK_WIDTH_ACTIVE_F);
    judge(&PortInfo::state, IB_PORT_STATE_F);
    judge(&PortInfo::phys_state, IB_PORT_PHYS_STATE_F);
    judge(&PortInfo::link_down_default, IB_PORT_LINK_DOWN_DEF_F);
    judge(&PortInfo::m_key_protect, IB_PORT_MKEY_PROT_BITS_F);
    judge(&PortInfo::lmc, IB_PORT_LMC_F);
    judge(&PortInfo::speed_supported, IB_PORT_LINK_SPEED_SUPPORTED_F);
    judge(&PortInfo::speed_enabled, IB_PORT_LINK_SPEED_ENABLED_F);
    judge(&PortInfo::speed_active, IB_PORT_LINK_SPEED_ACTIVE_F);
    judge(&PortInfo::neighbor_mtu, IB_PORT_NEIGHBOR_MTU_F);
    judge(&PortInfo::master_sm_sl, IB_PORT_SMSL_F);
    judge(&PortInfo::vl_cap, IB_PORT_VL_CAP_F);
    judge(&PortInfo::vl_high_limit, IB_PORT_VL_HIGH_LIMIT_F);
    judge(&PortInfo::vl_arb_high_cap, IB_PORT_VL_ARBITRATION_HIGH_CAP_F);
    judge(&PortInfo::vl_arb_low_cap, IB_PORT_VL_ARBITRATION_LOW_CAP_F);
    judge(&PortInfo::mtu_cap, IB_PORT_MTU_CAP_F);
    judge(&PortInfo::vl_stall, IB_PORT_VL_STALL_COUNT_F);
    judge(&PortInfo::hoq_life, IB_PORT_HOQ_LIFE_F);
    judge(&PortInfo::oper_vls, IB_PORT_OPER_VLS_F);
    judge(&PortInfo::partition_enforcement_in, IB_PORT_PART_EN_INB_F);
    judge(&PortInfo::partition_enforcement_out, IB_PORT_PART_EN_OUTB_F);
    judge(&PortInfo::guid_cap, IB_PORT_GUID_CAP_F);
    judge(&PortInfo::client_reregister, IB_PORT_CLIENT_REREG_F);
    judge(&PortInfo::subnet_timeout, IB_PORT_SUBN_TIMEOUT_F);
    judge(&PortInfo::multicast_trap_suppression, IB_PORT_MCAST_PKEY_SUPR_ENAB_F);
    judge(&PortInfo::local_phy_errors, IB_PORT_LOCAL_PHYS_ERR_F);
    judge(&PortInfo::overrun_errors, IB_PORT_OVERRUN_ERR_F);
    judge(&PortInfo::speed_ext_active, IB_PORT_LINK_SPEED_EXT_ACTIVE_F);
    judge(&PortInfo::speed_ext_supported, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F);
    judge(&PortInfo::speed_ext_enabled, IB_PORT_LINK_SPEED_EXT_ENABLED_F);
  }));
}

TEST(Attributes, CapabilityBitsHaveMembers) {
  const std::pair<bool PortInfo::*, unsigned> bits[] = {{&PortInfo::is_sm, 1},
                                                        {&PortInfo::suppresses_multicast_traps, 29},
                                                        {&PortInfo::maps_sls, 6},
                                                        {&PortInfo::has_extended_speeds, 14},
                                                        {&PortInfo::reregisters_clients, 25},
                                                        {&PortInfo::heeds_multicast_top, 30}};
  for (const auto& [member, bit] : bits) {
    PortInfo info;
    info.*member = true;
    SmpData payload = encode(info);
    EXPECT_EQ(mad_get_field(payload.data(), 0, IB_PORT_CAPMASK_F), 1U << bit);
    mad_set_field(payload.data(), 0, IB_PORT_CAPMASK_F, ~(1U << bit));
    EXPECT_FALSE(decode<PortInfo>(payload).*member) << bit;
  }
}

}  // namespace
}  // namespace rch::hw
