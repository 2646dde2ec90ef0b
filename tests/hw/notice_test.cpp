#include "hw/notice.h"

#include <gtest/gtest.h>
#include <infiniband/mad.h>

#include <algorithm>

#include "support/property.h"

namespace rch::hw {
namespace {

Notice notice_of(std::uint16_t number, std::initializer_list<std::pair<Field, std::uint64_t>> details) {
  SmpData data{};
  set(data, {0, 0, 1}, 1);
  set(data, {4, 0, 16}, number);
  for (const auto& [field, value] : details)
    set(data, {static_cast<std::uint16_t>(field.byte + 10), field.bit, field.width}, value);
  return decode_notice(data);
}

constexpr Field kLid{2, 0, 16}, kSecondLid{4, 0, 16};

TEST(Notice, HeadIsThatOfLibibmad) {
  EXPECT_TRUE(rch::test::check([] {
    SmpData data{};
    for (std::uint8_t& byte : data) byte = *rc::gen::inRange<std::uint8_t>(0, 255);
    const Notice notice = decode_notice(data);
    RC_ASSERT(notice.generic == (mad_get_field(data.data(), 0, IB_NOTICE_IS_GENERIC_F) != 0));
    RC_ASSERT(notice.number == mad_get_field(data.data(), 0, IB_NOTICE_TRAP_NUMBER_F));
    RC_ASSERT(notice.issuer.value == mad_get_field(data.data(), 0, IB_NOTICE_ISSUER_LID_F));
  }));
}

TEST(Notice, LidsAreThoseOfLibibmad) {
  SmpData data{};
  mad_set_field(data.data(), 0, IB_NOTICE_IS_GENERIC_F, 1);
  mad_set_field(data.data(), 0, IB_NOTICE_TRAP_NUMBER_F, 128);
  mad_set_field(data.data(), 0, IB_NOTICE_DATA_LID_F, 77);
  EXPECT_EQ(describe(decode_notice(data)), "a link of the switch with LID 77 came or went");
  EXPECT_FALSE(port_of(decode_notice(data)));
  mad_set_field(data.data(), 0, IB_NOTICE_DATA_LID_F, 0);
  mad_set_field(data.data(), 0, IB_NOTICE_TRAP_NUMBER_F, 144);
  mad_set_field(data.data(), 0, IB_NOTICE_DATA_144_LID_F, 78);
  mad_set_field(data.data(), 0, IB_NOTICE_DATA_144_CAPMASK_F, 0xFFFFFFFF);
  EXPECT_EQ(describe(decode_notice(data)), "LID 78 changed: capabilities");
}

TEST(Notice, ErrorsOfAPort) {
  for (const auto& [number, what] :
       {std::pair<std::uint16_t, std::string>{129, "has too many local link errors"},
        {130, "has too many buffer overruns"},
        {131, "gets no flow control packets"}}) {
    const Notice notice = notice_of(number, {{kLid, 7}, {{4, 0, 8}, 3}});
    EXPECT_EQ(kind_of(notice), TrapKind::errors);
    EXPECT_EQ(describe(notice), "port 3 of LID 7 " + what);
    EXPECT_EQ(port_of(notice), PortNum(3));
  }
}

TEST(Notice, ChangesOfANode) {
  EXPECT_EQ(describe(notice_of(144, {{kLid, 7}, {{5, 0, 8}, 1}, {{10, 0, 16}, 0x0D}})),
            "LID 7 changed: node description, enabled speeds, priority of its subnet manager");
  EXPECT_EQ(describe(notice_of(145, {{kLid, 7}, {{6, 0, 64}, 0x2c90300}})),
            "LID 7 has the system image GUID 0x0000000002c90300 now");
}

TEST(Notice, KeysAreNotNamed) {
  const Notice m_key = notice_of(
      256, {{kLid, 9}, {{6, 0, 8}, 2}, {{8, 0, 16}, 0x15}, {{10, 0, 32}, 1}, {{14, 0, 64}, 0xDEADBEEF}});
  EXPECT_EQ(kind_of(m_key), TrapKind::wrong_m_key);
  EXPECT_EQ(describe(m_key),
            "a request from LID 9 had a wrong M_Key: method 0x02, attribute 0x0015, modifier 0x1");
  const Notice q_key = notice_of(258, {{kLid, 9}, {kSecondLid, 8}, {{6, 0, 32}, 0xDEADBEEF}});
  EXPECT_EQ(describe(q_key), "a packet from LID 9 to LID 8 had a wrong Q_Key");
}

TEST(Notice, PartitionsAreNamed) {
  const Notice at_host = notice_of(257, {{kLid, 9}, {kSecondLid, 8}, {{6, 0, 32}, 0x8001}});
  EXPECT_EQ(kind_of(at_host), TrapKind::wrong_packet_key);
  EXPECT_EQ(describe(at_host), "a packet from LID 9 to LID 8 had the wrong P_Key 0x8001");
  const Notice at_switch =
      notice_of(259, {{kLid, 9}, {kSecondLid, 8}, {{6, 0, 16}, 0x8001}, {{48, 0, 16}, 4}, {{50, 0, 8}, 17}});
  EXPECT_EQ(describe(at_switch),
            "port 17 of the switch with LID 4 dropped a packet from LID 9 to LID 8: P_Key 0x8001");
}

TEST(Notice, GidsAreShown) {
  EXPECT_EQ(describe(notice_of(64, {{{6, 0, 64}, 0xFE80000000000000}, {{14, 0, 64}, 0x11}})),
            "in service: fe80:0:0:0:0:0:0:11");
}

TEST(Notice, AnyTrapHasAText) {
  EXPECT_TRUE(rch::test::check([] {
    SmpData data{};
    for (std::uint8_t& byte : data) byte = *rc::gen::inRange<std::uint8_t>(0, 255);
    set(data, {4, 0, 16}, *rc::gen::inRange<std::uint32_t>(60, 262));
    const Notice notice = decode_notice(data);
    RC_ASSERT(notice.generic || describe(notice).empty());
    RC_ASSERT(std::ranges::all_of(describe(notice), [](char c) { return c >= ' ' && c < 127; }));
  }));
}

}  // namespace
}  // namespace rch::hw
