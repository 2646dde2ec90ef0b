#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include "sa/multi_path_record.h"
#include "sa/path_fields.h"
#include "sa/path_record.h"
#include "sa/path_walk.h"
#include "sa/rates.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

namespace pr = path_record;
using test::Asked;
using test::records_of;
using test::SmallSnapshot;

/// Two leaves with two hosts each, two spines; hosts 0 to 3 have four LIDs from 8, 12, 16, 20.
Answer ask(const SmallSnapshot& small, Asked asked, std::optional<PortId> from = {}) {
  return answer_path_record(small.snapshot, {.port = from.value_or(small.snapshot.local)}, asked.filled());
}

Asked between(const SmallSnapshot& small, std::size_t from, std::size_t to, Method method = Method::get) {
  return Asked(method, Attribute::path_record)
      .with_bytes(pr::kSgidComponent, pr::kSgid, small.gid(small.host(from)))
      .with_bytes(pr::kDgidComponent, pr::kDgid, small.gid(small.host(to)));
}

TEST(PathRecord, TellsWhatTheWayIsLike) {
  const SmallSnapshot small = test::with_four_lids();
  const Answer answer = ask(small, between(small, 0, 3));
  ASSERT_EQ(answer.status, Status::good);
  ASSERT_EQ(answer.records.size(), pr::kSize);
  const auto value = [&](hw::Field field) { return get(answer.records, field); };
  EXPECT_EQ(value(pr::kSlid), 8U);
  EXPECT_EQ(value(pr::kDlid), 20U);
  EXPECT_EQ(value(pr::kFields.pkey.field), 0xFFFFU);
  EXPECT_EQ(value(pr::kFields.reversible.field), 1U);
  const auto way = walk(small.snapshot, small.host(0), Lid(20));
  ASSERT_TRUE(way);
  EXPECT_EQ(value(pr::kFields.mtu.value), way->mtu);
  EXPECT_EQ(value(pr::kFields.rate.value), way->rate);
  EXPECT_EQ(value(pr::kFields.mtu.selector), 2U);
  EXPECT_EQ(value(pr::kFields.life.value), 18U);
}

/// Two leaves with two hosts each; the last two adapters are routers.
SmallSnapshot with_routers(std::vector<policy::PrefixRoute> routes) {
  test::Shape shape = test::clos(2, 2, 2);
  shape.routers = 2;
  SmallSnapshot small(shape);
  small.snapshot.prefix_routes = std::make_shared<const std::vector<policy::PrefixRoute>>(std::move(routes));
  return small;
}

constexpr std::uint64_t kNear = 0xFEC0000000000007, kFar = 0xFEC0000000000008;

/// LID to which packets to a subnet go; 0: the answer has no record.
std::uint64_t next_hop(const SmallSnapshot& small, std::uint64_t prefix, Asked asked) {
  const Gid gid = make_gid(prefix, Guid(0x77));
  const Answer answer = ask(small, asked.with_bytes(pr::kDgidComponent, pr::kDgid, gid));
  if (answer.records.empty()) return 0;
  EXPECT_EQ(read_gid(std::span(answer.records).subspan(pr::kDgid, sizeof(Gid))), gid);
  EXPECT_EQ(get(answer.records, pr::kHopLimit.field), 255U);
  return get(answer.records, pr::kDlid);
}

TEST(PathRecord, LeadsToTheRouterOfAnotherSubnet) {
  const SmallSnapshot plain = with_routers({});
  const std::uint64_t first = plain.lid(plain.host(2)).value, second = plain.lid(plain.host(3)).value;
  const Guid gone(0xDEAD), other = plain.guid(plain.host(3));
  const auto asked = [&](Method method) {
    return Asked(method, Attribute::path_record)
        .with_bytes(pr::kSgidComponent, pr::kSgid, plain.gid(plain.host(0)));
  };
  const auto to = [&](const SmallSnapshot& small, std::uint64_t prefix) {
    return next_hop(small, prefix, asked(Method::get));
  };
  EXPECT_EQ(to(plain, kNear), 0U) << "no line of the file";
  const SmallSnapshot one = with_routers({{kNear, other, {}}});
  EXPECT_EQ(to(one, kNear), second);
  EXPECT_EQ(to(one, kFar), 0U);
  EXPECT_EQ(next_hop(one, kNear, asked(Method::get_table)), second);
  const SmallSnapshot any = with_routers({{kNear, gone, {}}, {kNear, other, {}}, {{}, {}, {}}});
  EXPECT_EQ(to(any, kNear), second) << "the router of the first line is gone";
  EXPECT_EQ(to(any, kFar), first) << "by GUID";
  const Answer none =
      ask(one, asked(Method::get).with_bytes(pr::kDgidComponent, pr::kDgid, make_gid(kFar, other)));
  EXPECT_EQ(none.status, Status::no_records);
}

TEST(PathRecord, ToAnotherSubnetIsLimitedByOptions) {
  SmallSnapshot small = with_routers({{{}, {}, {}}});
  small.set_links({.mtu = 5, .rate = 21});
  small.snapshot.plan.options.inter_subnet = {.flow_label = 0x12345, .traffic_class = 7, .sl = 3};
  const auto path = [&] {
    return ask(small, Asked(Method::get, Attribute::path_record)
                          .with_bytes(pr::kSgidComponent, pr::kSgid, small.gid(small.host(0)))
                          .with_bytes(pr::kDgidComponent, pr::kDgid, make_gid(kFar, Guid(0x77))));
  };
  const Answer limited = path();
  const auto value = [](const Answer& answer, hw::Field field) { return get(answer.records, field); };
  EXPECT_EQ(value(limited, pr::kFields.mtu.value), 4U);
  EXPECT_EQ(value(limited, pr::kFields.rate.value), 16U);
  EXPECT_EQ(value(limited, pr::kFields.sl.field), 3U);
  EXPECT_EQ(value(limited, pr::kFields.traffic_class.field), 7U);
  EXPECT_EQ(get(limited.records, pr::kFields.flow_label.field), 0x12345U);
  small.snapshot.plan.options.inter_subnet = {.mtu = 255, .rate = 255};
  EXPECT_EQ(value(path(), pr::kFields.mtu.value), 5U);
  EXPECT_EQ(value(path(), pr::kFields.rate.value), 21U);
  const Answer near = ask(small, between(small, 0, 1));
  EXPECT_EQ(value(near, pr::kHopLimit.field), 0U);
}

TEST(PathRecord, IsReversibleIfTheWayBackCarriesItsSl) {
  SmallSnapshot small = test::with_four_lids();
  const auto reversible = [&] {
    return get(ask(small, between(small, 0, 3)).records, pr::kFields.reversible.field);
  };
  EXPECT_EQ(reversible(), 1U);
  small.set_maps_to(small.switch_port(0, 1), SmallSnapshot::kDropsAll);
  EXPECT_EQ(reversible(), 0U) << "the leaf drops what goes to host 0";
  const Asked asked =
      between(small, 0, 3).with(pr::kFields.reversible.number, pr::kFields.reversible.field, 1);
  EXPECT_EQ(ask(small, asked).status, Status::no_records);
}

TEST(PathRecord, ALinkLetsThroughWhatBothItsEndsDo) {
  SmallSnapshot small = test::with_four_lids();
  const PortId host = small.host(3), sw = small.fabric().port(host).peer;
  small.snapshot.ports[sw.index()].neighbor_mtu = 2;
  small.snapshot.ports[host.index()].neighbor_mtu = 5;
  small.snapshot.ports[host.index()].width_active = fabric::LinkWidth::x1;
  small.snapshot.ports[sw.index()].width_active = fabric::LinkWidth::x4;
  small.snapshot.ports[host.index()].speed_active = small.snapshot.ports[sw.index()].speed_active = 1;
  constexpr std::uint8_t kNoLimit = 63, kOneLaneSdr = 2;
  const std::vector<Link> links = links_of(small.fabric(), small.snapshot.ports, kNoLimit);
  for (const PortId end : {host, sw}) {
    EXPECT_EQ(links[end.index()].traits.mtu, 2U);
    EXPECT_EQ(links[end.index()].traits.rate, kOneLaneSdr);
  }
  EXPECT_EQ(links[host.index()].peer, sw);
  EXPECT_TRUE(links[sw.index()].sw.is_none()) << "a host is behind it";
}

TEST(PathRecord, SlowestLinkAndSmallestMtuCount) {
  SmallSnapshot small = test::with_four_lids();
  small.set_links({.mtu = 5, .rate = 16});
  small.set_link(small.host(3), {.mtu = 2, .rate = 2});
  const Answer answer = ask(small, between(small, 0, 3));
  EXPECT_EQ(get(answer.records, pr::kFields.mtu.value), 2U);
  EXPECT_EQ(get(answer.records, pr::kFields.rate.value), 2U);
  EXPECT_EQ(ask(small, between(small, 0, 3).with(16, {54, 0, 2}, 0).with(17, {54, 2, 6}, 2)).status,
            Status::no_records);
  EXPECT_EQ(ask(small, between(small, 0, 3).with(16, {54, 0, 2}, 1).with(17, {54, 2, 6}, 2)).status,
            Status::good);
}

TEST(PathRecord, NoSlThatTheSourceCannotSend) {
  SmallSnapshot small = test::with_four_lids();
  fabric::Sl2VlMap map = fabric::kIdentitySl2Vl;
  map[5] = 15;
  small.set_adapter_map(map);
  const auto ask_for = [&](std::uint8_t sl) {
    return ask(small, between(small, 0, 3).with(pr::kFields.sl.number, pr::kFields.sl.field, sl)).status;
  };
  EXPECT_EQ(ask_for(4), Status::good);
  EXPECT_EQ(ask_for(5), Status::no_records);
}

TEST(PathRecord, EveryPairOfLids) {
  const SmallSnapshot small = test::with_four_lids();
  const auto records = records_of(ask(small, between(small, 0, 3, Method::get_table)));
  ASSERT_EQ(records.size(), 16U);
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const auto& record : records) pairs.emplace(get(record, pr::kSlid), get(record, pr::kDlid));
  EXPECT_EQ(pairs.size(), 16U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(get(records[i], pr::kSlid), 8 + i);
    EXPECT_EQ(get(records[i], pr::kDlid), 20 + i);
    EXPECT_EQ(get(records[i], pr::kPreference), 0U);
  }
  const auto three = between(small, 0, 3, Method::get_table).with(12, {49, 1, 7}, 3);
  EXPECT_EQ(records_of(ask(small, three)).size(), 3U);
}

TEST(PathRecord, NeedsACommonPartition) {
  SmallSnapshot small = test::with_four_lids();
  small.set_pkeys({{small.host(0), {0x7FFF, 0x8001}},
                   {small.host(1), {0x7FFF, 0x0002}},
                   {small.host(2), {0xFFFF, 0x8002}},
                   {small.host(3), {0x7FFF, 0x0001}}});
  const auto pkey = [&](std::size_t from, std::size_t to) -> std::uint64_t {
    const Answer answer = ask(small, between(small, from, to), small.host(2));
    return answer.status == Status::good ? get(answer.records, pr::kFields.pkey.field) : 0;
  };
  EXPECT_EQ(pkey(0, 1), 0U);  // two limited members
  EXPECT_EQ(pkey(0, 2), 0x7FFFU);
  EXPECT_EQ(pkey(2, 0), 0xFFFFU);
  EXPECT_EQ(pkey(0, 3), 0x8001U);
  EXPECT_EQ(pkey(3, 0), 0x0001U);
  const auto asked = between(small, 1, 2).with(13, pr::kFields.pkey.field, 0x8002);
  const Answer limited = ask(small, asked, small.host(2));
  ASSERT_EQ(limited.status, Status::good);
  EXPECT_EQ(get(limited.records, pr::kFields.pkey.field), 0x0002U);
  const auto foreign = between(small, 0, 2).with(13, pr::kFields.pkey.field, 0x8002);
  EXPECT_EQ(ask(small, foreign).status, Status::no_records);
  // A host learns nothing of a port with which it shares no partition.
  EXPECT_EQ(ask(small, between(small, 2, 1), small.host(0)).status, Status::no_records);
}

TEST(PathRecord, BadRequestsAreToldSo) {
  const SmallSnapshot small = test::with_four_lids();
  EXPECT_EQ(ask(small, between(small, 0, 1).with(0, {0, 0, 32}, 1)).status, Status::insufficient_components);
  EXPECT_EQ(ask(small, between(small, 0, 1).with(16, {54, 0, 2}, 2).with(17, {54, 2, 6}, 6)).status,
            Status::request_invalid);
  EXPECT_EQ(ask(small, between(small, 0, 1).with(18, {55, 0, 2}, 2).with(19, {55, 2, 6}, 1)).status,
            Status::request_invalid);
  EXPECT_EQ(ask(small, between(small, 0, 1).with(pr::kSlidComponent, pr::kSlid, 12)).status,
            Status::request_invalid);
  EXPECT_EQ(ask(small, between(small, 0, 1).with(pr::kSlidComponent, pr::kSlid, 0xFFFF)).status,
            Status::no_records);
  EXPECT_TRUE(ask(small, between(small, 0, 1, Method::get_table).with(pr::kSlidComponent, pr::kSlid, 99))
                  .records.empty());
}

TEST(PathRecord, BothEndsMayBeLeftOut) {
  const SmallSnapshot small = test::with_four_lids();
  const std::size_t pairs =
      records_of(ask(small, Asked(Method::get_table, Attribute::path_record).with(12, {49, 1, 7}, 1))).size();
  EXPECT_EQ(pairs, 8U * 8);  // four hosts, ports 0 of four switches
}

/// sa_pr_full_world_queries_allowed.
TEST(PathRecord, AllPathsOfAllPortsMayBeRefused) {
  SmallSnapshot small = test::with_four_lids();
  small.snapshot.plan.options.administration.lists_all_paths = false;
  EXPECT_EQ(ask(small, Asked(Method::get_table, Attribute::path_record)).status,
            Status::insufficient_components);
  EXPECT_EQ(ask(small, Asked(Method::get_table, Attribute::path_record)
                           .with(pr::kSlidComponent, pr::kSlid, small.lid(small.host(1)).value))
                .status,
            Status::good);
  EXPECT_EQ(ask(small, Asked(Method::get, Attribute::path_record)).status, Status::good) << "one path";
}

Answer ask_multi(const SmallSnapshot& small, std::vector<PortId> from, std::vector<PortId> to,
                 unsigned number) {
  namespace m = multi_path_record;
  Asked asked(Method::get_multi, Attribute::multi_path_record);
  asked.with(m::kSources.number, m::kSources.field, from.size())
      .with(m::kDestinations.number, m::kDestinations.field, to.size());
  asked.with(m::kFields.number_of_paths.number, m::kFields.number_of_paths.field, number);
  from.insert(from.end(), to.begin(), to.end());
  asked.bytes.resize(std::max(asked.bytes.size(), m::kGids + 16 * from.size()));
  for (std::size_t i = 0; i < from.size(); ++i)
    std::ranges::copy(small.gid(from[i]),
                      asked.bytes.begin() + static_cast<std::ptrdiff_t>(m::kGids + 16 * i));
  asked.query.in_segments = true;
  return answer_multi_path(small.snapshot, {.port = small.snapshot.local}, asked.filled());
}

TEST(MultiPathRecord, TwoPathsThatShareNoPort) {
  const SmallSnapshot small = test::with_four_lids();
  const auto records =
      records_of(ask_multi(small, {small.host(0), small.host(1)}, {small.host(2), small.host(3)}, 2));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_NE(get(records[0], pr::kSlid), get(records[1], pr::kSlid));
  EXPECT_NE(get(records[0], pr::kDlid), get(records[1], pr::kDlid));
  EXPECT_EQ(records_of(ask_multi(small, {small.host(0)}, {small.host(2), small.host(3)}, 0)).size(), 32U);
  EXPECT_EQ(ask_multi(small, {}, {small.host(1)}, 1).status, Status::request_invalid);
  EXPECT_EQ(ask_multi(small, std::vector(6, small.host(0)), std::vector(6, small.host(1)), 1).status,
            Status::request_invalid);
}

RC_GTEST_PROP(PathRecord, AnswersAreWhatWasAsked, ()) {
  test::Shape shape = test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), 6);
  shape.hosts.front() = std::max(shape.hosts.front(), 1U);
  const SmallSnapshot small(shape);
  Asked asked(*rc::gen::element(Method::get, Method::get_table), Attribute::path_record);
  asked.bytes = *rc::gen::container<std::vector<std::uint8_t>>(kDataSize, rc::gen::arbitrary<std::uint8_t>());
  const auto hosts = small.fabric().end_ports();
  const auto host = [&] { return hosts[*rc::gen::inRange<std::size_t>(0, hosts.size())].port; };
  const PortId from = host(), to = host();
  asked.with_bytes(pr::kSgidComponent, pr::kSgid, small.gid(from))
      .with_bytes(pr::kDgidComponent, pr::kDgid, small.gid(to));
  const auto selected = *rc::gen::arbitrary<std::uint32_t>() & 0x3F'FFC0U;
  asked.query.mask |= selected;
  const Answer answer = ask(small, asked);
  if (answer.status != Status::good) return;
  for (const auto& record : records_of(answer)) {
    const Lid slid(static_cast<std::uint16_t>(get(record, pr::kSlid))),
        dlid(static_cast<std::uint16_t>(get(record, pr::kDlid)));
    RC_ASSERT(small.fabric().lid_owner(slid) == from);
    RC_ASSERT(small.fabric().lid_owner(dlid) == to);
    const auto way = walk(small.snapshot, from, dlid);
    RC_ASSERT(way.has_value());
    RC_ASSERT(get(record, pr::kFields.mtu.value) <= way->mtu);
    RC_ASSERT(rate_rank(static_cast<std::uint8_t>(get(record, pr::kFields.rate.value))) <=
              rate_rank(way->rate));
    if (asked.query.has(15))
      RC_ASSERT(get(record, pr::kFields.sl.field) == get(asked.bytes, pr::kFields.sl.field));
  }
}

RC_GTEST_PROP(PathRecord, WaysToALidAreThoseThatAWalkFinds, ()) {
  test::Shape shape = test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), 8);
  shape.hosts.front() = std::max(shape.hosts.front(), 1U);
  SmallSnapshot small(shape);
  const fabric::Fabric& fabric = small.fabric();
  const auto any = [](std::size_t count) { return *rc::gen::inRange<std::size_t>(0, count); };
  const auto any_port = [&] { return PortId(static_cast<std::uint32_t>(any(fabric.ports().size()))); };
  const Lid to(static_cast<std::uint16_t>(1 + any(fabric.max_lid().index() + 1)));
  const bool is_routed = to <= small.snapshot.plan.tables->lfts.max_lid();
  // Loops, dead ends and other ways.
  for (std::size_t i = any(6); i > 0 && is_routed; --i) {
    const SwitchId sw(static_cast<std::uint32_t>(any(fabric.switch_count())));
    small.set_entry(sw, to, PortNum(static_cast<std::uint8_t>(any(fabric.node(sw).num_ports + 2U))));
  }
  for (std::size_t i = any(8); i > 0; --i)
    small.set_link(any_port(), {.mtu = static_cast<std::uint8_t>(any(6)),
                                .rate = static_cast<std::uint8_t>(2 + any(21))});
  for (std::size_t i = any(4); i > 0; --i)
    if (const PortId out = any_port(); fabric.is_switch(fabric.port(out).node))
      small.set_maps_to(out, {0, 15, static_cast<std::uint8_t>(any(2) * 15), 3, 15, 5});
  if (const auto owner = fabric.lid_owner(to))
    for (const fabric::EndPort& end : fabric.end_ports()) {
      const BothWays both = walk_both(small.snapshot, {*owner, to}, {end.port, end.lid});
      RC_ASSERT(both.there == walk(small.snapshot, *owner, end.lid));
      RC_ASSERT(both.back == walk(small.snapshot, end.port, to));
    }
  WaysTo ways(small.snapshot, to);
  for (int i = 0; i < 2; ++i)
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p)
      if (small.snapshot.is_end_port(PortId(p)))
        RC_ASSERT(ways.from(PortId(p)) == walk(small.snapshot, PortId(p), to));
  const PortId source = small.host(any(fabric.end_ports().size()));
  ManyWays many(small.snapshot, source);
  std::vector<Lid> lids;
  for (std::uint16_t lid = 1; lid <= fabric.max_lid().value + 1U; ++lid) lids.emplace_back(lid);
  many.look_ahead(std::span(lids).subspan(any(lids.size())));
  for (Lid lid : lids) RC_ASSERT(many.to(lid) == walk(small.snapshot, source, lid));
  for (const fabric::EndPort& end : fabric.end_ports())
    RC_ASSERT(many.back(end.port, to) == walk(small.snapshot, end.port, to));
}

}  // namespace
}  // namespace rch::sa
