#include "sa/rmpp_incoming.h"

#include <algorithm>
#include <bit>

namespace rch::sa {

static_assert(IncomingTransfer::kWindow <= 64, "a bit each");

IncomingTransfer::Outcome IncomingTransfer::on_data(const hw::Datagram& datagram) {
  const RmppFields data = rmpp_fields(datagram.mad);
  if (data.first() != (data.segment == 1)) return {RmppStatus::inconsistent_first};
  if (last_ != 0 && data.segment > last_) return {RmppStatus::segment_too_big};
  if (data.segment > window_last_) return {};
  const bool twice = data.segment <= in_order_ || (ahead_ >> (data.segment - in_order_ - 1) & 1) != 0;
  if (twice) return {.acknowledge = true};
  if (const RmppStatus status = check(data); status != RmppStatus::normal) return {status};

  if (data.first() && !data.last())
    promised_ = static_cast<std::uint32_t>((std::size_t{data.length} + kSegmentSize - 1) / kSegmentSize);
  if (data.last()) {
    last_ = data.segment;
    last_size_ = data.length - static_cast<std::uint32_t>(kSegmentHeader);
  }
  store(datagram, data.segment);
  if (done()) data_.resize(std::size_t{last_ - 1} * kDataSize + last_size_);
  const bool grant = window_last_ - in_order_ <= kWindow / 2;
  if (grant) window_last_ = in_order_ + kWindow;
  return {.is_new = true, .acknowledge = grant || done()};
}

RmppStatus IncomingTransfer::check(const RmppFields& data) const {
  const std::size_t bytes = std::size_t{data.segment} * kDataSize;
  const std::size_t most = (max_bytes_ / kDataSize + 1) * kSegmentSize;
  const bool promises_too_much = data.first() && !data.last() && data.length > most;
  if (bytes >= max_bytes_ + kDataSize || promises_too_much) return RmppStatus::no_resources;
  if (!data.last()) {
    const bool beyond = promised_ != 0 && data.segment >= promised_;
    return beyond ? RmppStatus::inconsistent_last : RmppStatus::normal;
  }
  const bool in_range = data.length >= kSegmentHeader && data.length <= kSegmentSize;
  const bool as_promised = promised_ == 0 || promised_ == data.segment;
  const bool more_is_here = bytes < data_.size();
  return in_range && as_promised && !more_is_here ? RmppStatus::normal : RmppStatus::inconsistent_last;
}

void IncomingTransfer::store(const hw::Datagram& datagram, std::uint32_t segment) {
  const std::size_t begin = std::size_t{segment - 1} * kDataSize;
  data_.resize(std::max(data_.size(), begin + kDataSize));
  std::copy_n(datagram.mad.begin() + header::kData, kDataSize,
              data_.begin() + static_cast<std::ptrdiff_t>(begin));
  ahead_ |= std::uint64_t{1} << (segment - in_order_ - 1);
  const int come = std::countr_one(ahead_);
  ahead_ = come == 64 ? 0 : ahead_ >> come;
  in_order_ += static_cast<std::uint32_t>(come);
}

RmppFields IncomingTransfer::ack() const {
  return {.type = RmppType::ack, .segment = in_order_, .length = window_last_};
}

}  // namespace rch::sa
