// What operators give and get: times, states, the lock of the files of a manager.

#include <gtest/gtest.h>

#include "cli/confirmation.h"
#include "cli/cut_off.h"
#include "cli/drains.h"
#include "cli/reload_jobs.h"
#include "cli/service.h"
#include "cli/state_file.h"
#include "cli/status_text.h"
#include "fabric/fabric_builder.h"
#include "support/small_fabrics.h"
#include "support/temporary_folder.h"

namespace rch::cli {
namespace {

TEST(ConfirmTime, TakesSecondsMinutesAndHours) {
  const std::pair<const char*, int> times[] = {{"90s", 90},    {"5m", 300},      {"2h", 7200}, {"90", 90},
                                               {"24h", 86400}, {"86400", 86400}, {"1", 1}};
  for (const auto& [text, seconds] : times) EXPECT_EQ(confirm_time(text)->count(), seconds) << text;
}

TEST(ConfirmTime, SaysWhatIsAllowed) {
  for (const char* text :
       {"1d", "0.5s", "0", "0s", "25h", "86401", "s", "", "-5s", "5 m", "99999999999999999999s"}) {
    const auto time = confirm_time(text);
    ASSERT_FALSE(time) << text;
    EXPECT_NE(time.error().message.find("from 1s to 24h is allowed (90s, 5m, 2h; 90 is 90s)"),
              std::string::npos);
    EXPECT_NE(time.error().message.find(std::string("`") + text + "`"), std::string::npos);
  }
}

Json status(const char* state, bool proven) {
  return {{"state", state},  {"proven", proven},   {"accepted", Json::array()},
          {"generation", 1}, {"degraded", Json()}, {"following", Json()},
          {"switches", 4},   {"end_ports", 4},     {"quarantined", 0}};
}

/// A manager before its first sweep, in the state that its options give it.
class OutsideTheMasterTest : public testing::Test {
 protected:
  static Loaded inactive() {
    policy::Policy policy;
    policy.options.manager.sm_inactive = true;
    return {std::make_shared<const policy::Policy>(std::move(policy)), {}, {}, {}, {}};
  }
  hw::Exchange exchange{{}, hw::TimePoint()};
  ActivityReport activity;
  Service service{
      exchange, {}, inactive(), RunLog([] { return std::chrono::system_clock::time_point(); }), {}, activity};
};

// What a manager saw of the fabric before another one became master is no answer.
TEST_F(OutsideTheMasterTest, RequestsThatOnlyTheMasterCarriesOutAreRefusedAlike) {
  const std::string refusal =
      R"({"error":"this subnet manager is not-active, not master: ask the master","refused_by":"not-active"})";
  using enum QuarantineRequest::Action;
  for (const auto action : {list, add, report, isolate, no_discover, release})
    EXPECT_EQ(service.quarantine({action, "0x10", {}}).dump(), refusal);
  EXPECT_EQ(service.sweep({}).dump(), refusal);
  EXPECT_EQ(service.sweep({.accept = {.static_change = true}}).dump(), refusal);
  EXPECT_EQ(service.partitions().dump(), refusal);
  Drains drains(service, [](const QuarantineRequest&) { return Json(); });
  EXPECT_EQ(drains.drain({.parts = {"spine0"}}).dump(), refusal);
  EXPECT_EQ(drains.undrain({.parts = {"spine0"}}).dump(), refusal);
  EXPECT_EQ(drains.answer(1).dump(), R"({"error":"no drain has the number 1"})");
}

TEST(StatusText, AMasterIsHealthyWithProvenTables) {
  EXPECT_TRUE(is_healthy(status("master", true)));
  EXPECT_FALSE(is_healthy(status("master", false)));
  EXPECT_FALSE(is_healthy(status("discovering", false)));
  Json degraded = status("master", true);
  degraded["degraded"] = "a reason";
  EXPECT_FALSE(is_healthy(degraded));
}

// Monitoring asks whether hosts reach each other, and proven tables may be on the way.
TEST(StatusText, AMasterIsNotHealthyWhileHostsHaveNoPath) {
  Json master = status("master", true);
  master["update"] = Json{{"rounds", 2U}, {"drained_lids", 1U}, {"waits_ms", 0U}};
  master["pairs_without_path"] = 0U;
  EXPECT_TRUE(is_healthy(master)) << "the drained LID is that of a switch";
  master["pairs_without_path"] = 5U;
  EXPECT_FALSE(is_healthy(master));
  EXPECT_NE(status_line(master).find("; 5 pairs of hosts without a path;"), std::string::npos)
      << status_line(master);
}

TEST(StatusText, AStandbyIsHealthyWhileItFollows) {
  Json standby = status("standby", false);
  EXPECT_FALSE(is_healthy(standby));
  standby["following"] = 7U;
  EXPECT_TRUE(is_healthy(standby));
  standby["degraded"] = "the master has another configuration";
  EXPECT_FALSE(is_healthy(standby));
}

TEST(StatusText, AcceptedFindingsAreNamed) {
  Json master = status("master", false);
  master["accepted"].push_back("credit-loop");
  EXPECT_FALSE(is_healthy(master));
  EXPECT_NE(status_line(master).find("tables accepted: credit-loop, plan 1"), std::string::npos)
      << status_line(master);
}

TEST(StatusText, AnUpdateThatIsWrittenIsNamed) {
  Json master = status("master", true);
  master["update"] = Json();
  EXPECT_EQ(status_line(master).find("update"), std::string::npos) << status_line(master);
  master["update"] = Json{{"rounds", 8U}, {"drained_lids", 0U}};
  EXPECT_NE(status_line(master).find("; update is being written in 8 rounds;"), std::string::npos)
      << status_line(master);
  master["update"] = Json{{"rounds", 2U}, {"drained_lids", 1U}};
  EXPECT_NE(status_line(master).find("in 2 rounds; 1 LID without a path between two of them;"),
            std::string::npos)
      << status_line(master);
  master["update"] = Json{{"rounds", 1U}, {"drained_lids", 2U}, {"waits_ms", 1074U}};
  EXPECT_NE(status_line(master).find("in 1 round; 2 LIDs without a path until it is; it waits for packets of "
                                     "an update that was broken off;"),
            std::string::npos)
      << status_line(master);
}

TEST(StatusText, WhatListsExcludeIsCounted) {
  Json master = status("master", true);
  master["excluded_cables"] = 0U;
  master["cut_off"] = Json();
  EXPECT_EQ(status_line(master).find("lists"), std::string::npos) << status_line(master);
  master["excluded_cables"] = 3U;
  EXPECT_TRUE(status_line(master).ends_with("; lists 3 cables excluded (`rch quarantine list`)"))
      << status_line(master);
  master["cut_off"] = "2 hosts are cut off";
  EXPECT_TRUE(status_line(master).ends_with("(`rch quarantine list`); 2 hosts are cut off"))
      << status_line(master);
}

TEST(ReloadJobs, AListThatIsNotAppliedIsNotInstalled) {
  ReloadJobs jobs;
  const std::uint64_t job = jobs.add({{"findings", Json::array()}}, false);
  sm::Status status{.state = hw::SmState::master, .degraded = "a reason", .configuration = job, .tried = job};
  EXPECT_EQ(jobs.answer(job, status).text("state"), "installed");
  status.list_ignored = true;
  EXPECT_EQ(jobs.answer(job, status).text("state"), "degraded");
  EXPECT_EQ(jobs.answer(job, status).text("why"), "a reason");
}

TEST(ReloadJobs, OneThatWasInstalledStaysInstalledWhenALaterOneComes) {
  ReloadJobs jobs;
  const std::uint64_t first = jobs.add({{"findings", Json::array()}}, false);
  sm::Status status{.state = hw::SmState::master, .degraded = {}, .configuration = first, .tried = first};
  jobs.note_installed(first);
  EXPECT_EQ(jobs.answer(first, status).find("in_effect")->dump(), "true");
  const std::uint64_t skipped = jobs.add({{"findings", Json::array()}}, false);
  const std::uint64_t last = jobs.add({{"findings", Json::array()}}, false);
  EXPECT_EQ(jobs.answer(first, status).text("state"), "installed") << "its plan is in effect still";
  EXPECT_EQ(jobs.answer(skipped, status).text("state"), "superseded");
  EXPECT_EQ(jobs.answer(last, status).text("state"), "pending");
  status.configuration = status.tried = last;
  jobs.note_installed(last);
  EXPECT_EQ(jobs.answer(first, status).text("state"), "installed");
  EXPECT_EQ(jobs.answer(first, status).find("in_effect")->dump(), "false");
  EXPECT_EQ(jobs.answer(skipped, status).text("state"), "superseded");
  jobs.roll_back(last);
  EXPECT_EQ(jobs.answer(last, status).text("state"), "rolled_back");
  EXPECT_EQ(jobs.answer(first, status).text("state"), "installed");
}

/// Two leaves with a host each under a spine.
fabric::Fabric two_leaves() {
  fabric::FabricBuilder builder(test::build(test::clos(2, 1, 1)));
  const fabric::Fabric whole = test::build(test::clos(2, 1, 1));
  const fabric::Port& own = whole.port(whole.end_ports()[0].port);
  builder.set_origin(fabric::FabricBuilder::Handle(own.node.value), own.number);
  return std::move(*std::move(builder).build());
}

Guid switch_of(const fabric::Fabric& fabric, std::size_t host) {
  return fabric.node(fabric.port(fabric.port(fabric.end_ports()[host].port).peer).node).guid;
}

TEST(CutOff, HostsAndSwitchesOfThePlanAreCountedAndNamed) {
  const fabric::Fabric fabric = two_leaves();
  const auto cut = cut_off(fabric, fabric::CablePolicy(std::nullopt, {switch_of(fabric, 1)}));
  ASSERT_TRUE(cut);
  EXPECT_FALSE(cut->is_unfit);
  EXPECT_NE(cut->what.find("cuts off 1 host and 1 switch of the installed plan: `"), std::string::npos)
      << cut->what;
  EXPECT_FALSE(cut_off(fabric, fabric::CablePolicy(std::nullopt, {switch_of(fabric, 0)})))
      << "our own switch is not held back";
}

TEST(CutOff, AListOfAnotherFabricCannotBeAccepted) {
  const auto cut = cut_off(
      two_leaves(),
      fabric::CablePolicy(std::vector<fabric::CableEntry>{{Guid{9}, PortNum(1), Guid{8}, PortNum(1)}}, {}));
  ASSERT_TRUE(cut);
  EXPECT_TRUE(cut->is_unfit);
  EXPECT_TRUE(cut->what.ends_with("it would cut off the whole fabric, 2 hosts and 3 switches")) << cut->what;
}

TEST(StatusText, ARepairSaysWhatItLeaves) {
  Json master = status("master", true);
  master["heals"] = true;
  master["pairs_without_path"] = 0U;
  EXPECT_NE(status_line(master).find("; healed a repair restored the lost paths"), std::string::npos)
      << status_line(master);
  master["pairs_without_path"] = 12U;
  EXPECT_NE(status_line(master).find("12 pairs of hosts without a path"), std::string::npos)
      << status_line(master);
}

TEST(StatusText, MulticastGroupsThatWaitAreNamed) {
  Json master = status("master", true);
  master["multicast_unrouted"] = Json();
  EXPECT_EQ(status_line(master).find("groups"), std::string::npos) << status_line(master);
  master["multicast_unrouted"] = "multicast group 0xC000 waits: a reason";
  EXPECT_NE(status_line(master).find("; groups multicast group 0xC000 waits: a reason;"), std::string::npos)
      << status_line(master);
}

TEST(StatusText, FollowersWithAnotherConfigurationAreCounted) {
  Json master = status("master", true);
  master["followers"] = 2U;
  EXPECT_NE(status_line(master).find("followers 2"), std::string::npos);
  EXPECT_EQ(status_line(master).find("another"), std::string::npos);
  master["followers_with_other_configuration"] = 1U;
  EXPECT_NE(
      status_line(master).find("followers 2; 1 of them has another configuration and would not take over"),
      std::string::npos)
      << status_line(master);
}

class StateLockTest : public test::TemporaryFolder {};

TEST_F(StateLockTest, AFolderBelongsToOneManager) {
  const std::string lids = folder_ / "cache" / "guid2lid";
  {
    const auto first = StateLock::take(lids);
    ASSERT_TRUE(first);
    const auto second = StateLock::take(lids);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, ErrorKind::usage);
    EXPECT_NE(second.error().message.find("another subnet manager (process "), std::string::npos)
        << second.error().message;
    EXPECT_TRUE(StateLock::take(folder_ / "other" / "guid2lid"));
  }
  EXPECT_TRUE(StateLock::take(lids));
}

}  // namespace
}  // namespace rch::cli
