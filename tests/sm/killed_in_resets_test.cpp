// A manager that is killed while it resets links, which was accepted once, and the one that begins after it.

#include "policy/build/front_end.h"
#include "sm/stations.h"

namespace rch::sm {
namespace {

using hw::Attribute;
using std::chrono::seconds;

/// The number of links that have been reset when the manager is killed.
class KilledInResets : public test::StationsTest, public testing::WithParamInterface<std::size_t> {
 protected:
  KilledInResets() {
    fake.after_set = [this](const sim::Visit& visit) {
      if (visit.attribute == Attribute::port_info && get(visit.data, test::pi::kState) == kDown) ++resets_;
    };
  }
  static constexpr std::uint64_t kDown = 1, kActive = 4;

  static Replanner planner_of(const std::string& text) {
    SourceSet sources;
    Diagnostics diagnostics;
    sources.provide("opensm.conf", text);
    const auto policy = std::make_shared<const policy::Policy>(
        *policy::load("opensm.conf", sources, diagnostics).value().policy);
    return [policy](const fabric::Fabric& live, const Known& known) {
      Diagnostics found;
      return chains::plan(policy, live,
                          {.installed = known.installed,
                           .joined = &known.joined,
                           .settings = {},
                           .lids = &known.lids,
                           .repairs = known.repairs,
                           .regroups = known.regroups},
                          found);
    };
  }
  /// A process, with a disk that keeps what it installs.
  test::Station& begin(const Replanner& planner) {
    ManagerSettings settings;
    settings.heals = true;
    settings.keep = [this](const chains::Plan& plan) {
      kept_ = plan;
      return Result<void>();
    };
    const hw::SmpOptions requests{.sets_follow = true};
    stations.push_back(std::make_unique<test::Station>(fake, host(0), settings, planner, requests));
    return *stations.back();
  }
  /// The operator accepts the resets, and the process ends in their midst.
  void kill_in_resets() {
    test::Station& first = begin(planner_of(kBefore));
    ASSERT_TRUE(bring_up(first)) << told();
    ASSERT_TRUE(kept_);
    first.manager.replan(planner_of(kAfter), {}, 1);
    ASSERT_TRUE(run([&] { return first.manager.status().degraded.has_value(); })) << told();
    EXPECT_EQ(resets_, 0U);
    fake.lose_request = [this](const sim::Visit&) { return resets_ >= GetParam(); };
    ASSERT_TRUE(first.manager.sweep({.link_reset = true}));
    ASSERT_TRUE(run([&] { return resets_ >= GetParam(); }, seconds{60})) << told();
    stations.clear();
    fake.lose_request = [](const sim::Visit&) { return false; };
  }
  std::uint64_t vls_of(PortId port) const {
    return get(fake.port_info[port.index()], hw::port_info::kOperVls);
  }
  /// By port; none: its link carries no data.
  std::vector<std::optional<std::uint64_t>> vls_in_use() const {
    std::vector<std::optional<std::uint64_t>> vls(fabric.ports().size());
    for (std::uint32_t p = 0; p < vls.size(); ++p)
      if (!fabric.port(PortId(p)).peer.is_none() && get(fake.port_info[p], test::pi::kState) == kActive)
        vls[p] = vls_of(PortId(p));
    return vls;
  }

  static constexpr const char* kBefore = "routing_engine updn\n";
  static constexpr const char* kAfter = "routing_engine updn\nmax_op_vls 2\n";
  std::optional<chains::Plan> kept_;
  std::size_t resets_ = 0;
};

TEST_P(KilledInResets, TheNextOneServesAndResetsNothingUntilThatIsAcceptedAgain) {
  kill_in_resets();
  ASSERT_TRUE(kept_);
  const auto vls = vls_in_use();
  const std::size_t resets = resets_;
  test::Station& next = begin(planner_of(kAfter));
  next.manager.start_from(*kept_);
  run_for(seconds{30});
  EXPECT_EQ(unreachable_pairs(), 0U) << told();
  EXPECT_EQ(resets_, resets) << "the consent was that of the process which was killed";
  const Status status = next.manager.status();
  ASSERT_TRUE(status.degraded) << told();
  EXPECT_NE(status.degraded->find("`--accept link-reset`"), std::string::npos) << *status.degraded;
  EXPECT_EQ(status.generation, 1U) << "hosts are answered by the plan that was kept";
  ASSERT_TRUE(next.manager.installed());
  EXPECT_EQ(next.manager.installed()->options.qos.max_op_vls, kept_->options.qos.max_op_vls);
  const auto now = vls_in_use();
  for (std::uint32_t p = 0; p < vls.size(); ++p) EXPECT_TRUE(!vls[p] || now[p] == vls[p]) << "port " << p;

  ASSERT_TRUE(next.manager.sweep({.link_reset = true}));
  ASSERT_TRUE(run([&] { return next.manager.status().generation > 1; }, seconds{60})) << told();
  EXPECT_FALSE(next.manager.status().degraded);
  EXPECT_EQ(unreachable_pairs(), 0U);
  constexpr std::uint64_t kTwoVls = 2;
  for (std::uint32_t p = 0; p < vls.size(); ++p) {
    const bool has_link = !fabric.port(PortId(p)).peer.is_none();
    EXPECT_TRUE(!has_link || vls_of(PortId(p)) == kTwoVls) << "port " << p;
  }
}

INSTANTIATE_TEST_SUITE_P(AfterResets, KilledInResets, testing::Values(1, 2, 3, 5, 7, 9));

}  // namespace
}  // namespace rch::sm
