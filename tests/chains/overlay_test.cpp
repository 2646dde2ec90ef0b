// Whole routes: what is written when a step is laid over others (docs/chains.md).

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "chain_fixture.h"
#include "chains/overlay.h"
#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::ForwardingTables;
using fabric::Scope;
using fabric::SubFabric;
using testing::ElementsAre;

/// Line of four switches, one host each. Ports: 1 the host, 2 back (switch 0: forward), 3 forward.
class OverlayOnALine : public testing::Test {
 protected:
  OverlayOnALine()
      : fabric_(test::build({.hosts = {1, 1, 1, 1}, .cables = {{0, 1}, {1, 2}, {2, 3}}})),
        view_(fabric_, Scope{test::ports_of(fabric_, {0, 1, 2, 3}), std::uint8_t{0}}),
        step_(4, fabric_.max_lid()),
        tables_(4, fabric_.max_lid()),
        last_(fabric_.end_ports_of(SwitchId(3))[0].lid) {}

  void set(std::uint32_t sw, int port) {
    step_.row(SwitchId(sw))[last_.index()] = static_cast<std::uint8_t>(port);
  }
  std::vector<int> written() const {
    std::vector<int> ports;
    for (std::uint32_t s = 0; s < 4; ++s) ports.push_back(tables_.at(SwitchId(s), last_));
    return ports;
  }

  Fabric fabric_;
  SubFabric view_;
  ForwardingTables step_, tables_;
  Lid last_;  ///< of the host on switch 3
};

TEST_F(OverlayOnALine, WritesRoutesThatArrive) {
  set(0, 2), set(1, 3), set(2, 3), set(3, 1);
  EXPECT_EQ(overlay(view_, step_, tables_).dangling, 0U);
  EXPECT_THAT(written(), ElementsAre(2, 3, 3, 1));
}

TEST_F(OverlayOnALine, DropsWhatLeadsToAnEmptyEntry) {
  set(0, 2), set(2, 3), set(3, 1);
  const Overlay result = overlay(view_, step_, tables_);
  EXPECT_THAT(written(), ElementsAre(255, 255, 3, 1));
  EXPECT_EQ(result.dangling, 1U);
  EXPECT_TRUE(std::ranges::binary_search(result.holes, std::uint64_t{0} << 16 | last_.value));
  EXPECT_TRUE(std::ranges::binary_search(result.holes, std::uint64_t{1} << 16 | last_.value));
  EXPECT_FALSE(std::ranges::binary_search(result.holes, std::uint64_t{2} << 16 | last_.value));
}

TEST_F(OverlayOnALine, DropsLoopsWrongHostsAndDeadPorts) {
  set(0, 2), set(1, 2), set(2, 9), set(3, 1);
  EXPECT_EQ(overlay(view_, step_, tables_).dangling, 3U);
  EXPECT_THAT(written(), ElementsAre(255, 255, 255, 1));
}

TEST_F(OverlayOnALine, DropsEverythingWhenTheLastSwitchDeliversElsewhere) {
  set(0, 2), set(1, 3), set(2, 3), set(3, 2);
  EXPECT_EQ(overlay(view_, step_, tables_).dangling, 4U);
  EXPECT_THAT(written(), ElementsAre(255, 255, 255, 255));
}

TEST_F(OverlayOnALine, AnEmptyEntryNeverOverwrites) {
  for (std::uint32_t s = 0; s < 4; ++s) tables_.row(SwitchId(s))[last_.index()] = 7;
  set(3, 1);
  overlay(view_, step_, tables_);
  EXPECT_THAT(written(), ElementsAre(7, 7, 7, 1));
}

/// Follows the entries of step `index` alone; true when they reach the LID's switch.
bool closed(const Fabric& fabric, const fabric::RoutingTables& tables, std::size_t index, SwitchId sw,
            Lid lid) {
  const PortId owner = *fabric.lid_owner(lid);
  for (std::size_t hops = 0; hops <= fabric.switch_count(); ++hops) {
    if (!tables.steps[index].covers(sw, lid)) return false;
    const std::uint8_t out = tables.lfts.at(sw, lid);
    if (out == 0) return fabric.port(owner).node == NodeId(sw.value);
    const PortId next = fabric.port(fabric.port_id(sw, PortNum(out))).peer;
    if (next == owner) return true;
    sw = SwitchId(fabric.port(next).node.value);
  }
  return false;
}

TEST(OverlayProperties, WhatAStepLeavesInForceAndWhatItRoutesIsAllThereIs) {
  EXPECT_TRUE(test::check([] {
    test::Shape shape = test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), 16);
    shape.lmc = 1;
    const Fabric fabric = test::build(shape);
    IdSet<PortId> ports(fabric.ports().size());
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      if (*rc::gen::inRange(0, 4) != 0) ports |= test::ports_of(fabric, {s});
    test::Chain chain(fabric);
    chain.step(1, "minhop");
    const ForwardingTables lfts = std::move(chain.good_run().tables.lfts);
    const SubFabric view(fabric, Scope{ports, *rc::gen::inRange<std::uint8_t>(0, 2)});
    std::vector<std::uint32_t> loads = entries_outside(view, lfts, true);
    for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
      const SwitchId sw = view.fabric_switch(SwitchId(s));
      const auto load = [&](std::uint8_t port) -> auto& {
        return loads[fabric.port_id(sw, PortNum(port)).index()];
      };
      view.routed_lids().for_each([&](Lid lid) {
        if (lfts.at(sw, lid) != kNoPath) ++load(lfts.at(sw, lid));
      });
      for (std::uint32_t p = 0; p <= fabric.node(sw).num_ports; ++p) {
        const auto port = static_cast<std::uint8_t>(p);
        RC_ASSERT(load(port) == static_cast<std::uint32_t>(std::ranges::count(lfts.row(sw), port)));
        load(port) = 0;
      }
    }
    RC_ASSERT(std::ranges::all_of(loads, [](std::uint32_t load) { return load == 0; }));
  }));
}

// Any part of any fabric as second topology, by any engine that can route it.
TEST(OverlayProperties, StepsStayInsideTheirCoverAndTheirRoutesAreWhole) {
  EXPECT_TRUE(test::check([] {
    test::Shape shape = test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), 16);
    shape.lmc = 1;
    const Fabric fabric = test::build(shape);
    IdSet<PortId> ports(fabric.ports().size());
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      if (*rc::gen::inRange(0, 4) != 0) ports |= test::ports_of(fabric, {s});

    test::Chain chain(fabric);
    chain.step(1, "minhop");
    const ChainRun before = chain.good_run();
    const auto engine = *rc::gen::element<std::string>("minhop", "updn", "dnup", "dor", "ftree", "pqft");
    chain.step(2, engine, 1).path_bit = *rc::gen::inRange<std::uint8_t>(0, 2);
    chain.topology(1, ports);
    const ChainRun run = chain.good_run();
    if (run.degraded) {  // nothing of the part has a link or a host, or it is no tree
      RC_ASSERT(run.tables.lfts == before.tables.lfts);
      return;
    }
    RC_TAG(run.steps[1].entries > 0 ? engine : "empty");
    const fabric::RoutedStep& step = run.tables.steps[1];
    std::uint64_t covered = 0;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      for (std::uint16_t l = 1; l <= fabric.max_lid().value; ++l) {
        if (step.covers(SwitchId(s), Lid(l))) {
          ++covered;
          RC_ASSERT(closed(fabric, run.tables, 1, SwitchId(s), Lid(l)));
        } else {
          RC_ASSERT(run.tables.lfts.at(SwitchId(s), Lid(l)) == before.tables.lfts.at(SwitchId(s), Lid(l)));
        }
      }
    RC_ASSERT(covered == run.steps[1].entries);
  }));
}

}  // namespace
}  // namespace rch::chains
