// A leaf that answers partly, with hosts in service behind it.

#include "sm/stations.h"

namespace rch::sm {
namespace {

/// The attribute that it does not answer. Without PortInfo nobody knows what hangs on it.
class FaultyLeafTest : public test::StationsTest, public testing::WithParamInterface<test::Attribute> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(bring_up(add(0))) << told();
    run_for(test::milliseconds{20000});
    leaf = fabric.port(fabric.port(host(fabric.end_ports().size() - 1)).peer).node;
    fake.lose_request = [this](const sim::Visit& visit) {
      return is_faulty && visit.node == leaf && visit.attribute == GetParam();
    };
    fake.sets.clear();
  }
  Status status() const { return stations.front()->manager.status(); }
  /// Pairs of hosts on other leaves that no entries join.
  std::size_t unreachable_elsewhere() {
    return unreachable_pairs(
        [this](PortId host) { return fabric.port(fabric.port(host).peer).node != leaf; });
  }

  NodeId leaf{0};
  bool is_faulty = true;
};

// Its hosts go on sending, and nothing else needs other routes.
TEST_P(FaultyLeafTest, NothingIsWrittenWhileAllElseIsAsItWas) {
  stations.front()->manager.sweep();
  run_for(std::chrono::minutes{5});
  EXPECT_TRUE(status().degraded);
  EXPECT_GT(status().retries, 5U) << told();
  EXPECT_TRUE(fake.sets.empty());
  EXPECT_EQ(unreachable_pairs(), 0U);
  is_faulty = false;
  ASSERT_TRUE(run([&] { return status().proven; }, std::chrono::seconds{10})) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_P(FaultyLeafTest, AllElseIsRoutedAroundAFaultWithoutIt) {
  stations.front()->manager.sweep();
  ASSERT_TRUE(run([&] { return status().degraded.has_value(); })) << told();
  fake.pull(cable());
  EXPECT_GT(unreachable_elsewhere(), 0U);
  ASSERT_TRUE(run([&] { return status().proven && unreachable_elsewhere() == 0; }, std::chrono::seconds{60}))
      << told();
  EXPECT_FALSE(status().degraded);
  EXPECT_GT(status().quarantined, 0U);
  const std::uint64_t generation = status().generation;
  run_for(std::chrono::minutes{10});
  EXPECT_EQ(status().generation, generation) << told();
  EXPECT_TRUE(status().proven) << told();
  is_faulty = false;
  ASSERT_TRUE(run([&] { return status().proven && unreachable_pairs() == 0; })) << told();
  EXPECT_EQ(status().quarantined, 0U);
}

// No packet passes it.
TEST_P(FaultyLeafTest, OneThatStartsAgainIsNotWaitedFor) {
  fake.reboot(SwitchId(leaf.value));
  ASSERT_TRUE(run([&] { return status().quarantined > 0; }, std::chrono::seconds{20})) << told();
  EXPECT_TRUE(status().proven) << told();
  EXPECT_EQ(unreachable_elsewhere(), 0U);
  EXPECT_THAT(told(), testing::Not(testing::HasSubstr("degraded"))) << told();
}

INSTANTIATE_TEST_SUITE_P(, FaultyLeafTest,
                         testing::Values(test::Attribute::switch_info, test::Attribute::port_info),
                         [](const auto& of) {
                           return of.param == test::Attribute::switch_info ? "SwitchInfo" : "PortInfo";
                         });

}  // namespace
}  // namespace rch::sm
