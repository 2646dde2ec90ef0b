#include "hw/smp_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>

#include "hw/driver.h"

namespace rch::hw {
namespace {

namespace h = mad_header;
using std::chrono::milliseconds;

/// A wire whose ends the test holds: what was sent waits in `sent`, what `arrivals` holds is delivered at its
/// time.
class Wire : public Transport {
 public:
  Result<void> send(const Datagram& datagram, Milliseconds timeout) override {
    if (broken) return fail(ErrorKind::fabric, "cable cut");
    sent.push_back(datagram);
    timeouts.push_back(timeout);
    if (on_send) on_send(datagram);
    return {};
  }
  void receive(std::vector<Datagram>& arrived, TimePoint deadline) override {
    if (arrivals.empty() || arrivals.front().first > deadline) {
      now_ = std::max(now_, deadline);
      return;
    }
    now_ = std::max(now_, arrivals.front().first);
    while (!arrivals.empty() && arrivals.front().first <= now_) {
      arrived.push_back(arrivals.front().second);
      arrivals.pop_front();
    }
  }
  Result<void> set_is_sm() override { return {}; }
  TimePoint now() const override { return now_; }

  void deliver(const Datagram& datagram, milliseconds after = milliseconds{0}) {
    arrivals.emplace_back(now_ + after, datagram);
  }
  milliseconds elapsed() const { return std::chrono::duration_cast<milliseconds>(now_.time_since_epoch()); }

  std::vector<Datagram> sent;
  std::vector<Milliseconds> timeouts;
  std::deque<std::pair<TimePoint, Datagram>> arrivals;
  std::function<void(const Datagram&)> on_send;
  bool broken = false;

 private:
  TimePoint now_{};
};

/// Asks what `questions` holds, and whatever `on_each` adds to it.
class Asker : public Machine {
 public:
  explicit Asker(std::vector<SmpRequest> asked) : questions(asked.begin(), asked.end()) {}

  std::optional<SmpRequest> next_request(TimePoint) override {
    if (questions.empty()) return std::nullopt;
    const SmpRequest request = questions.front();
    questions.pop_front();
    ++open;
    return request;
  }
  void on_answer(RequestTag tag, const SmpAnswer& answer) override {
    --open;
    answers.push_back(answer);
    if (on_each) on_each(tag, answer);
  }
  bool finished() const override { return stopped || (questions.empty() && open == 0); }

  std::deque<SmpRequest> questions;
  std::size_t open = 0;
  bool stopped = false;
  std::vector<SmpAnswer> answers;
  std::function<void(RequestTag, const SmpAnswer&)> on_each;
};

/// Asks nothing until its time is over.
class Pause : public Machine {
 public:
  explicit Pause(TimePoint end) : end_(end) {}
  std::optional<SmpRequest> next_request(TimePoint now) override {
    over_ = now >= end_;
    return std::nullopt;
  }
  void on_answer(RequestTag, const SmpAnswer&) override {}
  TimePoint deadline() const override { return end_; }
  bool finished() const override { return over_; }

 private:
  TimePoint end_;
  bool over_ = false;
};

Result<SmpAnswer> ask(Driver& driver, const SmpRequest& request) {
  Asker asker({request});
  if (auto ran = driver.wait(driver.run(asker)); !ran) return tl::unexpected(ran.error());
  return asker.answers.at(0);
}

Datagram answer_to(const Datagram& request, std::uint16_t status = 0) {
  Datagram answer = request;
  set(answer.mad, h::kMethod, 0x81);
  set(answer.mad, h::kStatus, 0x8000U | status);
  set(answer.mad, Field{8, 0, 32}, 0x12345678);
  return answer;
}

Datagram undeliverable(const Datagram& request) {
  Datagram back;
  std::copy_n(request.mad.begin(), 24, back.mad.begin());
  back.status = 110;
  return back;
}

SmpRequest request_to(std::uint32_t node, std::uint32_t modifier = 0) {
  SmpRequest request;
  request.to = Route{}.through(PortNum(3)).through(PortNum(7));
  request.attribute = Attribute::port_info;
  request.modifier = modifier;
  request.node = NodeKey(node);
  return request;
}

SmpRequest set_to(std::uint32_t node, std::uint32_t modifier = 0) {
  SmpRequest request = request_to(node, modifier);
  request.method = Method::set;
  return request;
}

TEST(SmpClient, WritesADirectedRouteSmp) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) { wire.deliver(answer_to(d)); };
  Driver driver(wire, {.keys = {.own = {0x1122334455667788}}});
  SmpRequest request = request_to(0, 0x80000005);
  request.method = Method::set;
  request.data[0] = 0xAB;
  ASSERT_TRUE(ask(driver, request)->good());
  const Mad& mad = wire.sent.at(0).mad;
  const std::uint8_t header[] = {1, 0x81, 1, 2, 0, 0, 0, 2};
  EXPECT_TRUE(std::equal(std::begin(header), std::end(header), mad.begin()));
  EXPECT_EQ(get(mad, h::kAttribute), 0x15U);
  EXPECT_EQ(get(mad, h::kModifier), 0x80000005U);
  EXPECT_EQ(get(mad, h::kMKey), 0x1122334455667788U);
  EXPECT_EQ(get(mad, h::kDrSlid), 0xFFFFU);
  EXPECT_EQ(get(mad, h::kDrDlid), 0xFFFFU);
  EXPECT_EQ(mad[64], 0xAB);
  const std::uint8_t path[] = {0, 3, 7, 0};
  EXPECT_TRUE(std::equal(std::begin(path), std::end(path), mad.begin() + 128));
  EXPECT_EQ(get(mad, Field{8, 0, 32}), 0U);
  EXPECT_NE(get(mad, h::kTransactionLow), 0U);
  EXPECT_EQ(wire.sent.at(0).lid, 0xFFFF);
}

TEST(SmpClient, ResendsAfterTheTimeoutAndGivesUp) {
  Wire wire;
  Driver driver(wire, {.timeout = milliseconds{200}, .retries = 3});
  const auto answer = ask(driver, request_to(0));
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->answered);
  const std::vector<Milliseconds> waits{milliseconds{200}, milliseconds{400}, milliseconds{800},
                                        milliseconds{800}};
  EXPECT_EQ(wire.timeouts, waits) << "each attempt waits longer, up to four times";
  EXPECT_EQ(wire.elapsed(), milliseconds{2200});
  EXPECT_EQ(driver.counters().lost, 1U);
  EXPECT_EQ(driver.counters().resent, 3U);
}

TEST(SmpClient, LossThatAnAnswerHasShownIsWaitedOut) {
  Wire wire;
  unsigned lost_first = 0;
  wire.on_send = [&](const Datagram& d) {
    const bool last = get(d.mad, h::kModifier) == 0 && wire.sent.size() > lost_first;
    wire.deliver(last ? answer_to(d) : undeliverable(d));
  };
  SmpRequest to_the_dead = request_to(1, 1);
  const auto attempts_at_the_dead = [&](unsigned lost) {
    Driver driver(wire, {.retries = 3});
    wire.sent.clear();
    lost_first = lost;
    EXPECT_TRUE(ask(driver, request_to(0, 0))->good());
    wire.sent.clear();
    EXPECT_FALSE(ask(driver, to_the_dead)->answered);
    return wire.sent.size();
  };
  EXPECT_EQ(attempts_at_the_dead(0), 4U) << "nothing was lost: silence means a dead port";
  EXPECT_EQ(attempts_at_the_dead(2), 9U + 4U) << "an answer took three attempts";
  EXPECT_EQ(attempts_at_the_dead(3), 10U + 4U) << "an answer took four attempts";
  const auto of_the_dead = std::span(wire.timeouts).last(14);
  EXPECT_EQ(std::ranges::count(of_the_dead.first(10), milliseconds{10}), 10) << "agents answer at once";
  const std::vector<Milliseconds> patient{milliseconds{200}, milliseconds{400}, milliseconds{800},
                                          milliseconds{800}};
  EXPECT_TRUE(std::ranges::equal(of_the_dead.last(4), patient));
  to_the_dead.patience = Patience::brief;
  EXPECT_EQ(attempts_at_the_dead(2), 4U);
  to_the_dead.patience = Patience::again;
  EXPECT_EQ(attempts_at_the_dead(2), 9U + 1U);
  EXPECT_EQ(attempts_at_the_dead(0), 1U);
}

/// max_wire_smps2, max_smps_timeout.
TEST(SmpClient, SilentNodesDoNotHoldUpTheOthersForLong) {
  const auto sent_until = [](SmpOptions options, milliseconds end) {
    SmpClient client(options);
    for (std::uint32_t node = 0; node < 8; ++node) client.submit(request_to(node));
    std::vector<std::pair<long, std::size_t>> sent;
    for (TimePoint now{}; now <= TimePoint{} + end; now = std::max(now, client.deadline())) {
      client.on_time(now);
      const std::size_t count = client.take_to_send(now).size();
      if (count > 0)
        sent.emplace_back(std::chrono::duration_cast<milliseconds>(now.time_since_epoch()).count(), count);
    }
    return sent;
  };
  using Sent = std::vector<std::pair<long, std::size_t>>;
  const SmpOptions narrow{.timeout = milliseconds{1000}, .window = 2};
  EXPECT_EQ(sent_until(narrow, milliseconds{900}), (Sent{{0, 2}}));
  SmpOptions wider = narrow;
  wider.window2 = 4;
  wider.stuck_after = std::chrono::microseconds{200000};
  EXPECT_EQ(sent_until(wider, milliseconds{900}), (Sent{{0, 2}, {200, 1}, {400, 1}})) << "up to four";
}

/// An answer ends what is beyond the window.
TEST(SmpClient, TheWindowIsAsNarrowAsBeforeOnceSomethingEnds) {
  SmpClient client(
      {.timeout = milliseconds{1000}, .window = 1, .window2 = 3, .stuck_after = milliseconds{100}});
  for (std::uint32_t node = 0; node < 8; ++node) client.submit(request_to(node));
  const TimePoint begin{};
  const auto first = client.take_to_send(begin);
  ASSERT_EQ(first.size(), 1U);
  ASSERT_EQ(client.deadline(), begin + milliseconds{100});
  EXPECT_EQ(client.take_to_send(begin + milliseconds{100}).size(), 1U);
  client.on_datagram(answer_to(first[0].datagram), begin + milliseconds{150});
  EXPECT_EQ(client.take_to_send(begin + milliseconds{150}).size(), 0U) << "one is still under way";
  EXPECT_EQ(client.take_to_send(begin + milliseconds{250}).size(), 1U);
}

// What is lost is sent again as soon as the slowest agent would have answered.
TEST(SmpClient, WaitsForLossAsLongAsAgentsTake) {
  Wire wire;
  std::size_t lost_before = 1;
  milliseconds delay{5};
  wire.on_send = [&](const Datagram& d) {
    if (wire.sent.size() > lost_before) wire.deliver(answer_to(d), delay);
  };
  Driver driver(wire, {.retries = 3});
  ASSERT_TRUE(ask(driver, request_to(0))->good());
  EXPECT_EQ(wire.timeouts.front(), milliseconds{200}) << "nothing is known";
  const auto wait_after_loss = [&] {
    const std::size_t sent = wire.sent.size();
    lost_before = sent + 1;
    EXPECT_TRUE(ask(driver, request_to(1))->good());
    return wire.timeouts.at(sent);
  };
  EXPECT_EQ(wait_after_loss(), milliseconds{20});
  delay = milliseconds{12};
  EXPECT_TRUE(ask(driver, request_to(2))->good());
  EXPECT_EQ(wait_after_loss(), milliseconds{48}) << "the slowest agent of all";
  delay = milliseconds{90};
  EXPECT_TRUE(ask(driver, request_to(3))->good()) << "slower than any before";
  EXPECT_EQ(wait_after_loss(), milliseconds{200}) << "no longer than one timeout";
}

// A manager runs for months. What was lost once must not make every silent port cost a minute for ever.
TEST(SmpClient, LossThatIsOverIsForgotten) {
  RecentAnswers recent;
  const TimePoint start{};
  EXPECT_EQ(recent.attempts_to_dead(start), 1U);
  recent.note(9, milliseconds{0}, start);
  EXPECT_EQ(recent.attempts_to_dead(start + milliseconds{9999}), 17U);
  recent.note(2, milliseconds{0}, start + milliseconds{9999});
  EXPECT_EQ(recent.attempts_to_dead(start + milliseconds{19999}), 17U);
  recent.note(3, milliseconds{0}, start + milliseconds{19999});
  EXPECT_EQ(recent.attempts_to_dead(start + milliseconds{29999}), 9U);
  EXPECT_EQ(recent.attempts_to_dead(start + milliseconds{60000}), 1U);
}

// One cable that goes down for a moment loses attempts of a few requests among many.
TEST(SmpClient, AFlapAmongManyAnswersIsNoLoss) {
  RecentAnswers recent;
  const TimePoint start{};
  for (int answer = 0; answer < 1000; ++answer) recent.note(1, milliseconds{0}, start);
  for (int answer = 0; answer < 4; ++answer) recent.note(3, milliseconds{0}, start);
  EXPECT_LE(recent.attempts_to_dead(start), 4U);
}

// One cable may lose much where the others lose nothing.
TEST(SmpClient, LossAtOneNodeIsWaitedOutThere) {
  Wire wire;
  std::size_t lost_first = 0;
  wire.on_send = [&](const Datagram& d) {
    const bool lost = get(d.mad, h::kModifier) == 7 && wire.sent.size() <= lost_first;
    wire.deliver(lost ? undeliverable(d) : answer_to(d));
  };
  Driver driver(wire, {.retries = 3});
  for (unsigned i = 0; i < 2000; ++i) ASSERT_TRUE(ask(driver, request_to(i % 50 + 100, 1))->good());
  for (int i = 0; i < 3; ++i) {
    lost_first = wire.sent.size() + 3;
    ASSERT_TRUE(ask(driver, request_to(1, 7))->good());
  }
  lost_first = wire.sent.size() + 8;
  EXPECT_TRUE(ask(driver, request_to(1, 7))->good());
}

TEST(SmpClient, TenPercentLossAtEveryPortLosesNoRequest) {
  // Twelve ports on the way there and back: an attempt survives with 0.9^12 = 28 %.
  Wire wire;
  std::uint32_t noise = 1;
  wire.on_send = [&](const Datagram& d) {
    bool lost = false;
    for (int port = 0; port < 12; ++port) {
      noise = noise * 1664525U + 1013904223U;
      lost = lost || (noise >> 8U) % 100 < 10;
    }
    wire.deliver(lost ? undeliverable(d) : answer_to(d));
  };
  Driver driver(wire, {.retries = 3});
  Asker asker({});
  for (unsigned i = 0; i < 5000; ++i) asker.questions.push_back(request_to(i % 50));
  ASSERT_TRUE(driver.wait(driver.run(asker)));
  EXPECT_LE(driver.counters().lost, 3U) << "only requests given up before the loss was known";
  EXPECT_GT(driver.counters().resent, 10000U);
}

// Four attempts within a millisecond would all fall into one flap of a cable.
TEST(SmpClient, WaitsWhenTheRequestComesBackUndeliverable) {
  Wire wire;
  int sends = 0;
  wire.on_send = [&](const Datagram& d) { wire.deliver(++sends < 3 ? undeliverable(d) : answer_to(d)); };
  Driver driver(wire, {});
  EXPECT_TRUE(ask(driver, request_to(0))->good());
  EXPECT_EQ(sends, 3);
  EXPECT_EQ(wire.elapsed(), milliseconds{600});
}

TEST(SmpClient, AnAnswerToAnAttemptGivenUpIsCountedAndDropped) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) {
    if (wire.sent.size() == 1)
      wire.deliver(answer_to(d, 0x1C), milliseconds{300});
    else
      wire.deliver(answer_to(d), milliseconds{150});
  };
  Driver driver(wire, {.timeout = milliseconds{200}});
  EXPECT_EQ(ask(driver, request_to(0))->status, 0);
  EXPECT_EQ(driver.counters().unmatched, 1U);
}

TEST(SmpClient, ADoubleAnswerCompletesOnce) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) {
    wire.deliver(answer_to(d));
    wire.deliver(answer_to(d));
  };
  Driver driver(wire, {});
  Asker asker({request_to(0), request_to(1)});
  ASSERT_TRUE(driver.wait(driver.run(asker)));
  EXPECT_EQ(asker.answers.size(), 2U);
  EXPECT_EQ(driver.counters().unmatched, 2U);
}

TEST(SmpClient, MatchesOnTransactionAttributeModifierHopsAndDirection) {
  const std::pair<Field, std::uint64_t> foreign[] = {{h::kTransactionLow, 0x7777},
                                                     {h::kAttribute, 0x12},
                                                     {h::kModifier, 9},
                                                     {h::kHopCount, 5},
                                                     {h::kClass, 1},
                                                     {h::kDirection, 0}};
  for (const auto& [field, value] : foreign) {
    Wire wire;
    wire.on_send = [&, field = field, value = value](const Datagram& d) {
      Datagram answer = answer_to(d);
      set(answer.mad, field, value);
      wire.deliver(answer);
    };
    Driver driver(wire, {.retries = 0});
    EXPECT_FALSE(ask(driver, request_to(0))->answered) << field.byte;
    EXPECT_EQ(driver.counters().unmatched, 1U) << field.byte;
  }
}

TEST(SmpClient, ABusyAgentIsAskedAgainLater) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) { wire.deliver(answer_to(d, wire.sent.size() == 1 ? 1 : 0)); };
  Driver driver(wire, {.timeout = milliseconds{200}});
  EXPECT_TRUE(ask(driver, request_to(0))->good());
  EXPECT_EQ(wire.elapsed(), milliseconds{200});
}

TEST(SmpClient, StatusIsGivenWithoutTheDirectionBit) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) { wire.deliver(answer_to(d, 0x1C)); };
  Driver driver(wire, {});
  const auto answer = ask(driver, request_to(0));
  EXPECT_TRUE(answer->answered);
  EXPECT_FALSE(answer->good());
  EXPECT_EQ(answer->status, 0x1C);
}

/// Most requests ever on the wire together, over all and to one node.
struct Crowd {
  std::size_t all = 0;
  std::size_t one_node = 0;
};

Crowd crowd_of(unsigned window, unsigned per_node, unsigned nodes) {
  Wire wire;
  Crowd most;
  std::multiset<std::uint64_t> on_wire;
  std::deque<Datagram> unanswered;
  wire.on_send = [&](const Datagram& d) {
    on_wire.insert(get(d.mad, h::kModifier));
    unanswered.push_back(d);
    most.all = std::max(most.all, on_wire.size());
    most.one_node = std::max(most.one_node, on_wire.count(get(d.mad, h::kModifier)));
    wire.deliver(answer_to(d), milliseconds{1});
  };
  Driver driver(wire, {.window = window, .per_node = per_node});
  Asker asker({});
  for (unsigned i = 0; i < 300; ++i) asker.questions.push_back(request_to(i % nodes, i % nodes));
  for (SmpRequest& request : asker.questions) request.tag.item = request.modifier;
  asker.on_each = [&](RequestTag tag, const SmpAnswer& answer) {
    EXPECT_TRUE(answer.good());
    on_wire.erase(on_wire.find(tag.item));
  };
  EXPECT_TRUE(driver.wait(driver.run(asker)));
  EXPECT_EQ(wire.sent.size(), 300U);
  return most;
}

TEST(SmpClient, KeepsToTheWindowAndToTheLimitPerNode) {
  const Crowd few_nodes = crowd_of(32, 4, 3);
  EXPECT_EQ(few_nodes.all, 12U);
  EXPECT_EQ(few_nodes.one_node, 4U);
  const Crowd many_nodes = crowd_of(32, 4, 100);
  EXPECT_EQ(many_nodes.all, 32U);
  EXPECT_EQ(crowd_of(8, 1000, 1).all, 8U);
}

// Each round of answers in time makes room for one more request. What is sent again takes all of it back.
TEST(SmpClient, HasMoreOnTheWireWhileNothingIsLost) {
  SmpClient client({.window = 1000});
  for (unsigned i = 0; i < 4000; ++i) client.submit(request_to(i));
  TimePoint now;
  for (unsigned round = 0; round < 50; ++round) {
    const auto sent = client.take_to_send(now);
    EXPECT_EQ(sent.size(), std::min(SmpClient::kSafeWindow + round, SmpClient::kMaxWindow));
    for (const OutgoingDatagram& request : sent) client.on_datagram(answer_to(request.datagram), now);
  }
  const auto sent = client.take_to_send(now);
  for (std::size_t i = 1; i < sent.size(); ++i) client.on_datagram(answer_to(sent[i].datagram), now);
  now = client.deadline();
  client.on_time(now);
  EXPECT_EQ(client.take_to_send(now).size(), SmpClient::kSafeWindow) << "one of them sent again";
}

TEST(SmpClient, AnAnswerMayBringMoreRequests) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) { wire.deliver(answer_to(d)); };
  Driver driver(wire, {});
  int left = 5000;
  Asker asker({request_to(0)});
  asker.on_each = [&](RequestTag, const SmpAnswer&) {
    if (--left > 0) asker.questions.push_back(request_to(0));
  };
  ASSERT_TRUE(driver.wait(driver.run(asker)));
  EXPECT_EQ(left, 0);
}

TEST(SmpClient, CancellingCompletesWhatIsNotOnTheWire) {
  SmpClient client({.retries = 0, .window = 2});
  for (unsigned i = 0; i < 10; ++i) client.submit(set_to(i));
  EXPECT_EQ(client.take_to_send(TimePoint()).size(), 2U);
  client.cancel(OwnerId());
  const auto cancelled = client.take_completed();
  EXPECT_EQ(cancelled.size(), 8U);
  for (const SmpCompletion& completion : cancelled) EXPECT_FALSE(completion.answer.answered);
  EXPECT_FALSE(client.idle());
  client.on_time(client.deadline());
  EXPECT_EQ(client.take_completed().size(), 2U);
  EXPECT_TRUE(client.idle());
  EXPECT_TRUE(client.take_to_send(TimePoint()).empty());
}

TEST(SmpClient, CancelledGetsOnTheWireAreNotWaitedFor) {
  SmpClient client({.retries = 0, .window = 2});
  for (unsigned i = 0; i < 3; ++i) client.submit(request_to(i));
  const auto sent = client.take_to_send(TimePoint());
  client.cancel(OwnerId());
  EXPECT_EQ(client.take_completed().size(), 3U);
  client.on_datagram(answer_to(sent[0].datagram), TimePoint());
  client.on_time(client.deadline());
  EXPECT_TRUE(client.take_completed().empty()) << "they complete once";
  EXPECT_TRUE(client.idle());
}

TEST(SmpClient, CancellingIsByOwnerParkedRequestsIncluded) {
  SmpClient client({.window = 8, .per_node = 1});
  for (std::uint32_t owner : {1U, 2U, 1U, 2U, 1U}) {
    SmpRequest request = set_to(0);
    request.tag.owner = OwnerId(owner);
    client.submit(request);
  }
  EXPECT_EQ(client.take_to_send(TimePoint()).size(), 1U) << "the others are parked";
  client.cancel(OwnerId(1));
  const auto cancelled = client.take_completed();
  EXPECT_EQ(cancelled.size(), 2U);
  for (const SmpCompletion& completion : cancelled) EXPECT_EQ(completion.tag.owner, OwnerId(1));
}

TEST(SmpClient, WithoutEventsThereIsNothingToSendTwice) {
  const TimePoint start{milliseconds{5000}};
  SmpClient client({.timeout = milliseconds{200}, .retries = 1});
  EXPECT_EQ(client.deadline(), TimePoint::max());
  client.submit(request_to(0));
  EXPECT_EQ(client.deadline(), TimePoint::max()) << "nothing is on the wire yet";
  ASSERT_EQ(client.take_to_send(start).size(), 1U);
  EXPECT_EQ(client.deadline(), start + milliseconds{200});
  client.on_time(start + milliseconds{199});
  EXPECT_TRUE(client.take_to_send(start + milliseconds{199}).empty());
  client.on_time(start + milliseconds{200});
  EXPECT_EQ(client.take_to_send(start + milliseconds{200}).size(), 1U);
  EXPECT_EQ(client.deadline(), start + milliseconds{600}) << "the second attempt waits longer";
}

TEST(SmpClient, ALidRoutedSmpGoesToItsLidAndIsAnsweredFromThere) {
  SmpClient client({});
  SmpRequest request{.to = Lid(17), .attribute = Attribute::sm_info, .tag = {OwnerId(), 99}};
  client.submit(request);
  const auto to_send = client.take_to_send(TimePoint());
  ASSERT_EQ(to_send.size(), 1U);
  const Datagram& sent = to_send[0].datagram;
  EXPECT_EQ(sent.lid, 17);
  EXPECT_EQ(sent.queue_pair, 0U);
  EXPECT_EQ(get(sent.mad, h::kClass), 1U);
  for (const Field field : {h::kHopPointer, h::kHopCount, h::kDrSlid, h::kDrDlid})
    EXPECT_EQ(get(sent.mad, field), 0U) << field.byte;

  Datagram answer = sent;
  set(answer.mad, h::kMethod, 0x81);
  set(answer.mad, h::kStatus, 0x801C);
  answer.lid = 18;
  client.on_datagram(answer, TimePoint());
  EXPECT_EQ(client.counters().unmatched, 1U) << "from another LID";
  answer.lid = 17;
  client.on_datagram(answer, TimePoint());
  const auto completed = client.take_completed();
  ASSERT_EQ(completed.size(), 1U);
  EXPECT_EQ(completed[0].tag, request.tag);
  EXPECT_EQ(completed[0].answer.status, 0x801C) << "there is no direction bit";
}

TEST(SmpClient, WhatIsOutWhenAMachineStopsIsWaitedFor) {
  Wire wire;
  Driver driver(wire, {.timeout = milliseconds{200}, .retries = 1});
  wire.on_send = [&](const Datagram& d) {
    if (get(d.mad, h::kModifier) == 1) wire.deliver(answer_to(d));
  };
  Asker asker({set_to(0, 0), set_to(1, 1)});
  asker.on_each = [&](RequestTag, const SmpAnswer&) { asker.stopped = true; };
  ASSERT_TRUE(driver.wait(driver.run(asker)));
  EXPECT_EQ(asker.answers.size(), 1U);
  EXPECT_EQ(wire.elapsed(), milliseconds{200}) << "it is not sent again";
}

TEST(SmpClient, ATransportThatCannotSendEndsTheWait) {
  Wire wire;
  wire.broken = true;
  Driver driver(wire, {});
  const auto answer = ask(driver, request_to(0));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "cable cut");
}

TEST(SmpClient, WhenTheTransportBreaksEveryRequestStillCompletesOnce) {
  Wire wire;
  wire.on_send = [&](const Datagram&) { wire.broken = wire.sent.size() == 20; };
  Driver driver(wire, {.window = 8});
  Asker asker({});
  for (unsigned i = 0; i < 100; ++i) asker.questions.push_back(request_to(i % 5));
  EXPECT_FALSE(driver.wait(driver.run(asker)));
  EXPECT_EQ(asker.answers.size(), 100U);
  for (const SmpAnswer& answer : asker.answers) EXPECT_FALSE(answer.answered);
}

TEST(SmpClient, RequestsFromTheFabricGoToTheResponder) {
  Wire wire;
  Datagram poll;
  set(poll.mad, h::kClass, 1);
  set(poll.mad, h::kMethod, 1);
  set(poll.mad, h::kAttribute, 0x20);
  set(poll.mad, h::kTransaction, 0xABCD000012345678);
  poll.lid = 17;
  Driver driver(wire, {});
  Pause first(wire.now() + milliseconds{10}), second(wire.now() + milliseconds{20});
  wire.deliver(poll);
  ASSERT_TRUE(driver.wait(driver.run(first)));
  EXPECT_TRUE(wire.sent.empty());
  driver.become_manager([](Datagram& d) {
    set(d.mad, h::kMethod, 0x81);
    return true;
  });
  wire.deliver(poll);
  ASSERT_TRUE(driver.wait(driver.run(second)));
  ASSERT_EQ(wire.sent.size(), 1U);
  EXPECT_EQ(get(wire.sent[0].mad, h::kTransaction), 0xABCD000012345678U);
  EXPECT_EQ(wire.sent[0].lid, 17);
  EXPECT_EQ(wire.timeouts[0], milliseconds{0});
}

}  // namespace
}  // namespace rch::hw
