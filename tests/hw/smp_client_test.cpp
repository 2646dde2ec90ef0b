#include "hw/smp_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>

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
  void receive(std::vector<Datagram>& arrived, Clock::time_point deadline) override {
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
  Clock::time_point now() const override { return now_; }

  void deliver(const Datagram& datagram, milliseconds after = milliseconds{0}) {
    arrivals.emplace_back(now_ + after, datagram);
  }
  milliseconds elapsed() const { return std::chrono::duration_cast<milliseconds>(now_.time_since_epoch()); }

  std::vector<Datagram> sent;
  std::vector<Milliseconds> timeouts;
  std::deque<std::pair<Clock::time_point, Datagram>> arrivals;
  std::function<void(const Datagram&)> on_send;
  bool broken = false;

 private:
  Clock::time_point now_{};
};

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
  request.route = Route{}.through(PortNum(3)).through(PortNum(7));
  request.attribute = Attribute::port_info;
  request.modifier = modifier;
  request.node = node;
  return request;
}

TEST(SmpClient, WritesADirectedRouteSmp) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) { wire.deliver(answer_to(d)); };
  SmpClient client(wire, {.m_key = 0x1122334455667788});
  SmpRequest request = request_to(0, 0x80000005);
  request.method = Method::set;
  request.data[0] = 0xAB;
  ASSERT_TRUE(client.ask(request)->good());
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
  SmpClient client(wire, {.timeout = milliseconds{200}, .retries = 3});
  const auto answer = client.ask(request_to(0));
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->answered);
  EXPECT_EQ(wire.sent.size(), 4U);
  EXPECT_EQ(wire.elapsed(), milliseconds{800});
  EXPECT_EQ(client.counters().lost, 1U);
  EXPECT_EQ(client.counters().resent, 3U);
}

TEST(SmpClient, ResendsAtOnceWhenTheRequestComesBackUndeliverable) {
  Wire wire;
  int sends = 0;
  wire.on_send = [&](const Datagram& d) { wire.deliver(++sends < 3 ? undeliverable(d) : answer_to(d)); };
  SmpClient client(wire, {});
  EXPECT_TRUE(client.ask(request_to(0))->good());
  EXPECT_EQ(sends, 3);
  EXPECT_EQ(wire.elapsed(), milliseconds{0});
}

TEST(SmpClient, AnAnswerToAnAttemptGivenUpIsCountedAndDropped) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) {
    if (wire.sent.size() == 1)
      wire.deliver(answer_to(d, 0x1C), milliseconds{300});
    else
      wire.deliver(answer_to(d), milliseconds{150});
  };
  SmpClient client(wire, {.timeout = milliseconds{200}});
  EXPECT_EQ(client.ask(request_to(0))->status, 0);
  EXPECT_EQ(client.counters().unmatched, 1U);
}

TEST(SmpClient, ADoubleAnswerCallsBackOnce) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) {
    wire.deliver(answer_to(d));
    wire.deliver(answer_to(d));
  };
  SmpClient client(wire, {});
  int calls = 0;
  client.submit(request_to(0), [&](const SmpAnswer&) { ++calls; });
  client.submit(request_to(1), [&](const SmpAnswer&) { ++calls; });
  ASSERT_TRUE(client.wait_all());
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(client.counters().unmatched, 2U);
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
    SmpClient client(wire, {.retries = 0});
    EXPECT_FALSE(client.ask(request_to(0))->answered) << field.byte;
    EXPECT_EQ(client.counters().unmatched, 1U) << field.byte;
  }
}

TEST(SmpClient, ABusyAgentIsAskedAgainLater) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) { wire.deliver(answer_to(d, wire.sent.size() == 1 ? 1 : 0)); };
  SmpClient client(wire, {.timeout = milliseconds{200}});
  EXPECT_TRUE(client.ask(request_to(0))->good());
  EXPECT_EQ(wire.elapsed(), milliseconds{200});
}

TEST(SmpClient, StatusIsGivenWithoutTheDirectionBit) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) { wire.deliver(answer_to(d, 0x1C)); };
  SmpClient client(wire, {});
  const auto answer = client.ask(request_to(0));
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
  SmpClient client(wire, {.window = window, .per_node = per_node});
  for (unsigned i = 0; i < 300; ++i) {
    const std::uint32_t node = i % nodes;
    client.submit(request_to(node, node), [&, node](const SmpAnswer& a) {
      EXPECT_TRUE(a.good());
      on_wire.erase(on_wire.find(node));
    });
  }
  EXPECT_TRUE(client.wait_all());
  EXPECT_EQ(wire.sent.size(), 300U);
  return most;
}

TEST(SmpClient, KeepsToTheWindowAndToTheLimitPerNode) {
  const Crowd few_nodes = crowd_of(32, 4, 3);
  EXPECT_EQ(few_nodes.all, 12U);
  EXPECT_EQ(few_nodes.one_node, 4U);
  const Crowd many_nodes = crowd_of(32, 4, 100);
  EXPECT_EQ(many_nodes.all, 32U);
  EXPECT_EQ(crowd_of(1000, 1000, 1).all, SmpClient::kMaxWindow);
}

TEST(SmpClient, CallbacksMaySubmitMore) {
  Wire wire;
  wire.on_send = [&](const Datagram& d) { wire.deliver(answer_to(d)); };
  SmpClient client(wire, {});
  int left = 5000;
  std::function<void(const SmpAnswer&)> again = [&](const SmpAnswer&) {
    if (--left > 0) client.submit(request_to(0), again);
  };
  client.submit(request_to(0), again);
  ASSERT_TRUE(client.wait_all());
  EXPECT_EQ(left, 0);
}

TEST(SmpClient, AbandoningAnswersWhatIsQueuedAndWaitsForWhatIsOut) {
  Wire wire;
  SmpClient client(wire, {.retries = 0, .window = 2});
  int unanswered = 0;
  for (unsigned i = 0; i < 10; ++i)
    client.submit(request_to(i), [&](const SmpAnswer& a) { unanswered += !a.answered; });
  client.abandon_queued();
  EXPECT_EQ(unanswered, 8);
  ASSERT_TRUE(client.wait_all());
  EXPECT_EQ(unanswered, 10);
  EXPECT_EQ(wire.sent.size(), 2U);
}

TEST(SmpClient, TheDestructorWaitsForWhatIsOut) {
  Wire wire;
  {
    SmpClient client(wire, {.timeout = milliseconds{200}, .retries = 1});
    client.submit(request_to(0), [](const SmpAnswer&) {});
  }
  EXPECT_EQ(wire.elapsed(), milliseconds{400});
}

TEST(SmpClient, ATransportThatCannotSendEndsTheWait) {
  Wire wire;
  wire.broken = true;
  SmpClient client(wire, {});
  const auto answer = client.ask(request_to(0));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "cable cut");
}

TEST(SmpClient, WhenTheTransportBreaksEveryCallbackStillComesOnce) {
  Wire wire;
  wire.on_send = [&](const Datagram&) { wire.broken = wire.sent.size() == 20; };
  SmpClient client(wire, {.window = 8});
  int calls = 0;
  for (unsigned i = 0; i < 100; ++i) {
    client.submit(request_to(i % 5), [&](const SmpAnswer& a) { calls += !a.answered; });
  }
  EXPECT_FALSE(client.wait_all());
  EXPECT_EQ(calls, 100);
}

TEST(SmpClient, RequestsFromTheFabricGoToTheResponder) {
  Wire wire;
  Datagram poll;
  set(poll.mad, h::kClass, 1);
  set(poll.mad, h::kMethod, 1);
  set(poll.mad, h::kAttribute, 0x20);
  set(poll.mad, h::kTransaction, 0xABCD000012345678);
  poll.lid = 17;
  SmpClient client(wire, {});
  wire.deliver(poll);
  client.serve(milliseconds{10});
  EXPECT_TRUE(wire.sent.empty());
  ASSERT_TRUE(client.become_manager([](Datagram& d) {
    set(d.mad, h::kMethod, 0x81);
    return true;
  }));
  wire.deliver(poll);
  client.serve(milliseconds{10});
  ASSERT_EQ(wire.sent.size(), 1U);
  EXPECT_EQ(get(wire.sent[0].mad, h::kTransaction), 0xABCD000012345678U);
  EXPECT_EQ(wire.sent[0].lid, 17);
  EXPECT_EQ(wire.timeouts[0], milliseconds{0});
}

}  // namespace
}  // namespace rch::hw
