// FDR10 of ports that have it (IBA 14.2.5).

#include "hw/fdr10.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/commit_fixture.h"
#include "hw/discovery.h"
#include "hw/driver.h"

namespace rch::hw {
namespace {

namespace ext = extended_port_info;
using sim::Visit;
using test::Commit;
using testing::ElementsAre;
using testing::HasSubstr;

/// All devices may have FDR10; the ports of hosts 0 to 2 do, and that of host 0 has it enabled.
class WithFdr10 : public Commit {
 protected:
  WithFdr10() {
    for (std::size_t n = 0; n < fabric.nodes().size(); ++n) {
      set(fake.node_info[n], node_info::kVendorId, 0x2C9);
      set(fake.node_info[n], node_info::kDeviceId,
          fabric.is_switch(NodeId(static_cast<std::uint32_t>(n))) ? 0xC738 : 0x1003);
    }
    for (std::size_t h = 0; h < 3; ++h) {
      SmpData& shown = fake.extended_port_info[host(h)];
      set(shown, ext::kSpeedSupported, ext::kFdr10);
      set(shown, ext::kSpeedEnabled, h == 0 ? ext::kFdr10 : 0);
      set(shown, ext::kSpeedActive, h == 0 ? ext::kFdr10 : 0);
    }
  }
  std::vector<std::uint64_t> enabled() {
    std::vector<std::uint64_t> all;
    for (auto& [port, shown] : fake.extended_port_info) all.push_back(get(shown, ext::kSpeedEnabled));
    return all;
  }
  std::size_t count(const std::vector<Visit>& visits) const {
    return static_cast<std::size_t>(
        std::ranges::count(visits, Attribute::extended_port_info, &Visit::attribute));
  }
};

TEST_F(WithFdr10, IsEnabledWhereItIsNot) {
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->fdr10, 2U);
  EXPECT_THAT(report->remarks, ElementsAre());
  EXPECT_THAT(enabled(), ElementsAre(1, 1, 1));
  EXPECT_EQ(get(fake.extended_port_info[host(1)], ext::kStateChangeEnable), 1U);
  EXPECT_EQ(get(fake.extended_port_info[host(0)], ext::kStateChangeEnable), 0U) << "not written";
  EXPECT_EQ(get(fake.extended_port_info[host(0)], ext::kSpeedActive), 1U);
  fake.sets.clear();
  EXPECT_EQ(run()->writes(), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(WithFdr10, IsDisabledOrLeftAlone) {
  CommitOptions options{.subnet = {.fdr10 = Fdr10::disable}};
  EXPECT_EQ(run(options)->fdr10, 1U);
  EXPECT_THAT(enabled(), ElementsAre(0, 0, 0));
  fake.gets.clear();
  for (const Fdr10 option : {Fdr10::unasked, Fdr10::as_it_is}) {
    options.subnet.fdr10 = option;
    EXPECT_EQ(run(options)->fdr10, 0U);
  }
  EXPECT_EQ(count(fake.gets), 0U);
}

TEST_F(WithFdr10, DevicesThatDoNotKnowItAreNotAsked) {
  for (std::size_t n = 0; n < fabric.nodes().size(); ++n)
    set(fake.node_info[n], node_info::kDeviceId, 0x101B);  // ConnectX-6
  set(fake.node_info[fabric.port(host(1)).node.index()], node_info::kVendorId, 0x119F);
  set(fake.node_info[fabric.port(host(1)).node.index()], node_info::kDeviceId, 0x1B33);
  EXPECT_EQ(run()->fdr10, 1U);
  EXPECT_EQ(count(fake.gets), 1U);
  EXPECT_THAT(enabled(), ElementsAre(1, 1, 0));
}

TEST_F(WithFdr10, APortThatDoesNotTakeItStaysIn) {
  fake.refuse = [&](const Visit& visit) {
    return visit.method == Method::set && visit.attribute == Attribute::extended_port_info &&
           visit.arrival == host(1);
  };
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->remarks, ElementsAre(HasSubstr("1 port did not take what was written of FDR10")));
  EXPECT_THAT(enabled(), ElementsAre(1, 0, 1));
}

TEST_F(WithFdr10, APortThatSaysNothingOfItStaysIn) {
  fake.lose_request = [&](const Visit& visit) {
    return visit.attribute == Attribute::extended_port_info && visit.arrival == host(1);
  };
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->fdr10, 1U);
  EXPECT_THAT(report->remarks, ElementsAre());
  EXPECT_THAT(enabled(), ElementsAre(1, 0, 1));
}

/// PortInfo shows FDR10 as QDR. Each end of a link tells its own speed, as in ibnetdiscover's text.
TEST_F(WithFdr10, ADiscoveredFabricHasTheSpeedThatPortsTell) {
  Driver driver(fake, {.retries = 2});
  auto live = driver.wait(discover(driver));
  ASSERT_TRUE(live) << live.error().message;
  const auto speed = [&](std::size_t h) { return live->fabric.port(host(h)).speed; };
  EXPECT_EQ(speed(0), fabric::LinkSpeed::qdr);
  ASSERT_TRUE(driver.wait(read_active_fdr10(driver, *live)));
  EXPECT_EQ(speed(0), fabric::LinkSpeed::fdr10);
  EXPECT_EQ(speed(1), fabric::LinkSpeed::qdr) << "enabled, not active";
}

}  // namespace
}  // namespace rch::hw
