#include <fmt/format.h>

#include "conformance/conformance.h"

namespace rch::conformance {
namespace {

namespace common = hw::mad_header;
using hw::Milliseconds;

/// A table that takes several segments: PortInfo of all ports.
Request long_request() { return Fields(kFabricRecords[1]).request(method::kGetTable); }

std::uint64_t segment_of(const hw::Datagram& datagram) { return get(datagram.mad, header::kSegment); }
bool is_data(const hw::Datagram& datagram) {
  return get(datagram.mad, header::kRmppType) == header::kTypeData;
}
bool has_flag(const hw::Datagram& datagram, unsigned flag) {
  return (get(datagram.mad, header::kRmppFlags) & flag) != 0;
}

/// A transfer that this test leads itself.
struct Transfer {
  Client& client;
  std::uint32_t transaction = 0;

  std::optional<hw::Datagram> begin() {
    const hw::Datagram request = client.datagram_of(long_request());
    transaction = static_cast<std::uint32_t>(get(request.mad, common::kTransactionLow));
    client.send(request);
    return next(Client::kWait);
  }
  std::optional<hw::Datagram> next(Milliseconds wait) { return client.next(transaction, wait); }
};

/// Numbers, flags and lengths of the segments of one table.
Finding segments(Session& session) {
  Transfer transfer{session.client()};
  Judgement judgement;
  std::uint64_t have = 0, announced = 0, last_length = 0;
  bool ended = false;
  for (auto datagram = transfer.begin(); datagram && !ended;
       datagram = ended ? std::nullopt : transfer.next(Client::kWait)) {
    if (!is_data(*datagram) || segment_of(*datagram) != have + 1) continue;
    ++have;
    const std::uint64_t length = get(datagram->mad, header::kLength);
    judgement.expect(has_flag(*datagram, header::kFirst) == (have == 1),
                     fmt::format("flag First of segment {}", have));
    judgement.expect(get(datagram->mad, header::kRmppVersion) == 1,
                     fmt::format("RMPPVersion of segment {}", have));
    if (have == 1) announced = length;
    if (has_flag(*datagram, header::kLast)) ended = true, last_length = length;
    session.client().acknowledge(*datagram, static_cast<std::uint32_t>(have),
                                 static_cast<std::uint32_t>(have + 8));
  }
  if (!ended)
    return {Outcome::fail, fmt::format("the table ends after segment {} without the flag Last", have)};
  if (have < 2) return skipped("the table of PortInfoRecords fits into one segment");
  judgement.expect(last_length >= 20 && last_length <= header::kSegmentSize,
                   fmt::format("PayloadLength of the last segment is {}", last_length));
  const std::uint64_t whole = header::kSegmentSize * (have - 1) + last_length;
  judgement.expect(
      announced == 0 || announced == whole,
      fmt::format("PayloadLength of the first segment is {}, all segments have {}", announced, whole));
  judgement.note(fmt::format("{} segments", have));
  return judgement.finding();
}

/// Waits for data beyond `segment`; true if it came.
bool goes_beyond(Transfer& transfer, std::uint64_t segment, Milliseconds wait) {
  while (const auto datagram = transfer.next(wait))
    if (is_data(*datagram) && segment_of(*datagram) > segment) return true;
  return false;
}

Finding window(Session& session) {
  Transfer transfer{session.client()};
  Judgement judgement;
  const auto first = transfer.begin();
  if (!first || !is_data(*first) || has_flag(*first, header::kLast))
    return skipped("the table of PortInfoRecords fits into one segment");
  judgement.expect(!goes_beyond(transfer, 1, Milliseconds(300)),
                   "segments come before the first one is acknowledged");
  session.client().acknowledge(*first, 1, 2);
  const auto second = transfer.next(Client::kWait);
  judgement.expect(second && is_data(*second) && segment_of(*second) == 2,
                   "segment 2 does not come after the window is opened");
  judgement.expect(!goes_beyond(transfer, 2, Milliseconds(300)),
                   "segment 3 comes although the window ends with 2");
  session.client().abort(*first);
  judgement.note("no segment beyond the window");
  return judgement.finding();
}

Finding lost_acknowledgement(Session& session) {
  constexpr Milliseconds kLong{10000};
  Transfer transfer{session.client()};
  const auto first = transfer.begin();
  if (!first || !is_data(*first) || has_flag(*first, header::kLast))
    return skipped("the table of PortInfoRecords fits into one segment");
  const auto again = transfer.next(kLong);
  const bool repeated = again && is_data(*again) && segment_of(*again) == 1;
  session.client().abort(*first);
  if (!repeated) return {Outcome::fail, "segment 1 is not sent again within 10 s"};
  return {Outcome::pass, "segment 1 is sent again"};
}

Finding abort(Session& session) {
  Transfer transfer{session.client()};
  const auto first = transfer.begin();
  if (!first || !is_data(*first) || has_flag(*first, header::kLast))
    return skipped("the table of PortInfoRecords fits into one segment");
  session.client().abort(*first);
  Judgement judgement;
  judgement.expect(!transfer.next(Milliseconds(4000)), "the sender goes on after ABORT");
  judgement.expect_status(session.ask({.attribute = attribute::kClassPortInfo}), status::kGood,
                          "the next request");
  judgement.note("ABORT ends the transfer");
  return judgement.finding();
}

/// The fixed part of MultiPathRecord, then the GIDs.
Request multi_path(const std::vector<Gid>& gids, std::uint64_t sources, std::uint64_t mask,
                   std::uint64_t number = 1) {
  std::vector<std::uint8_t> data(24);
  hw::set(data, {5, 0, 8}, 0x80U | number);
  hw::set(data, {15, 0, 8}, sources);
  hw::set(data, {16, 0, 8}, gids.size() - sources);
  for (const Gid& gid : gids) data.insert(data.end(), gid.begin(), gid.end());
  return {.method = method::kGetMulti, .attribute = attribute::kMultiPathRecord, .mask = mask, .data = data};
}

Finding two_sided(Session& session) {
  constexpr std::uint64_t kNumber = 1U << 6U, kSources = 1U << 19U, kDestinations = 1U << 20U;
  constexpr std::uint64_t kAll = kNumber | kSources | kDestinations;
  const Reply info = session.ask({.attribute = attribute::kClassPortInfo});
  constexpr unsigned kMultiPath = 1U << 10U;
  if (!info.good() || (hw::get(info.data, {2, 0, 16}) & kMultiPath) == 0)
    return skipped("ClassPortInfo does not show MultiPathRecord");
  const auto other = session.other_host(0);
  if (!other) return skipped("there is no other host");
  const Gid own = session.host().gid();
  Judgement judgement;
  const Reply one = session.ask(multi_path({own, *other}, 1, kAll));
  judgement.expect(one.good() && one.count() >= 1, "one source, one destination: " + one.text());
  judgement.expect_refused(session.ask(multi_path({own, *other}, 1, kNumber)), "without the counts");
  judgement.expect_refused(session.ask(multi_path({own}, 1, kNumber | kSources)), "without destinations");
  judgement.expect_refused(session.ask(multi_path({own, session.own_group(9)}, 1, kAll)),
                           "a multicast destination");
  if (const auto third = session.other_host(1)) {
    const Reply two = session.ask(multi_path({own, *other, *third}, 1, kAll, 2));
    judgement.expect(two.good() && two.count() == 2, "two destinations, NumbPath 2: " + two.text());
  }
  judgement.note(one.text());
  return judgement.finding();
}

}  // namespace

void add_transfer_tests(std::vector<Test>& tests) {
  tests.push_back({"rmpp-segments", "Numbers, flags and lengths of segments", segments});
  tests.push_back({"rmpp-window", "No segment beyond the window", window});
  tests.push_back({"rmpp-lost-ack", "A segment without ACK is sent again", lost_acknowledgement});
  tests.push_back({"rmpp-abort", "ABORT ends a transfer, and nothing else", abort});
  tests.push_back({"rmpp-two-sided", "GetMulti(MultiPathRecord), both ways by RMPP", two_sided});
}

}  // namespace rch::conformance
