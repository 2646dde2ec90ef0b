#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/attributes.h"
#include "sa/answer.h"
#include "sa/records/answer_from_tables.h"
#include "sa/visibility.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

using hw::Field;
using test::Asked;
using test::records_of;
using test::SmallSnapshot;

constexpr Field kLid{0, 0, 16}, kByte2{2, 0, 8}, kByte3{3, 0, 8}, kWord2{2, 0, 16}, kToLid{4, 0, 16};

/// Two leaves with two hosts each, two spines: switches 0 to 3 have LIDs 1 to 4, hosts 0 to 3 LIDs 8, 12,
/// 16, 20.
std::vector<std::uint64_t> values(const Answer& answer, Field field) {
  EXPECT_EQ(answer.status, Status::good);
  std::vector<std::uint64_t> all;
  for (const auto& record : records_of(answer)) all.push_back(get(record, field));
  return all;
}

using testing::ElementsAre;

TEST(SaRecords, GetNeedsExactlyOne) {
  const SmallSnapshot small = test::with_four_lids();
  EXPECT_EQ(Asked(Method::get, Attribute::node_record).of(small).status, Status::too_many_records);
  EXPECT_EQ(Asked(Method::get, Attribute::node_record).with(0, kLid, 99).of(small).status,
            Status::no_records);
  const Answer one = Asked(Method::get, Attribute::node_record).with(0, kLid, 8).of(small);
  EXPECT_EQ(one.status, Status::good);
  EXPECT_EQ(one.records.size(), 112U);
}

TEST(SaRecords, EmptyTableIsAnAnswer) {
  const SmallSnapshot small = test::with_four_lids();
  for (const unsigned lid : {0U, 99U, 0xC000U, 0xFFFFU}) {
    const Answer none = Asked(Method::get_table, Attribute::node_record).with(0, kLid, lid).of(small);
    EXPECT_EQ(none.status, Status::good);
    EXPECT_TRUE(none.records.empty());
    EXPECT_EQ(none.record_size, 0U);
  }
}

TEST(SaRecords, OtherMethodsAreRefused) {
  const SmallSnapshot small = test::with_four_lids();
  for (const Method method : {Method::set, Method::remove, Method::get_multi, Method::report})
    for (const Attribute attribute : {Attribute::node_record, Attribute::sm_info_record})
      EXPECT_EQ(Asked(method, attribute).of(small).status, Status::unsupported_method_attribute);
}

TEST(SaRecords, OtherAttributesAreLeft) {
  const SmallSnapshot small = test::with_four_lids();
  for (const Attribute attribute : {Attribute::path_record, Attribute::service_record, Attribute(0)})
    EXPECT_FALSE(answer_from_tables(small.snapshot, {small.snapshot.local, true},
                                    {.method = Method::get_table, .attribute = attribute}));
}

TEST(SaRecords, AnswersComeFromThem) {
  const SmallSnapshot small = test::with_four_lids();
  const Answer all = answer(small.snapshot, {small.snapshot.local},
                            {.method = Method::get_table, .attribute = Attribute::node_record});
  EXPECT_EQ(records_of(all).size(), 8U);
}

TEST(NodeRecord, OneForEachEndPortByLid) {
  const SmallSnapshot small = test::with_four_lids();
  const Answer all = Asked(Method::get_table, Attribute::node_record).of(small);
  EXPECT_THAT(values(all, kLid), ElementsAre(1, 2, 3, 4, 8, 12, 16, 20));
  EXPECT_THAT(values(all, Field{6, 0, 8}), ElementsAre(2, 2, 2, 2, 1, 1, 1, 1));   // type
  EXPECT_THAT(values(all, Field{40, 0, 8}), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));  // local port
  const auto host = records_of(all)[5];
  EXPECT_EQ(get(host, Field{24, 0, 64}), small.fabric().port(small.host(1)).guid.value);
  EXPECT_EQ(std::string(host.begin() + 44, host.begin() + 51), std::string("host 1\0", 7));
}

TEST(NodeRecord, AnyLidOfAPortFindsIt) {
  const SmallSnapshot small = test::with_four_lids();
  for (const unsigned lid : {12U, 13U, 15U})
    EXPECT_THAT(values(Asked(Method::get, Attribute::node_record).with(0, kLid, lid).of(small), kLid),
                ElementsAre(12));
}

TEST(NodeRecord, DescriptionComparesWhole) {
  const SmallSnapshot small = test::with_four_lids();
  Asked asked(Method::get_table, Attribute::node_record);
  const std::string name = "host 2";
  std::copy(name.begin(), name.end(), asked.bytes.begin() + 44);
  asked.query.mask = 1U << 14;
  EXPECT_THAT(values(asked.of(small), kLid), ElementsAre(16));
  asked.bytes[44 + 63] = 1;
  EXPECT_TRUE(asked.of(small).records.empty());
}

TEST(PortInfoRecord, AllPortsOfSwitches) {
  const SmallSnapshot small = test::with_four_lids();
  const Answer leaf = Asked(Method::get_table, Attribute::port_info_record).with(0, kLid, 1).of(small);
  EXPECT_THAT(values(leaf, kByte2), ElementsAre(0, 1, 2, 3, 4));
  const Answer ports1 = Asked(Method::get_table, Attribute::port_info_record).with(1, kByte2, 1).of(small);
  EXPECT_THAT(values(ports1, kLid), ElementsAre(1, 2, 3, 4, 8, 12, 16, 20));
  EXPECT_THAT(values(ports1, Field{20, 0, 16}), ElementsAre(0, 0, 0, 0, 8, 12, 16, 20));  // base LID
}

TEST(PortInfoRecord, PortsNeverSeenAreLeftOut) {
  SmallSnapshot small = test::with_four_lids();
  small.snapshot.ports[small.host(1).index()] = {};
  EXPECT_TRUE(
      Asked(Method::get_table, Attribute::port_info_record).with(0, kLid, 12).of(small).records.empty());
}

TEST(PortInfoRecord, MKeyIsForTheTrusted) {
  const SmallSnapshot small = test::with_four_lids();
  constexpr Field kMKey{4, 0, 64};
  Asked asked(Method::get, Attribute::port_info_record);
  asked.with(0, kLid, 8);
  EXPECT_THAT(values(asked.of(small), kMKey), ElementsAre(0x1234));
  EXPECT_THAT(values(asked.of(small, {small.snapshot.local}), kMKey), ElementsAre(0));
  // Nor can others find out by comparing.
  asked.with(3, kMKey, 0x1234);
  EXPECT_EQ(asked.of(small).status, Status::good);
  EXPECT_EQ(asked.of(small, {small.snapshot.local}).status, Status::no_records);
}

TEST(PortInfoRecord, CapabilitiesCompareWholeOrBitByBit) {
  const SmallSnapshot small = test::with_four_lids();
  Asked asked(Method::get_table, Attribute::port_info_record);
  asked.with(7, Field{24, 0, 32}, 2);  // IsSM
  EXPECT_TRUE(asked.of(small).records.empty());
  asked.query.modifier = 0x80000000;
  EXPECT_THAT(values(asked.of(small), kLid), ElementsAre(8));
}

TEST(PortInfoRecord, OptionFullShowsCapabilitiesOfPort0) {
  SmallSnapshot small = test::with_four_lids();
  small.snapshot.ports[small.switch_port(0, 0).index()].is_sm = true;
  constexpr Field kIsSm{27, 6, 1};
  Asked asked(Method::get_table, Attribute::port_info_record);
  asked.with(0, kLid, 1);
  EXPECT_THAT(values(asked.of(small), kIsSm), ElementsAre(1, 0, 0, 0, 0));
  asked.with(2, kByte3, 0x80);
  EXPECT_THAT(values(asked.of(small), kIsSm), ElementsAre(1, 1, 1, 1, 1));
}

TEST(SwitchInfoRecord, OneForEachSwitch) {
  const SmallSnapshot small = test::with_four_lids();
  const Answer all = Asked(Method::get_table, Attribute::switch_info_record).of(small);
  EXPECT_THAT(values(all, kLid), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(values(all, Field{4, 0, 16}), ElementsAre(49152, 49152, 49152, 49152));
  EXPECT_TRUE(
      Asked(Method::get_table, Attribute::switch_info_record).with(0, kLid, 8).of(small).records.empty());
}

TEST(LinearTableRecord, BlocksAreThoseOfTheTables) {
  test::Shape shape = test::clos(2, 2, 40);
  const SmallSnapshot small(shape);
  const Answer leaf = Asked(Method::get_table, Attribute::linear_table_record).with(0, kLid, 2).of(small);
  EXPECT_THAT(values(leaf, kWord2), ElementsAre(0, 1));
  std::vector<std::uint8_t> row;
  for (const auto& record : records_of(leaf)) row.insert(row.end(), record.begin() + 8, record.end());
  EXPECT_TRUE(std::ranges::equal(row, small.snapshot.plan.tables->lfts.row(SwitchId(1))));
  const Answer second = Asked(Method::get_table, Attribute::linear_table_record).with(1, kWord2, 1).of(small);
  EXPECT_THAT(values(second, kLid), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(
      Asked(Method::get, Attribute::linear_table_record).with(0, kLid, 1).with(1, kWord2, 2).of(small).status,
      Status::no_records);
}

TEST(MulticastTableRecord, BlocksUpToTheLastWithAnEntry) {
  test::Shape shape = test::clos(2, 2, 20);
  SmallSnapshot small(shape);
  EXPECT_TRUE(Asked(Method::get_table, Attribute::multicast_table_record).of(small).records.empty());
  small.add_group(Lid(0xC000 + 33), {small.host(0)});
  Asked asked(Method::get_table, Attribute::multicast_table_record);
  asked.with(0, kLid, 1);
  // Positions 0 and 1 of blocks 0 and 1.
  EXPECT_THAT(values(asked.of(small), kWord2), ElementsAre(0x0000, 0x1000, 0x0001, 0x1001));
  EXPECT_THAT(values(asked.of(small), Field{8 + 2, 0, 16}), ElementsAre(0, 0, 0xFFFE, 0x007F));
  EXPECT_THAT(values(Asked(Method::get_table, Attribute::multicast_table_record)
                         .with(3, kWord2, 1)
                         .with(0, kLid, 3)
                         .of(small),
                     kWord2),
              ElementsAre(0x0001));
  asked.with(1, Field{2, 0, 4}, 1);
  EXPECT_THAT(values(asked.of(small), kWord2), ElementsAre(0x1000, 0x1001));
}

TEST(Sl2VlRecord, MapsOfEveryWayThroughASwitch) {
  const SmallSnapshot small = test::with_four_lids();
  EXPECT_EQ(records_of(Asked(Method::get_table, Attribute::sl2vl_record).with(0, kLid, 1).of(small)).size(),
            5U * 5);
  const Answer one = Asked(Method::get, Attribute::sl2vl_record)
                         .with(0, kLid, 1)
                         .with(1, kByte2, 0)
                         .with(2, kByte3, 3)
                         .of(small);
  ASSERT_EQ(one.status, Status::good);
  const fabric::Sl2VlMap& map = small.snapshot.plan.tables->sl2vl.at(SwitchId(0), PortNum(0), PortNum(3));
  for (std::uint16_t sl = 0; sl < 16; ++sl)
    EXPECT_EQ(get(one.records,
                  Field{static_cast<std::uint16_t>(8 + sl / 2), static_cast<std::uint8_t>(sl % 2 * 4), 4}),
              map[sl]);
  EXPECT_THAT(values(Asked(Method::get, Attribute::sl2vl_record).with(0, kLid, 8).of(small), kWord2),
              ElementsAre(0));
}

TEST(VlArbitrationRecord, BlocksThatPortsHave) {
  SmallSnapshot small = test::with_four_lids();
  const Answer unknown =
      Asked(Method::get_table, Attribute::vl_arbitration_record).with(0, kLid, 8).of(small);
  EXPECT_THAT(values(unknown, kWord2), ElementsAre(0x0101, 0x0102, 0x0103, 0x0104));
  EXPECT_THAT(values(unknown, Field{8, 0, 64}), ElementsAre(0, 0, 0, 0));
  small.set_arbitration({.high_limit = 0, .high = {{2, 30}}, .low = {{1, 10}, {9, 20}}});
  Asked asked(Method::get_table, Attribute::vl_arbitration_record);
  asked.with(0, kLid, 8);
  EXPECT_THAT(values(asked.of(small), kWord2), ElementsAre(0x0101, 0x0102, 0x0103, 0x0104));
  // VL 9 of a port with eight is VL 1.
  EXPECT_THAT(values(asked.of(small), Field{8, 0, 32}), ElementsAre(0x010A0114, 0, 0x021E0000, 0));
  asked.with(1, kByte2, 0);  // the port number does not count on a CA
  EXPECT_EQ(records_of(asked.of(small)).size(), 4U);
  EXPECT_EQ(Asked(Method::get, Attribute::vl_arbitration_record)
                .with(0, kLid, 8)
                .with(2, kByte3, 5)
                .of(small)
                .status,
            Status::no_records);
}

TEST(PKeyTableRecord, IsForTheTrusted) {
  SmallSnapshot small = test::with_four_lids();
  small.set_pkeys({{small.host(1), {0xFFFF, 0, 0x8001}}});
  Asked asked(Method::get_table, Attribute::p_key_table_record);
  asked.with(0, kLid, 13);
  EXPECT_EQ(asked.of(small, {small.snapshot.local}).status, Status::request_invalid);
  EXPECT_THAT(values(asked.of(small), kWord2), ElementsAre(0, 1));  // room for 64
  EXPECT_THAT(values(asked.of(small), Field{8, 0, 32}), ElementsAre(0xFFFF0000, 0));
  EXPECT_THAT(values(asked.of(small), Field{12, 0, 16}), ElementsAre(0x8001, 0));
}

TEST(PKeyTableRecord, SwitchPortsLetTheirHostsPass) {
  SmallSnapshot small = test::with_four_lids();
  small.set_pkeys({{small.host(1), {0xFFFF, 0x0001, 0x8001}}});
  Asked asked(Method::get_table, Attribute::p_key_table_record);
  asked.with(0, kLid, 1);
  EXPECT_THAT(values(asked.of(small), Field{4, 0, 8}), ElementsAre(0, 2, 2));  // room for 40
  EXPECT_THAT(values(asked.of(small), Field{8, 0, 48}), ElementsAre(0xFFFF00000000, 0xFFFF80010000, 0));
  EXPECT_EQ(records_of(asked.with(2, Field{4, 0, 8}, 2).of(small)).size(), 2U);
}

TEST(GuidInfoRecord, ThePortsOwnGuidComesFirst) {
  const SmallSnapshot small = test::with_four_lids();
  Asked asked(Method::get_table, Attribute::guid_info_record);
  asked.with(0, kLid, 20);
  EXPECT_THAT(values(asked.of(small), kByte2), ElementsAre(0, 1));
  const std::uint64_t guid = small.fabric().port(small.host(3)).guid.value;
  EXPECT_THAT(values(asked.of(small), Field{8, 0, 64}), ElementsAre(guid, 0));
  EXPECT_EQ(
      records_of(
          Asked(Method::get_table, Attribute::guid_info_record).with(4, Field{8, 0, 64}, guid).of(small))
          .size(),
      1U);
}

TEST(SmInfoRecord, OursAndThoseThatAnswered) {
  SmallSnapshot small = test::with_four_lids();
  small.snapshot.plan.options.manager.sm_priority = 7;
  const hw::SmInfo other{
      .guid = Guid(5), .key = 3, .activity = 9, .priority = 2, .state = hw::SmState::standby};
  small.snapshot.other_sms = {{small.host(3), Guid(5), true, other}, {small.host(2), Guid(6), false, {}}};
  const Answer all = Asked(Method::get_table, Attribute::sm_info_record).of(small);
  EXPECT_THAT(values(all, kLid), ElementsAre(8, 20));
  EXPECT_THAT(values(all, Field{24, 0, 8}), ElementsAre(0x73, 0x22));
  EXPECT_THAT(values(all, Field{12, 0, 64}), ElementsAre(1, 3));
  const Answer untrusted =
      Asked(Method::get_table, Attribute::sm_info_record).of(small, {small.snapshot.local});
  EXPECT_THAT(values(untrusted, Field{12, 0, 64}), ElementsAre(0, 0));
  EXPECT_THAT(
      values(Asked(Method::get, Attribute::sm_info_record).with(6, Field{24, 4, 4}, 2).of(small), kLid),
      ElementsAre(20));
  EXPECT_THAT(values(Asked(Method::get, Attribute::sm_info_record).with(0, kLid, 9).of(small), kLid),
              ElementsAre(8));
}

TEST(LinkRecord, BothDirections) {
  const SmallSnapshot small = test::with_four_lids();
  const Answer all = Asked(Method::get_table, Attribute::link_record).of(small);
  EXPECT_EQ(records_of(all).size(), 2U * (4 + 4));
  EXPECT_THAT(values(Asked(Method::get_table, Attribute::link_record).with(0, kLid, 1).of(small), kToLid),
              ElementsAre(8, 12, 3, 4));
  EXPECT_THAT(
      values(Asked(Method::get_table, Attribute::link_record).with(3, kToLid, 14).of(small), Field{0, 0, 64}),
      ElementsAre(std::uint64_t{0x0001'0201'000C'0000}));
  EXPECT_THAT(values(Asked(Method::get_table, Attribute::link_record).with(0, kLid, 15).of(small), kToLid),
              ElementsAre(1));
}

TEST(Visibility, RecordsAreForMembersOfThePartition) {
  SmallSnapshot small = test::with_four_lids();
  // Host 0 is our own port. Hosts 1 and 2 are limited members of one partition, host 3 a full one; host 2 has
  // another partition besides, that of switch 0.
  std::vector<std::pair<PortId, std::vector<std::uint16_t>>> keys{
      {small.host(1), {0x0001}}, {small.host(2), {0x0001, 0x8002}}, {small.host(3), {0x8001}}};
  for (std::uint32_t s = 0; s < 4; ++s)
    keys.push_back({small.switch_port(s, 0), {static_cast<std::uint16_t>(s == 0 ? 2 : 0)}});
  small.set_pkeys(keys);
  const auto seen_by = [&](PortId port, bool trusted = false) {
    return values(Asked(Method::get_table, Attribute::node_record).of(small, {port, trusted}), kLid);
  };
  EXPECT_THAT(seen_by(small.host(0)), ElementsAre(1, 2, 3, 4, 8, 12, 16, 20));
  EXPECT_THAT(seen_by(small.host(1)), ElementsAre(12, 20));
  EXPECT_THAT(seen_by(small.host(2)), ElementsAre(1, 16, 20));
  EXPECT_THAT(seen_by(small.host(3)), ElementsAre(12, 16, 20));
  EXPECT_THAT(seen_by(small.host(1), true), ElementsAre(1, 2, 3, 4, 8, 12, 16, 20));
  EXPECT_TRUE(may_see(small.snapshot, {small.host(2)}, small.switch_port(0, 3)));
  // A link shows if both its ends do.
  const Answer links = Asked(Method::get_table, Attribute::link_record).of(small, {small.host(2)});
  EXPECT_TRUE(links.records.empty());
}

TEST(SaRecords, ShortRequestsReadAsZero) {
  const SmallSnapshot small = test::with_four_lids();
  Query query{.method = Method::get_table, .attribute = Attribute::node_record, .mask = 1};
  EXPECT_TRUE(answer_from_tables(small.snapshot, {small.snapshot.local}, query)->records.empty());
  query.mask = 1U << 12;  // local port 0: switches
  EXPECT_EQ(records_of(*answer_from_tables(small.snapshot, {small.snapshot.local}, query)).size(), 4U);
}

}  // namespace
}  // namespace rch::sa
