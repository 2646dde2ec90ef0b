#include "sa/rmpp.h"

#include <gtest/gtest.h>

#include "rmpp_line.h"
#include "support/property.h"

namespace rch::sa {
namespace {

namespace h = hw::mad_header;
using hw::Datagram;
using hw::Milliseconds;
using hw::TimePoint;
using test::RmppLine;
using test::sa_datagram;
using test::some_bytes;

constexpr std::uint8_t kGetTableResp = 0x92, kGetMulti = 0x14, kGetMultiResp = 0x94;
constexpr TimePoint kSent{};

Datagram data_segment(std::uint32_t number, std::uint8_t flags, std::uint32_t length,
                      std::uint8_t method = kGetMulti) {
  Datagram datagram = sa_datagram(method, 5, 10);
  set_rmpp_fields(
      datagram.mad,
      {.flags = static_cast<std::uint8_t>(flags | rmpp_flags::kActive), .segment = number, .length = length});
  return datagram;
}

Datagram ack_of(std::uint32_t segment, std::uint32_t window_last, std::uint8_t method = kGetTableResp) {
  Datagram datagram = sa_datagram(method, 5, 10);
  set_rmpp_fields(datagram.mad, {.type = RmppType::ack, .segment = segment, .length = window_last});
  return datagram;
}

constexpr std::uint8_t kFirst = rmpp_flags::kFirst, kLast = rmpp_flags::kLast;

/// A transfer of `segments` whole segments to LID 10, its first one sent.
Rmpp sending(std::uint32_t segments, const RmppOptions& options = {}) {
  Rmpp rmpp(options);
  EXPECT_TRUE(rmpp.send(sa_datagram(kGetTableResp, 5, 10), some_bytes(segments * kDataSize), kSent));
  EXPECT_EQ(rmpp.take_datagrams().size(), 1U);
  return rmpp;
}

std::vector<std::uint32_t> segments_of(const std::vector<Datagram>& datagrams) {
  std::vector<std::uint32_t> numbers;
  for (const Datagram& datagram : datagrams) numbers.push_back(rmpp_fields(datagram.mad).segment);
  return numbers;
}

TEST(Rmpp, SegmentsSayHowLongTheyAre) {
  Rmpp rmpp;
  ASSERT_TRUE(rmpp.send(sa_datagram(kGetTableResp, 5, 10), some_bytes(450), kSent));
  std::vector<Datagram> sent = rmpp.take_datagrams();
  ASSERT_EQ(sent.size(), 1U);
  RmppFields fields = rmpp_fields(sent[0].mad);
  EXPECT_EQ(fields.flags, rmpp_flags::kActive | kFirst);
  EXPECT_EQ(fields.length, 450U + 3 * 20);
  EXPECT_EQ(get(sent[0].mad, header::kRmppVersion), 1U);
  EXPECT_EQ(get(sent[0].mad, header::kResponseTime), 31U);

  EXPECT_TRUE(rmpp.on_datagram(ack_of(1, 5), kSent));
  sent = rmpp.take_datagrams();
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(rmpp_fields(sent[0].mad).flags, rmpp_flags::kActive);
  EXPECT_EQ(rmpp_fields(sent[0].mad).length, 0U);
  fields = rmpp_fields(sent[1].mad);
  EXPECT_EQ(fields.flags, rmpp_flags::kActive | kLast);
  EXPECT_EQ(fields.segment, 3U);
  EXPECT_EQ(fields.length, 50U + 20);
  const std::vector<std::uint8_t> bytes = some_bytes(450);
  EXPECT_TRUE(std::equal(bytes.begin() + 400, bytes.end(), sent[1].mad.begin() + header::kData));
  EXPECT_EQ(sent[1].mad[header::kData + 50], 0);
}

TEST(Rmpp, NoRecordsAreOneSegmentWithoutData) {
  Rmpp rmpp;
  ASSERT_TRUE(rmpp.send(sa_datagram(kGetTableResp, 5, 10), {}, kSent));
  const std::vector<Datagram> sent = rmpp.take_datagrams();
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(rmpp_fields(sent[0].mad).flags, rmpp_flags::kActive | kFirst | kLast);
  EXPECT_EQ(rmpp_fields(sent[0].mad).length, 20U);
  rmpp.on_datagram(ack_of(1, 1), kSent);
  EXPECT_EQ(rmpp.counters().finished_out, 1U);
}

TEST(Rmpp, WindowIsTheReceivers) {
  Rmpp rmpp = sending(100);
  rmpp.on_datagram(ack_of(1, 4), kSent);
  EXPECT_EQ(segments_of(rmpp.take_datagrams()), (std::vector<std::uint32_t>{2, 3, 4}));
  rmpp.on_datagram(ack_of(2, 4), kSent);
  EXPECT_TRUE(rmpp.take_datagrams().empty());
  rmpp.on_datagram(ack_of(1, 3), kSent);  // overtaken
  EXPECT_TRUE(rmpp.take_datagrams().empty());
  rmpp.on_datagram(ack_of(4, 6), kSent);
  EXPECT_EQ(segments_of(rmpp.take_datagrams()), (std::vector<std::uint32_t>{5, 6}));
}

// A receiver that knows the end closes its window there. The transfer is over, and holds no room.
TEST(Rmpp, LastAckEndsATransferWhateverItsWindow) {
  Rmpp rmpp = sending(3);
  rmpp.on_datagram(ack_of(1, 17), kSent);
  EXPECT_EQ(rmpp.take_datagrams().size(), 2U);
  rmpp.on_datagram(ack_of(2, 3), kSent);
  rmpp.on_datagram(ack_of(3, 3), kSent);
  EXPECT_EQ(rmpp.counters().finished_out, 1U);
}

TEST(Rmpp, HugeWindowIsBounded) {
  Rmpp rmpp = sending(100, {.in_flight = 10});
  rmpp.on_datagram(ack_of(1, ~0U), kSent);
  EXPECT_EQ(rmpp.take_datagrams().size(), 10U);
}

TEST(Rmpp, AckCountsWithEitherResponseBit) {
  for (const std::uint8_t method : {std::uint8_t{0x12}, kGetTableResp}) {
    Rmpp rmpp = sending(1);
    rmpp.on_datagram(ack_of(1, 1, method), kSent);
    EXPECT_EQ(rmpp.counters().finished_out, 1U) << int{method};
  }
}

TEST(Rmpp, SilenceSendsTheWindowAgainThenEnds) {
  Rmpp rmpp = sending(100, {.retries = 2});
  rmpp.on_datagram(ack_of(1, 3), kSent);
  rmpp.take_datagrams();
  EXPECT_EQ(rmpp.deadline(), kSent + Milliseconds(50));
  rmpp.on_time(kSent + Milliseconds(49));
  EXPECT_TRUE(rmpp.take_datagrams().empty());
  TimePoint at = kSent;
  for (const int wait : {50, 100}) {
    at += Milliseconds(wait);
    EXPECT_EQ(rmpp.deadline(), at);
    rmpp.on_time(at);
    EXPECT_EQ(segments_of(rmpp.take_datagrams()), (std::vector<std::uint32_t>{2, 3}));
  }
  rmpp.on_time(rmpp.deadline());
  const std::vector<Datagram> end = rmpp.take_datagrams();
  ASSERT_EQ(end.size(), 1U);
  EXPECT_EQ(rmpp_fields(end[0].mad).type, RmppType::abort);
  EXPECT_EQ(rmpp_fields(end[0].mad).status, RmppStatus::too_many_retries);
  EXPECT_EQ(rmpp.counters().failed_out, 1U);
  EXPECT_EQ(rmpp.deadline(), TimePoint::max());
}

TEST(Rmpp, ProgressForgivesSilences) {
  Rmpp rmpp = sending(100, {.retries = 1});
  for (std::uint32_t i = 1; i < 100; ++i) {
    rmpp.on_time(rmpp.deadline());
    rmpp.on_datagram(ack_of(i, i + 1), rmpp.deadline() - Milliseconds(1));
  }
  EXPECT_EQ(rmpp.counters().failed_out, 0U);
}

TEST(Rmpp, RepeatedAckDoesNotDeferTheEnd) {
  Rmpp rmpp = sending(100);
  rmpp.on_datagram(ack_of(1, 2), kSent);
  const TimePoint before = rmpp.deadline();
  rmpp.on_datagram(ack_of(1, 2), kSent + Milliseconds(30));
  rmpp.on_time(before);
  EXPECT_EQ(rmpp.counters().silences, 1U);
}

TEST(Rmpp, OneTransferOfAKey) {
  Rmpp rmpp = sending(3);
  Datagram request = sa_datagram(0x12, 5, 10);
  EXPECT_NE(rmpp.sending_to(request), nullptr);
  EXPECT_FALSE(rmpp.send(sa_datagram(kGetTableResp, 5, 10), some_bytes(10), kSent));
  request.queue_pair = 2;
  EXPECT_EQ(rmpp.sending_to(request), nullptr);
}

// The kernel of a host tells its processes apart in the upper half, and many of them count from 1.
TEST(Rmpp, ProcessesOfOneHostAreToldApart) {
  Rmpp rmpp = sending(3);
  Datagram of_another = sa_datagram(kGetTableResp, 5, 10);
  set(of_another.mad, h::kTransaction, 0x1111'0000'0000'0005U);
  EXPECT_EQ(rmpp.sending_to(of_another), nullptr);
  EXPECT_TRUE(rmpp.send(of_another, some_bytes(10), kSent));
}

TEST(Rmpp, TransfersAndBytesAreBounded) {
  Rmpp rmpp({.transfers = 3, .transfers_per_source = 2, .bytes = 1000});
  EXPECT_FALSE(rmpp.has_room(10, 1001));
  EXPECT_TRUE(rmpp.send(sa_datagram(kGetTableResp, 1, 10), some_bytes(300), kSent));
  EXPECT_TRUE(rmpp.send(sa_datagram(kGetTableResp, 2, 10), some_bytes(300), kSent));
  EXPECT_FALSE(rmpp.send(sa_datagram(kGetTableResp, 3, 10), some_bytes(300), kSent));
  EXPECT_FALSE(rmpp.has_room(11, 401));
  EXPECT_TRUE(rmpp.send(sa_datagram(kGetTableResp, 3, 11), some_bytes(300), kSent));
  EXPECT_FALSE(rmpp.has_room(12, 0));
  EXPECT_EQ(rmpp.counters().refused, 1U);
}

// Programs that ended without their last ACK do not keep the others of their host from tables.
TEST(Rmpp, AbandonedTransfersMakeRoom) {
  Rmpp rmpp({.retries = 10, .transfers_per_source = 2});
  const auto send = [&](std::uint32_t transaction, std::uint16_t lid, TimePoint now) {
    return rmpp.send(sa_datagram(kGetTableResp, transaction, lid), some_bytes(300), now);
  };
  EXPECT_TRUE(send(1, 10, kSent));
  EXPECT_TRUE(send(2, 10, kSent));
  TimePoint now = kSent;
  for (int silences = 0; silences < 4; ++silences) {
    EXPECT_FALSE(send(3, 10, now)) << silences;
    now = rmpp.deadline();
    rmpp.on_time(now);
  }
  EXPECT_EQ(now - kSent, Milliseconds(750));
  rmpp.take_datagrams();
  EXPECT_TRUE(send(3, 10, now));
  const auto sent = rmpp.take_datagrams();
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(rmpp_fields(sent[0].mad).type, RmppType::abort);
  EXPECT_EQ(rmpp.counters().failed_out, 1U);
  EXPECT_TRUE(send(4, 10, now));   // the other one goes
  EXPECT_FALSE(send(5, 10, now));  // who is spoken to stays
}

TEST(Rmpp, RequestOfOneSegmentIsAcknowledgedAndDelivered) {
  Rmpp rmpp;
  Datagram request = data_segment(1, kFirst | kLast, 20 + 56);
  request.mad[header::kData + 55] = 7;
  EXPECT_TRUE(rmpp.on_datagram(request, kSent));
  const auto received = rmpp.take_received();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].data.size(), 56U);
  EXPECT_EQ(received[0].data[55], 7);
  EXPECT_EQ(received[0].first.mad, request.mad);

  std::vector<Datagram> sent = rmpp.take_datagrams();
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(rmpp_fields(sent[0].mad).type, RmppType::ack);
  EXPECT_EQ(rmpp_fields(sent[0].mad).segment, 1U);
  EXPECT_EQ(get(sent[0].mad, h::kMethod), kGetMultiResp);
  EXPECT_EQ(get(sent[0].mad, h::kTransaction), get(request.mad, h::kTransaction));
  EXPECT_EQ(sent[0].mad[header::kData + 55], 0);
}

// Processes begin to count anew: what looks like a repetition may be the request of another one.
TEST(Rmpp, RequestUnderTheKeyOfAnotherIsDelivered) {
  Rmpp rmpp;
  for (const int after : {0, 900, 901, 5000}) {
    rmpp.on_time(kSent + Milliseconds(after));
    EXPECT_TRUE(rmpp.on_datagram(data_segment(1, kFirst | kLast, 20 + 56), kSent + Milliseconds(after)));
    EXPECT_EQ(rmpp.take_datagrams().size(), 1U) << after;
    EXPECT_EQ(rmpp.take_received().size(), 1U) << after;
  }
  EXPECT_EQ(rmpp.counters().repeated, 0U);
  rmpp.on_time(kSent + Milliseconds(6001));
  EXPECT_EQ(rmpp.deadline(), TimePoint::max());
}

TEST(Rmpp, LastSegmentOfARequestIsAcknowledgedAgain) {
  Rmpp rmpp;
  rmpp.on_datagram(data_segment(1, kFirst, 0), kSent);
  rmpp.on_datagram(data_segment(2, kLast, 220), kSent);
  EXPECT_EQ(rmpp.take_received().size(), 1U);
  rmpp.take_datagrams();
  rmpp.on_datagram(data_segment(2, kLast, 220), kSent + Milliseconds(900));
  EXPECT_EQ(rmpp.take_datagrams().size(), 1U);
  EXPECT_TRUE(rmpp.take_received().empty());
  EXPECT_EQ(rmpp.counters().repeated, 1U);
}

// A process that ended between two segments must not mix its data into the request of the next one.
TEST(Rmpp, FirstSegmentBeginsARequestAnew) {
  Rmpp rmpp;
  rmpp.on_datagram(data_segment(1, kFirst, 0), kSent);
  rmpp.on_datagram(data_segment(2, 0, 0), kSent);
  rmpp.take_datagrams();
  Datagram first = data_segment(1, kFirst, 0), last = data_segment(2, kLast, 220);
  first.mad[header::kData] = 7;
  last.mad[header::kData] = 8;
  rmpp.on_datagram(first, kSent + Milliseconds(10));
  const std::vector<Datagram> sent = rmpp.take_datagrams();
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(rmpp_fields(sent[0].mad).segment, 1U);
  rmpp.on_datagram(last, kSent + Milliseconds(10));
  const auto received = rmpp.take_received();
  ASSERT_EQ(received.size(), 1U);
  ASSERT_EQ(received[0].data.size(), 2 * kDataSize);
  EXPECT_EQ(received[0].data[0], 7);
  EXPECT_EQ(received[0].data[kDataSize], 8);
  EXPECT_EQ(rmpp.counters().failed_in, 1U);
}

// Transactions of answers are our own: what comes twice is a repetition.
TEST(Rmpp, AnswerIsDeliveredOnce) {
  Rmpp rmpp({.accept_responses = true});
  for (int i = 0; i < 2; ++i)
    rmpp.on_datagram(data_segment(1, kFirst | kLast, 20 + 56, kGetTableResp), kSent);
  EXPECT_EQ(rmpp.take_received().size(), 1U);
  EXPECT_EQ(rmpp.take_datagrams().size(), 2U);
  EXPECT_EQ(rmpp.counters().repeated, 1U);
}

struct Broken {
  const char* what;
  std::vector<Datagram> datagrams;
  RmppType end;
  RmppStatus status;
};

Datagram with(Datagram datagram, hw::Field field, std::uint64_t value) {
  set(datagram.mad, field, value);
  return datagram;
}

TEST(Rmpp, BrokenSendersAreTold) {
  const Datagram first = data_segment(1, kFirst, 0);
  const Broken cases[] = {
      {"segment 1 without First", {data_segment(1, 0, 0)}, RmppType::abort, RmppStatus::inconsistent_first},
      {"First on segment 2",
       {first, data_segment(2, kFirst, 0)},
       RmppType::abort,
       RmppStatus::inconsistent_first},
      {"last too short",
       {data_segment(1, kFirst | kLast, 19)},
       RmppType::abort,
       RmppStatus::inconsistent_last},
      {"last too long",
       {data_segment(1, kFirst | kLast, 221)},
       RmppType::abort,
       RmppStatus::inconsistent_last},
      {"last before promised",
       {data_segment(1, kFirst, 660), data_segment(2, kLast, 220)},
       RmppType::abort,
       RmppStatus::inconsistent_last},
      {"no last where promised",
       {data_segment(1, kFirst, 440), data_segment(2, 0, 0)},
       RmppType::abort,
       RmppStatus::inconsistent_last},
      {"last behind others",
       {first, data_segment(4, 0, 0), data_segment(3, kLast, 220)},
       RmppType::abort,
       RmppStatus::inconsistent_last},
      {"beyond last",
       {first, data_segment(3, kLast, 220), data_segment(4, 0, 0)},
       RmppType::abort,
       RmppStatus::segment_too_big},
      {"status", {with(first, header::kRmppStatus, 1)}, RmppType::abort, RmppStatus::illegal_status},
      {"version", {with(first, header::kRmppVersion, 2)}, RmppType::abort, RmppStatus::unsupported_version},
      {"type", {with(first, header::kRmppType, 5)}, RmppType::abort, RmppStatus::bad_type},
      {"type 0", {with(first, header::kRmppType, 0)}, RmppType::abort, RmppStatus::bad_type},
      {"promises too much", {data_segment(1, kFirst, 100'000)}, RmppType::stop, RmppStatus::no_resources},
  };
  for (const Broken& broken : cases) {
    Rmpp rmpp;
    for (const Datagram& datagram : broken.datagrams) {
      rmpp.take_datagrams();
      EXPECT_TRUE(rmpp.on_datagram(datagram, kSent));
    }
    const std::vector<Datagram> sent = rmpp.take_datagrams();
    ASSERT_EQ(sent.size(), 1U) << broken.what;
    EXPECT_EQ(rmpp_fields(sent[0].mad).type, broken.end) << broken.what;
    EXPECT_EQ(rmpp_fields(sent[0].mad).status, broken.status) << broken.what;
    EXPECT_TRUE(rmpp.take_received().empty()) << broken.what;
    // Nothing is left of it.
    rmpp.on_datagram(data_segment(2, kLast, 220), kSent);
    EXPECT_EQ(rmpp.counters().unmatched, 1U) << broken.what;
  }
}

TEST(Rmpp, BrokenReceiversAreTold) {
  const std::pair<Datagram, RmppStatus> cases[] = {
      {ack_of(2, 1), RmppStatus::window_too_small},
      {ack_of(2, 2), RmppStatus::segment_too_big},  // not sent yet
      {with(ack_of(1, 2), header::kRmppStatus, 3), RmppStatus::illegal_status},
      {with(ack_of(1, 2), header::kRmppVersion, 9), RmppStatus::unsupported_version},
  };
  for (const auto& [ack, status] : cases) {
    Rmpp rmpp = sending(3);
    rmpp.on_datagram(ack, kSent);
    const std::vector<Datagram> sent = rmpp.take_datagrams();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(rmpp_fields(sent[0].mad).type, RmppType::abort);
    EXPECT_EQ(rmpp_fields(sent[0].mad).status, status);
    EXPECT_EQ(rmpp.counters().failed_out, 1U);
  }
}

TEST(Rmpp, PeerEndsTransfersAndIsNotAnswered) {
  for (const RmppStatus status : {RmppStatus::no_resources, RmppStatus::bad_type}) {
    Rmpp rmpp = sending(3);
    Datagram end = sa_datagram(0x12, 5, 10);
    set_rmpp_fields(end.mad, rmpp_end(status));
    EXPECT_TRUE(rmpp.on_datagram(end, kSent));
    EXPECT_TRUE(rmpp.on_datagram(end, kSent));
    EXPECT_TRUE(rmpp.take_datagrams().empty());
    EXPECT_EQ(rmpp.counters().failed_out, 1U);
    EXPECT_EQ(rmpp.counters().unmatched, 1U);
  }
}

TEST(Rmpp, OthersDatagramsAreLeft) {
  Rmpp rmpp;
  EXPECT_FALSE(rmpp.on_datagram(sa_datagram(0x12, 5, 10), kSent));
  Datagram other = data_segment(1, kFirst | kLast, 20);
  set(other.mad, h::kClass, 4);
  EXPECT_FALSE(rmpp.on_datagram(other, kSent));
  Datagram undelivered = data_segment(1, kFirst | kLast, 20);
  undelivered.status = 110;
  EXPECT_FALSE(rmpp.on_datagram(undelivered, kSent));
}

TEST(Rmpp, UnaskedResponsesAreDropped) {
  Rmpp rmpp;
  EXPECT_TRUE(rmpp.on_datagram(data_segment(1, kFirst | kLast, 20, kGetTableResp), kSent));
  EXPECT_TRUE(rmpp.take_datagrams().empty());
  EXPECT_TRUE(rmpp.take_received().empty());
}

TEST(Rmpp, SenderThatFallsSilentIsGivenUp) {
  Rmpp rmpp({.patience = Milliseconds(3000)});
  rmpp.on_datagram(data_segment(1, kFirst, 0), kSent);
  rmpp.take_datagrams();
  EXPECT_EQ(rmpp.deadline(), kSent + Milliseconds(3000));
  // What it repeats is no progress.
  rmpp.on_datagram(data_segment(1, kFirst, 0), kSent + Milliseconds(2000));
  rmpp.take_datagrams();
  rmpp.on_time(kSent + Milliseconds(3000));
  const std::vector<Datagram> sent = rmpp.take_datagrams();
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(rmpp_fields(sent[0].mad).status, RmppStatus::took_too_long);
  EXPECT_EQ(rmpp.counters().failed_in, 1U);
}

TEST(Rmpp, IncomingTransfersAreBounded) {
  Rmpp rmpp({.transfers = 3, .transfers_per_source = 2});
  for (std::uint32_t transaction = 1; transaction <= 3; ++transaction) {
    Datagram first = data_segment(1, kFirst, 0);
    set(first.mad, h::kTransactionLow, transaction);
    rmpp.on_datagram(first, kSent);
  }
  const std::vector<Datagram> sent = rmpp.take_datagrams();
  ASSERT_EQ(sent.size(), 3U);
  EXPECT_EQ(rmpp_fields(sent[1].mad).type, RmppType::ack);
  EXPECT_EQ(rmpp_fields(sent[2].mad).type, RmppType::stop);
  EXPECT_EQ(rmpp.counters().refused, 1U);
}

TEST(Rmpp, EndlessTransferIsStopped) {
  Rmpp rmpp({.incoming_bytes = 1000});
  bool stopped = false;
  for (std::uint32_t segment = 1; segment < 10 && !stopped; ++segment) {
    rmpp.on_datagram(data_segment(segment, segment == 1 ? kFirst : 0, 0), kSent);
    for (const Datagram& sent : rmpp.take_datagrams())
      stopped |= rmpp_fields(sent.mad).type == RmppType::stop;
    EXPECT_EQ(stopped, segment == 6);
  }
  EXPECT_TRUE(stopped);
}

/// Answers every GetMulti with twice its data.
void answer_doubled(Rmpp& rmpp, TimePoint now) {
  for (Rmpp::Received& request : rmpp.take_received()) {
    set(request.first.mad, h::kMethod, kGetMultiResp);
    std::vector<std::uint8_t> twice = request.data;
    twice.insert(twice.end(), request.data.begin(), request.data.end());
    EXPECT_TRUE(rmpp.send(request.first, twice, now));
  }
}

TEST(Rmpp, RequestAndAnswerInSegments) {
  RmppLine line({.accept_responses = true}, {}, {}, 1);
  ASSERT_TRUE(line.ends[0].send(sa_datagram(kGetMulti, 9, 11), some_bytes(1234), line.now));
  line.run(Milliseconds(100));
  answer_doubled(line.ends[1], line.now);
  line.run(Milliseconds(100));
  const auto answers = line.ends[0].take_received();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].data.size(), 2468U);
  EXPECT_EQ(line.ends[0].counters().silences + line.ends[1].counters().silences, 0U);
}

TEST(Rmpp, LargeTableNeedsNoRepetition) {
  RmppLine line({}, {.incoming_bytes = 10'000'000, .accept_responses = true}, {}, 1);
  ASSERT_TRUE(line.ends[0].send(sa_datagram(kGetTableResp, 9, 11), some_bytes(2'000'000), line.now));
  line.run(Milliseconds(10'000));
  const auto tables = line.ends[1].take_received();
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].data, some_bytes(2'000'000));
  EXPECT_EQ(line.ends[0].counters().segments_out, 10'000U);
  EXPECT_LT(line.carried, 10'000U * 1.05);  // ACKs are few
}

// Whatever the line does, each table arrives whole, once, unless its sender says that it failed.
TEST(Rmpp, TablesArriveWholeThroughFaults) {
  EXPECT_TRUE(test::check([](std::uint64_t seed) {
    const test::LineFaults faults{.loss = *rc::gen::inRange(0, 30) / 100.0,
                                  .doubling = *rc::gen::inRange(0, 30) / 100.0,
                                  .delay = Milliseconds(*rc::gen::inRange(0, 5)),
                                  .jitter = Milliseconds(*rc::gen::inRange(0, 20))};
    RmppLine line({}, {.linger = Milliseconds(60'000), .incoming_bytes = 1'000'000, .accept_responses = true},
                  faults, seed);
    const int tables = *rc::gen::inRange(1, 6);
    std::map<std::uint32_t, std::vector<std::uint8_t>> tables_sent;
    for (int t = 1; t <= tables; ++t) {
      const auto number = static_cast<std::uint32_t>(t);
      tables_sent[number] = some_bytes(static_cast<std::size_t>(*rc::gen::inRange(0, 30'000)));
      RC_ASSERT(line.ends[0].send(sa_datagram(kGetTableResp, number, 11), tables_sent[number], line.now));
    }
    line.run(Milliseconds(600'000));
    const RmppCounters& sender = line.ends[0].counters();
    RC_ASSERT(sender.finished_out + sender.failed_out == static_cast<std::uint64_t>(tables));
    std::size_t arrived = 0;
    for (const Rmpp::Received& table : line.ends[1].take_received()) {
      const auto it = tables_sent.find(static_cast<std::uint32_t>(transfer_key(table.first).transaction));
      RC_ASSERT(it != tables_sent.end());
      RC_ASSERT(it->second == table.data);
      tables_sent.erase(it);
      ++arrived;
    }
    RC_ASSERT(arrived >= sender.finished_out);
    if (faults.loss < 0.1) RC_ASSERT(sender.failed_out == 0U);
    RC_ASSERT(line.ends[0].deadline() == TimePoint::max());
    RC_ASSERT(line.ends[1].deadline() == TimePoint::max());
    RC_ASSERT(line.ends[0].has_room(11, RmppOptions{}.bytes));
  }));
}

}  // namespace
}  // namespace rch::sa
