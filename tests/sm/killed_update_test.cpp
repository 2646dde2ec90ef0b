// An update that is killed at each of its writes, and what goes on from there: to its target, or back.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "policy/build/front_end.h"
#include "sm/managers.h"
#include "sm/pending_update.h"
#include "support/small_fabrics.h"
#include "verify/verify.h"

namespace rch::sm {
namespace {

using sim::Visit;

struct UpdateCase {
  std::string name;
  rch::test::Shape shape;
  std::string before, after;  ///< options of the policies
  friend std::ostream& operator<<(std::ostream& out, const UpdateCase& that) { return out << that.name; }
};

rch::test::Shape ring(std::uint32_t switches, std::uint32_t hosts) {
  rch::test::Shape shape;
  shape.hosts.assign(switches, hosts);
  for (std::uint32_t s = 0; s < switches; ++s) shape.cables.push_back({s, (s + 1) % switches});
  return shape;
}

/// Ten switches with one or two hosts each, joined in a ring and by chords that `seed` places.
rch::test::Shape graph(std::uint32_t seed) {
  rch::test::Shape shape = ring(10, 1);
  shape.hosts[seed] = 2;
  for (std::uint32_t s = 0; s < 6; ++s) shape.cables.push_back({s, (s + 2 + (s + seed) % 5) % 10});
  return shape;
}

/// One fabric in memory with one process after the other.
class Site {
 public:
  explicit Site(const fabric::Fabric& fabric) : fabric_(fabric), fake_(fabric, fabric.end_ports()[0].port) {
    fake_.after_set = [this](const Visit& visit) {
      ++writes_;
      if (on_write) on_write(visit);
    };
    fake_.lose_request = [this](const Visit&) { return kill_after_ && writes_ >= *kill_after_; };
  }

  /// One process. With `kill_after` it is killed when so many of its writes are carried out.
  Result<hw::CommitReport> run(const Planner& planner, const InstallOptions& options,
                               std::optional<std::size_t> kill_after = {}) {
    writes_ = 0;
    kill_after_ = kill_after;
    sim::SimulatedPort port(fake_, fabric_.end_ports()[0].port);
    hw::Driver driver(port, {});
    auto result = driver.wait(apply(driver, planner, options));
    kill_after_.reset();
    return result;
  }

  std::size_t writes() const { return writes_; }
  hw::TimePoint now() const { return fake_.now(); }

  /// What the switches forward by, with the SL2VL maps of the plan that has them.
  fabric::RoutingTables tables(const chains::Plan& like) const {
    fabric::RoutingTables tables;
    tables.lfts = fabric::ForwardingTables(fabric_.switch_count(), like.tables->lfts.max_lid());
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const auto row = tables.lfts.row(SwitchId(s));
      for (std::size_t b = 0; b * 64 < row.size(); ++b)
        if (const auto block = fake_.lft_blocks.find({SwitchId(s), static_cast<std::uint32_t>(b)});
            block != fake_.lft_blocks.end())
          std::copy_n(block->second.begin(), 64, row.begin() + static_cast<std::ptrdiff_t>(b * 64));
    }
    tables.steps = like.tables->steps;
    return tables;
  }
  bool holds(const chains::Plan& plan) const { return tables(plan).lfts == plan.tables->lfts; }
  std::uint8_t& entry(SwitchId sw, Lid lid) {
    return fake_.lft_blocks.at({sw, lid.value / 64U})[lid.index() % 64];
  }

  std::function<void(const Visit&)> on_write;

 private:
  const fabric::Fabric& fabric_;
  sim::SimulatedFabric fake_;
  std::size_t writes_ = 0;
  std::optional<std::size_t> kill_after_;
};

class KilledUpdate : public testing::TestWithParam<UpdateCase> {
 protected:
  KilledUpdate() : fabric(rch::test::build(GetParam().shape)) {
    Site site(fabric);
    before = installed(site, planner(GetParam().before));
    after = installed(site, planner(GetParam().after));
    writes = site.writes();
    RecordProperty("writes", static_cast<int>(writes));
  }

  static Planner planner(const std::string& options) {
    SourceSet sources;
    Diagnostics diagnostics;
    sources.provide("opensm.conf", options);
    sources.provide("roots", "0x100000\n");
    sources.provide("other_roots", "0x100020\n");
    const auto policy = std::make_shared<const policy::Policy>(
        *policy::load("opensm.conf", sources, diagnostics).value().policy);
    return [policy](const fabric::Fabric& live) {
      Diagnostics found;
      return chains::plan(policy, live, {.settings = {}}, found);
    };
  }
  static Planner again(const chains::Plan& plan) {
    return [&plan](const fabric::Fabric& live) { return chains::prove_again(plan, live, {}); };
  }
  static InstallOptions options(const std::vector<const chains::Plan*>& previous) {
    InstallOptions how;
    how.accept_path_sls = how.accept_switch_lids = true;
    if (!previous.empty()) how.previous = previous.front();
    if (previous.size() > 1) how.also_previous.assign(previous.begin() + 1, previous.end());
    return how;
  }
  chains::Plan installed(Site& site, const Planner& planner) {
    std::optional<chains::Plan> made;
    const auto keep = [&](const fabric::Fabric& live) {
      auto plan = planner(live);
      if (plan) made = *plan;
      return plan;
    };
    const auto report = site.run(keep, options(before.fabric ? std::vector<const chains::Plan*>{&before}
                                                             : std::vector<const chains::Plan*>{}));
    EXPECT_TRUE(report) << report.error().message;
    return *made;
  }
  /// Forwarding loops of whatever the switches hold.
  std::string loop_in(const Site& site, const chains::Plan& like) const {
    const verify::Verdict verdict = verify::verify(*like.fabric, site.tables(like));
    for (const verify::Finding& finding : verdict.findings)
      if (finding.kind == verify::FindingKind::loop) return finding.message;
    return "";
  }
  /// The update is killed after `kill_after` writes.
  void kill(Site& site, std::size_t kill_after) {
    ASSERT_TRUE(site.run(again(before), options({})));
    ASSERT_TRUE(site.holds(before));
    std::string loop;
    site.on_write = [&](const Visit& visit) {
      if (visit.attribute == hw::Attribute::linear_table && loop.empty()) loop = loop_in(site, after);
    };
    const auto killed = site.run(again(after), options({&before}), kill_after);
    site.on_write = nullptr;
    EXPECT_EQ(loop, "");
    EXPECT_FALSE(killed);
  }
  /// It ends in the tables of that plan, and no state before has a loop.
  void goes_on_to(Site& site, const chains::Plan& plan, const std::vector<const chains::Plan*>& previous) {
    std::string loop;
    site.on_write = [&](const Visit& visit) {
      if (visit.attribute == hw::Attribute::linear_table && loop.empty()) loop = loop_in(site, plan);
    };
    std::uint64_t foreign = 0;
    InstallOptions how = options(previous);
    const chains::Plan* const plans[] = {&before, &after};
    how.agrees = [&](const PendingUpdate& pending) -> Result<void> {
      foreign = foreign_entries(plans, pending.live.fabric, pending.prepared.read->lfts).count;
      return {};
    };
    const auto report = site.run(again(plan), how);
    site.on_write = nullptr;
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(foreign, 0U) << "each entry is of one of the two plans, or empty";
    EXPECT_TRUE(site.holds(plan));
    EXPECT_EQ(loop, "");
  }

  const fabric::Fabric fabric;
  chains::Plan before, after;
  std::size_t writes = 0;  ///< of the update
};

TEST_P(KilledUpdate, GoesOnToItsTargetFromEachWrite) {
  ASSERT_GT(writes, 3U);
  for (std::size_t k = 1; k < writes; ++k) {
    SCOPED_TRACE(k);
    Site site(fabric);
    kill(site, k);
    goes_on_to(site, after, {&before, &after});
  }
}

TEST_P(KilledUpdate, GoesBackFromEachWrite) {
  for (std::size_t k = 1; k < writes; ++k) {
    SCOPED_TRACE(k);
    Site site(fabric);
    kill(site, k);
    goes_on_to(site, before, {&after, &before});
  }
}

// The way back is killed, too; then either way is open still.
TEST_P(KilledUpdate, AWayBackThatIsKilledGoesOnEitherWay) {
  for (std::size_t k = 1; k < writes; k += 3)
    for (const bool forward : {false, true}) {
      SCOPED_TRACE(k);
      Site site(fabric);
      kill(site, writes - 1);
      static_cast<void>(site.run(again(before), options({&after, &before}), k));
      if (forward)
        goes_on_to(site, after, {&before, &after});
      else
        goes_on_to(site, before, {&after, &before});
    }
}

/// Twenty updates: on a tree, on a ring, and on irregular graphs.
std::vector<UpdateCase> update_cases() {
  const std::string updn = "routing_engine updn\nroot_guid_file roots\n",
                    other = "routing_engine updn\nroot_guid_file other_roots\n",
                    dfsssp = "routing_engine dfsssp\n", dnup = "routing_engine dnup\n";
  const std::pair<std::string, rch::test::Shape> shapes[] = {{"ring", ring(9, 2)},
                                                             {"tree", rch::test::clos(6, 4, 3)},
                                                             {"graph1", graph(1)},
                                                             {"graph2", graph(2)},
                                                             {"graph3", graph(3)}};
  std::vector<UpdateCase> cases;
  for (const auto& shape : shapes) {
    const auto add = [&](const char* name, const std::string& before, const std::string& after) {
      cases.push_back({shape.first + "_" + name, shape.second, before, after});
    };
    add("other_root", updn, other);
    add("updn_to_dfsssp", other, dfsssp);
    add("dfsssp_to_updn", dfsssp, other);
    add("dnup_to_updn", dnup, other);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(OfEngines, KilledUpdate, testing::ValuesIn(update_cases()),
                         [](const auto& of) { return of.param.name; });

/// What a ticket compares.
class Pending : public KilledUpdate {
 protected:
  struct Seen {
    StateDigests state;
    std::vector<StepDigest> steps;
  };
  Seen look(Site& site, const chains::Plan& plan, bool dry_run) {
    Seen seen;
    InstallOptions how = options({&before});
    how.dry_run = dry_run;
    how.agrees = [&](const PendingUpdate& pending) -> Result<void> {
      seen = {state_digests(pending), step_digests(pending)};
      return fail(ErrorKind::forbidden, "not agreed");
    };
    const auto report = site.run(again(plan), how);
    EXPECT_FALSE(report);
    EXPECT_EQ(report.error().message, "not agreed");
    return seen;
  }
};

TEST_P(Pending, IsTheSameInADryRunAndLaterAndNothingIsWrittenWithoutConsent) {
  Site site(fabric);
  ASSERT_TRUE(site.run(again(before), options({})));
  const Seen dry = look(site, after, true);
  EXPECT_TRUE(site.holds(before));
  EXPECT_FALSE(dry.steps.empty());
  const Seen later = look(site, after, false);
  EXPECT_TRUE(site.holds(before));
  EXPECT_EQ(dry.state, later.state);
  EXPECT_EQ(dry.steps, later.steps);
}

TEST_P(Pending, DiffersWhereOneEntryDoes) {
  Site site(fabric);
  ASSERT_TRUE(site.run(again(before), options({})));
  const Seen dry = look(site, after, true);
  const Lid lid = before.fabric->port(fabric.end_ports()[1].port).lid;
  std::uint8_t& entry = site.entry(SwitchId(1), lid);
  entry = kNoPath;
  const Seen later = look(site, after, true);
  EXPECT_NE(dry.state.switches, later.state.switches);
  EXPECT_EQ(dry.state.lids, later.state.lids);
  std::size_t differing = 0;
  for (std::size_t s = 0; s < dry.state.switches.size(); ++s)
    differing += dry.state.switches[s] != later.state.switches[s] ? 1U : 0U;
  EXPECT_EQ(differing, 1U);
}

INSTANTIATE_TEST_SUITE_P(OfEngines, Pending,
                         testing::Values(UpdateCase{"tree", rch::test::clos(3, 2, 2),
                                                    "routing_engine minhop\n", "routing_engine updn\n"}),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace rch::sm
