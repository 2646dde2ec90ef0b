#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include "sa/mc_member_fields.h"
#include "sa/mc_member_record.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

namespace mc = mc_member;
using test::Asked;
using test::records_of;
using test::SmallSnapshot;

constexpr Gid kMine = {0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

class McMember : public testing::Test {
 protected:
  McMember() {
    small.set_links({.mtu = 4, .rate = 7});
    groups.follow(small.snapshot);
  }

  Asked asked(Method method, const Gid& mgid, std::size_t host, unsigned state) const {
    return Asked(method, Attribute::mc_member_record)
        .with_bytes(mc::mgid, mc::kMgid, mgid)
        .with_bytes(mc::port_gid, mc::kPortGid, small.gid(small.host(host)))
        .with(mc::join_state, mc::kJoinState, state);
  }
  /// With all that creating a group needs.
  Asked creating(const Gid& mgid, std::size_t host, unsigned state = 1) const {
    return asked(Method::set, mgid, host, state)
        .with(mc::q_key, mc::kQKey, 0x77)
        .with(mc::traffic_class, mc::kTrafficClass, 0)
        .with(mc::pkey, mc::kPKey, 0xFFFF)
        .with(mc::flow_label, mc::kFlowLabelLow, 0)
        .with(mc::sl, mc::kSl, 0);
  }
  Answer ask(Asked query, std::size_t host) {
    return answer_mc_member(groups, small.snapshot, {.port = small.host(host)}, query.filled());
  }
  Status status(const Asked& query, std::size_t host) { return ask(query, host).status; }
  static std::uint64_t state(const Answer& answer) {
    EXPECT_EQ(answer.status, Status::good);
    return answer.records.empty() ? 0xFF : get(answer.records, hw::Field{48, 0, 8});
  }

  SmallSnapshot small{test::clos(2, 2, 2)};
  MulticastGroups groups;
};

TEST_F(McMember, BroadcastGroupStaysAndNeedsNoPlan) {
  const Gid broadcast = policy::partitions::broadcast_mgid(policy::partitions::kDefaultPKey, 2);
  const Answer joined = ask(asked(Method::set, broadcast, 1, 1), 1);
  EXPECT_EQ(state(joined), 0x21U);
  EXPECT_EQ(get(joined.records, mc::kMlid), 0xC000U);
  EXPECT_EQ(get(joined.records, mc::kQKey), 0x0B1BU);
  EXPECT_EQ(state(ask(asked(Method::remove, broadcast, 1, 1), 1)), 0x20U);
  EXPECT_NE(groups.find(broadcast), nullptr);
  EXPECT_EQ(groups.version(), 0U);
  EXPECT_TRUE(groups.joined().groups.empty());
}

// The states that osmtest goes through.
TEST_F(McMember, StatesAddUpAndGo) {
  EXPECT_EQ(state(ask(creating(kMine, 1), 1)), 0x21U);
  EXPECT_EQ(state(ask(asked(Method::set, kMine, 1, 2), 1)), 0x23U);
  EXPECT_EQ(status(asked(Method::remove, kMine, 1, 6), 1), Status::request_invalid);
  EXPECT_EQ(state(ask(asked(Method::remove, kMine, 1, 2), 1)), 0x21U);
  EXPECT_EQ(state(ask(asked(Method::set, kMine, 1, 4), 1)), 0x25U);
  EXPECT_EQ(state(ask(asked(Method::set, kMine, 1, 2), 1)), 0x27U);
  EXPECT_EQ(state(ask(asked(Method::remove, kMine, 1, 7), 1)), 0x20U);
  EXPECT_EQ(groups.find(kMine), nullptr);
}

TEST_F(McMember, GroupsOfHostsGoIntoThePlan) {
  ASSERT_EQ(status(creating(kMine, 1), 1), Status::good);
  ASSERT_EQ(status(asked(Method::set, kMine, 3, 4), 3), Status::good);
  const chains::JoinedGroups joined = groups.joined();
  ASSERT_EQ(joined.groups.size(), 1U);
  EXPECT_EQ(joined.groups[0].mlid, Lid(0xC001));
  EXPECT_THAT(joined.groups[0].members, testing::ElementsAre(small.guid(small.host(1))));
  EXPECT_THAT(joined.groups[0].senders, testing::ElementsAre(small.guid(small.host(3))));
  EXPECT_EQ(joined.given, std::vector{Lid(0xC001)});
  // The last member that keeps it leaves: the others go with it, and the MLID is free again.
  EXPECT_EQ(state(ask(asked(Method::remove, kMine, 1, 1), 1)), 0x20U);
  EXPECT_TRUE(groups.joined().groups.empty());
  EXPECT_EQ(get(ask(creating(kMine, 2), 2).records, mc::kMlid), 0xC001U);
}

TEST_F(McMember, WhatBecomesOfAGroupIsToldInItsOrder) {
  using What = GroupEvent::What;
  groups.take_events();
  ask(creating(kMine, 1), 1);
  ask(asked(Method::set, kMine, 1, 1), 1);  // as it was
  ask(asked(Method::set, kMine, 1, 2), 1);
  ask(asked(Method::remove, kMine, 1, 2), 1);
  ask(asked(Method::remove, kMine, 1, 1), 1);
  std::vector<std::pair<What, unsigned>> told;
  for (const GroupEvent& event : groups.take_events()) {
    EXPECT_EQ(event.mgid, kMine);
    EXPECT_EQ(event.mlid, Lid(0xC001));
    const bool of_member = event.what == What::joined || event.what == What::left;
    EXPECT_EQ(event.port, of_member ? small.guid(small.host(1)) : Guid{});
    told.emplace_back(event.what, event.join_state);
  }
  EXPECT_THAT(told, testing::ElementsAre(std::pair(What::created, 0U), std::pair(What::joined, 1U),
                                         std::pair(What::joined, 3U), std::pair(What::left, 1U),
                                         std::pair(What::left, 0U), std::pair(What::deleted, 0U)));
  EXPECT_TRUE(groups.take_events().empty());
}

/// ipoib_mcgroup_creation_validation (RFC 4391).
TEST_F(McMember, AGroupOfIpIsLikeTheBroadcastGroupIfSo) {
  const Gid all_hosts{0xFF, 0x12, 0x40, 0x1B, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(status(creating(all_hosts, 1), 1), Status::request_invalid) << "the Q_Key is another";
  small.snapshot.plan.options.administration.check_ip_groups = false;
  EXPECT_EQ(status(creating(all_hosts, 1), 1), Status::good);
}

/// override_create_mcg_sl.
TEST_F(McMember, NewGroupsHaveAnotherSlIfSo) {
  small.snapshot.plan.options.administration.new_group_sl = 5;
  EXPECT_EQ(get(ask(creating(kMine, 1), 1).records, mc::kSl), 5U);
  EXPECT_EQ(status(asked(Method::set, kMine, 2, 1).with(mc::sl, mc::kSl, 0), 2), Status::good);
}

/// mcgroup_join_validation.
TEST_F(McMember, WhatAJoinSaysOfAGroupIsComparedIfSo) {
  ASSERT_EQ(status(creating(kMine, 1), 1), Status::good);
  const auto other = [&] { return asked(Method::set, kMine, 2, 1).with(mc::q_key, mc::kQKey, 0x78); };
  EXPECT_EQ(status(other(), 2), Status::request_invalid);
  small.snapshot.plan.options.administration.check_joins = false;
  EXPECT_EQ(status(other(), 2), Status::good);
  EXPECT_EQ(get(ask(other(), 2).records, mc::kQKey), 0x77U) << "the group stays as it is";
  small.set_link(small.host(3), {.mtu = 4, .rate = 2});
  EXPECT_EQ(status(asked(Method::set, kMine, 3, 1), 3), Status::request_invalid) << "its link is too slow";
}

/// ff12:601b:PKEY::1:ffXX:XXXX, with the last byte.
Gid solicited(std::uint8_t last, std::uint8_t scope = 2) {
  return {0xFF, static_cast<std::uint8_t>(0x10 | scope), 0x60, 0x1B, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1, 0xFF, 0, 0,
          last};
}

class SolicitedNodes : public McMember {
 protected:
  SolicitedNodes() { small.snapshot.plan.options.administration.consolidate_ipv6_groups = true; }

  std::uint64_t mlid(const Gid& mgid, std::size_t host, unsigned state = 1) {
    const Answer answer = ask(creating(mgid, host, state).with(mc::q_key, mc::kQKey, 0x0B1B), host);
    EXPECT_EQ(answer.status, Status::good);
    return answer.records.empty() ? 0 : get(answer.records, mc::kMlid);
  }
};

TEST_F(SolicitedNodes, ShareAnMlid) {
  ASSERT_EQ(mlid(kMine, 1), 0xC001U);
  EXPECT_EQ(mlid(solicited(1), 1), 0xC002U);
  EXPECT_EQ(mlid(solicited(2), 2), 0xC002U);
  Gid all_nodes = solicited(0);
  all_nodes[12] = 0;
  EXPECT_EQ(mlid(all_nodes, 2), 0xC003U) << "another kind of group";
  small.snapshot.plan.options.administration.consolidate_ipv6_groups = false;
  EXPECT_EQ(mlid(solicited(3), 3), 0xC004U);
}

/// consolidate_ipv4_mask.
TEST_F(SolicitedNodes, GroupsOfIpv4ShareAnMlidByTheMask) {
  const auto ipv4 = [](std::uint8_t high, std::uint8_t low) -> Gid {
    return {0xFF, 0x12, 0x40, 0x1B, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0x00, high, 0, low};
  };
  ASSERT_EQ(mlid(ipv4(1, 1), 1), 0xC001U);
  EXPECT_EQ(mlid(ipv4(1, 2), 1), 0xC002U) << "the default compares all bits";
  small.snapshot.plan.options.administration.consolidate_ipv4_mask = 0xFF;
  EXPECT_EQ(mlid(ipv4(9, 2), 2), 0xC002U);
  EXPECT_EQ(mlid(ipv4(9, 1), 2), 0xC001U);
  EXPECT_EQ(mlid(ipv4(1, 3), 1), 0xC003U) << "the bits of the mask differ";
}

TEST_F(SolicitedNodes, HaveOneTreeWithTheMembersOfAll) {
  mlid(solicited(1), 1);
  mlid(solicited(2), 2);
  ASSERT_EQ(status(asked(Method::set, solicited(2), 1, 4), 1), Status::good);
  ASSERT_EQ(status(asked(Method::set, solicited(1), 3, 4), 3), Status::good);
  const chains::JoinedGroups joined = groups.joined();
  ASSERT_EQ(joined.groups.size(), 1U);
  EXPECT_THAT(joined.groups[0].members,
              testing::ElementsAre(small.guid(small.host(1)), small.guid(small.host(2))));
  EXPECT_THAT(joined.groups[0].senders, testing::ElementsAre(small.guid(small.host(3))));
  // The MLID stays in use until the last of them is gone.
  EXPECT_EQ(state(ask(asked(Method::remove, solicited(1), 1, 1), 1)), 0x20U);
  EXPECT_EQ(mlid(kMine, 1), 0xC002U);
  EXPECT_EQ(state(ask(asked(Method::remove, solicited(2), 2, 1), 2)), 0x20U);
  EXPECT_EQ(mlid(solicited(3), 3), 0xC001U);
}

TEST_F(McMember, AGroupNeedsADataVl) {
  fabric::Sl2VlMap map = fabric::kIdentitySl2Vl;
  map[15] = 15;  // the VL of management
  small.set_adapter_map(map);
  for (unsigned sl = 0; sl < 16; ++sl) {
    groups = {};
    EXPECT_EQ(status(creating(kMine, 1).with(mc::sl, mc::kSl, sl), 1),
              sl < 15 ? Status::good : Status::request_invalid)
        << sl;
  }
}

// o15-0.1.12: a plan has to follow when a port that only sends receives, too, and when it does no more.
TEST_F(McMember, WhoOnlySendsDoesNotReceive) {
  ASSERT_EQ(status(creating(kMine, 1), 1), Status::good);
  const auto version = [&] { return groups.version(); };
  const auto senders = [&] { return groups.joined().groups[0].senders.size(); };
  std::uint64_t before = version();
  ASSERT_EQ(status(asked(Method::set, kMine, 3, 4), 3), Status::good);
  EXPECT_EQ(senders(), 1U);
  EXPECT_NE(std::exchange(before, version()), version());
  ASSERT_EQ(status(asked(Method::set, kMine, 3, 2), 3), Status::good);
  EXPECT_EQ(senders(), 0U);
  EXPECT_NE(std::exchange(before, version()), version());
  ASSERT_EQ(status(asked(Method::set, kMine, 3, 1), 3), Status::good);
  EXPECT_EQ(std::exchange(before, version()), version());
  ASSERT_EQ(status(asked(Method::remove, kMine, 3, 3), 3), Status::good);
  EXPECT_EQ(senders(), 1U);
  EXPECT_NE(before, version());
}

TEST_F(McMember, CreationNeedsItsComponents) {
  const Asked whole = creating(kMine, 1);
  for (const mc::Component left_out : {mc::q_key, mc::traffic_class, mc::pkey, mc::flow_label, mc::sl,
                                       mc::mgid, mc::port_gid, mc::join_state}) {
    Asked query = whole;
    query.query.mask &= ~(std::uint64_t{1} << left_out);
    EXPECT_EQ(status(query, 1), Status::insufficient_components) << left_out;
  }
  for (const unsigned joins : {2U, 4U, 6U})
    EXPECT_EQ(status(creating(kMine, 1, joins), 1), Status::request_invalid);
  EXPECT_EQ(status(Asked(whole).with(mc::pkey, mc::kPKey, 0x8005), 1), Status::request_invalid);
  EXPECT_EQ(status(Asked(whole).with(mc::mtu_selector, mc::kMtuSelector, 0).with(mc::mtu, mc::kMtu, 4), 1),
            Status::request_invalid);
  EXPECT_EQ(
      status(Asked(whole).with(mc::rate_selector, mc::kRateSelector, 2).with(mc::rate, mc::kRate, 16), 1),
      Status::request_invalid);
  EXPECT_EQ(groups.find(kMine), nullptr);
}

TEST_F(McMember, AddressesHaveAForm) {
  const auto with = [](std::initializer_list<std::pair<std::size_t, std::uint8_t>> bytes) {
    Gid gid = kMine;
    for (const auto& [at, value] : bytes) gid[at] = value;
    return gid;
  };
  EXPECT_EQ(status(creating(with({{0, 0xFA}}), 1), 1), Status::request_invalid);
  EXPECT_EQ(status(creating(with({{1, 0x22}}), 1), 1), Status::request_invalid);
  EXPECT_EQ(status(creating(with({{3, 0x1B}}), 1), 1), Status::request_invalid);  // A01B is ours, link-local
  EXPECT_EQ(status(creating(with({{1, 0x1F}}), 1), 1), Status::good);
  const Answer made = ask(creating(Gid{}, 1), 1);
  ASSERT_EQ(made.status, Status::good);
  EXPECT_EQ(get(made.records, hw::Field{0, 0, 32}), 0xFF12A01BU);
  // An IP group of a partition goes by its broadcast group.
  const Gid ip = {0xFF, 0x12, 0x40, 0x1B, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(status(creating(ip, 1), 1), Status::request_invalid);
  EXPECT_EQ(status(creating(ip, 1).with(mc::q_key, mc::kQKey, 0x0B1B), 1), Status::good);
}

TEST_F(McMember, ProxyJoin) {
  ASSERT_EQ(status(creating(kMine, 1), 2), Status::good);
  EXPECT_TRUE(groups.find(kMine)->member(small.guid(small.host(1)))->proxy);
  EXPECT_EQ(status(asked(Method::set, kMine, 3, 1), 3), Status::good);
  EXPECT_EQ(status(asked(Method::remove, kMine, 3, 1), 2), Status::request_invalid);
  EXPECT_EQ(state(ask(asked(Method::remove, kMine, 1, 1), 2)), 0x20U);
}

TEST_F(McMember, ListsTellMembersToTheTrustedOnly) {
  ASSERT_EQ(status(creating(kMine, 1), 1), Status::good);
  ASSERT_EQ(status(asked(Method::set, kMine, 3, 1), 3), Status::good);
  const auto list = [&](bool trusted) {
    Asked query =
        Asked(Method::get_table, Attribute::mc_member_record).with_bytes(mc::mgid, mc::kMgid, kMine);
    return records_of(answer_mc_member(groups, small.snapshot, {.port = small.host(0), .trusted = trusted},
                                       query.filled()));
  };
  EXPECT_EQ(list(true).size(), 2U);
  ASSERT_EQ(list(false).size(), 1U);
  EXPECT_EQ(get(list(false)[0], hw::Field{16, 0, 64}), 0U);
  EXPECT_EQ(status(Asked(Method::get, Attribute::mc_member_record), 0), Status::too_many_records);
  EXPECT_EQ(status(Asked(Method::get, Attribute::mc_member_record).with(mc::mlid, mc::kMlid, 0xC001), 0),
            Status::good);
}

TEST_F(McMember, VanishedPortsLeave) {
  ASSERT_EQ(status(creating(kMine, 3), 3), Status::good);
  const SmallSnapshot smaller(test::Shape{.hosts = {2, 1}, .cables = {{0, 1}}});
  groups.follow(smaller.snapshot);
  EXPECT_EQ(groups.find(kMine), nullptr);
}

// Whatever hosts ask for, no two groups of theirs share an MLID, none lives without somebody who keeps it,
// and the version tells of each change.
RC_GTEST_FIXTURE_PROP(McMember, AnythingGoes, ()) {
  const auto steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    Gid mgid = kMine;
    mgid[15] = *rc::gen::inRange<std::uint8_t>(0, 4);
    const auto host = *rc::gen::inRange<std::size_t>(0, 4);
    const auto bits = *rc::gen::inRange(0U, 16U);
    const std::uint64_t version = groups.version();
    const chains::JoinedGroups before = groups.joined();
    if (*rc::gen::arbitrary<bool>())
      ask(creating(mgid, host, bits), *rc::gen::inRange<std::size_t>(0, 4));
    else
      ask(asked(Method::remove, mgid, host, bits), host);
    const chains::JoinedGroups after = groups.joined();
    std::set<Lid> mlids;
    bool same = before.groups.size() == after.groups.size();
    for (std::size_t g = 0; g < after.groups.size(); ++g) {
      mlids.insert(after.groups[g].mlid);
      same = same && before.groups[g].mlid == after.groups[g].mlid &&
             before.groups[g].members == after.groups[g].members;
    }
    RC_ASSERT(mlids.size() == after.groups.size());
    RC_ASSERT(same || groups.version() != version);
    for (const auto& [gid, group] : groups.all())
      RC_ASSERT(group.planned || std::ranges::any_of(group.members, [](const GroupMember& m) {
                  return (m.join_state & kKeepsGroup) != 0;
                }));
  }
}

}  // namespace
}  // namespace rch::sa
