#include "hw/mad.h"
#include "support/property.h"

#include <gtest/gtest.h>
#include <infiniband/mad.h>
#include <rapidcheck.h>

namespace rch::hw {
namespace {

// The layouts are judged by libibmad's own table of fields.
struct Named {
  Field field;
  MAD_FIELDS theirs;
};

constexpr Named kFields[] = {
    {node_info::kType, IB_NODE_TYPE_F},
    {node_info::kNumPorts, IB_NODE_NPORTS_F},
    {node_info::kSystemGuid, IB_NODE_SYSTEM_GUID_F},
    {node_info::kNodeGuid, IB_NODE_GUID_F},
    {node_info::kPortGuid, IB_NODE_PORT_GUID_F},
    {node_info::kDeviceId, IB_NODE_DEVID_F},
    {node_info::kRevision, IB_NODE_REVISION_F},
    {node_info::kLocalPort, IB_NODE_LOCAL_PORT_F},
    {node_info::kVendorId, IB_NODE_VENDORID_F},
    {switch_info::kLinearCap, IB_SW_LINEAR_FDB_CAP_F},
    {switch_info::kMulticastCap, IB_SW_MCAST_FDB_CAP_F},
    {switch_info::kMulticastTop, IB_SW_MCAST_FDB_TOP_F},
    {switch_info::kLinearTop, IB_SW_LINEAR_FDB_TOP_F},
    {switch_info::kLifeTime, IB_SW_LIFE_TIME_F},
    {switch_info::kPortStateChange, IB_SW_STATE_CHANGE_F},
    {switch_info::kEnhancedPort0, IB_SW_ENHANCED_PORT0_F},
    {port_info::kGidPrefix, IB_PORT_GID_PREFIX_F},
    {port_info::kLid, IB_PORT_LID_F},
    {port_info::kMasterSmLid, IB_PORT_SMLID_F},
    {port_info::kWidthActive, IB_PORT_LINK_WIDTH_ACTIVE_F},
    {port_info::kState, IB_PORT_STATE_F},
    {port_info::kPhysState, IB_PORT_PHYS_STATE_F},
    {port_info::kLinkDownDefault, IB_PORT_LINK_DOWN_DEF_F},
    {port_info::kLmc, IB_PORT_LMC_F},
    {port_info::kSpeedActive, IB_PORT_LINK_SPEED_ACTIVE_F},
    {port_info::kNeighborMtu, IB_PORT_NEIGHBOR_MTU_F},
    {port_info::kMasterSmSl, IB_PORT_SMSL_F},
    {port_info::kVlCap, IB_PORT_VL_CAP_F},
    {port_info::kVlHighLimit, IB_PORT_VL_HIGH_LIMIT_F},
    {port_info::kVlArbHighCap, IB_PORT_VL_ARBITRATION_HIGH_CAP_F},
    {port_info::kVlArbLowCap, IB_PORT_VL_ARBITRATION_LOW_CAP_F},
    {port_info::kMtuCap, IB_PORT_MTU_CAP_F},
    {port_info::kVlStall, IB_PORT_VL_STALL_COUNT_F},
    {port_info::kHoqLife, IB_PORT_HOQ_LIFE_F},
    {port_info::kOperVls, IB_PORT_OPER_VLS_F},
    {port_info::kClientReregister, IB_PORT_CLIENT_REREG_F},
    {port_info::kSubnetTimeout, IB_PORT_SUBN_TIMEOUT_F},
    {port_info::kSpeedExtActive, IB_PORT_LINK_SPEED_EXT_ACTIVE_F},
    {sm_info::kGuid, IB_SMINFO_GUID_F},
    {sm_info::kKey, IB_SMINFO_KEY_F},
    {sm_info::kActivity, IB_SMINFO_ACT_F},
    {sm_info::kPriority, IB_SMINFO_PRIO_F},
    {sm_info::kState, IB_SMINFO_STATE_F},
};

std::uint64_t theirs(SmpData& data, MAD_FIELDS field, unsigned width) {
  if (width == 64) return mad_get_field64(data.data(), 0, field);
  return mad_get_field(data.data(), 0, field);
}

TEST(MadFields, AgreeWithLibibmadOnRandomPayloads) {
  EXPECT_TRUE(test::check([] {
    SmpData data{};
    for (std::uint8_t& b : data) b = *rc::gen::arbitrary<std::uint8_t>();
    for (const Named& named : kFields) {
      RC_ASSERT(get(data, named.field) == theirs(data, named.theirs, named.field.width));
    }
  }));
}

TEST(MadFields, SettingOneFieldChangesNothingElse) {
  EXPECT_TRUE(test::check([](std::uint64_t value) {
    SmpData data{};
    for (std::uint8_t& b : data) b = *rc::gen::arbitrary<std::uint8_t>();
    const Named& named = kFields[*rc::gen::inRange<std::size_t>(0, std::size(kFields))];
    SmpData expected = data;
    if (named.field.width == 64)
      mad_set_field64(expected.data(), 0, named.theirs, value);
    else
      mad_set_field(expected.data(), 0, named.theirs, static_cast<std::uint32_t>(value));
    set(data, named.field, value);
    RC_ASSERT(data == expected);
  }));
}

TEST(MadFields, CapabilityBitsAreNumberedFromTheRightOfTheWord) {
  const std::pair<Field, unsigned> bits[] = {{port_info::kCapIsSm, 1},
                                             {port_info::kCapSlMapping, 6},
                                             {port_info::kCapExtendedSpeeds, 14},
                                             {port_info::kCapClientReregistration, 25}};
  for (const auto& [field, bit] : bits) {
    SmpData data{};
    mad_set_field(data.data(), 0, IB_PORT_CAPMASK_F, 1U << bit);
    EXPECT_EQ(get(data, field), 1U) << bit;
    mad_set_field(data.data(), 0, IB_PORT_CAPMASK_F, ~(1U << bit));
    EXPECT_EQ(get(data, field), 0U) << bit;
  }
}

}  // namespace
}  // namespace rch::hw
