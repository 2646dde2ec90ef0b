// Discovery and commit as machines: driven by hand, stopped anywhere, looked at on the way.

#include <gtest/gtest.h>

#include <algorithm>

#include "hw/commit_fixture.h"
#include "hw/discovery.h"
#include "hw/driver.h"
#include "hw/simple_routing.h"
#include "hw/sweep.h"

namespace rch::hw {
namespace {

/// Drives one machine over a fabric in memory, event by event. Records what is sent.
class ByHand {
 public:
  ByHand(sim::SimulatedFabric& fake, Machine& machine) : fake_(fake), machine_(machine) {}

  /// Sends what is due and lets one datagram arrive, or time pass. False: the machine is finished.
  bool step() {
    while (const auto request = machine_.next_request(now)) client.submit(*request);
    if (machine_.finished()) return false;
    for (const auto& [datagram, timeout] : client.take_to_send(now)) {
      sent.push_back(datagram.mad);
      EXPECT_TRUE(fake_.send(datagram, timeout));
    }
    if (arrived_.empty()) fake_.receive(arrived_, TimePoint::min());
    if (arrived_.empty()) {
      now = std::min(client.deadline(), machine_.deadline());
      client.on_time(now);
    } else {
      client.on_datagram(arrived_.front(), now);
      arrived_.erase(arrived_.begin());
    }
    for (const SmpCompletion& done : client.take_completed()) machine_.on_answer(done.tag, done.answer);
    return true;
  }
  void run(std::size_t steps = 1000000) {
    for (std::size_t i = 0; i < steps && step(); ++i) {
    }
  }

  SmpClient client{{}};
  TimePoint now{};
  std::vector<Mad> sent;

 private:
  sim::SimulatedFabric& fake_;
  Machine& machine_;
  std::vector<Datagram> arrived_;
};

class Machines : public test::Commit {
 protected:
  /// A fabric that works, and an update of two rounds with a drain between them.
  void SetUp() override {
    ASSERT_TRUE(run({}, true));
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) fake.lft_blocks[{SwitchId(s), 0}][11] ^= 1;
    Driver driver(fake, {});
    live.emplace(*driver.wait(discover(driver)));
    lids = test::simple_lids(live->fabric, 0);
    prepared.emplace(*driver.wait(prepare(driver, *live, lids, tables, {})));
    rounds.assign(2, fabric::one_round(prepared->delta.lft_blocks, tables.lfts));
    rounds[0].waits = true;
  }
  hw::Commit update() const { return hw::Commit({*live, tables, *prepared, rounds, subnet}); }

  std::optional<LiveFabric> live;
  std::vector<fabric::LidAssignment> lids;
  std::optional<Preparation> prepared;
  std::vector<fabric::WriteRound> rounds;
  SubnetOptions subnet;
};

TEST_F(Machines, ASweepShowsWhatItKnowsOnTheWay) {
  Sweep sweep;
  ByHand by_hand(fake, sweep);
  EXPECT_TRUE(sweep.nodes().empty());
  std::size_t known = 0;
  while (by_hand.step()) {
    EXPECT_GE(sweep.nodes().size(), known);
    known = sweep.nodes().size();
  }
  EXPECT_EQ(known, fabric.nodes().size());
}

TEST_F(Machines, TheSameEventsGiveTheSameEffects) {
  std::vector<Mad> sent[2];
  for (auto& mads : sent) {
    Sweep sweep;
    ByHand by_hand(fake, sweep);
    by_hand.run();
    mads = by_hand.sent;
  }
  EXPECT_EQ(sent[0], sent[1]);
}

TEST_F(Machines, CommitShowsItsStepsAndDrains) {
  hw::Commit commit = update();
  ByHand by_hand(fake, commit);
  std::vector<std::pair<std::string, hw::Commit::State>> seen;
  TimePoint drained{};
  do {
    if (commit.finished()) break;
    const std::pair at{std::string(commit.steps()[commit.step()].name), commit.state()};
    if (seen.empty() || seen.back() != at) seen.push_back(at);
    if (commit.state() == hw::Commit::State::draining && commit.deadline() != TimePoint::max()) {
      drained = commit.deadline();
      EXPECT_EQ(commit.progress().count(), 0U);
      EXPECT_FALSE(commit.next_request(drained - Milliseconds{1})) << "nothing is sent before its end";
    }
  } while (by_hand.step());
  EXPECT_EQ(drained, TimePoint(packet_life_time(subnet)));
  EXPECT_TRUE(commit.result());
  const auto has = [&](const char* name, hw::Commit::State state) {
    return std::ranges::find(seen, std::pair{std::string(name), state}) != seen.end();
  };
  EXPECT_TRUE(has("write forwarding tables", hw::Commit::State::setting));
  EXPECT_TRUE(has("write forwarding tables", hw::Commit::State::reading));
  EXPECT_TRUE(has("drain", hw::Commit::State::draining));
  EXPECT_TRUE(has("check switches", hw::Commit::State::reading));
}

TEST_F(Machines, ACommitThatIsDroppedAnywhereIsCompletedByTheNextOne) {
  const auto start = fake.lft_blocks;
  for (std::size_t steps = 0;; ++steps) {
    fake.lft_blocks = start;
    hw::Commit commit = update();
    ByHand(fake, commit).run(steps);
    const bool finished = commit.finished();
    ASSERT_TRUE(run({}, true)) << "after " << steps << " events";
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const auto row = tables.lfts.row(SwitchId(s));
      EXPECT_TRUE(std::equal(row.begin(), row.end(), fake.lft_blocks[{SwitchId(s), 0}].begin())) << steps;
    }
    if (finished) break;
  }
}

TEST_F(Machines, AFailedCommitEndsItsStepForAllOthers) {
  hw::Commit commit = update();
  const std::optional<SmpRequest> first = commit.next_request(TimePoint());
  ASSERT_TRUE(first);
  commit.on_answer(first->tag, {});
  EXPECT_FALSE(commit.finished());
  const std::size_t step = commit.step();
  std::size_t others = 0;
  for (; const auto next = commit.next_request(TimePoint()); ++others) {
    EXPECT_EQ(commit.step(), step);
    EXPECT_NE(next->node, first->node);
    commit.on_answer(next->tag, {.answered = true, .data = next->data});
  }
  EXPECT_GT(others, 0U);
  EXPECT_TRUE(commit.finished());
  EXPECT_FALSE(commit.result());
  EXPECT_FALSE(commit.next_request(TimePoint()));
}

}  // namespace
}  // namespace rch::hw
