// The performance manager on a fabric in memory whose agents count, clear, fall silent and redirect.

#include "perfmgr/performance_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "perfmgr/performance_fabric.h"

namespace rch::perfmgr {
namespace {

using sim::SimulatedFabric;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Visit = SimulatedFabric::PerformanceVisit;

class PerformanceManagerTest : public testing::Test {
 protected:
  explicit PerformanceManagerTest(const rch::test::Shape& shape = rch::test::clos(2, 2, 2)) : net(shape) {}

  void start() {
    manager.follow(settings, net.fake.now());
    manager.publish(net.view, net.fake.now());
  }
  bool sweep() { return net.sweep(manager); }
  std::uint64_t total(PortId port, Counter counter) const { return net.total(manager, port, counter); }
  template <class Told>
  std::vector<Told> told() const {
    std::vector<Told> out;
    for (const Event& event : events)
      if (const auto* one = std::get_if<Told>(&event)) out.push_back(*one);
    return out;
  }
  std::size_t asked(Attribute attribute) const {
    return static_cast<std::size_t>(
        std::ranges::count(net.fake.performance_requests, attribute, &Visit::attribute));
  }
  /// A switch port with a cable to another switch.
  PortId trunk() const { return net.port(0, 3); }

  test::PerformanceFabric net;
  std::vector<Event> events;
  Settings settings{.enabled = true};
  PerformanceManager manager{[this](const Event& event) { events.push_back(event); }};
};

TEST_F(PerformanceManagerTest, IsOffByDefault) {
  settings = {};
  start();
  net.run(manager, seconds(1000));
  EXPECT_TRUE(net.fake.performance_requests.empty());
  EXPECT_EQ(manager.totals(), nullptr);
  EXPECT_EQ(manager.deadline(), hw::TimePoint::max());
}

TEST_F(PerformanceManagerTest, ReadsAllPortsOnce) {
  std::mt19937_64 random(1);
  for (sim::CountingPort& port : net.fake.counting)
    for (std::size_t c = 0; c < kCounterCount; ++c) port.count(static_cast<Counter>(c), random() % 10);
  const std::vector<sim::CountingPort> before = net.fake.counting;
  start();
  ASSERT_TRUE(sweep());
  const auto totals = manager.totals();
  EXPECT_EQ(totals->ports().size(), 4U + 4U + 8U);
  for (std::size_t p = 0; p < net.fabric.ports().size(); ++p) {
    const PortId id(static_cast<std::uint32_t>(p));
    if (net.fabric.port(id).peer.is_none()) continue;
    for (std::size_t c = 0; c < kCounterCount; ++c) {
      const auto counter = static_cast<Counter>(c);
      if (row_of(counter).narrow) {
        EXPECT_EQ(total(id, counter), before[p].narrow(counter));
      }
    }
  }
  EXPECT_EQ(manager.counters().unanswered + manager.counters().refused, 0U);
  EXPECT_TRUE(events.empty()) << "what was there before is no news";
  EXPECT_EQ(asked(Attribute::class_port_info), 8U);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(asked(Attribute::class_port_info), 8U) << "once for each agent";
  EXPECT_EQ(asked(Attribute::port_counters), 32U);
  EXPECT_EQ(asked(Attribute::port_counters_extended), 32U);
}

TEST_F(PerformanceManagerTest, TellsOfErrorsThatRose) {
  start();
  ASSERT_TRUE(sweep());
  net.counts(trunk()).count(Counter::symbol_errors, 12);
  net.counts(trunk()).count(Counter::xmit_data, 1000);
  ASSERT_TRUE(sweep());
  ASSERT_EQ(told<ErrorsRose>().size(), 1U);
  const ErrorsRose rose = told<ErrorsRose>()[0];
  EXPECT_EQ(rose.port, net.key(trunk()));
  EXPECT_EQ(rose.risen[static_cast<std::size_t>(Counter::symbol_errors)], 12U);
  EXPECT_EQ(rose.risen[static_cast<std::size_t>(Counter::xmit_data)], 0U) << "no error";
  EXPECT_NEAR(static_cast<double>(rose.span.count()), 180'000, 5'000);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(events.size(), 1U);

  settings.tells_errors = false;
  manager.follow(settings, net.fake.now());
  net.counts(trunk()).count(Counter::symbol_errors, 12);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(events.size(), 1U);
  EXPECT_EQ(total(trunk(), Counter::symbol_errors), 24U);
}

TEST_F(PerformanceManagerTest, TellsOfXmitWaitFromTheThresholdOn) {
  start();
  ASSERT_TRUE(sweep());
  net.counts(trunk()).count(Counter::xmit_wait, 1000);
  ASSERT_TRUE(sweep());
  EXPECT_TRUE(events.empty()) << "not asked for";
  settings.xmit_wait_threshold = 1000;
  manager.follow(settings, net.fake.now());
  net.counts(trunk()).count(Counter::xmit_wait, 999);
  ASSERT_TRUE(sweep());
  EXPECT_TRUE(events.empty());
  net.counts(trunk()).count(Counter::xmit_wait, 1000);
  ASSERT_TRUE(sweep());
  ASSERT_EQ(told<XmitWaitRose>().size(), 1U);
  EXPECT_EQ(told<XmitWaitRose>()[0].risen, 1000U);
  EXPECT_EQ(total(trunk(), Counter::xmit_wait), 2999U);
}

TEST_F(PerformanceManagerTest, ClearsNarrowCountersBeforeTheyAreFull) {
  start();
  std::uint64_t counted = 0;
  for (int i = 0; i < 20; ++i) {
    net.counts(trunk()).count(Counter::link_downed, 50);
    counted += 50;
    ASSERT_TRUE(sweep());
    EXPECT_EQ(total(trunk(), Counter::link_downed), counted);
    EXPECT_LT(net.counts(trunk()).narrow(Counter::link_downed), 192U);
  }
  EXPECT_EQ(manager.counters().cleared, 5U);
  EXPECT_EQ(manager.counters().resets, 0U);
  EXPECT_TRUE(told<CountersReset>().empty());
}

TEST_F(PerformanceManagerTest, OtherCountersAreNotCleared) {
  start();
  net.counts(trunk()).count(Counter::link_downed, 200);
  net.counts(trunk()).count(Counter::symbol_errors, 300);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(net.counts(trunk()).narrow(Counter::link_downed), 0U);
  EXPECT_EQ(net.counts(trunk()).narrow(Counter::symbol_errors), 300U);
}

TEST_F(PerformanceManagerTest, NodesWithoutExtendedCountersHave64BitTotals) {
  net.agent(net.host(1)).abilities = {};
  net.agent(net.host(2)).has_class_port_info = false;
  net.agent(net.host(3)).has_extended = false;  // although it claims them
  start();
  const std::uint64_t much = 3'300'000'000;
  std::uint64_t counted = 0;
  for (int i = 0; i < 10; ++i) {
    for (std::size_t h = 1; h < 4; ++h) net.counts(net.host(h)).count(Counter::rcv_data, much);
    counted += much;
    ASSERT_TRUE(sweep());
    for (std::size_t h = 1; h < 4; ++h) EXPECT_EQ(total(net.host(h), Counter::rcv_data), counted) << h;
  }
  EXPECT_EQ(total(net.host(1), Counter::unicast_rcv_pkts), Totals::kUnknown);
  EXPECT_EQ(total(net.host(1), Counter::xmit_wait), Totals::kUnknown);
  EXPECT_EQ(total(net.host(3), Counter::xmit_wait), 0U) << "that one is in PortCounters";
  EXPECT_EQ(manager.counters().cleared, 30U);
}

TEST_F(PerformanceManagerTest, WithoutClassPortInfoNothingExtendedIsAsked) {
  settings.asks_class_port_info = false;
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(asked(Attribute::class_port_info) + asked(Attribute::port_counters_extended), 0U);
  EXPECT_EQ(asked(Attribute::port_counters), 16U);
}

TEST_F(PerformanceManagerTest, AllIsExtendedWhereErrorsAreToo) {
  for (sim::PerformanceAgent& agent : net.fake.performance_agents)
    agent.abilities = {.wide = true, .casts = true, .wide_errors = true};
  net.counts(trunk()).count(Counter::link_downed, 100'000);
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(asked(Attribute::port_counters), 0U);
  EXPECT_EQ(total(trunk(), Counter::link_downed), 100'000U);
}

TEST_F(PerformanceManagerTest, AMaximumIsCounted) {
  start();
  ASSERT_TRUE(sweep());
  net.counts(trunk()).count(Counter::link_downed, 1000);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(manager.counters().saturated, 1U);
  EXPECT_EQ(total(trunk(), Counter::link_downed), 255U);
}

TEST_F(PerformanceManagerTest, WhatOthersClearIsRecognised) {
  start();
  net.counts(trunk()).count(Counter::symbol_errors, 100);
  net.counts(trunk()).count(Counter::xmit_data, 1'000'000);
  ASSERT_TRUE(sweep());
  net.counts(trunk()) = {};
  net.counts(trunk()).count(Counter::symbol_errors, 7);
  net.counts(trunk()).count(Counter::xmit_data, 9);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(trunk(), Counter::symbol_errors), 107U);
  EXPECT_EQ(total(trunk(), Counter::xmit_data), 1'000'009U);
  ASSERT_EQ(told<CountersReset>().size(), 1U);
  EXPECT_EQ(told<CountersReset>()[0].port, net.key(trunk()));
  EXPECT_EQ(told<CountersReset>()[0].counters.count(), 2U);
  EXPECT_EQ(manager.counters().resets, 2U);
}

// Loss

TEST_F(PerformanceManagerTest, ASilentAgentHoldsUpNobody) {
  const PortId dead = net.host(2);
  net.fake.lose_performance = [&](const Visit& visit) { return visit.agent == dead; };
  net.counts(trunk()).count(Counter::symbol_errors, 5);
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(trunk(), Counter::symbol_errors), 5U);
  EXPECT_EQ(total(dead, Counter::symbol_errors), Totals::kUnknown);
  EXPECT_EQ(manager.counters().unanswered, 1U);
  EXPECT_EQ(manager.counters().resent, 3U);
  EXPECT_EQ(manager.counters().silent, 1U);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(manager.counters().unanswered, 2U) << "asked again in the next sweep";
  ASSERT_EQ(told<AgentSilent>().size(), 1U) << "told once";
  EXPECT_EQ(told<AgentSilent>()[0].port, net.key(dead));

  net.fake.lose_performance = [](const Visit&) { return false; };
  ASSERT_TRUE(sweep());
  ASSERT_EQ(told<AgentSilent>().size(), 2U);
  EXPECT_FALSE(told<AgentSilent>()[1].silent);
  EXPECT_EQ(total(dead, Counter::symbol_errors), 0U);
  EXPECT_EQ(manager.counters().silent, 0U);
}

TEST_F(PerformanceManagerTest, ClassPortInfoAloneIsNoAnswer) {
  net.fake.lose_performance = [&](const Visit& visit) {
    return visit.agent == net.host(2) && visit.attribute == Attribute::port_counters;
  };
  start();
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(sweep());
    EXPECT_EQ(manager.counters().silent, 1U);
  }
  EXPECT_EQ(told<AgentSilent>().size(), 1U);
}

TEST_F(PerformanceManagerTest, APortOfASwitchThatIsSilentIsSkipped) {
  const PortNum dead(3);
  net.fake.lose_performance = [&](const Visit& visit) {
    return visit.agent == net.port(0, 0) && visit.selected == dead;
  };
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(net.port(0, 3), Counter::symbol_errors), Totals::kUnknown);
  EXPECT_EQ(total(net.port(0, 4), Counter::symbol_errors), 0U);
  EXPECT_TRUE(told<AgentSilent>().empty());
}

TEST_F(PerformanceManagerTest, ALostAnswerToAClearLosesNothing) {
  start();
  for (const bool request_arrives : {true, false}) {
    net.counts(trunk()).count(Counter::link_downed, 200);
    net.fake.lose_performance = [&](const Visit& visit) {
      return visit.method == hw::Method::set && visit.is_answer == request_arrives;
    };
    ASSERT_TRUE(sweep());
    net.fake.lose_performance = [](const Visit&) { return false; };
    net.counts(trunk()).count(Counter::link_downed, 3);
    ASSERT_TRUE(sweep());
    EXPECT_EQ(total(trunk(), Counter::link_downed), request_arrives ? 203U : 406U);
  }
  EXPECT_EQ(manager.counters().resets, 0U);
  EXPECT_TRUE(told<CountersReset>().empty()) << "that was us";
}

TEST_F(PerformanceManagerTest, AnAnswerToAClearMayShowTheValueBefore) {
  net.counts(trunk()).count(Counter::link_downed, 200);
  net.fake.bend_performance = [&](const Visit& visit, hw::Mad& answer) {  // shows the value before
    if (visit.method != hw::Method::set) return;
    set(std::span(answer).subspan(kData), *row_of(Counter::link_downed).narrow, 200);
  };
  start();
  ASSERT_TRUE(sweep());
  net.counts(trunk()).count(Counter::link_downed, 5);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(trunk(), Counter::link_downed), 205U);
  EXPECT_EQ(manager.counters().resets, 0U);
}

TEST_F(PerformanceManagerTest, WhatIsCountedBeforeTheAnswerToAClearIsNotLost) {
  net.counts(trunk()).count(Counter::link_downed, 200);
  net.fake.bend_performance = [&](const Visit& visit, hw::Mad& answer) {
    if (visit.method != hw::Method::set) return;
    net.counts(trunk()).count(Counter::link_downed, 5);
    set(std::span(answer).subspan(kData), *row_of(Counter::link_downed).narrow, 5);
  };
  start();
  ASSERT_TRUE(sweep());
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(trunk(), Counter::link_downed), 205U);
  EXPECT_EQ(manager.counters().cleared, 1U);
}

TEST_F(PerformanceManagerTest, BusyAgentsAreAskedAgain) {
  int busy = 0;
  net.fake.bend_performance = [&](const Visit&, hw::Mad& answer) {
    if (++busy % 2 == 1) set(answer, hw::mad_header::kStatus, 1);
  };
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(manager.counters().unanswered, 0U);
  EXPECT_GT(manager.counters().resent, 0U);
}

TEST_F(PerformanceManagerTest, AnswersAboutAnotherPortAreRefused) {
  net.fake.bend_performance = [&](const Visit& visit, hw::Mad& answer) {
    if (visit.agent == net.port(0, 0) && visit.attribute == Attribute::port_counters)
      set(std::span(answer).subspan(kData), port_counters::kPortSelect, 9);
  };
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(manager.counters().refused, 4U);
  EXPECT_EQ(total(net.port(0, 3), Counter::symbol_errors), Totals::kUnknown);
}

TEST_F(PerformanceManagerTest, ForeignAnswersChangeNothing) {
  start();
  manager.on_time(net.fake.now());
  std::vector<hw::OutgoingDatagram> out = net.take(manager);
  ASSERT_FALSE(out.empty());
  hw::Datagram answer = out[0].datagram;
  set(answer.mad, hw::mad_header::kMethod, 0x81);
  answer.lid ^= 0x100;
  manager.on_datagram(answer, net.fake.now());
  EXPECT_EQ(manager.counters().unmatched, 1U) << "from another port";
  answer.lid ^= 0x100;
  manager.on_datagram(answer, net.fake.now());
  EXPECT_EQ(manager.counters().requests, 1U);
  manager.on_datagram(answer, net.fake.now());
  EXPECT_EQ(manager.counters().unmatched, 2U) << "twice";
}

// Redirection

class RedirectionTest : public PerformanceManagerTest {
 protected:
  RedirectionTest() {
    net.counts(net.host(1)).count(Counter::symbol_errors, 5);
    net.agent(net.host(1)).redirection =
        Redirection{.lid = lid(1), .queue_pair = 0x77, .queue_key = 0x80010007, .pkey = 0xFFFF};
  }
  Lid lid(std::size_t h) const { return net.view.fabric->port(net.host(h)).lid; }
};

TEST_F(RedirectionTest, IsFollowed) {
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(net.host(1), Counter::symbol_errors), 5U);
  EXPECT_EQ(manager.counters().redirected, 1U) << "then it is known";
  EXPECT_EQ(manager.counters().refused, 0U);
}

TEST_F(RedirectionTest, HasTheAddressThatTheAgentNames) {
  start();
  for (int i = 0; i < 200 && manager.counters().redirected == 0; ++i) net.run(manager, milliseconds(1000));
  ASSERT_EQ(manager.counters().redirected, 1U);
  ASSERT_TRUE(sweep());
  manager.on_time(net.fake.now() + seconds(500));
  bool seen = false;
  for (hw::TimePoint now = net.fake.now() + seconds(500); !seen && now < net.fake.now() + seconds(1000);
       now += milliseconds(100)) {
    manager.on_time(now);
    for (const hw::OutgoingDatagram& out : net.take(manager)) {
      if (out.datagram.lid != lid(1).value) continue;
      EXPECT_EQ(out.datagram.queue_pair, 0x77U);
      EXPECT_EQ(out.datagram.queue_key, 0x80010007U);
      seen = true;
    }
  }
  EXPECT_TRUE(seen);
}

TEST_F(RedirectionTest, IsNotFollowedIfItMustNot) {
  settings.follows_redirection = false;
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(net.host(1), Counter::symbol_errors), Totals::kUnknown);
  EXPECT_EQ(manager.counters().refused, 2U) << "ClassPortInfo and PortCounters";
}

TEST_F(RedirectionTest, LeadsToALidOfAPartitionOfOurs) {
  for (const Redirection& bad : {Redirection{.lid = kUnassignedLid, .queue_pair = 1, .pkey = 0xFFFF},
                                 Redirection{.lid = Lid(0xC001), .queue_pair = 1, .pkey = 0xFFFF},
                                 Redirection{.lid = lid(1), .queue_pair = 0, .pkey = 0xFFFF},
                                 Redirection{.lid = lid(1), .queue_pair = 7, .pkey = 0x8005}}) {
    net.agent(net.host(1)).redirection = bad;
    start();
    ASSERT_TRUE(sweep());
    EXPECT_EQ(manager.counters().redirected, 0U);
  }
}

TEST_F(RedirectionTest, DoesNotGoInALoop) {
  net.agent(net.host(1)).redirection->lid = lid(2);
  net.agent(net.host(2)).redirection = Redirection{.lid = lid(1), .queue_pair = 0x77, .pkey = 0xFFFF};
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(net.host(3), Counter::symbol_errors), 0U);
}

TEST_F(RedirectionTest, IsForgottenWhenNobodyAnswersThere) {
  start();
  ASSERT_TRUE(sweep());
  net.agent(net.host(1)).redirection.reset();
  net.agent(net.host(1)).only_queue_pair = 1;
  ASSERT_TRUE(sweep());
  net.counts(net.host(1)).count(Counter::symbol_errors, 1);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(net.host(1), Counter::symbol_errors), 6U);
}

// Pace

class PaceTest : public PerformanceManagerTest {
 protected:
  PaceTest() : PerformanceManagerTest(rch::test::clos(8, 4, 8)) {}
};

TEST_F(PaceTest, RequestsAreSpreadOverTheTimeOfASweep) {
  start();
  std::size_t before = 0, most = 0;
  for (int second = 0; second < 180; ++second) {
    net.run(manager, seconds(1));
    most = std::max(most, net.fake.performance_requests.size() - before);
    before = net.fake.performance_requests.size();
  }
  EXPECT_EQ(manager.counters().sweeps, 1U);
  EXPECT_GT(before, 400U);
  EXPECT_LE(most, before / 100);
  EXPECT_GT(manager.counters().last_sweep, seconds(100));
  EXPECT_LT(manager.counters().last_sweep, seconds(140));
}

// A manager that first sees a small part of the fabric does not ask the rest as slowly as that.
TEST_F(PaceTest, FollowsTheNumberOfAgents) {
  settings.with_cas = false;
  start();
  net.run(manager, seconds(10));
  settings.with_cas = true;
  manager.follow(settings, net.fake.now());
  net.run(manager, seconds(170));
  EXPECT_EQ(manager.counters().sweeps, 1U);
}

TEST_F(PaceTest, NoMoreWaitForAnAnswerThanAllowed) {
  for (const unsigned allowed : {1U, 7U, 500U}) {
    settings.outstanding = allowed;
    settings.sweep_time = seconds(1);
    PerformanceManager silent([](const Event&) {});
    silent.follow(settings, net.fake.now());
    silent.publish(net.view, net.fake.now());
    std::size_t sent = 0;
    for (int i = 0; i < 190; ++i) {  // up to the first timeout
      silent.on_time(net.fake.now() + milliseconds(i));
      sent += net.take(silent).size();
    }
    EXPECT_EQ(sent, std::min(allowed, PerformanceManager::kMostOutstanding));
  }
}

TEST_F(PaceTest, NobodyIsAskedWhileItIsPaused) {
  start();
  net.run(manager, seconds(30));
  const std::size_t before = net.fake.performance_requests.size();
  manager.pause();
  net.run(manager, seconds(300));
  EXPECT_LE(net.fake.performance_requests.size(), before + PerformanceManager::kMostOutstanding);
  const std::size_t paused = net.fake.performance_requests.size();
  net.run(manager, seconds(300));
  EXPECT_EQ(net.fake.performance_requests.size(), paused);
  manager.resume(net.fake.now());
  ASSERT_TRUE(sweep());
  EXPECT_EQ(asked(Attribute::port_counters_extended), 2U * (64 + 32)) << "each port once";
}

TEST_F(PaceTest, EventsAreLimited) {
  start();
  ASSERT_TRUE(sweep());
  for (std::size_t h = 0; h < 64; ++h) net.counts(net.host(h)).count(Counter::symbol_errors, 1);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(told<ErrorsRose>().size(), PerformanceManager::kMostTold);
  ASSERT_EQ(told<EventsLeftOut>().size(), 1U);
  EXPECT_EQ(told<EventsLeftOut>()[0].count, 64U - PerformanceManager::kMostTold);
}

// Changes of the fabric

TEST_F(PerformanceManagerTest, ANewPlanKeepsTotalsAndProgress) {
  start();
  net.counts(trunk()).count(Counter::symbol_errors, 5);
  ASSERT_TRUE(sweep());
  net.counts(trunk()).count(Counter::symbol_errors, 5);
  net.run(manager, seconds(180));
  for (int i = 0; i < 40; ++i) {  // a fabric that changes again and again: the sweep ends nevertheless
    net.run(manager, seconds(5));
    net.view.fabric = std::make_shared<const fabric::Fabric>(*net.view.fabric);
    manager.publish(net.view, net.fake.now());
  }
  EXPECT_GE(manager.counters().sweeps, 2U);
  EXPECT_EQ(total(trunk(), Counter::symbol_errors), 10U);
  EXPECT_EQ(told<ErrorsRose>().size(), 1U);
}

TEST_F(PerformanceManagerTest, AStandbyAsksNobodyAndShowsNothing) {
  start();
  net.counts(trunk()).count(Counter::symbol_errors, 100);
  ASSERT_TRUE(sweep());
  manager.stop();
  const std::size_t before = net.fake.performance_requests.size();
  net.run(manager, seconds(1000));
  EXPECT_EQ(net.fake.performance_requests.size(), before);
  EXPECT_EQ(manager.totals(), nullptr);

  net.counts(trunk()) = {};  // the other master cleared it, and more was counted since
  net.counts(trunk()).count(Counter::symbol_errors, 150);
  manager.publish(net.view, net.fake.now());
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(trunk(), Counter::symbol_errors), 100U) << "what was counted meanwhile is not known";
  net.counts(trunk()).count(Counter::symbol_errors, 1);
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(trunk(), Counter::symbol_errors), 101U);
}

TEST_F(PerformanceManagerTest, IsSwitchedOnAndOffByAReload) {
  settings.enabled = false;
  start();
  settings.enabled = true;
  manager.follow(settings, net.fake.now());
  EXPECT_TRUE(sweep());
  settings.enabled = false;
  manager.follow(settings, net.fake.now());
  EXPECT_EQ(manager.totals(), nullptr);
  EXPECT_FALSE(net.sweep(manager, seconds(1000)));
}

TEST_F(PerformanceManagerTest, ChannelAdaptersMayBeLeftOut) {
  settings.with_cas = false;
  start();
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(net.host(1), Counter::symbol_errors), Totals::kUnknown);
  EXPECT_EQ(total(trunk(), Counter::symbol_errors), 0U);
  settings.with_cas = true;
  manager.follow(settings, net.fake.now());
  ASSERT_TRUE(sweep());
  EXPECT_EQ(total(net.host(1), Counter::symbol_errors), 0U);
  settings.with_cas = false;
  manager.follow(settings, net.fake.now());
  EXPECT_EQ(total(net.host(1), Counter::symbol_errors), Totals::kUnknown);
}

/// Ports count, are lossy and are cleared by others: totals never fall, and are what was counted as long as
/// nobody else clears.
TEST_F(PerformanceManagerTest, TotalsAreWhatWasCounted) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    test::PerformanceFabric lossy(rch::test::clos(2, 2, 2));
    for (sim::PerformanceAgent& agent : lossy.fake.performance_agents)
      agent.abilities = {.wide = random() % 2 == 0, .xmit_wait = random() % 2 == 0};
    const bool others_clear = seed % 2 == 1;
    lossy.fake.lose_performance = [&](const Visit&) { return random() % 10 == 0; };
    PerformanceManager one([](const Event&) {});
    one.follow({.enabled = true}, lossy.fake.now());
    one.publish(lossy.view, lossy.fake.now());
    ASSERT_TRUE(lossy.sweep(one));
    constexpr Counter kCounted[] = {Counter::xmit_data, Counter::symbol_errors, Counter::link_downed,
                                    Counter::local_link_integrity_errors};
    constexpr std::uint64_t kMost[] = {1'000'000'000, 15'000, 60, 5};
    std::map<std::pair<std::uint32_t, std::size_t>, std::uint64_t> counted, last;
    for (int round = 0; round < 30; ++round) {
      for (std::uint32_t p = 0; p < lossy.fabric.ports().size(); ++p) {
        if (lossy.fabric.port(PortId(p)).peer.is_none()) continue;
        if (others_clear && random() % 20 == 0) lossy.fake.counting[p] = {};
        for (std::size_t c = 0; c < 4; ++c) {
          const std::uint64_t times = random() % kMost[c];
          lossy.fake.counting[p].count(kCounted[c], times);
          counted[{p, c}] += times;
        }
      }
      ASSERT_TRUE(lossy.sweep(one));
      for (const auto& [at, times] : counted) {
        const std::uint64_t now = lossy.total(one, PortId(at.first), kCounted[at.second]);
        if (now == Totals::kUnknown) continue;
        EXPECT_GE(now, last[at]) << seed;
        EXPECT_LE(now, times) << seed;
        last[at] = now;
      }
    }
    lossy.fake.lose_performance = [](const Visit&) { return false; };
    ASSERT_TRUE(lossy.sweep(one));
    if (others_clear || one.counters().saturated > 0) continue;
    for (const auto& [at, times] : counted)
      EXPECT_EQ(lossy.total(one, PortId(at.first), kCounted[at.second]), times) << seed;
  }
}

}  // namespace
}  // namespace rch::perfmgr
