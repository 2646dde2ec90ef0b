#include <gtest/gtest.h>

#include "sa/group_path.h"
#include "sa/path_fields.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

namespace pr = path_record;
using test::Asked;
using test::records_of;
using test::SmallSnapshot;

constexpr Gid kLocal = {0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
              kWide = {0xFF, 0x15, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};

class GroupPath : public testing::Test {
 protected:
  GroupPath() {
    groups.follow(small.snapshot);
    for (const Gid& mgid : {kLocal, kWide}) {
      GroupTraits traits{.mgid = mgid, .pkey = 0xFFFF, .mtu = 4, .rate = 7, .life = 18, .sl = 3};
      traits.traffic_class = 5;
      traits.flow_label = 0x12345;
      groups.create(small.snapshot, traits);
      groups.join(mgid,
                  {.port = small.guid(small.host(1)), .join_state = 1, .at = small.guid(small.host(1))});
    }
  }

  Asked to(const Gid& mgid, Method method = Method::get) const {
    return Asked(method, Attribute::path_record).with_bytes(pr::kDgidComponent, pr::kDgid, mgid);
  }
  Answer ask(Asked asked, std::size_t host = 1, bool trusted = false) {
    EXPECT_TRUE(leads_to_group(asked.filled()));
    return answer_group_path(groups, small.snapshot, {.port = small.host(host), .trusted = trusted},
                             asked.filled());
  }
  Lid mlid(const Gid& mgid) const { return groups.find(mgid)->mlid; }

  SmallSnapshot small{test::clos(2, 2, 2)};
  MulticastGroups groups;
};

TEST_F(GroupPath, IsWhatTheMembersShare) {
  const Answer answer = ask(to(kLocal));
  ASSERT_EQ(answer.status, Status::good);
  ASSERT_EQ(answer.records.size(), pr::kSize);
  const auto value = [&](const auto& field) { return get(answer.records, field); };
  EXPECT_EQ(read_gid(std::span(answer.records).subspan(pr::kDgid)), kLocal);
  EXPECT_EQ(read_gid(std::span(answer.records).subspan(pr::kSgid)), small.gid(small.host(1)));
  EXPECT_EQ(value(pr::kDlid), mlid(kLocal).value);
  EXPECT_EQ(value(pr::kSlid), small.lid(small.host(1)).value);
  EXPECT_EQ(value(pr::kFields.pkey.field), 0xFFFFU);
  EXPECT_EQ(value(pr::kFields.sl.field), 3U);
  EXPECT_EQ(value(pr::kFields.mtu.value), 4U);
  EXPECT_EQ(value(pr::kFields.rate.value), 7U);
  EXPECT_EQ(value(pr::kFields.life.value), 18U);
  EXPECT_EQ(value(pr::kFields.mtu.selector), 2U);
  EXPECT_EQ(value(pr::kFields.traffic_class.field), 5U);
  EXPECT_EQ(value(pr::kFields.flow_label.field), 0x12345U);
  EXPECT_EQ(value(pr::kFields.reversible.field), 0U);
}

TEST_F(GroupPath, StaysOnTheLinkOrGoesAnywhere) {
  const auto hops = [&](const Gid& mgid) { return get(ask(to(mgid)).records, pr::kHopLimit.field); };
  EXPECT_EQ(hops(kLocal), 0U);
  EXPECT_EQ(hops(kWide), 255U);
  EXPECT_EQ(ask(to(kWide).with(pr::kHopLimit.number, pr::kHopLimit.field, 64)).status, Status::no_records);
}

TEST_F(GroupPath, MlidWillDo) {
  const Asked by_lid =
      Asked(Method::get, Attribute::path_record).with(pr::kDlidComponent, pr::kDlid, mlid(kWide).value);
  const Answer answer = ask(by_lid);
  ASSERT_EQ(answer.status, Status::good);
  EXPECT_EQ(read_gid(std::span(answer.records).subspan(pr::kDgid)), kWide);
  EXPECT_EQ(ask(to(kLocal).with(pr::kDlidComponent, pr::kDlid, mlid(kWide).value)).status,
            Status::no_records);
  Asked unicast = Asked(Method::get, Attribute::path_record).with(pr::kDlidComponent, pr::kDlid, 0xBFFF);
  EXPECT_FALSE(leads_to_group(unicast.filled()));
}

TEST_F(GroupPath, SourceIsAMember) {
  EXPECT_EQ(ask(to(kLocal), 0).status, Status::no_records);
  const auto from = [&](std::size_t host) {
    return to(kLocal).with_bytes(pr::kSgidComponent, pr::kSgid, small.gid(small.host(host)));
  };
  EXPECT_EQ(ask(from(1), 0).status, Status::good);
  EXPECT_EQ(ask(from(2), 0).status, Status::no_records);
  const Answer table = ask(to(kLocal, Method::get_table), 0);
  EXPECT_EQ(table.status, Status::good);
  EXPECT_TRUE(table.records.empty());
  EXPECT_EQ(records_of(ask(to(kLocal, Method::get_table))).size(), 1U);
}

TEST_F(GroupPath, TraitsOfAGroupAreNotLowered) {
  const auto status = [&](const Asked& asked) { return ask(asked).status; };
  const auto mtu = [&](unsigned selector, unsigned value) {
    return status(to(kLocal).with(16, {54, 0, 2}, selector).with(17, {54, 2, 6}, value));
  };
  EXPECT_EQ(mtu(2, 4), Status::good);
  EXPECT_EQ(mtu(2, 3), Status::no_records);
  EXPECT_EQ(mtu(1, 4), Status::no_records);
  EXPECT_EQ(mtu(1, 5), Status::good);
  EXPECT_EQ(mtu(0, 3), Status::good);
  EXPECT_EQ(mtu(0, 4), Status::no_records);
  EXPECT_EQ(mtu(2, 6), Status::request_invalid);
  const auto& f = pr::kFields;
  EXPECT_EQ(status(to(kLocal).with(f.sl.number, f.sl.field, 3)), Status::good);
  EXPECT_EQ(status(to(kLocal).with(f.sl.number, f.sl.field, 2)), Status::no_records);
  EXPECT_EQ(status(to(kLocal).with(f.pkey.number, f.pkey.field, 0x7FFF)), Status::good);
  EXPECT_EQ(status(to(kLocal).with(f.pkey.number, f.pkey.field, 0x8001)), Status::no_records);
  EXPECT_EQ(status(to(kLocal).with(f.reversible.number, f.reversible.field, 1)), Status::no_records);
}

TEST_F(GroupPath, NotSeenFromOtherPartitions) {
  small.set_pkeys({{small.host(0), {0x8001}}, {small.host(1), {0xFFFF, 0x8001}}});
  const auto from_1 = to(kLocal).with_bytes(pr::kSgidComponent, pr::kSgid, small.gid(small.host(1)));
  EXPECT_EQ(ask(from_1, 0).status, Status::no_records);
  EXPECT_EQ(ask(from_1, 0, true).status, Status::good);
  EXPECT_EQ(ask(from_1, 1).status, Status::good);
}

}  // namespace
}  // namespace rch::sa
