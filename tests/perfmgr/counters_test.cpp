#include "perfmgr/counters.h"

#include <gtest/gtest.h>
#include <infiniband/mad.h>

namespace rch::perfmgr {
namespace {

using Bytes = std::array<std::uint8_t, kDataSize>;

constexpr Abilities kNothing{}, kXmitWait{.xmit_wait = true}, kWide{.wide = true},
    kCasts{.wide = true, .casts = true}, kAll{.wide = true, .casts = true, .wide_errors = true};

struct Pair {
  Counter ours;
  MAD_FIELDS theirs;
};
constexpr Pair kNarrow[] = {{Counter::xmit_data, IB_PC_XMT_BYTES_F},
                            {Counter::rcv_data, IB_PC_RCV_BYTES_F},
                            {Counter::xmit_pkts, IB_PC_XMT_PKTS_F},
                            {Counter::rcv_pkts, IB_PC_RCV_PKTS_F},
                            {Counter::symbol_errors, IB_PC_ERR_SYM_F},
                            {Counter::link_error_recovery, IB_PC_LINK_RECOVERS_F},
                            {Counter::link_downed, IB_PC_LINK_DOWNED_F},
                            {Counter::rcv_errors, IB_PC_ERR_RCV_F},
                            {Counter::rcv_remote_physical_errors, IB_PC_ERR_PHYSRCV_F},
                            {Counter::rcv_switch_relay_errors, IB_PC_ERR_SWITCH_REL_F},
                            {Counter::xmit_discards, IB_PC_XMT_DISCARDS_F},
                            {Counter::xmit_constraint_errors, IB_PC_ERR_XMTCONSTR_F},
                            {Counter::rcv_constraint_errors, IB_PC_ERR_RCVCONSTR_F},
                            {Counter::local_link_integrity_errors, IB_PC_ERR_LOCALINTEG_F},
                            {Counter::excessive_buffer_overruns, IB_PC_ERR_EXCESS_OVR_F},
                            {Counter::vl15_dropped, IB_PC_VL15_DROPPED_F},
                            {Counter::xmit_wait, IB_PC_XMT_WAIT_F}};
constexpr Pair kExtended[] = {{Counter::xmit_data, IB_PC_EXT_XMT_BYTES_F},
                              {Counter::rcv_data, IB_PC_EXT_RCV_BYTES_F},
                              {Counter::xmit_pkts, IB_PC_EXT_XMT_PKTS_F},
                              {Counter::rcv_pkts, IB_PC_EXT_RCV_PKTS_F},
                              {Counter::unicast_xmit_pkts, IB_PC_EXT_XMT_UPKTS_F},
                              {Counter::unicast_rcv_pkts, IB_PC_EXT_RCV_UPKTS_F},
                              {Counter::multicast_xmit_pkts, IB_PC_EXT_XMT_MPKTS_F},
                              {Counter::multicast_rcv_pkts, IB_PC_EXT_RCV_MPKTS_F}};

TEST(Counters, LieInPortCountersWhereLibibmadHasThem) {
  for (const Pair& pair : kNarrow) {
    Bytes bytes{};
    const hw::Field field = *row_of(pair.ours).narrow;
    const std::uint64_t ones = (std::uint64_t{1} << field.width) - 1;
    mad_set_field(bytes.data(), 0, pair.theirs, static_cast<std::uint32_t>(ones));
    Reading reading;
    decode_port_counters(bytes, kXmitWait, reading);
    EXPECT_EQ(reading[pair.ours], ones) << row_of(pair.ours).name;
    hw::set(bytes, field, 0);
    EXPECT_EQ(bytes, (Bytes{})) << row_of(pair.ours).name;
  }
}

TEST(Counters, LieInPortCountersExtendedWhereLibibmadHasThem) {
  for (const Pair& pair : kExtended) {
    Bytes bytes{};
    mad_set_field64(bytes.data(), 0, pair.theirs, 0x0123456789ABCDEF);
    Reading reading;
    decode_port_counters_extended(bytes, kCasts, reading);
    EXPECT_EQ(reading[pair.ours], 0x0123456789ABCDEFU) << row_of(pair.ours).name;
  }
}

TEST(Counters, HaveTheNamesOfLibibmad) {
  for (const Pair& pair : kNarrow) EXPECT_EQ(row_of(pair.ours).name, mad_field_name(pair.theirs));
}

/// The further errors of PortCountersExtended follow the others in the order of PortCounters, 8 bytes each.
TEST(Counters, WideErrorsFollowEachOther) {
  std::uint16_t byte = 72;
  for (auto c = static_cast<std::size_t>(Counter::symbol_errors); c < kCounterCount; ++c, byte += 8)
    EXPECT_EQ(*counter_rows()[c].wide, (hw::Field{byte, 0, 64})) << counter_rows()[c].name;
}

TEST(Counters, SelectsAreThoseOfLibibmad) {
  Bytes bytes{};
  mad_set_field(bytes.data(), 0, IB_PC_PORT_SELECT_F, 0xA5);
  mad_set_field(bytes.data(), 0, IB_PC_COUNTER_SELECT_F, 0x1234);
  mad_set_field(bytes.data(), 0, IB_PC_COUNTER_SELECT2_F, 0x5A);
  EXPECT_EQ(get(bytes, port_counters::kPortSelect), 0xA5U);
  EXPECT_EQ(get(bytes, port_counters::kCounterSelect), 0x1234U);
  EXPECT_EQ(get(bytes, port_counters::kCounterSelect2), 0x5AU);
}

TEST(Counters, OfAnAgentAreInOneOfTheTwoAttributes) {
  for (const Abilities& abilities : {kNothing, kXmitWait, kWide, kCasts, kAll}) {
    const Bytes bytes{};
    Reading narrow, wide;
    decode_port_counters(bytes, abilities, narrow);
    decode_port_counters_extended(bytes, abilities, wide);
    EXPECT_TRUE((narrow.present & wide.present).none());
    const std::size_t missing =
        (abilities.casts ? 0U : 4U) + (abilities.xmit_wait || abilities.wide_errors ? 0U : 1U);
    EXPECT_EQ((narrow.present | wide.present).count(), kCounterCount - missing);
    EXPECT_EQ(narrow.present.none(), is_all_wide(abilities));
  }
}

TEST(ClassPortInfo, IsReadAsLibibmadWritesIt) {
  Bytes bytes{};
  const auto abilities = [&](unsigned mask, unsigned mask2) {
    mad_set_field(bytes.data(), 0, IB_CPI_CAPMASK_F, mask);
    mad_set_field(bytes.data(), 0, IB_CPI_CAPMASK2_F, mask2);
    return decode_class_port_info(bytes).abilities;
  };
  EXPECT_EQ(abilities(0, 0), kNothing);
  EXPECT_EQ(abilities(1U << 12U, 0), kXmitWait);
  EXPECT_EQ(abilities(1U << 10U, 0), kWide);
  EXPECT_EQ(abilities(1U << 9U, 0), kCasts);
  EXPECT_EQ(abilities(1U << 9U, 1U << 1U), kAll);
  EXPECT_EQ(abilities(0, 1U << 1U), kNothing) << "wide errors without the attribute";

  mad_set_field(bytes.data(), 0, IB_CPI_REDIRECT_SL_F, 5);
  mad_set_field(bytes.data(), 0, IB_CPI_REDIRECT_LID_F, 0x1234);
  mad_set_field(bytes.data(), 0, IB_CPI_REDIRECT_PKEY_F, 0x8001);
  mad_set_field(bytes.data(), 0, IB_CPI_REDIRECT_QP_F, 0xABCDEF);
  mad_set_field(bytes.data(), 0, IB_CPI_REDIRECT_QKEY_F, 0x80010002);
  EXPECT_EQ(decode_class_port_info(bytes).redirection,
            (Redirection{Lid(0x1234), 0xABCDEF, 0x80010002, 0x8001, 5}));
}

}  // namespace
}  // namespace rch::perfmgr
