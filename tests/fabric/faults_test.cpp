#include "fabric/faults.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "fabric/generator.h"
#include "support.h"
#include "support/property.h"

namespace rch::fabric::test {
namespace {

std::string failure(const Fabric& fabric, const Faults& faults) {
  const auto damaged = remove_parts(fabric, faults);
  if (damaged) return "removed";
  EXPECT_EQ(damaged.error().kind, ErrorKind::usage);
  return damaged.error().message;
}

TEST(Faults, EqualTheGoldenDamagedFabrics) {
  const Fabric torus = golden_net("torus2d-6x5");
  const auto cut = remove_parts(torus, {.links = {"sw_2_2_0:sw_3_2_0"}});
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_EQ(difference(cut->fabric, golden_net("torus2d-6x5-badlink")), "");
  EXPECT_EQ(cut->removed, std::vector<std::string>{"cable `sw_2_2_0`[1] - `sw_3_2_0`[2]"});

  const auto killed = remove_parts(torus, {.switches = {"sw_3_2_0"}});
  ASSERT_TRUE(killed) << killed.error().message;
  EXPECT_EQ(difference(killed->fabric, golden_net("torus2d-6x5-badswitch")), "");
}

TEST(Faults, NameBothWaysAndByGuid) {
  const Fabric f = golden_net("torus2d-5x5-par3");
  const auto all = remove_parts(f, {.links = {"0x0002c90200400028:sw_0_0_0"}});
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->removed.size(), 3u);  // all parallel cables
  const auto one = remove_parts(f, {.links = {"sw_0_0_0[2]"}});
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->removed.size(), 1u);
  EXPECT_EQ(one->fabric.graph().link_ends(), f.graph().link_ends() - 2);
}

TEST(Faults, AHostWithASecondCableStays) {
  const auto damaged = remove_parts(golden_net("multi"), {.switches = {"msw2"}});
  ASSERT_TRUE(damaged) << damaged.error().message;
  EXPECT_EQ(damaged->fabric.nodes().size(), 7u);
  EXPECT_EQ(damaged->fabric.end_ports().size(), 4u);
}

TEST(Faults, NamesThatAreNotThereAreRefused) {
  const Fabric f = golden_net("multi");
  EXPECT_EQ(failure(f, {.switches = {"nobody"}}), "the fabric has no node `nobody`");
  EXPECT_EQ(failure(f, {.switches = {"dual0 HCA-1"}}), "`dual0 HCA-1` is no switch");
  EXPECT_EQ(failure(f, {.switches = {"msw0", "msw0"}}), "`msw0` is removed twice");
  EXPECT_EQ(failure(f, {.links = {"msw0"}}), "`msw0` names no link; write `A:B` or `A[port]`");
  EXPECT_EQ(failure(f, {.links = {"msw0:msw1"}}), "there is no cable at `msw0:msw1`");
  EXPECT_EQ(failure(f, {.links = {"msw0[7]"}}), "there is no cable at `msw0[7]`");
  EXPECT_EQ(failure(f, {.links = {"msw0[x]"}}), "there is no cable at `msw0[x]`");
  EXPECT_EQ(failure(f, {.random_switches = 9}), "only 2 of 9 switches can be removed");
  const Reading twins = read_text("Switch 1 \"a\" # \"x\"\n\nSwitch 1 \"b\" # \"x\"\n");
  EXPECT_EQ(failure(*twins.fabric, {.switches = {"x"}}),
            "`x` names two nodes, 0x0000000000200000 and 0x0000000000200001");
}

TEST(Faults, RandomOnesAreCountedRepeatableAndKeepTheFabricWhole) {
  const Fabric f = golden_net("torus3d-4x4x4");
  EXPECT_TRUE(rch::test::check([&](std::uint64_t seed) {
    const auto links = *rc::gen::inRange<std::uint32_t>(0, 60);
    const auto switches = *rc::gen::inRange<std::uint32_t>(0, 8);
    const Faults faults{.random_links = links, .random_switches = switches, .seed = seed};
    const auto a = remove_parts(f, faults), b = remove_parts(f, faults);
    RC_ASSERT(a && b);
    RC_ASSERT(a->fabric.fingerprint() == b->fabric.fingerprint());
    RC_ASSERT(a->removed.size() == links + switches);
    RC_ASSERT(a->fabric.switch_count() == 64 - switches);
    RC_ASSERT(a->fabric.end_ports().size() == 64 - switches);
    RC_ASSERT(a->fabric.origin().has_value());
    // Connected: nothing more can be cut off by asking for no removal with the check on.
    RC_ASSERT(remove_parts(a->fabric, {.random_links = 1, .seed = seed}).has_value());
  }));
}

TEST(Faults, ATreeCannotLoseALinkUnlessItMayFallApart) {
  const Fabric line = std::move(generate({.shape = Grid{{{4, false}}}}).value().fabric);
  EXPECT_EQ(failure(line, {.random_links = 1}), "only 0 of 1 cables can be removed");
  const auto apart = remove_parts(line, {.random_links = 2, .keep_connected = false});
  ASSERT_TRUE(apart) << apart.error().message;
  EXPECT_EQ(apart->fabric.graph().link_ends(), 2u);
}

}  // namespace
}  // namespace rch::fabric::test
