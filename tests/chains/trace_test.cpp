#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/trace.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;

/// "0:1>5 4:1>2 ...": switch, in port, out port of each hop, then the SL and how it ends.
std::string way(const Trace& trace) {
  std::string text;
  for (const TraceHop& hop : trace.hops) text += fmt::format("{}:{}>{} ", hop.sw, hop.in, hop.out);
  return text + (trace.reached ? fmt::format("sl {}", trace.sl) : trace.end);
}

class TraceOnClos : public testing::Test {
 protected:
  TraceOnClos() : fabric_(test::build(test::clos(2, 1, 1))), chain_(fabric_) {
    chain_.step(1, "minhop");
    chain_.step(2, "minhop", 1);
    chain_.topology(1, test::ports_of(fabric_, {0, 2}));
    run_ = chain_.good_run();
  }
  const fabric::EndPort& host(std::uint32_t leaf) const { return fabric_.end_ports_of(SwitchId(leaf))[0]; }
  std::uint8_t& entry(std::uint32_t sw, Lid lid) { return run_.tables.lfts.row(SwitchId(sw))[lid.index()]; }
  std::string way_to(Lid lid) const { return way(trace(fabric_, run_.tables, host(0).port, lid)); }

  Fabric fabric_;
  test::Chain chain_;
  ChainRun run_;
};

TEST_F(TraceOnClos, StopsAtAVlThatIsNotThere) {
  run_.tables.sl2vl = {};
  const auto with_vls = [&](std::uint8_t hosts, std::uint8_t switches) {
    return way(trace(fabric_, run_.tables, host(0).port, host(1).lid, 3, [=, this](PortId port) {
      return fabric_.is_switch(fabric_.port(port).node) ? switches : hosts;
    }));
  };
  EXPECT_EQ(with_vls(4, 4), "0:1>2 2:1>2 1:2>1 sl 3");
  EXPECT_NE(with_vls(1, 4).find("sends SL 3 on VL 3 of port 1, which has 1 data VL"), std::string::npos);
  EXPECT_NE(with_vls(4, 2).find("0:1>2 `switch 0` ("), std::string::npos) << with_vls(4, 2);
  EXPECT_NE(with_vls(4, 2).find("sends SL 3 on VL 3 of port 2, which has 2 data VLs"), std::string::npos);
}

TEST_F(TraceOnClos, FollowsHostToHost) {
  EXPECT_EQ(way_to(host(1).lid), "0:1>2 2:1>2 1:2>1 sl 0");
  const Trace back = trace(fabric_, run_.tables, host(1).port, host(0).lid);
  EXPECT_EQ(way(back), "1:1>2 2:2>1 0:2>1 sl 0");
  // Leaf 1 is outside the second step's topology, the spine and leaf 0 are inside.
  EXPECT_EQ(back.hops[0].step, StepId(1));
  EXPECT_EQ(back.hops[1].step, StepId(2));
  EXPECT_EQ(back.hops[2].step, StepId(2));
}

TEST(Trace, SaysThatNoCableLeadsThere) {
  const Fabric fabric = test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}}});
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const auto run = chain.good_run();
  const auto end = [&](std::uint32_t from, std::uint32_t to) {
    return way(trace(fabric, run.tables, fabric.end_ports()[from].port, fabric.end_ports()[to].lid));
  };
  EXPECT_EQ(end(0, 1), "0:1>2 1:2>1 sl 0");
  EXPECT_EQ(end(0, 2),
            "no cable joins the parts of the fabric with `switch 0` (0x0000000000100000) and `switch 2` "
            "(0x0000000000100010)");
}

TEST_F(TraceOnClos, EndsInPortZeroOfASwitch) {
  const Lid spine = fabric_.port(fabric_.port_id(SwitchId(2), PortNum(0))).lid;
  EXPECT_EQ(way_to(spine), "0:1>2 2:1>0 sl 0");
  EXPECT_EQ(way(trace(fabric_, run_.tables, fabric_.port_id(SwitchId(1), PortNum(0)), spine)),
            "1:0>2 2:2>0 sl 0");
}

TEST_F(TraceOnClos, ToItselfTakesNoHop) { EXPECT_EQ(way_to(host(0).lid), "sl 0"); }

TEST_F(TraceOnClos, SaysWhyItEnds) {
  const Lid to = host(1).lid;
  EXPECT_EQ(way_to(Lid(999)), "no port owns LID 999");
  entry(2, to) = 1;
  EXPECT_EQ(way_to(to).substr(0, 24), "0:1>2 2:1>1 0:2>2 2:1>1 ");
  EXPECT_TRUE(way_to(to).ends_with(fmt::format("the tables send LID {} in a forwarding loop", to)));
  entry(2, to) = kNoPath;
  EXPECT_EQ(way_to(to),
            fmt::format("0:1>2 2:1>255 `switch 2` (0x0000000000100010) has no entry for LID {}", to));
  entry(2, to) = 99;
  EXPECT_EQ(way_to(to),
            fmt::format("0:1>2 2:1>99 `switch 2` (0x0000000000100010) sends LID {} to port 99, which it does "
                        "not have",
                        to));
  entry(2, to) = 0;
  EXPECT_EQ(way_to(to),
            fmt::format("0:1>2 2:1>0 `switch 2` (0x0000000000100010) delivers LID {} to itself", to));
  entry(0, to) = 1;
  EXPECT_TRUE(way_to(to).ends_with(fmt::format(", which does not own LID {}", to))) << way_to(to);
}

// OpenSM's own answers for SLs, and its maps along the way (torus-2QoS(8)).
TEST(TraceOnTorus, CarriesTheServiceLevelThatOpenSmAnswers) {
  const Fabric fabric = test::golden_fabric("torus2d-6x5/torus-2QoS");
  test::Chain chain(fabric);
  chain.step(1, "torus-2QoS").torus = test::torus_options(test::golden_text("conf/torus2d-6x5.conf"));
  const ChainRun run = chain.good_run();
  std::size_t datelines = 0;
  for (const test::PathSlRow& row : test::opensm_path_sls(test::golden_folder("torus2d-6x5/torus-2QoS"))) {
    const Trace path = trace(fabric, run.tables, *fabric.lid_owner(row.source), row.destination);
    ASSERT_TRUE(path.reached) << path.end;
    EXPECT_EQ(path.sl, row.sl);
    EXPECT_EQ(path.first_vl, 0);
    for (const TraceHop& hop : path.hops) {
      EXPECT_LT(hop.vl, 2);
      datelines += hop.vl;
    }
  }
  EXPECT_GT(datelines, 0U);
}

}  // namespace
}  // namespace rch::chains
