// Component masks against fields as libibmad decodes them: a table has exactly the records of the whole table
// whose selected fields are those of the request.

#include <gtest/gtest.h>
#include <infiniband/mad.h>

#include "sa/records/answer_from_tables.h"
#include "small_snapshot.h"
#include "support/property.h"

namespace rch::sa {
namespace {

using Record = std::vector<std::uint8_t>;

/// What a component compares: a field of libibmad in the attribute at `base`, or, without a field, `width`
/// bytes at `base`.
struct Judge {
  unsigned component;
  int base;
  MAD_FIELDS field = IB_NO_FIELD;
  unsigned width = 0;
  unsigned first = 0xFF;  ///< bits of the first byte that count

  std::vector<std::uint8_t> value(const Record& record) const {
    if (field == IB_NO_FIELD) {
      std::vector<std::uint8_t> value(record.begin() + base, record.begin() + base + static_cast<int>(width));
      value[0] = static_cast<std::uint8_t>(value[0] & first);
      return value;
    }
    std::vector<std::uint8_t> value(64);
    Record bytes = record;  // libibmad wants it to be writable
    bytes.resize(256);
    mad_decode_field(bytes.data() + base, field, value.data());
    return value;
  }
};

struct Judged {
  Attribute attribute;
  std::vector<Judge> components;
  bool lid_is_last = false;         ///< component 3 is the LID at the other end
  std::uint64_t ports_of_switch{};  ///< components that do not count in a query for one CA port
};

const Judged kRecords[] = {
    {Attribute::node_record,
     {{2, 4, IB_NODE_BASE_VERS_F},
      {3, 4, IB_NODE_CLASS_VERS_F},
      {4, 4, IB_NODE_TYPE_F},
      {5, 4, IB_NODE_NPORTS_F},
      {6, 4, IB_NODE_SYSTEM_GUID_F},
      {7, 4, IB_NODE_GUID_F},
      {8, 4, IB_NODE_PORT_GUID_F},
      {9, 4, IB_NODE_PARTITION_CAP_F},
      {10, 4, IB_NODE_DEVID_F},
      {11, 4, IB_NODE_REVISION_F},
      {12, 4, IB_NODE_LOCAL_PORT_F},
      {13, 4, IB_NODE_VENDORID_F},
      {14, 44, IB_NO_FIELD, 64}}},
    {Attribute::port_info_record,
     {{1, 2, IB_NO_FIELD, 1},
      {3, 4, IB_PORT_MKEY_F},
      {4, 4, IB_PORT_GID_PREFIX_F},
      {5, 4, IB_PORT_LID_F},
      {6, 4, IB_PORT_SMLID_F},
      {7, 4, IB_PORT_CAPMASK_F},
      {8, 4, IB_PORT_DIAG_F},
      {9, 4, IB_PORT_MKEY_LEASE_F},
      {10, 4, IB_PORT_LOCAL_PORT_F},
      {11, 4, IB_PORT_LINK_WIDTH_ENABLED_F},
      {12, 4, IB_PORT_LINK_WIDTH_SUPPORTED_F},
      {13, 4, IB_PORT_LINK_WIDTH_ACTIVE_F},
      {14, 4, IB_PORT_LINK_SPEED_SUPPORTED_F},
      {15, 4, IB_PORT_STATE_F},
      {16, 4, IB_PORT_PHYS_STATE_F},
      {17, 4, IB_PORT_LINK_DOWN_DEF_F},
      {18, 4, IB_PORT_MKEY_PROT_BITS_F},
      {20, 4, IB_PORT_LMC_F},
      {21, 4, IB_PORT_LINK_SPEED_ACTIVE_F},
      {22, 4, IB_PORT_LINK_SPEED_ENABLED_F},
      {23, 4, IB_PORT_NEIGHBOR_MTU_F},
      {24, 4, IB_PORT_SMSL_F},
      {25, 4, IB_PORT_VL_CAP_F},
      {26, 4, IB_PORT_INIT_TYPE_F},
      {27, 4, IB_PORT_VL_HIGH_LIMIT_F},
      {28, 4, IB_PORT_VL_ARBITRATION_HIGH_CAP_F},
      {29, 4, IB_PORT_VL_ARBITRATION_LOW_CAP_F},
      {30, 4, IB_PORT_INIT_TYPE_REPLY_F},
      {31, 4, IB_PORT_MTU_CAP_F},
      {32, 4, IB_PORT_VL_STALL_COUNT_F},
      {33, 4, IB_PORT_HOQ_LIFE_F},
      {34, 4, IB_PORT_OPER_VLS_F},
      {35, 4, IB_PORT_PART_EN_INB_F},
      {36, 4, IB_PORT_PART_EN_OUTB_F},
      {37, 4, IB_PORT_FILTER_RAW_INB_F},
      {38, 4, IB_PORT_FILTER_RAW_OUTB_F},
      {39, 4, IB_PORT_MKEY_VIOL_F},
      {40, 4, IB_PORT_PKEY_VIOL_F},
      {41, 4, IB_PORT_QKEY_VIOL_F},
      {42, 4, IB_PORT_GUID_CAP_F},
      {43, 4, IB_PORT_CLIENT_REREG_F},
      {44, 4, IB_PORT_MCAST_PKEY_SUPR_ENAB_F},
      {45, 4, IB_PORT_SUBN_TIMEOUT_F},
      {47, 4, IB_PORT_RESP_TIME_VAL_F},
      {48, 4, IB_PORT_LOCAL_PHYS_ERR_F},
      {49, 4, IB_PORT_OVERRUN_ERR_F},
      {50, 4, IB_PORT_MAX_CREDIT_HINT_F},
      {52, 4, IB_PORT_LINK_ROUND_TRIP_F},
      {53, 4, IB_PORT_CAPMASK2_F},
      {54, 4, IB_PORT_LINK_SPEED_EXT_ACTIVE_F},
      {55, 4, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F},
      {57, 4, IB_PORT_LINK_SPEED_EXT_ENABLED_F}}},
    {Attribute::switch_info_record,
     {{2, 4, IB_SW_LINEAR_FDB_CAP_F},
      {3, 4, IB_SW_RANDOM_FDB_CAP_F},
      {4, 4, IB_SW_MCAST_FDB_CAP_F},
      {5, 4, IB_SW_LINEAR_FDB_TOP_F},
      {6, 4, IB_SW_DEF_PORT_F},
      {7, 4, IB_SW_DEF_MCAST_PRIM_F},
      {8, 4, IB_SW_DEF_MCAST_NOT_PRIM_F},
      {9, 4, IB_SW_LIFE_TIME_F},
      {10, 4, IB_SW_STATE_CHANGE_F},
      {11, 4, IB_SW_OPT_SLTOVL_MAPPING_F},
      {12, 4, IB_SW_LIDS_PER_PORT_F},
      {13, 4, IB_SW_PARTITION_ENFORCE_CAP_F},
      {14, 4, IB_SW_PARTITION_ENF_INB_F},
      {15, 4, IB_SW_PARTITION_ENF_OUTB_F},
      {16, 4, IB_SW_FILTER_RAW_INB_F},
      {17, 4, IB_SW_FILTER_RAW_OUTB_F},
      {18, 4, IB_SW_ENHANCED_PORT0_F},
      {20, 4, IB_SW_MCAST_FDB_TOP_F}}},
    {Attribute::linear_table_record, {{1, 2, IB_NO_FIELD, 2}}},
    {Attribute::multicast_table_record, {{1, 2, IB_NO_FIELD, 1, 0xF0}, {3, 2, IB_NO_FIELD, 2, 0x01}}},
    {Attribute::sl2vl_record, {{1, 2, IB_NO_FIELD, 1}, {2, 3, IB_NO_FIELD, 1}}, false, 1U << 1 | 1U << 2},
    {Attribute::vl_arbitration_record, {{1, 2, IB_NO_FIELD, 1}, {2, 3, IB_NO_FIELD, 1}}, false, 1U << 1},
    {Attribute::p_key_table_record, {{1, 2, IB_NO_FIELD, 2}, {2, 4, IB_NO_FIELD, 1}}},
    {Attribute::guid_info_record,
     {{1, 0, IB_SA_GIR_BLOCKNUM_F},
      {4, 0, IB_SA_GIR_GUID0_F},
      {5, 0, IB_SA_GIR_GUID1_F},
      {6, 0, IB_SA_GIR_GUID2_F},
      {7, 0, IB_SA_GIR_GUID3_F},
      {8, 0, IB_SA_GIR_GUID4_F},
      {9, 0, IB_SA_GIR_GUID5_F},
      {10, 0, IB_SA_GIR_GUID6_F},
      {11, 0, IB_SA_GIR_GUID7_F}}},
    {Attribute::sm_info_record,
     {{2, 4, IB_SMINFO_GUID_F},
      {3, 4, IB_SMINFO_KEY_F},
      {4, 4, IB_SMINFO_ACT_F},
      {5, 4, IB_SMINFO_PRIO_F},
      {6, 4, IB_SMINFO_STATE_F}}},
    {Attribute::link_record, {{1, 2, IB_NO_FIELD, 1}, {2, 3, IB_NO_FIELD, 1}}, true},
};

using test::records_of;
using test::SmallSnapshot;

/// Every table has something in it, and what agents may answer differs from port to port.
SmallSnapshot varied_fabric(std::uint64_t seed) {
  test::Shape shape = test::clos(3, 2, 4);
  shape.lmc = 1;
  SmallSnapshot small(shape);
  std::uint64_t random = seed;
  const auto next = [&random] {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint8_t>(random >> 60);  // values meet often
  };
  const auto vary = [&](auto& info, hw::Field lid) {
    hw::SmpData data = hw::encode(info);
    for (std::uint8_t& byte : data)
      if (next() < 4) byte = next();
    if (lid.width != 0) set(data, lid, get(hw::encode(info), lid));
    info = hw::decode<std::remove_reference_t<decltype(info)>>(data);
  };
  for (hw::NodeInfo& info : small.snapshot.nodes) vary(info, hw::node_info::kPartitionCap);
  for (hw::SwitchInfo& info : small.snapshot.switches) vary(info, hw::switch_info::kLinearTop);
  for (hw::PortInfo& info : small.snapshot.ports) vary(info, hw::port_info::kOperVls);
  small.add_group(Lid(0xC000), {small.host(0)});
  small.add_group(Lid(0xC000 + 100), {small.host(1)});
  small.set_arbitration({.high_limit = 0, .high = {{2, 30}}, .low = {{1, 10}}});
  small.snapshot.other_sms = {{small.host(3), Guid(5), true, {.guid = Guid(5), .priority = 2}},
                              {small.host(4), Guid(6), true, {.guid = Guid(6), .priority = 2}}};
  return small;
}

bool lid_is(const SmallSnapshot& small, const Record& record, std::size_t at, std::uint16_t lid) {
  const auto base = static_cast<std::uint16_t>(record[at] << 8U | record[at + 1]);
  return small.fabric().lid_owner(Lid(lid)) == small.fabric().lid_owner(Lid(base));
}

bool is_of_switch(const SmallSnapshot& small, const Record& record) {
  const auto owner = small.fabric().lid_owner(Lid(static_cast<std::uint16_t>(record[0] << 8U | record[1])));
  return small.fabric().is_switch(small.fabric().port(*owner).node);
}

/// The records of `all` that a request selects.
std::vector<Record> selected(const SmallSnapshot& small, const Judged& judged, const Query& query,
                             const std::vector<Record>& all) {
  const Record example(query.record.begin(), query.record.end());
  const auto lid_at = [&](std::size_t at) {
    return static_cast<std::uint16_t>(example[at] << 8U | example[at + 1]);
  };
  std::vector<Record> matching;
  for (const Record& record : all) {
    bool match = !query.has(0) || lid_is(small, record, 0, lid_at(0));
    if (judged.lid_is_last && query.has(3)) match &= lid_is(small, record, 4, lid_at(4));
    const std::uint64_t ignored = query.has(0) && !is_of_switch(small, record) ? judged.ports_of_switch : 0;
    for (const Judge& judge : judged.components)
      if (((query.mask & ~ignored) >> judge.component & 1) != 0)
        match &= judge.value(record) == judge.value(example);
    if (match) matching.push_back(record);
  }
  return matching;
}

/// A record of the table with some bytes changed, and few components selected.
test::Asked some_request(const Judged& judged, const std::vector<Record>& all) {
  test::Asked asked(Method::get_table, judged.attribute);
  const Record& like = all[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(all.size())))];
  std::ranges::copy(like, asked.bytes.begin());
  for (int changes = *rc::gen::inRange(0, 3); changes > 0; --changes)
    asked.bytes[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(like.size())))] =
        static_cast<std::uint8_t>(*rc::gen::inRange(0, 16));
  for (int components = *rc::gen::inRange(0, 4); components > 0; --components) {
    const auto pick =
        static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(judged.components.size())));
    asked.query.mask |= std::uint64_t{1} << judged.components[pick].component;
  }
  if (*rc::gen::inRange(0, 3) == 0) asked.query.mask |= 1;
  if (judged.lid_is_last && *rc::gen::arbitrary<bool>()) asked.query.mask |= 1U << 3;
  return asked;
}

class ComponentMask : public testing::TestWithParam<Judged> {};

TEST_P(ComponentMask, SelectsAsLibibmadReadsTheFields) {
  EXPECT_TRUE(test::check([](std::uint64_t seed) {
    const SmallSnapshot small = varied_fabric(seed);
    const std::vector<Record> all =
        records_of(test::Asked(Method::get_table, GetParam().attribute).of(small));
    RC_ASSERT(all.size() > 2U);
    test::Asked asked = some_request(GetParam(), all);
    const Answer table = asked.of(small);
    const std::vector<Record> expected = selected(small, GetParam(), asked.query, all);
    RC_ASSERT(records_of(table) == expected);
    asked.query.method = Method::get;
    const Answer one = asked.of(small);
    const Status status = expected.empty()       ? Status::no_records
                          : expected.size() == 1 ? Status::good
                                                 : Status::too_many_records;
    RC_ASSERT(one.status == status);
    RC_ASSERT(one.records == (expected.size() == 1 ? expected[0] : Record()));
  }));
}

/// Each component on its own: the value of one record selects just the records of that value.
TEST_P(ComponentMask, EachComponentOnItsOwn) {
  const SmallSnapshot small = varied_fabric(1);
  const std::vector<Record> all = records_of(test::Asked(Method::get_table, GetParam().attribute).of(small));
  for (const Judge& judge : GetParam().components)
    for (const Record& record : all) {
      test::Asked asked(Method::get_table, GetParam().attribute);
      std::ranges::copy(record, asked.bytes.begin());
      asked.query.mask = std::uint64_t{1} << judge.component;
      const Answer table = asked.of(small);
      EXPECT_EQ(records_of(table), selected(small, GetParam(), asked.query, all)) << judge.component;
    }
}

INSTANTIATE_TEST_SUITE_P(Sa, ComponentMask, testing::ValuesIn(kRecords), [](const auto& judged) {
  return fmt::format("attribute_{:02x}", static_cast<unsigned>(judged.param.attribute));
});

}  // namespace
}  // namespace rch::sa
