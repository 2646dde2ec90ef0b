#include "sa/rmpp_outgoing.h"

#include <algorithm>

namespace rch::sa {

OutgoingTransfer::OutgoingTransfer(const hw::Datagram& header, std::vector<std::uint8_t> records,
                                   const Timing& timing)
    : header_(header),
      records_(std::move(records)),
      timing_(timing),
      segments_(static_cast<std::uint32_t>(
          std::max<std::size_t>(1, (records_.size() + kDataSize - 1) / kDataSize))) {}

RmppStatus OutgoingTransfer::on_ack(const RmppFields& ack, hw::TimePoint now) {
  if (ack.length < ack.segment) return RmppStatus::window_too_small;
  if (ack.segment > ever_sent_) return RmppStatus::segment_too_big;
  if (ack.segment < acknowledged_) return RmppStatus::normal;  // overtaken
  if (ack.segment > acknowledged_) {
    silences_ = 0;
    start_timer(now);
  }
  acknowledged_ = ack.segment;
  sent_ = std::max(sent_, acknowledged_);
  window_last_ = std::max(window_last_, ack.length);  // an end of the window that is lower was overtaken, too
  return RmppStatus::normal;
}

bool OutgoingTransfer::go_back(hw::TimePoint now) {
  sent_ = acknowledged_;
  ++silences_;
  start_timer(now);
  return silences_ <= timing_.retries;
}

void OutgoingTransfer::begin_again() {
  acknowledged_ = sent_ = silences_ = 0;
  window_last_ = 1;
}

void OutgoingTransfer::fill_window(hw::TimePoint now, std::vector<hw::Datagram>& to_send) {
  const std::uint32_t room = std::min(segments_ - acknowledged_, timing_.in_flight);
  const std::uint32_t last = std::min(window_last_, acknowledged_ + room);
  if (sent_ >= last) return;
  to_send.reserve(to_send.size() + last - sent_);
  while (sent_ < last) to_send.push_back(segment(++sent_));
  ever_sent_ = std::max(ever_sent_, sent_);
  start_timer(now);
}

void OutgoingTransfer::start_timer(hw::TimePoint now) {
  const auto wait = timing_.first_timeout * (1 << std::min(silences_, 16U));
  deadline_ = now + std::min<hw::Milliseconds>(wait, timing_.longest_timeout);
}

hw::Datagram OutgoingTransfer::segment(std::uint32_t number) const {
  const std::size_t begin = std::size_t{number - 1} * kDataSize;
  const std::size_t size = std::min(kDataSize, records_.size() - begin);
  RmppFields fields{.segment = number};
  if (number == 1) {
    fields.flags |= rmpp_flags::kFirst;
    fields.length = static_cast<std::uint32_t>(records_.size() + segments_ * kSegmentHeader);
  }
  if (number == segments_) {
    fields.flags |= rmpp_flags::kLast;
    fields.length = static_cast<std::uint32_t>(size + kSegmentHeader);
  }
  hw::Datagram datagram = header_;
  set_rmpp_fields(datagram.mad, fields);
  std::copy_n(records_.begin() + static_cast<std::ptrdiff_t>(begin), size,
              datagram.mad.begin() + header::kData);
  std::fill(datagram.mad.begin() + header::kData + size, datagram.mad.end(), std::uint8_t{0});
  return datagram;
}

}  // namespace rch::sa
