// A server and those who follow it, with a line between them.

#include "sa/follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chains/plan_file.h"
#include "sa/server.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

using hw::Milliseconds;
using test::SmallSnapshot;
namespace common = hw::mad_header;

/// A master at host 0, one that follows it at host 1, and hosts that register at host 2.
class Following : public testing::Test {
 protected:
  Following() {
    small.snapshot.plan.options.manager.m_key = 0x5EC2E7;
    server.publish(std::make_shared<Snapshot>(small.snapshot), now);
  }
  void follow(std::uint64_t key = 1) { follower.follow(small.lid(small.host(0)), 0, key, now); }
  /// Datagrams in both directions take a millisecond.
  void run(Milliseconds span) {
    for (const hw::TimePoint end = now + span; now < end; now += Milliseconds{1}) {
      server.on_time(now);
      follower.on_time(now);
      kept += server.take_records().bytes;
      std::vector<hw::OutgoingDatagram> of_server, of_follower;
      server.take_datagrams(of_server, now);
      follower.take_datagrams(of_follower);
      if (cut) of_follower.clear();
      for (const auto& sent : of_server) carry_to_host(sent.datagram);
      for (auto& sent : of_follower) {
        sent.datagram.lid = small.lid(small.host(1)).value;
        if (get(sent.datagram.mad, common::kMethod) == 0x12) ++asked;
        server.on_datagram(sent.datagram, now);
      }
    }
  }
  void carry_to_host(hw::Datagram datagram) {
    if (datagram.lid != small.lid(small.host(1)).value) {
      answers.push_back(datagram);
      return;
    }
    datagram.lid = small.lid(small.host(0)).value;
    if (bend) bend(datagram);
    follower.on_datagram(datagram, now);
  }
  /// A service is registered by host 2.
  void register_service(std::uint64_t id) {
    hw::Datagram datagram = request(Method::set, Attribute::service_record, 0b11, 2);
    set(datagram.mad, hw::Field{header::kData, 0, 64}, id);
    server.on_datagram(datagram, now);
  }
  std::size_t followed_records() const {
    return read_journal(std::string(journal_heading()) + follower.followed()->records).records.size();
  }

  SmallSnapshot small{test::clos(2, 2, 2)};
  test::Requests request{small};
  hw::TimePoint now = hw::TimePoint{} + std::chrono::hours{1};
  Server server;
  std::vector<std::string> news;
  Follower follower{[this](Follower::News what, const std::string& why) {
    news.push_back(what == Follower::News::follows ? "follows" : why);
  }};
  std::vector<hw::Datagram> answers;  ///< to other hosts
  std::function<void(hw::Datagram&)> bend;
  std::string kept;
  bool cut = false;
  std::size_t asked = 0;
};

TEST_F(Following, BringsPlanLidsAndRegistrations) {
  fabric::LidRecords lids;
  lids.take_over(small.fabric());
  server.followers().offer(lids);
  server.followers().set_configuration(77);
  register_service(1);
  follow();
  run(Milliseconds{300});
  const Followed* known = follower.followed();
  ASSERT_NE(known, nullptr);
  EXPECT_THAT(news, testing::ElementsAre("follows"));
  ASSERT_TRUE(known->plan);
  EXPECT_EQ(known->plan->fabric->fingerprint(), small.fabric().fingerprint());
  EXPECT_EQ(known->lids, fabric::write_guid2lid(lids));
  EXPECT_EQ(known->configuration, 77U);
  EXPECT_EQ(followed_records(), 1U);
  EXPECT_EQ(read_journal(std::string(journal_heading()) + known->records).fabric,
            journal_mark(small.fabric()));
  EXPECT_EQ(server.followers().count(now), 1U);
  EXPECT_TRUE(known->counts);
}

TEST_F(Following, ATargetBecomesThePlanWithoutBeingToldTwice) {
  follow();
  run(Milliseconds{300});
  const chains::Plan target = *chains::decode_plan(chains::encode_plan(small.snapshot.plan));
  server.followers().announce(target);
  EXPECT_FALSE(server.followers().have_target());
  run(Milliseconds{300});
  EXPECT_TRUE(server.followers().have_target());
  ASSERT_NE(follower.followed(), nullptr);
  EXPECT_EQ(follower.followed()->targets.size(), 1U);
  std::size_t segments = 0;
  bend = [&](hw::Datagram&) { ++segments; };
  server.followers().offer(target);
  run(Milliseconds{300});
  EXPECT_LE(segments, 5U) << "no plan is told again";
  EXPECT_TRUE(follower.followed()->targets.empty());
  ASSERT_TRUE(follower.followed()->plan);
}

TEST_F(Following, WhoComesWhileATargetIsToldHasBoth) {
  const chains::Plan target = *chains::decode_plan(chains::encode_plan(small.snapshot.plan));
  server.followers().announce(target);
  EXPECT_TRUE(server.followers().have_target()) << "nobody follows";
  follow();
  run(Milliseconds{300});
  ASSERT_NE(follower.followed(), nullptr);
  EXPECT_TRUE(follower.followed()->plan);
  EXPECT_EQ(follower.followed()->targets.size(), 1U);
}

TEST_F(Following, KeysAreNotTold) {
  follow();
  run(Milliseconds{300});
  ASSERT_NE(follower.followed(), nullptr);
  EXPECT_EQ(follower.followed()->plan->options.manager.m_key, 0U);
}

TEST_F(Following, AsksTenTimesASecondForWhatChangedOnly) {
  follow();
  run(Milliseconds{300});
  std::size_t segments = 0, with_plan = 0;
  bend = [&](hw::Datagram& datagram) {
    ++segments;
    with_plan += (get(datagram.mad, header::kRmppFlags) & rmpp_flags::kLast) == 0 ? 1U : 0U;
  };
  asked = 0;
  run(Milliseconds{1000});
  EXPECT_GE(asked, 9U * 2);  // a question and an ACK
  EXPECT_LE(asked, 11U * 2);
  EXPECT_EQ(with_plan, 0U) << "an answer without news is one datagram";
  register_service(1);
  register_service(2);
  run(Milliseconds{200});
  EXPECT_EQ(followed_records(), 2U);
}

TEST_F(Following, AHostIsAnsweredWhenTheFollowerHasWhatItRegistered) {
  follow();
  run(Milliseconds{300});
  const std::size_t before = followed_records();
  register_service(1);
  std::vector<hw::OutgoingDatagram> at_once;
  server.on_time(now);
  server.take_datagrams(at_once, now);
  EXPECT_TRUE(at_once.empty());
  while (answers.empty()) {
    run(Milliseconds{1});
    ASSERT_LT(now, hw::TimePoint{} + std::chrono::hours{1} + std::chrono::seconds{2});
  }
  EXPECT_EQ(followed_records(), before + 1);
  EXPECT_EQ(get(answers[0].mad, common::kStatus), 0U);
}

// A request that comes twice changes nothing the second time. Its answer must not be faster than the first.
TEST_F(Following, ARepetitionIsNotAnsweredBefore) {
  follow();
  run(Milliseconds{300});
  hw::Datagram datagram = request(Method::remove, Attribute::service_record, 0b11, 2);
  register_service(1);
  server.on_datagram(datagram, now);
  server.on_datagram(datagram, now);
  std::vector<hw::OutgoingDatagram> at_once;
  server.take_datagrams(at_once, now);
  EXPECT_TRUE(at_once.empty());
  run(Milliseconds{500});
  EXPECT_EQ(answers.size(), 3U);
}

// The host has given up the registration under this transaction: its answer would be taken for another one.
TEST_F(Following, AnswerToAFormerRequestIsNotSent) {
  follow();
  run(Milliseconds{300});
  hw::Datagram removal = request(Method::remove, Attribute::service_record, 0b11, 2);
  hw::Datagram question = request(Method::get, Attribute::class_port_info, 0, 2);
  set(question.mad, common::kTransaction, get(removal.mad, common::kTransaction));
  server.on_datagram(removal, now);
  server.on_datagram(question, now);
  std::vector<hw::OutgoingDatagram> at_once;
  server.take_datagrams(at_once, now);
  ASSERT_EQ(at_once.size(), 1U);
  EXPECT_EQ(get(at_once[0].datagram.mad, common::kMethod), 0x81U);
  run(Milliseconds{500});
  EXPECT_TRUE(answers.empty());
}

TEST_F(Following, NobodyWaitsForOneWhoIsGone) {
  follow();
  run(Milliseconds{300});
  cut = true;
  register_service(1);
  const hw::TimePoint began = now;
  while (answers.empty()) {
    run(Milliseconds{1});
    ASSERT_LT(now, began + 2 * kFollowerPatience);
  }
  EXPECT_GT(now, began + kFollowerPatience - Milliseconds{200});
  EXPECT_EQ(server.followers().count(now), 0U);
  register_service(2);
  run(Milliseconds{2});
  EXPECT_EQ(answers.size(), 2U) << "at once";
}

// One that asks and never takes what it is told costs a host our patience, once.
TEST_F(Following, NobodyWaitsForOneWhoNeverTakesIt) {
  follow();
  run(Milliseconds{300});
  bend = [](hw::Datagram& datagram) { datagram.lid = 999; };
  register_service(1);
  run(kFollowerPatience + Milliseconds{100});
  EXPECT_EQ(answers.size(), 1U);
  register_service(2);
  run(Milliseconds{2});
  EXPECT_EQ(answers.size(), 2U);
  bend = {};
  run(Milliseconds{500});
  EXPECT_TRUE(follower.followed()->counts);
  EXPECT_EQ(followed_records(), 2U);
}

TEST_F(Following, WhoHasNotTheKeyIsNotAnswered) {
  std::vector<std::string> dropped;
  server.on_dropped([&](const Dropped& what) { dropped.emplace_back(what.why); });
  follow(0);
  run(Milliseconds{3000});
  EXPECT_EQ(follower.followed(), nullptr);
  EXPECT_THAT(dropped, testing::Contains("only subnet managers may follow"));
  EXPECT_LE(asked, 4U) << "who does not answer is asked once a second";
  EXPECT_EQ(server.followers().count(now), 0U);
}

TEST_F(Following, WhoIsNoAllowedManagerIsNotAnswered) {
  small.snapshot.plan.options.manager.allowed_sms = {small.guid(small.host(0))};
  server.publish(std::make_shared<Snapshot>(small.snapshot), now);
  follow();
  run(Milliseconds{3000});
  EXPECT_EQ(follower.followed(), nullptr);
}

TEST_F(Following, BeginsAgainWithEachTimeAsMaster) {
  register_service(1);
  follow();
  run(Milliseconds{300});
  const std::uint64_t session = follower.followed()->versions.session;
  server.publish(nullptr, now);
  run(Milliseconds{2000});
  EXPECT_TRUE(follower.is_silent(now));
  server.publish(std::make_shared<Snapshot>(small.snapshot), now);
  run(Milliseconds{2000});
  EXPECT_FALSE(follower.is_silent(now));
  EXPECT_NE(follower.followed()->versions.session, session);
  EXPECT_EQ(followed_records(), 1U);
}

// A journal that grows is written anew from time to time. Who follows gets the new one.
TEST_F(Following, FollowsAJournalThatIsWrittenAnew) {
  follow();
  run(Milliseconds{300});
  for (int times = 0; times < 500; ++times) register_service(1);
  run(Milliseconds{1000});
  EXPECT_LT(follower.followed()->records.size(), 10000U);
  EXPECT_EQ(followed_records(), 1U);
  EXPECT_EQ(answers.size(), 500U);
}

TEST_F(Following, WhatCannotBeReadIsToldOnceAndChangesNothing) {
  follow();
  bend = [](hw::Datagram& datagram) {
    if (rmpp_fields(datagram.mad).type == RmppType::data) datagram.mad[header::kData + 9] ^= 1;
  };
  run(Milliseconds{3000});
  EXPECT_EQ(follower.followed(), nullptr);
  EXPECT_THAT(news, testing::ElementsAre("no state of a subnet manager: it is damaged"));
  bend = {};
  run(Milliseconds{3000});
  EXPECT_NE(follower.followed(), nullptr);
}

TEST_F(Following, AnotherMasterIsAnotherState) {
  follow();
  run(Milliseconds{300});
  follower.stop();
  EXPECT_NE(follower.followed(), nullptr) << "what is known stays";
  run(Milliseconds{3000});
  EXPECT_FALSE(follower.is_silent(now));
  follower.follow(Lid(77), 0, 1, now);
  EXPECT_EQ(follower.followed(), nullptr);
}

}  // namespace
}  // namespace rch::sa
