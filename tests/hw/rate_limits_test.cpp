// Rate limits of adapters (docs/manager.md, Rate limits).

#include "hw/rate_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/commit_fixture.h"

namespace rch::hw {
namespace {

using sim::Visit;
using test::Commit;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Field kShareOfSl3{12, 0, 12};

/// Limits for all hosts, 100 Mbit/s for host 0, 101 for host 1, and so on; SL 15 has none.
class Limited : public Commit {
 protected:
  Limited() {
    for (std::size_t n = 0; n < fabric.nodes().size(); ++n)
      set(fake.node_info[n], node_info::kVendorId, 0x2C9);
    dress = [this](fabric::RoutingTables& made) {
      made.rate_limits = fabric::RateLimitTables(fabric.ports().size());
      for (std::size_t h = 0; h < fabric.end_ports().size(); ++h) {
        if (fabric.is_switch(fabric.port(host(h)).node)) continue;
        fabric::RateLimits limits;
        limits.fill(static_cast<std::uint32_t>(100 + h));
        limits[15] = 0;
        made.rate_limits.set(host(h), made.rate_limits.intern(limits));
      }
    };
  }
  std::uint64_t limit(std::size_t h, unsigned sl) {
    return get(fake.rate_limits[host(h)], Field{static_cast<std::uint16_t>(4 * sl + 1), 4, 20});
  }
  NodeId node(std::size_t h) const { return fabric.port(host(h)).node; }
  std::size_t gets(Attribute attribute) const {
    return static_cast<std::size_t>(std::ranges::count(fake.gets, attribute, &Visit::attribute));
  }
};

TEST_F(Limited, PortsGetTheirLimitsAndKeepTheirShares) {
  set(fake.rate_limits[host(2)], kShareOfSl3, 77);
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rate_limits, 6U);
  EXPECT_THAT(report->remarks, ElementsAre());
  for (std::size_t h = 0; h < 6; ++h) {
    EXPECT_EQ(limit(h, 0), 100 + h);
    EXPECT_EQ(limit(h, 14), 100 + h);
    EXPECT_EQ(limit(h, 15), 0U);
  }
  EXPECT_EQ(get(fake.rate_limits[host(2)], kShareOfSl3), 77U);
  // 12 bits of share, 20 bits of limit (docs/manager.md, Rate limits).
  EXPECT_THAT(std::span(fake.rate_limits[host(2)]).subspan(12, 4), ElementsAre(0x04, 0xD0, 0x00, 0x66));
  fake.sets.clear();
  EXPECT_EQ(run()->writes(), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Limited, APortThatCannotHoldThemIsNamed) {
  fake.without_rate_limits = {node(4)};
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rate_limits, 5U);
  EXPECT_THAT(report->remarks, ElementsAre(HasSubstr("not in effect at 1 port, such as `host 4` port 1")));
  EXPECT_FALSE(fake.rate_limits.contains(host(4)));
}

TEST_F(Limited, DevicesOfOtherMakersAreNotAsked) {
  set(fake.node_info[node(1).index()], node_info::kVendorId, 0x66A);
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rate_limits, 5U);
  EXPECT_THAT(report->remarks, ElementsAre(HasSubstr("`host 1`")));
  for (const Visit& visit : fake.gets)
    EXPECT_FALSE(visit.node == node(1) && visit.attribute == Attribute::general_info);
}

TEST_F(Limited, NobodyIsAskedWithoutAPolicy) {
  dress = [](fabric::RoutingTables&) {};
  ASSERT_TRUE(run());
  EXPECT_EQ(gets(Attribute::general_info) + gets(Attribute::rate_limits), 0U);
}

TEST_F(Limited, NoLimitIsNotMissed) {
  fake.without_rate_limits = {node(4)};
  dress = [this](fabric::RoutingTables& made) {
    made.rate_limits = fabric::RateLimitTables(fabric.ports().size());
    for (std::size_t h = 0; h < 6; ++h) made.rate_limits.set(host(h), made.rate_limits.intern({}));
  };
  set(fake.rate_limits[host(2)], Field{1, 4, 20}, 9);
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rate_limits, 1U) << "that of host 2 is taken away";
  EXPECT_THAT(report->remarks, ElementsAre());
}

}  // namespace
}  // namespace rch::hw
