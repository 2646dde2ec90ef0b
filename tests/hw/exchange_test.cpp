// Tasks and machines that share one exchange. The test is the driver: it hands over events one by one.

#include "hw/exchange.h"

#include <gtest/gtest.h>

#include <string>

#include "hw/inquiry.h"

namespace rch::hw {
namespace {

namespace h = mad_header;
using std::chrono::milliseconds;

SmpRequest question(std::uint32_t modifier) {
  return {.to = Route{}, .attribute = Attribute::port_info, .modifier = modifier, .node = NodeKey(modifier)};
}

std::vector<SmpRequest> questions(std::uint32_t count) {
  std::vector<SmpRequest> all;
  for (std::uint32_t q = 0; q < count; ++q) all.push_back(question(q));
  return all;
}

/// An agent that answers each attribute with its modifier.
Datagram answer_to(const OutgoingDatagram& sent) {
  Datagram answer = sent.datagram;
  set(answer.mad, h::kMethod, static_cast<std::uint8_t>(Method::get_resp));
  set(answer.mad, h::kStatus, 0x8000);
  answer.mad[h::kData] = static_cast<std::uint8_t>(get(answer.mad, h::kModifier));
  return answer;
}

class ExchangeTest : public testing::Test {
 protected:
  Effects take() { return exchange.take_effects(now); }
  void arrive(const OutgoingDatagram& sent) {
    const Datagram answer = answer_to(sent);
    exchange.on_arrival(std::span(&answer, 1), now);
  }
  void pass(milliseconds span) {
    now += span;
    exchange.on_arrival({}, now);
  }

  TimePoint now{};
  Exchange exchange{{.timeout = milliseconds{100}, .retries = 0, .window = 2}, now};
};

TEST_F(ExchangeTest, TasksShareTheWindowAndGetTheirOwnAnswers) {
  auto many = ask(exchange, questions(3));
  auto one = ask(exchange, question(9));
  many.start();
  one.start();
  Effects effects = take();
  EXPECT_EQ(effects.datagrams.size(), 2U) << "the window";
  for (int rounds = 0; rounds < 4 && !(many.done() && one.done()); ++rounds) {
    for (const OutgoingDatagram& sent : effects.datagrams) arrive(sent);
    effects = take();
  }
  ASSERT_TRUE(many.done() && one.done());
  EXPECT_EQ(one.take()->data[0], 9);
  const auto answers = many.take();
  for (std::uint8_t q = 0; q < 3; ++q) EXPECT_EQ((*answers)[q].data[0], q);
  EXPECT_EQ(exchange.deadline(), TimePoint::max()) << "nothing is left to do";
}

TEST_F(ExchangeTest, ATaskGoesOnWhileAnotherWaits) {
  Pause pause(now + milliseconds{500});
  auto waiting = exchange.run(pause);
  auto asking = ask(exchange, question(1));
  waiting.start();
  asking.start();
  arrive(take().datagrams.at(0));
  take();
  EXPECT_TRUE(asking.done());
  EXPECT_FALSE(waiting.done());
  EXPECT_EQ(exchange.deadline(), now + milliseconds{500});
  pass(milliseconds{500});
  take();
  EXPECT_TRUE(waiting.done());
}

TEST_F(ExchangeTest, ATaskThatIsDestroyedLeavesNothingBehind) {
  Effects effects;
  {
    auto abandoned = ask(exchange, questions(5));
    abandoned.start();
    effects = take();
  }
  for (const OutgoingDatagram& sent : effects.datagrams) arrive(sent);
  EXPECT_TRUE(take().datagrams.empty()) << "what was queued is cancelled";
  auto next = ask(exchange, question(7));
  next.start();
  arrive(take().datagrams.at(0));
  take();
  ASSERT_TRUE(next.done());
  EXPECT_EQ(next.take()->data[0], 7);
}

TEST_F(ExchangeTest, AJobRunsElsewhereWhileRequestsAreAnswered) {
  const auto compute = [] { return std::string("computed"); };
  auto working = exchange.work(compute);
  auto asking = ask(exchange, question(1));
  working.start();
  asking.start();
  exchange.become_manager([](Datagram&) { return true; });
  const Effects effects = take();
  EXPECT_TRUE(effects.show_sm);
  ASSERT_EQ(effects.jobs.size(), 1U);
  Datagram poll;
  set(poll.mad, h::kMethod, static_cast<std::uint8_t>(Method::get));
  exchange.on_arrival(std::span(&poll, 1), now);
  EXPECT_EQ(take().datagrams.size(), 1U) << "the answer to the poll";
  arrive(effects.datagrams.at(0));
  take();
  EXPECT_TRUE(asking.done());
  effects.jobs[0].run();
  EXPECT_FALSE(working.done());
  exchange.on_job_done(effects.jobs[0].id);
  EXPECT_EQ(exchange.deadline(), TimePoint::min()) << "effects are due";
  take();
  ASSERT_TRUE(working.done());
  EXPECT_EQ(working.take(), "computed");
}

TEST_F(ExchangeTest, AJobOfADestroyedTaskIsNotHandedOut) {
  const auto compute = [] { return 1; };
  { exchange.work(compute).start(); }
  EXPECT_TRUE(take().jobs.empty());
  exchange.on_job_done(JobId(0));
  EXPECT_TRUE(take().jobs.empty());
}

TEST_F(ExchangeTest, AStopLeavesMachinesAndThoseThatComeLater) {
  auto asking = ask(exchange, questions(5));
  asking.start();
  const Effects effects = take();
  exchange.on_stop();
  EXPECT_TRUE(take().datagrams.empty());
  ASSERT_TRUE(asking.done()) << "Gets on the wire are not waited for";
  EXPECT_FALSE(asking.take());
  for (const OutgoingDatagram& sent : effects.datagrams) arrive(sent);
  EXPECT_TRUE(take().datagrams.empty());
  auto later = ask(exchange, question(1));
  later.start();
  EXPECT_TRUE(take().datagrams.empty());
  ASSERT_TRUE(later.done());
  EXPECT_FALSE(later.take());
}

TEST_F(ExchangeTest, ABrokenTransportFailsAllRuns) {
  auto first = ask(exchange, questions(5));
  auto second = ask(exchange, question(1));
  first.start();
  second.start();
  take();
  exchange.on_broken({ErrorKind::fabric, "cable cut"});
  EXPECT_TRUE(take().datagrams.empty());
  ASSERT_TRUE(first.done() && second.done());
  EXPECT_EQ(first.take().error().message, "cable cut");
  EXPECT_EQ(second.take().error().message, "cable cut");
}

}  // namespace
}  // namespace rch::hw
