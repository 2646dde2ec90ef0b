// Multicast groups: packets flooded one by one say whether every member gets what every other sends exactly
// once; the verifier asks for a tree. And what groups and paths wait for together.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fabric/fabric_builder.h"
#include "hand_tables.h"
#include "support/small_fabrics.h"
#include "verify/verify.h"

namespace rch::verify {
namespace {

using fabric::Fabric;
using fabric::MulticastGroup;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PortId at(const Fabric& fabric, std::uint32_t sw, unsigned port) {
  return fabric.port_id(SwitchId(sw), PortNum(static_cast<std::uint8_t>(port)));
}

std::vector<PortId> all_hosts(const Fabric& fabric) {
  std::vector<PortId> hosts;
  for (const fabric::EndPort& host : fabric.end_ports()) hosts.push_back(host.port);
  std::ranges::sort(hosts);
  return hosts;
}

std::vector<std::string_view> kinds(const Verdict& verdict) {
  std::vector<std::string_view> result;
  for (const Finding& f : verdict.findings) result.push_back(name(f.kind));
  return result;
}

/// Paths one way round a ring for half of the switches, and a group of all hosts whose tree leaves out the
/// cable between the last switch and the first.
struct Ring {
  explicit Ring(std::uint32_t switches) : fabric(test::ring(switches)), tables(test::empty_tables(fabric)) {
    for (std::uint32_t s = 0; s < switches; ++s) test::route_ring(tables, fabric, s, switches / 2);
    MulticastGroup group{fabric::kFirstMulticastLid, 0, all_hosts(fabric), {}};
    for (std::uint32_t s = 0; s < switches; ++s) {
      group.ports.push_back(at(fabric, s, 1));
      if (s + 1 < switches) group.ports.push_back(at(fabric, s, test::forward(s)));
      if (s > 0) group.ports.push_back(at(fabric, s, test::backward(s)));
    }
    std::ranges::sort(group.ports);
    tables.groups = {group};
  }
  MulticastGroup& group() { return tables.groups.front(); }
  void remove(PortId port) { std::erase(group().ports, port); }
  void add(PortId port) { group().ports.insert(std::ranges::upper_bound(group().ports, port), port); }

  Fabric fabric;
  fabric::RoutingTables tables;
};

TEST(Multicast, ATreeOfAllMembersIsFine) {
  const Ring ring(3);
  const Verdict verdict = verify(ring.fabric, ring.tables);
  EXPECT_THAT(kinds(verdict), IsEmpty());
  EXPECT_EQ(verdict.groups, 1U);
}

TEST(Multicast, AMemberWithoutItsPort) {
  Ring ring(3);
  ring.remove(at(ring.fabric, 2, 1));
  const Verdict verdict = verify(ring.fabric, ring.tables);
  ASSERT_THAT(kinds(verdict), ElementsAre("multicast-unreachable"));
  EXPECT_THAT(verdict.findings[0].message,
              HasSubstr("multicast LID 0xC000 is not delivered to its member `host 2"));
}

TEST(Multicast, TwoParts) {
  Ring ring(3);
  ring.remove(at(ring.fabric, 1, test::forward(1)));
  ring.remove(at(ring.fabric, 2, test::backward(2)));
  const Verdict verdict = verify(ring.fabric, ring.tables);
  ASSERT_THAT(kinds(verdict), ElementsAre("multicast-unreachable"));
  EXPECT_EQ(verdict.findings[0].count, 1U);
  EXPECT_THAT(verdict.findings[0].message, HasSubstr("does not join its members"));
}

/// The cable between switches 1 and 2 is gone: a member is apart whatever the tables say, and a member that
/// the tables lose is told apart from it.
TEST(Multicast, PartsThatNoCableJoins) {
  const Fabric fabric = test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}}});
  fabric::RoutingTables tables = test::empty_tables(fabric);
  const auto group_findings = [&](std::vector<PortId> ports) {
    std::ranges::sort(ports);
    tables.groups = {{fabric::kFirstMulticastLid, 0, all_hosts(fabric), {}}};
    tables.groups.front().ports = std::move(ports);
    std::vector<std::string> found;
    for (const Finding& f : verify(fabric, tables).findings)
      if (f.message.starts_with("multicast"))
        found.push_back(fmt::format("{} {}: {}", name(f.kind), f.count, f.message));
    return found;
  };
  const std::string apart =
      "disconnected 1: multicast LID 0xC000 has members in parts of the fabric that no cable joins: `host 2` "
      "(0x0000000000900008) port 1 is apart";
  const std::vector<PortId> hosts{at(fabric, 0, 1), at(fabric, 1, 1), at(fabric, 2, 1)};
  std::vector<PortId> trees = hosts;
  trees.insert(trees.end(), {at(fabric, 0, 2), at(fabric, 1, 2)});
  EXPECT_THAT(group_findings(trees), ElementsAre(apart));
  // Nobody in its part sends to the member that is alone there.
  std::erase(trees, at(fabric, 2, 1));
  EXPECT_THAT(group_findings(trees), ElementsAre(apart));
  EXPECT_THAT(group_findings(hosts),
              ElementsAre(apart,
                          "multicast-unreachable 1: multicast LID 0xC000 does not join its members: "
                          "`host 1` (0x0000000000900004) port 1 is apart"));
}

// Who only sends needs no bit for its port, and has to get into the tree.
TEST(Multicast, ASenderThatDoesNotReceive) {
  Ring ring(3);
  ring.group().senders = {ring.group().members.back()};
  ring.group().members.pop_back();
  ring.remove(at(ring.fabric, 2, 1));
  EXPECT_THAT(kinds(verify(ring.fabric, ring.tables)), IsEmpty());
  ring.remove(at(ring.fabric, 1, test::forward(1)));
  ring.remove(at(ring.fabric, 2, test::backward(2)));
  const Verdict verdict = verify(ring.fabric, ring.tables);
  ASSERT_THAT(kinds(verdict), ElementsAre("multicast-unreachable"));
  EXPECT_THAT(verdict.findings[0].message, HasSubstr("which only sends, is apart"));
}

TEST(Multicast, OneWay) {
  Ring ring(3);
  ring.remove(at(ring.fabric, 2, test::backward(2)));
  EXPECT_THAT(verify(ring.fabric, ring.tables).findings[0].message, HasSubstr("which does not send it back"));
}

TEST(Multicast, ForwardingLoop) {
  Ring ring(3);
  ring.add(at(ring.fabric, 2, test::forward(2)));
  ring.add(at(ring.fabric, 0, test::backward(0)));
  const Verdict verdict = verify(ring.fabric, ring.tables);
  EXPECT_THAT(kinds(verdict), testing::Contains("multicast-loop"));
  // Packets that run round and round also wait for themselves.
  EXPECT_THAT(kinds(verdict), testing::Contains("credit-loop"));
}

TEST(Multicast, ClosesACreditLoopTogetherWithPaths) {
  const Fabric fabric = test::ring(5);
  fabric::RoutingTables tables = test::empty_tables(fabric);
  for (std::uint32_t to = 0; to < 5; ++to) test::route_ring(tables, fabric, to, 4);  // all forward
  // Break the cycle of the paths: what would go 4 -> 0 -> 1 goes backward instead.
  test::set_entry(tables, 4, test::host_lid(fabric, 1), test::backward(4));
  test::set_entry(tables, 3, test::host_lid(fabric, 1), test::backward(3));
  test::set_entry(tables, 2, test::host_lid(fabric, 1), test::backward(2));
  test::set_entry(tables, 4, test::host_lid(fabric, 2), test::backward(4));
  test::set_entry(tables, 3, test::host_lid(fabric, 2), test::backward(3));
  test::set_entry(tables, 4, test::host_lid(fabric, 3), test::backward(4));
  ASSERT_THAT(kinds(verify(fabric, tables)), IsEmpty());

  MulticastGroup group{Lid(0xC005), 0, {}, {}};
  for (const std::uint32_t s : {4U, 0U, 1U}) {
    group.members.push_back(fabric.port(at(fabric, s, 1)).peer);
    group.ports.push_back(at(fabric, s, 1));
  }
  for (const std::uint32_t s : {4U, 0U}) group.ports.push_back(at(fabric, s, test::forward(s)));
  for (const std::uint32_t s : {0U, 1U}) group.ports.push_back(at(fabric, s, test::backward(s)));
  std::ranges::sort(group.members);
  std::ranges::sort(group.ports);
  tables.groups = {group};
  const Verdict verdict = verify(fabric, tables);
  ASSERT_THAT(kinds(verdict), ElementsAre("credit-loop"));
  EXPECT_THAT(verdict.findings[0].message, HasSubstr("[multicast LID 0xC005, SL 0]"));
  EXPECT_EQ(std::ranges::count(verdict.findings[0].witness, Lid(0xC005), &Hop::destination), 1);

  // On a lane of its own it closes nothing.
  tables.groups[0].sl = 1;
  EXPECT_THAT(kinds(verify(fabric, tables)), IsEmpty());
}

/// No link leads to port 0 of a switch, and no map that is written.
TEST(Multicast, PortZeroTakesEveryVl) {
  fabric::FabricBuilder builder(test::build({{1}, {}, 0}));
  for (fabric::PortSpec& port : builder.node(*builder.find(Guid(0x100000))).ports) port.vl_cap = 4;
  const Fabric fabric = *std::move(builder).build();
  fabric::RoutingTables tables = test::empty_tables(fabric);
  const PortId port0 = at(fabric, 0, 0), to_host = at(fabric, 0, 1);
  tables.groups = {{fabric::kFirstMulticastLid, 12, {port0}, {port0, to_host}}};
  tables.groups[0].members.push_back(fabric.port(to_host).peer);
  std::ranges::sort(tables.groups[0].members);
  fabric::Sl2VlMap folded = fabric::kIdentitySl2Vl;
  for (std::uint8_t& vl : folded) vl &= 7;
  tables.sl2vl = fabric::Sl2VlTables(std::vector<std::uint8_t>{fabric.node(SwitchId(0)).num_ports}, folded);
  tables.sl2vl.set(SwitchId(0), PortNum(1), PortNum(0), tables.sl2vl.intern(fabric::kIdentitySl2Vl));
  EXPECT_THAT(kinds(verify(fabric, tables)), IsEmpty());
}

/// How often each member gets a packet that one of them sends; packets that run for ever are given up.
std::map<PortId, std::size_t> flood(const Fabric& fabric, const MulticastGroup& group, PortId sender) {
  std::map<PortId, std::size_t> got;
  std::deque<PortId> arrivals{fabric.port(sender).peer};  // switch ports by which copies come in
  for (std::size_t copies = 0; !arrivals.empty() && copies < 200; ++copies) {
    const PortId in = arrivals.front();
    arrivals.pop_front();
    for (PortId out : group.ports) {
      if (out == in || fabric.port(out).node != fabric.port(in).node) continue;
      const PortId far = fabric.port(out).peer;
      if (far.is_none()) continue;
      if (fabric.is_switch(fabric.port(far).node))
        arrivals.push_back(far);
      else
        ++got[far];
    }
  }
  return got;
}

bool all_get_all_once(const Fabric& fabric, const MulticastGroup& group) {
  return std::ranges::all_of(group.members, [&](PortId sender) {
    const auto got = flood(fabric, group, sender);
    return std::ranges::all_of(group.members, [&](PortId member) {
      const auto copies = got.find(member);
      return (copies == got.end() ? 0U : copies->second) == (member == sender ? 0U : 1U);
    });
  });
}

bool faulty(const Verdict& verdict) {
  return std::ranges::any_of(verdict.findings, [](const Finding& f) {
    return f.kind == FindingKind::multicast_unreachable || f.kind == FindingKind::multicast_loop ||
           (f.kind == FindingKind::disconnected && f.message.starts_with("multicast"));
  });
}

/// Some hosts and, at random, ports: mostly both ends of cables, sometimes one.
MulticastGroup any_group(const Fabric& fabric, std::mt19937_64& random) {
  MulticastGroup group{fabric::kFirstMulticastLid, 0, {}, {}};
  for (PortId host : all_hosts(fabric))
    if (random() % 2 == 0) {
      group.members.push_back(host);
      if (random() % 12 != 0) group.ports.push_back(fabric.port(host).peer);
    }
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    if (port.peer.is_none() || port.peer.value < p || !fabric.is_switch(port.node)) continue;
    if (!fabric.is_switch(fabric.port(port.peer).node) || random() % 3 == 0) continue;
    group.ports.push_back(PortId(p));
    if (random() % 8 != 0) group.ports.push_back(port.peer);
  }
  std::ranges::sort(group.ports);
  return group;
}

RC_GTEST_PROP(Multicast, WhatPassesReachesAllOnce, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const Fabric fabric = test::build(test::random_shape(seed, 5));
  fabric::RoutingTables tables = test::empty_tables(fabric);
  tables.groups = {any_group(fabric, random)};
  const bool good = all_get_all_once(fabric, tables.groups[0]);
  RC_TAG(good ? "good" : "faulty");
  if (!faulty(verify(fabric, tables))) RC_ASSERT(tables.groups[0].members.size() < 2 || good);
}

}  // namespace
}  // namespace rch::verify
