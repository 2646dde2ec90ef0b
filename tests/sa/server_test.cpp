#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sa/mc_member_fields.h"
#include "sa/server.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

using test::SmallSnapshot;
namespace common = hw::mad_header;

constexpr hw::TimePoint kPublished{};

class SaServer : public testing::Test {
 protected:
  SaServer() { server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished); }

  std::vector<hw::OutgoingDatagram> send(const hw::Datagram& datagram, hw::TimePoint now = kPublished) {
    server.on_datagram(datagram, now);
    return wait(now);
  }
  std::vector<hw::OutgoingDatagram> wait(hw::TimePoint now) {
    server.on_time(now);
    std::vector<hw::OutgoingDatagram> out;
    server.take_datagrams(out, now);
    return out;
  }
  static Status status(const std::vector<hw::OutgoingDatagram>& out) {
    EXPECT_EQ(out.size(), 1U);
    return out.empty() ? Status::busy : static_cast<Status>(get(out[0].datagram.mad, common::kStatus));
  }

  SmallSnapshot small{test::clos(2, 2, 2)};
  test::Requests request{small};
  Server server;
};

TEST_F(SaServer, AnswerComesBackToWhoAsked) {
  hw::Datagram asked = request(Method::get, Attribute::class_port_info);
  set(asked.mad, header::kSmKey, 1);
  set(asked.mad, header::kComponentMask, 0x55);
  const auto out = send(asked);
  ASSERT_EQ(out.size(), 1U);
  const hw::Datagram& answer = out[0].datagram;
  EXPECT_EQ(answer.lid, asked.lid);
  EXPECT_EQ(answer.queue_pair, 1U);
  EXPECT_EQ(answer.service_level, 3);
  EXPECT_EQ(out[0].timeout.count(), 0);
  EXPECT_EQ(get(answer.mad, common::kMethod), 0x81U);
  EXPECT_EQ(get(answer.mad, common::kTransaction), 0x1234567800000001U);
  EXPECT_EQ(get(answer.mad, common::kStatus), 0U);
  EXPECT_EQ(get(answer.mad, header::kSmKey), 0U);
  EXPECT_EQ(get(answer.mad, header::kAttributeOffset), 9U);
  EXPECT_EQ(get(answer.mad, header::kComponentMask), 0x55U);
}

TEST_F(SaServer, SilentWhereItMustNotAnswer) {
  hw::Datagram wrong_key = request(Method::get, Attribute::class_port_info);
  set(wrong_key.mad, header::kSmKey, 9999);
  EXPECT_TRUE(send(wrong_key).empty());
  hw::Datagram unknown = request(Method::get, Attribute::class_port_info);
  unknown.lid = 999;
  EXPECT_TRUE(send(unknown).empty());
  hw::Datagram answer = request(Method::get, Attribute::class_port_info);
  set(answer.mad, common::kMethod, 0x81);
  EXPECT_TRUE(send(answer).empty());
  hw::Datagram old = request(Method::get, Attribute::class_port_info);
  set(old.mad, common::kClassVersion, 1);
  EXPECT_TRUE(send(old).empty());
  EXPECT_EQ(server.counters().wrong_key, 1U);
  EXPECT_EQ(server.counters().unknown, 1U);
  EXPECT_EQ(server.counters().malformed, 2U);
  server.publish(nullptr, kPublished);
  EXPECT_TRUE(send(request(Method::get, Attribute::class_port_info)).empty());
}

TEST_F(SaServer, WhatItDoesNotKnowIsRefused) {
  for (unsigned attribute = 0; attribute < 0x100; ++attribute)
    for (const Method method : {Method::set, Method::remove, Method::get_trace_table}) {
      const auto out = send(request(method, static_cast<Attribute>(attribute)));
      ASSERT_EQ(out.size(), 1U) << attribute;
      EXPECT_NE(status(out), Status::good) << attribute;
    }
  EXPECT_EQ(status(send(request(Method::get, static_cast<Attribute>(0x7777)))),
            Status::unsupported_method_attribute);
}

TEST_F(SaServer, RefusalsAreCountedByTheirStatus) {
  send(request(Method::get, Attribute::class_port_info));
  send(request(Method::set, Attribute::mc_member_record));                            // without components
  for (int i = 0; i < 2; ++i) send(request(Method::get, Attribute::service_record));  // there are none
  EXPECT_EQ(server.counters().answered, 4U);
  EXPECT_EQ(server.counters().refused, 3U);
  EXPECT_THAT(server.counters().refused_by,
              testing::ElementsAre(testing::Pair(Status::no_records, 2U),
                                   testing::Pair(Status::insufficient_components, 1U)));
  EXPECT_EQ(name_of(Status::no_records), "no_records");
  EXPECT_EQ(name_of(static_cast<Status>(0x7777)), "other");
}

TEST_F(SaServer, TablesGoBySegments) {
  const hw::Datagram asked = request(Method::get_table, Attribute::node_record);
  const auto out = send(asked);
  ASSERT_EQ(out.size(), 1U);  // the window of a receiver that has not spoken yet
  EXPECT_EQ(get(out[0].datagram.mad, header::kRmppFlags), 3U);
  // A repeated request does not start another transfer.
  EXPECT_TRUE(send(asked).empty());
  EXPECT_EQ(server.counters().repeated, 1U);
}

// A process that asks under a TransactionID that one before it has left behind.
TEST_F(SaServer, AnotherRequestUnderTheSameTransactionIsAnswered) {
  const hw::Datagram nodes = request(Method::get_table, Attribute::node_record);
  send(nodes);
  hw::Datagram links = nodes;
  set(links.mad, common::kAttribute, static_cast<std::uint64_t>(Attribute::link_record));
  const auto out = send(links);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(get(out[0].datagram.mad, common::kAttribute), static_cast<std::uint64_t>(Attribute::link_record));
  hw::Datagram of_another = links;
  of_another.mad[header::kData + 1] = 9;  // from another LID
  EXPECT_EQ(send(of_another).size(), 1U);
  EXPECT_EQ(server.counters().repeated, 0U);
}

/// GetMulti in one segment, for paths from host 1 to host `to`.
hw::Datagram multi_path(const SmallSnapshot& small, test::Requests& request, std::size_t to) {
  constexpr std::uint64_t kCounts = 1U << 6U | 1U << 19U | 1U << 20U;
  hw::Datagram datagram = request(Method::get_multi, Attribute::multi_path_record, kCounts);
  set_rmpp_fields(
      datagram.mad,
      {.flags = rmpp_flags::kActive | rmpp_flags::kFirst | rmpp_flags::kLast, .segment = 1, .length = 76});
  const std::span<std::uint8_t> record = std::span(datagram.mad).subspan(header::kData);
  record[5] = 0x81;
  record[15] = record[16] = 1;
  std::ranges::copy(small.gid(small.host(1)), record.begin() + 24);
  std::ranges::copy(small.gid(small.host(to)), record.begin() + 40);
  return datagram;
}

// `osmtest` asks for the same paths under the same TransactionIDs each time that it runs.
TEST_F(SaServer, MultiPathOfAProcessThatStartsAnewIsAnswered) {
  const hw::Datagram asked = multi_path(small, request, 2);
  for (const int process : {1, 2}) {
    const auto out = send(asked);
    ASSERT_EQ(out.size(), 2U) << process;  // ACK of the request, first segment of the answer
    const hw::Datagram& answer = out[1].datagram;
    EXPECT_EQ(get(answer.mad, common::kMethod), 0x94U) << process;
    hw::Datagram ack = answer;
    set_rmpp_fields(ack.mad, {.type = RmppType::ack, .segment = 1, .length = 1});
    EXPECT_TRUE(send(ack).empty());
  }
  EXPECT_EQ(server.counters().repeated, 0U);
}

TEST_F(SaServer, MultiPathUnderTheTransactionOfAnotherOneIsItsOwn) {
  const hw::Datagram first = multi_path(small, request, 2);
  hw::Datagram second = multi_path(small, request, 3);
  set(second.mad, common::kTransaction, get(first.mad, common::kTransaction));
  ASSERT_EQ(send(first).size(), 2U);  // its process ends without an ACK
  const auto out = send(second);
  ASSERT_EQ(out.size(), 2U);
  const std::span<const std::uint8_t> path = std::span(out[1].datagram.mad).subspan(header::kData);
  const Gid to = small.gid(small.host(3));
  EXPECT_TRUE(std::ranges::equal(path.subspan(8, 16), to));
}

// The same request of such a process: nobody has acknowledged the answer for a while.
TEST_F(SaServer, RepetitionAfterASilenceIsAnsweredFromTheFirstSegment) {
  const hw::Datagram asked = request(Method::get_table, Attribute::node_record);
  const auto first = send(asked);
  ASSERT_EQ(first.size(), 1U);
  hw::Datagram ack = first[0].datagram;
  set_rmpp_fields(ack.mad, {.type = RmppType::ack, .segment = 1, .length = 3});
  EXPECT_GT(send(ack).size(), 0U);
  const hw::TimePoint silence = server.deadline();
  const auto again = wait(silence);
  ASSERT_GT(again.size(), 0U);
  EXPECT_EQ(rmpp_fields(again[0].datagram.mad).segment, 2U);
  const auto repeated = send(asked, silence);
  ASSERT_EQ(repeated.size(), 1U);
  EXPECT_EQ(repeated[0].datagram.mad, first[0].datagram.mad);
}

TEST_F(SaServer, LongTablesLetOthersPass) {
  test::Shape shape = test::clos(8, 4, 16);  // 140 end ports: 19,600 pairs
  const SmallSnapshot large(shape);
  server.publish(std::make_shared<Snapshot>(large.snapshot), kPublished);
  hw::Datagram all = request(Method::get_table, Attribute::path_record);
  all.lid = large.lid(large.host(1)).value;
  EXPECT_TRUE(send(all).empty());
  EXPECT_EQ(server.deadline(), kPublished);
  EXPECT_TRUE(send(all).empty());
  EXPECT_EQ(server.counters().repeated, 1U);
  hw::Datagram other = request(Method::get, Attribute::class_port_info);
  other.lid = large.lid(large.host(2)).value;
  EXPECT_EQ(status(send(other)), Status::good);
  unsigned turns = 0;
  while (wait(kPublished).empty()) ASSERT_LT(++turns, 20U);
  EXPECT_GT(turns, 2U);
}

/// InformInfo for all generic traps of any source.
hw::Datagram subscribing(hw::Datagram datagram, bool subscribe) {
  const auto at = [](std::uint16_t byte, std::uint8_t width) {
    return hw::Field{static_cast<std::uint16_t>(56 + byte), 0, width};
  };
  set(datagram.mad, at(16, 16), 0xFFFF);
  set(datagram.mad, at(22, 8), 1);
  set(datagram.mad, at(23, 8), subscribe ? 1 : 0);
  set(datagram.mad, at(24, 16), 0xFFFF);
  set(datagram.mad, at(26, 16), 0xFFFF);
  set(datagram.mad, at(28, 24), 1);
  set(datagram.mad, at(33, 24), 0xFFFFFF);
  return datagram;
}

hw::Datagram answer_to(const hw::Datagram& report) {
  hw::Datagram answer = report;
  set(answer.mad, common::kMethod, 0x86);
  return answer;
}

TEST_F(SaServer, TrapsAreReportedUntilTheyAreAnswered) {
  EXPECT_EQ(status(send(subscribing(request(Method::set, Attribute::inform_info), true))), Status::good);
  std::array<std::uint8_t, 64> trap{};
  set(trap, notice::kGeneric, 1);
  set(trap, notice::kTrapNumber, 128);
  const Lid from = small.fabric().port(small.fabric().port_id(SwitchId(0), PortNum(0))).lid;
  server.on_trap(trap, from, kPublished);
  auto reports = wait(kPublished);
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].datagram.lid, small.lid(small.host(1)).value);
  EXPECT_EQ(get(reports[0].datagram.mad, common::kMethod), 6U);
  EXPECT_EQ(get(std::span(reports[0].datagram.mad).subspan(56), notice::kIssuerLid), from.value);
  EXPECT_EQ(wait(kPublished + std::chrono::seconds(1)).size(), 1U);
  EXPECT_TRUE(send(answer_to(reports[0].datagram), kPublished + std::chrono::seconds(1)).empty());
  EXPECT_TRUE(wait(kPublished + std::chrono::seconds(2)).empty());
  // A subscription that ended brings nothing.
  EXPECT_EQ(status(send(subscribing(request(Method::set, Attribute::inform_info), false))), Status::good);
  server.on_trap(trap, from, kPublished);
  EXPECT_TRUE(wait(kPublished).empty());
  EXPECT_EQ(status(send(subscribing(request(Method::set, Attribute::inform_info), false))),
            Status::request_invalid);
}

/// drop_subscr_on_report_fail.
TEST_F(SaServer, SubscriptionsOfWhoIsSilentEndIfSo) {
  const auto left = [&](bool drops) {
    small.snapshot.plan.options.administration.drop_unanswered_subscriptions = drops;
    server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished);
    EXPECT_EQ(status(send(subscribing(request(Method::set, Attribute::inform_info), true))), Status::good);
    std::array<std::uint8_t, 64> trap{};
    set(trap, notice::kGeneric, 1);
    set(trap, notice::kTrapNumber, 128);
    server.on_trap(trap, small.fabric().port(small.fabric().port_id(SwitchId(0), PortNum(0))).lid,
                   kPublished);
    for (int second = 0; second < 10; ++second) wait(kPublished + std::chrono::seconds(second));
    return server.subscriptions();
  };
  EXPECT_EQ(left(false), 1U);
  EXPECT_EQ(left(true), 0U);
}

/// max_sa_reports_on_wire, max_sa_reports_queued.
TEST_F(SaServer, ReportsBeyondTheLimitsWaitOrAreLost) {
  small.snapshot.plan.options.administration.reports_open = 1;
  small.snapshot.plan.options.administration.reports_queued = 1;
  server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished);
  send(subscribing(request(Method::set, Attribute::inform_info), true));
  std::array<std::uint8_t, 64> trap{};
  set(trap, notice::kGeneric, 1);
  set(trap, notice::kTrapNumber, 128);
  const Lid from = small.fabric().port(small.fabric().port_id(SwitchId(0), PortNum(0))).lid;
  for (int times = 0; times < 3; ++times) server.on_trap(trap, from, kPublished);
  const auto first = wait(kPublished);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(server.reports().dropped, 1U);
  send(answer_to(first[0].datagram));
  EXPECT_EQ(wait(kPublished + std::chrono::seconds(1)).size(), 1U) << "the one that waited";
  EXPECT_EQ(server.reports().reported, 1U);
}

/// enable_sa.
TEST_F(SaServer, NobodyIsAnsweredIfSo) {
  small.snapshot.plan.options.administration.is_enabled = false;
  server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished);
  EXPECT_TRUE(send(subscribing(request(Method::set, Attribute::inform_info), true)).empty());
  EXPECT_EQ(server.subscriptions(), 0U);
}

/// Trap 144 of the second host, whose port is one of a subnet manager now; `ports` are then as it says.
std::array<std::uint8_t, 64> change_of(const SmallSnapshot& small, std::vector<hw::PortInfo>& ports) {
  std::array<std::uint8_t, 64> trap{};
  ports[small.host(1).index()].is_sm = true;
  set(trap, notice::kGeneric, 1);
  set(trap, notice::kTrapNumber, notice::kLocalChange);
  set(trap, notice::kChangedLid, small.lid(small.host(1)).value);
  set(trap, notice::kNewCapabilities, get(hw::encode(ports[small.host(1).index()]), hw::Field{20, 0, 32}));
  return trap;
}

TEST_F(SaServer, ChangedCapabilitiesAreReportedWhenRecordsShowThem) {
  send(subscribing(request(Method::set, Attribute::inform_info), true));
  Snapshot later = small.snapshot;
  const auto trap = change_of(small, later.ports);
  server.on_trap(trap, small.lid(small.host(1)), kPublished);
  EXPECT_TRUE(wait(kPublished).empty());
  // A sweep that began before.
  server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished);
  EXPECT_TRUE(wait(kPublished).empty());
  server.publish(std::make_shared<Snapshot>(later), kPublished);
  const auto reports = wait(kPublished);
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(get(std::span(reports[0].datagram.mad).subspan(56), notice::kTrapNumber), notice::kLocalChange);
  // The records show it already.
  send(answer_to(reports[0].datagram));
  server.on_trap(trap, small.lid(small.host(1)), kPublished);
  EXPECT_EQ(wait(kPublished).size(), 1U);
}

TEST_F(SaServer, ChangedCapabilitiesAreReportedFiveSecondsLaterAtTheLatest) {
  send(subscribing(request(Method::set, Attribute::inform_info), true));
  Snapshot never = small.snapshot;
  server.on_trap(change_of(small, never.ports), small.lid(small.host(1)), kPublished);
  EXPECT_TRUE(wait(kPublished + std::chrono::milliseconds(4999)).empty());
  EXPECT_EQ(server.deadline(), kPublished + std::chrono::seconds(5));
  EXPECT_EQ(wait(kPublished + std::chrono::seconds(5)).size(), 1U);
}

TEST_F(SaServer, PortsThatComeAndGoAreReported) {
  send(subscribing(request(Method::set, Attribute::inform_info), true));
  const auto traps = [&](const test::Shape& shape) {
    server.publish(std::make_shared<Snapshot>(SmallSnapshot(shape).snapshot), kPublished);
    std::vector<std::uint64_t> numbers;
    auto out = wait(kPublished);
    for (const auto& report : out) {
      numbers.push_back(get(std::span(report.datagram.mad).subspan(56), notice::kTrapNumber));
      send(answer_to(report.datagram));
    }
    return numbers;
  };
  const test::Shape small_one{.hosts = {2, 1}, .cables = {{0, 1}}},
      large{.hosts = {2, 3}, .cables = {{0, 1}}};
  traps(large);
  EXPECT_THAT(traps(small_one), testing::ElementsAre(65, 65));
  EXPECT_THAT(traps(large), testing::ElementsAre(64, 64));
}

TEST_F(SaServer, LeasesOfServicesEnd) {
  const auto registering = [&](std::uint32_t seconds) {
    hw::Datagram datagram = request(Method::set, Attribute::service_record);
    set(datagram.mad, header::kComponentMask, 0b10011);
    set(datagram.mad, hw::Field{56, 0, 64}, 77);
    set(datagram.mad, hw::Field{56 + 28, 0, 32}, seconds);
    return datagram;
  };
  const auto asking = [&] {
    hw::Datagram datagram = request(Method::get, Attribute::service_record);
    set(datagram.mad, header::kComponentMask, 1);
    set(datagram.mad, hw::Field{56, 0, 64}, 77);
    return datagram;
  };
  EXPECT_EQ(status(send(asking())), Status::no_records);
  EXPECT_EQ(status(send(registering(4))), Status::good);
  EXPECT_EQ(server.deadline(), kPublished + std::chrono::seconds(4));
  EXPECT_EQ(status(send(asking(), kPublished + std::chrono::seconds(3))), Status::good);
  wait(kPublished + std::chrono::seconds(4));
  EXPECT_EQ(status(send(asking(), kPublished + std::chrono::seconds(4))), Status::no_records);
  // Delete goes by the name only.
  EXPECT_EQ(status(send(registering(100))), Status::good);
  hw::Datagram removing = registering(0);
  set(removing.mad, common::kMethod, static_cast<std::uint64_t>(Method::remove));
  set(removing.mad, header::kComponentMask, 0);
  EXPECT_EQ(status(send(removing)), Status::good);
  EXPECT_EQ(status(send(removing)), Status::no_records);
}

// A record that was registered with a ServiceKey is changed and deleted with that key, or by the trusted.
TEST_F(SaServer, ServicesAreGuardedByTheirKey) {
  const auto asking = [&](Method method, std::uint64_t key) {
    hw::Datagram datagram = request(method, Attribute::service_record, 0b100011);
    set(datagram.mad, hw::Field{56, 0, 64}, 77);
    set(datagram.mad, hw::Field{56 + 40, 0, 64}, key);
    return datagram;
  };
  EXPECT_EQ(status(send(asking(Method::set, 5))), Status::good);
  EXPECT_EQ(status(send(asking(Method::set, 5))), Status::good);
  for (const std::uint64_t other : {0U, 6U}) {
    EXPECT_EQ(status(send(asking(Method::set, other))), Status::request_denied);
    EXPECT_EQ(status(send(asking(Method::remove, other))), Status::request_denied);
  }
  // A request that selects no key is that of the port that registered it.
  hw::Datagram keyless = asking(Method::remove, 0);
  set(keyless.mad, header::kComponentMask, 0b11);
  keyless.lid = small.lid(small.host(2)).value;
  EXPECT_EQ(status(send(keyless)), Status::request_denied);
  keyless.lid = small.lid(small.host(1)).value;
  EXPECT_EQ(status(send(keyless)), Status::good);
  EXPECT_EQ(status(send(asking(Method::set, 5))), Status::good);
  EXPECT_EQ(status(send(asking(Method::remove, 5))), Status::good);
  EXPECT_EQ(status(send(asking(Method::set, 5))), Status::good);
  hw::Datagram trusted = asking(Method::remove, 6);
  set(trusted.mad, header::kSmKey, small.snapshot.plan.options.manager.sa_key);
  EXPECT_EQ(status(send(trusted)), Status::good);
  // Without a key anybody may, as ever.
  EXPECT_EQ(status(send(asking(Method::set, 0))), Status::good);
  EXPECT_EQ(status(send(asking(Method::set, 6))), Status::good);
}

/// drop_event_subscriptions.
TEST_F(SaServer, ServicesOfPortsThatAreGoneEndIfSo) {
  const auto registered = [&](bool drops) {
    hw::Datagram service = request(Method::set, Attribute::service_record);
    set(service.mad, header::kComponentMask, 0b11);
    set(service.mad, hw::Field{56, 0, 64}, 7);
    std::ranges::copy(make_gid(kLinkLocalPrefix, small.fabric().port(small.host(1)).guid),
                      service.mad.begin() + 56 + 8);
    EXPECT_EQ(status(send(service)), Status::good);
    test::SmallSnapshot other(test::clos(1, 1, 1));  // with one host
    other.snapshot.plan.options.administration.drop_services_of_gone_ports = drops;
    server.publish(std::make_shared<Snapshot>(other.snapshot), kPublished);
    return server.services();
  };
  EXPECT_EQ(registered(false), 1U);
  server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished);
  EXPECT_EQ(registered(true), 0U);
}

/// The enhanced trust model (docs/subnet-administration.md).
class Distrust : public SaServer {
 protected:
  Distrust() {
    server.on_dropped([this](const Dropped& dropped) { why.emplace_back(dropped.why); });
    limit([](policy::AdministrationOptions&) {});
  }
  /// Publishes a plan with the model on and these options besides.
  template <class F>
  void limit(const F& f) {
    small.snapshot.plan.options.administration = {.enhanced_trust_model = true};
    f(small.snapshot.plan.options.administration);
    server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished);
  }
  hw::Datagram trusted(hw::Datagram datagram) {
    set(datagram.mad, header::kSmKey, small.snapshot.plan.options.manager.sa_key);
    return datagram;
  }
  hw::Datagram service(std::uint64_t id, std::size_t of = 1) {
    hw::Datagram datagram = request(Method::set, Attribute::service_record);
    set(datagram.mad, header::kComponentMask, 0b11);
    set(datagram.mad, hw::Field{56, 0, 64}, id);
    std::ranges::copy(make_gid(kLinkLocalPrefix, small.fabric().port(small.host(of)).guid),
                      datagram.mad.begin() + 56 + 8);
    return datagram;
  }
  hw::Datagram joining(std::uint8_t group) {
    hw::Datagram datagram = request(Method::set, Attribute::mc_member_record);
    set(datagram.mad, header::kComponentMask, 0b1'0011'0000'1100'0111);
    const std::span<std::uint8_t> record = std::span(datagram.mad).subspan(header::kData);
    std::ranges::copy(Gid{0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, group}, record.begin());
    std::ranges::copy(make_gid(kLinkLocalPrefix, small.fabric().port(small.host(1)).guid),
                      record.begin() + 16);
    set(record, hw::Field{40, 0, 16}, 0xFFFF);
    set(record, hw::Field{48, 4, 4}, 1);
    return datagram;
  }

  std::vector<std::string> why;
};

TEST_F(Distrust, LeavesWhatHostsNeed) {
  EXPECT_EQ(status(send(request(Method::get, Attribute::class_port_info))), Status::good);
  EXPECT_EQ(status(send(joining(7))), Status::good);
  EXPECT_EQ(status(send(service(77))), Status::good);
  EXPECT_EQ(status(send(subscribing(request(Method::set, Attribute::inform_info), true))), Status::good);
  hw::Datagram path = request(Method::get_table, Attribute::path_record);
  set(path.mad, header::kComponentMask, 0b110000);
  set(path.mad, hw::Field{56 + 40, 0, 16}, small.lid(small.host(2)).value);
  set(path.mad, hw::Field{56 + 42, 0, 16}, small.lid(small.host(1)).value);
  EXPECT_EQ(send(path).size(), 1U);
  EXPECT_TRUE(why.empty());
}

TEST_F(Distrust, DropsTheRestUnlessItHasTheKey) {
  for (const Attribute attribute : {Attribute::node_record, Attribute::link_record, Attribute::path_record}) {
    EXPECT_TRUE(send(request(Method::get_table, attribute)).empty());
    EXPECT_EQ(send(trusted(request(Method::get_table, attribute))).size(), 1U);
  }
  EXPECT_EQ(server.counters().distrusted, 3U);
  EXPECT_EQ(why, std::vector<std::string>(3, "only trusted requests may ask for this"));
}

TEST_F(Distrust, RegistrationsForOthersAreDroppedIfSo) {
  EXPECT_EQ(status(send(service(77, 2))), Status::good);
  limit([](auto& options) { options.allow_untrusted_proxy_requests = false; });
  EXPECT_TRUE(send(service(78, 2)).empty());
  EXPECT_EQ(status(send(trusted(service(78, 2)))), Status::good);
  EXPECT_EQ(why, std::vector<std::string>{"it is for another port than the one that asks"});
}

TEST_F(Distrust, LimitsWhatOneHostRegisters) {
  limit([](auto& options) { options.max_groups = options.max_services = options.max_subscriptions = 2; });
  for (const std::uint8_t n : {std::uint8_t{1}, std::uint8_t{2}}) {
    EXPECT_EQ(status(send(joining(n))), Status::good);
    EXPECT_EQ(status(send(service(n))), Status::good);
  }
  EXPECT_TRUE(send(joining(3)).empty());
  EXPECT_TRUE(send(service(3)).empty());
  // What it has it may register again, and give back.
  EXPECT_EQ(status(send(joining(2))), Status::good);
  EXPECT_EQ(status(send(service(2))), Status::good);
  hw::Datagram leaving = joining(2);
  set(leaving.mad, common::kMethod, static_cast<std::uint64_t>(Method::remove));
  EXPECT_EQ(status(send(leaving)), Status::good);
  EXPECT_EQ(status(send(joining(3))), Status::good);
  EXPECT_EQ(server.counters().distrusted, 2U);
}

/// A request with a GRH, of host 1 by its LID.
class GlobalRequests : public SaServer {
 protected:
  void check(bool on) {
    small.snapshot.plan.options.administration.check_sgid_spoofing = on;
    server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished);
  }
  std::vector<hw::OutgoingDatagram> send_as(std::uint64_t prefix, Guid guid) {
    hw::Datagram datagram = request(Method::get, Attribute::class_port_info);
    datagram.global_route = hw::GlobalRoute{.gid = make_gid(prefix, guid), .gid_index = 1, .flow_label = 5};
    return send(datagram);
  }
  Guid guid_of_host(std::size_t host) { return small.fabric().port(small.host(host)).guid; }
};

/// `sa_rate_threshold` 2: twenty a second, and a burst of a hundred.
class Throttled : public SaServer {
 protected:
  Throttled() {
    server.on_dropped([this](const Dropped& dropped) { why.emplace_back(dropped.why); });
    small.snapshot.plan.options.administration.request_rate = 2;
    server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished);
  }
  /// How many of so many requests of a host are answered.
  std::size_t answered(std::size_t requests, std::size_t host, std::chrono::seconds after) {
    std::size_t answers = 0;
    for (std::size_t i = 0; i < requests; ++i)
      answers += send(request(Method::get, Attribute::class_port_info, 0, host), kPublished + after).size();
    return answers;
  }

  std::vector<std::string> why;
};

TEST_F(Throttled, APortIsAnsweredSoMuchAndNoMore) {
  using std::chrono::seconds;
  EXPECT_EQ(answered(150, 1, seconds(0)), 100U);
  EXPECT_EQ(answered(4, 2, seconds(0)), 4U) << "each port for itself";
  EXPECT_EQ(answered(150, 1, seconds(3)), 60U);
  EXPECT_EQ(answered(150, 1, seconds(60)), 100U) << "no more than a burst";
  EXPECT_EQ(answered(1000, 0, seconds(60)), 1000U) << "the host of the manager";
  EXPECT_EQ(server.counters().throttled, 190U);
  EXPECT_EQ(why.size(), 2U) << "one line in ten seconds";
}

class Repetitions : public SaServer {
 protected:
  /// Requests that arrive at some time and are handled, and what is sent 100 ms later: answers.
  std::size_t answers(std::initializer_list<hw::Datagram> sent, int arrive_ms) {
    for (hw::Datagram one : sent) {
      one.arrived = kPublished + hw::Milliseconds(arrive_ms);
      server.on_datagram(one, one.arrived);
    }
    return wait(kPublished + hw::Milliseconds(arrive_ms + 100)).size();
  }
  hw::Datagram asked = request(Method::get, Attribute::class_port_info);
};

TEST_F(Repetitions, ThatCameBeforeTheAnswerWasSentNeedNoOther) {
  EXPECT_EQ(answers({asked}, 0), 1U);
  EXPECT_EQ(answers({asked}, 99), 0U) << "it came before";
  EXPECT_EQ(server.counters().repeated, 1U);
  EXPECT_EQ(answers({asked}, 100), 1U) << "that answer may be lost";
  EXPECT_EQ(answers({asked, asked}, 300), 1U);
  EXPECT_EQ(answers({asked}, 500), 1U);
}

TEST_F(Repetitions, AreThoseOfOneSourceThatAskTheSame) {
  hw::Datagram other_transaction = asked, other_port = asked, other_mask = asked;
  set(other_transaction.mad, common::kTransaction, 77);
  other_port.lid = small.lid(small.host(2)).value;
  set(other_mask.mad, header::kComponentMask, 1);
  EXPECT_EQ(answers({asked, other_transaction, other_port, other_mask}, 0), 4U);
  EXPECT_EQ(answers({other_mask, asked}, 50), 0U);
  hw::Datagram later = asked;
  set(later.mad, common::kTransaction, 78);
  EXPECT_EQ(answers({later, other_port}, 60), 1U);
}

TEST_F(Repetitions, AreNotKnownWhereTheTransportTellsNoTimes) {
  EXPECT_EQ(send(asked).size(), 1U);
  EXPECT_EQ(send(asked).size(), 1U);
}

TEST_F(GlobalRequests, AreAnsweredTheWayTheyCame) {
  const auto answers = send_as(kLinkLocalPrefix, guid_of_host(1));
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(
      answers[0].datagram.global_route,
      (hw::GlobalRoute{.gid = make_gid(kLinkLocalPrefix, guid_of_host(1)), .gid_index = 1, .flow_label = 5}));
  EXPECT_FALSE(send(request(Method::get, Attribute::class_port_info)).at(0).datagram.global_route);
}

TEST_F(GlobalRequests, WithTheSgidOfAnotherAreDroppedIfSo) {
  std::vector<std::string> why;
  server.on_dropped([&](const Dropped& dropped) { why.emplace_back(dropped.why); });
  EXPECT_EQ(send_as(kLinkLocalPrefix, guid_of_host(2)).size(), 1U) << "the default";
  check(true);
  EXPECT_EQ(send_as(kLinkLocalPrefix, guid_of_host(1)).size(), 1U);
  EXPECT_EQ(send_as(small.snapshot.prefix(), guid_of_host(1)).size(), 1U);
  EXPECT_TRUE(send_as(kLinkLocalPrefix, guid_of_host(2)).empty());
  EXPECT_TRUE(send_as(0x20010DB800000000, guid_of_host(1)).empty()) << "of another subnet, and no router";
  EXPECT_EQ(server.counters().spoofed, 2U);
  EXPECT_EQ(why, std::vector<std::string>(2, "its SGID is not that of the port that sent it"));
}

TEST_F(SaServer, WithoutTheModelNothingIsDroppedForWantOfTrust) {
  EXPECT_EQ(send(request(Method::get_table, Attribute::node_record)).size(), 1U);
  EXPECT_EQ(server.counters().distrusted, 0U);
}

/// Host 1 joins the group ff12:a01c::7.
hw::Datagram joining(test::Requests& request, const SmallSnapshot& small, std::uint16_t pkey) {
  hw::Datagram datagram = request(Method::set, Attribute::mc_member_record, 0b1'0011'0000'1100'0111);
  const std::span<std::uint8_t> record = std::span(datagram.mad).subspan(header::kData);
  const Gid mgid{0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7};
  std::ranges::copy(mgid, record.begin() + mc_member::kMgid);
  std::ranges::copy(small.gid(small.host(1)), record.begin() + mc_member::kPortGid);
  set(record, mc_member::kPKey, pkey);
  set(record, mc_member::kJoinState, 1);
  return datagram;
}

// Hosts go on asking: a refusal is told once for each reason, and again after the port was a member.
TEST_F(SaServer, RefusedJoinsAreTold) {
  std::vector<std::string> told;
  server.on_join_refused([&](const JoinRefused& refused) {
    EXPECT_EQ(refused.port, small.guid(small.host(1)));
    EXPECT_EQ(refused.mgid[15], 7);
    told.push_back(refused.why);
  });
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(status(send(joining(request, small, 0x8123))), Status::request_invalid);
  EXPECT_THAT(told, testing::ElementsAre("it does not have the P_Key 0x8123 of the group"));
  EXPECT_EQ(status(send(joining(request, small, 0xFFFF))), Status::good);
  EXPECT_EQ(told.size(), 1U);

  const LinkTraits slow{.mtu = 1, .rate = 2};
  small.set_link(small.host(1), slow);
  server.publish(std::make_shared<Snapshot>(small.snapshot), kPublished);
  EXPECT_EQ(status(send(joining(request, small, 0xFFFF))), Status::request_invalid);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_TRUE(told[1].starts_with("the group has ")) << told[1];
}

TEST(RefusedJoinsTest, AHostCannotFillTheLog) {
  RefusedJoins joins;
  std::size_t news = 0;
  for (std::uint8_t group = 0; group < 200; ++group)
    news += joins.is_news(Guid(1), {.port = Guid(1), .mgid = {0xFF, group}, .why = "no P_Key"});
  EXPECT_EQ(news, RefusedJoins::kMost);
  EXPECT_TRUE(joins.is_news(Guid(2), {.port = Guid(1), .mgid = {0xFF, 1}, .why = "no P_Key"}));
}

}  // namespace
}  // namespace rch::sa
