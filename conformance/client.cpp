#include "conformance/client.h"

#include <algorithm>

#include <fmt/format.h>

namespace rch::conformance {
namespace {

namespace common = hw::mad_header;

/// How far ahead a sender may go.
constexpr std::uint32_t kWindow = 16;
/// The longest answer that is put together.
constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

std::uint32_t transaction_of(const hw::Mad& mad) {
  return static_cast<std::uint32_t>(get(mad, common::kTransactionLow));
}

bool is_response(const hw::Mad& mad) { return get(mad, common::kResponse) != 0; }

std::uint32_t segment_of(const hw::Mad& mad) {
  return static_cast<std::uint32_t>(get(mad, header::kSegment));
}

bool has_flag(const hw::Mad& mad, std::uint8_t flag) { return (get(mad, header::kRmppFlags) & flag) != 0; }

/// The header back to its sender.
hw::Datagram back(const hw::Datagram& received, std::uint8_t type) {
  hw::Datagram datagram = received;
  std::fill(datagram.mad.begin() + 36, datagram.mad.end(), std::uint8_t{0});
  set(datagram.mad, common::kResponse, is_response(received.mad) ? 0 : 1);
  set(datagram.mad, header::kRmppVersion, 1);
  set(datagram.mad, header::kRmppType, type);
  set(datagram.mad, header::kRmppFlags, header::kActive);
  set(datagram.mad, header::kRmppStatus, 0);
  return datagram;
}

Reply reply_of(const hw::Mad& mad) {
  return {.answered = true,
          .status = static_cast<std::uint16_t>(get(mad, common::kStatus)),
          .first = mad,
          .data = {},
          .record_size = 8 * static_cast<std::size_t>(get(mad, header::kAttributeOffset))};
}

/// Bytes of records in a segment whose PayloadLength is `length`.
std::size_t used(std::uint64_t length) {
  constexpr std::size_t kHeader = header::kSegmentSize - header::kDataSize;
  return std::clamp<std::size_t>(length, kHeader, header::kSegmentSize) - kHeader;
}

}  // namespace

std::string Reply::text() const {
  if (!answered) return "no answer";
  if (status != status::kGood) return "status " + name_of_status(status);
  return fmt::format("{} record{}", count(), count() == 1 ? "" : "s");
}

hw::Datagram Client::datagram_of(const Request& request) {
  hw::Datagram datagram{.lid = server_.value, .queue_pair = 1, .service_level = service_level_};
  hw::Mad& mad = datagram.mad;
  set(mad, common::kBaseVersion, 1);
  set(mad, common::kClass, static_cast<std::uint8_t>(hw::MadClass::sa));
  set(mad, common::kClassVersion, 2);
  set(mad, common::kMethod, request.method);
  set(mad, common::kTransactionLow, ++transaction_);
  set(mad, common::kAttribute, request.attribute);
  set(mad, common::kModifier, request.modifier);
  set(mad, header::kSmKey, request.key);
  set(mad, header::kComponentMask, request.mask);
  std::copy_n(request.data.begin(), std::min(request.data.size(), header::kDataSize),
              mad.begin() + header::kData);
  return datagram;
}

void Client::send(const hw::Datagram& datagram, bool answer) {
  if (!answer) ++sent_;
  // What cannot be sent is not answered either.
  (void)transport_.send(datagram, answer ? hw::Milliseconds(0) : kWait);
}

/// Reports are answered whenever they come.
void Client::take(const hw::Datagram& datagram) {
  if (get(datagram.mad, common::kMethod) != method::kReport || datagram.status != 0) {
    arrived_.push_back(datagram);
    return;
  }
  reports_.push_back(datagram.mad);
  hw::Datagram answer = datagram;
  set(answer.mad, common::kResponse, 1);
  send(answer, true);
}

std::optional<hw::Datagram> Client::next(std::uint32_t transaction, hw::Milliseconds wait) {
  const hw::TimePoint deadline = transport_.now() + wait;
  for (;;) {
    const auto found = std::ranges::find_if(arrived_, [&](const hw::Datagram& datagram) {
      return datagram.status == 0 && transaction_of(datagram.mad) == transaction;
    });
    if (found != arrived_.end()) {
      const hw::Datagram datagram = *found;
      arrived_.erase(found);
      return datagram;
    }
    arrived_.clear();  // of transactions that are over
    if (stopped() || transport_.now() >= deadline) return std::nullopt;
    std::vector<hw::Datagram> batch;
    transport_.receive(batch, std::min(deadline, transport_.now() + hw::Milliseconds(200)));
    for (const hw::Datagram& datagram : batch) take(datagram);
  }
}

void Client::acknowledge(const hw::Datagram& received, std::uint32_t segment, std::uint32_t window_last) {
  hw::Datagram ack = back(received, header::kTypeAck);
  set(ack.mad, header::kSegment, segment);
  set(ack.mad, header::kLength, window_last);
  send(ack, true);
}

void Client::abort(const hw::Datagram& received) {
  constexpr std::uint8_t kUnspecified = 127;
  hw::Datagram end = back(received, header::kTypeAbort);
  set(end.mad, header::kRmppStatus, kUnspecified);
  send(end, true);
}

/// In order; what comes twice or too early is acknowledged as far as all is there.
std::optional<Reply> Client::receive_segments(const hw::Datagram& first) {
  Reply reply = reply_of(first.mad);
  std::uint32_t have = 0;
  std::optional<hw::Datagram> datagram = first;
  const std::uint32_t transaction = transaction_of(first.mad);
  while (datagram && reply.data.size() < kMostBytes) {
    const hw::Mad& mad = datagram->mad;
    const auto type = get(mad, header::kRmppType);
    if (type == header::kTypeStop || type == header::kTypeAbort) return std::nullopt;
    if (type == header::kTypeData && segment_of(mad) == have + 1) {
      ++have;
      const bool last = has_flag(mad, header::kLast);
      const std::size_t size = last ? used(get(mad, header::kLength)) : header::kDataSize;
      const auto from = mad.begin() + header::kData;
      reply.data.insert(reply.data.end(), from, from + static_cast<std::ptrdiff_t>(size));
      acknowledge(*datagram, have, have + kWindow);
      if (last) return reply;
    } else if (type == header::kTypeData) {
      acknowledge(*datagram, have, have + kWindow);
    }
    datagram = next(transaction, 4 * kWait);
  }
  return std::nullopt;
}

std::optional<Reply> Client::receive(std::uint32_t transaction) {
  while (const auto datagram = next(transaction, kWait)) {
    const hw::Mad& mad = datagram->mad;
    if (!is_response(mad)) continue;
    const bool segments = get(mad, header::kRmppVersion) != 0 && has_flag(mad, header::kActive);
    if (segments && get(mad, header::kRmppType) != header::kTypeData) continue;
    if (segments) return receive_segments(*datagram);
    Reply reply = reply_of(mad);
    if (reply.status == status::kGood) reply.data.assign(mad.begin() + header::kData, mad.end());
    // Without segments there is one record; ClassPortInfo and InformInfo have no offset.
    if (reply.record_size != 0) reply.data.resize(std::min(reply.data.size(), reply.record_size));
    return reply;
  }
  return std::nullopt;
}

/// A request that is a transfer itself: one segment, acknowledged before the answer comes.
std::optional<hw::Datagram> Client::send_segments(const Request& request, hw::Datagram datagram) {
  hw::Mad& mad = datagram.mad;
  set(mad, header::kRmppVersion, 1);
  set(mad, header::kRmppType, header::kTypeData);
  set(mad, header::kRmppFlags, header::kActive | header::kFirst | header::kLast);
  set(mad, header::kRmppTime, 31);
  set(mad, header::kSegment, 1);
  set(mad, header::kLength, header::kSegmentSize - header::kDataSize + request.data.size());
  set(mad, header::kAttributeOffset, request.data.size() / 8);
  send(datagram);
  const std::uint32_t transaction = transaction_of(mad);
  while (const auto received = next(transaction, kWait)) {
    if (is_response(received->mad) && get(received->mad, header::kRmppType) == header::kTypeAck) {
      acknowledge(*received, 1, 1);  // turns the direction
      return received;
    }
    if (is_response(received->mad)) {
      arrived_.push_back(*received);
      return received;
    }
  }
  return std::nullopt;
}

Reply Client::ask(const Request& request, int attempts) {
  for (int attempt = 0; attempt < attempts && !stopped(); ++attempt) {
    const hw::Datagram datagram = datagram_of(request);
    if (request.method == method::kGetMulti) {
      if (!send_segments(request, datagram)) continue;
    } else {
      send(datagram);
    }
    if (auto reply = receive(transaction_of(datagram.mad))) return *std::move(reply);
  }
  return {};
}

std::optional<hw::SmpData> Client::ask_agent(const hw::SmpRequest& request, std::uint64_t m_key,
                                             int attempts) {
  for (int attempt = 0; attempt < attempts && !stopped(); ++attempt) {
    const std::uint32_t transaction = ++transaction_;
    send(hw::encode(request, transaction, m_key));
    while (const auto datagram = next(transaction, kWait))
      if (hw::belongs_to(*datagram, request) && hw::is_answer_to(*datagram, request)) {
        const hw::SmpAnswer answer = hw::decode_answer(*datagram);
        return answer.good() ? std::optional(answer.data) : std::nullopt;
      }
  }
  return std::nullopt;
}

std::vector<hw::Mad> Client::reports(hw::Milliseconds wait, std::size_t enough) {
  const hw::TimePoint deadline = transport_.now() + wait;
  while (reports_.size() < enough && !stopped() && transport_.now() < deadline)
    next(0, hw::Milliseconds(100));
  return std::exchange(reports_, {});
}

}  // namespace rch::conformance
