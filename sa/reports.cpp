#include "sa/reports.h"

#include <algorithm>

#include "sa/mad.h"

namespace rch::sa {
namespace {

namespace common = hw::mad_header;

constexpr unsigned kTries = 4;
constexpr hw::Milliseconds kPatience{1000};
/// The upper half of what the transport leaves to us tells Reports from other requests.
constexpr std::uint32_t kTransactionBase = 0x80000000;

hw::Datagram report(const Notice& notice, const ReportAddress& to, std::uint32_t transaction) {
  hw::Datagram datagram{.lid = to.lid, .queue_pair = to.queue_pair, .service_level = to.service_level};
  hw::Mad& mad = datagram.mad;
  set(mad, common::kBaseVersion, 1);
  set(mad, common::kClass, static_cast<std::uint64_t>(hw::MadClass::sa));
  set(mad, common::kClassVersion, kClassVersion);
  set(mad, common::kMethod, static_cast<std::uint64_t>(Method::report));
  set(mad, common::kTransaction, transaction);
  set(mad, common::kAttribute, static_cast<std::uint64_t>(Attribute::notice));
  std::ranges::copy(notice, mad.begin() + header::kData);
  return datagram;
}

std::uint64_t transaction_of(const hw::Datagram& datagram) {
  return get(datagram.mad, common::kTransactionLow);
}

}  // namespace

void Reports::send(const Notice& notice, const ReportAddress& to, hw::TimePoint now) {
  if (waiting_.size() >= most_waiting_) {
    ++counters_.dropped;
    return;
  }
  transaction_ = (transaction_ + 1) & ~kTransactionBase;
  waiting_.push_back(report(notice, to, kTransactionBase | transaction_));
  fill(now);
}

/// One that came back is sent again when its time is over.
bool Reports::on_datagram(const hw::Datagram& datagram) {
  const std::uint64_t method = get(datagram.mad, common::kMethod);
  const auto is_report = static_cast<std::uint64_t>(Method::report);
  if (datagram.status != 0) return method == is_report;
  if (method != (is_report | kResponse)) return false;
  const auto open = std::ranges::find_if(open_, [&](const Open& o) {
    return transaction_of(o.datagram) == transaction_of(datagram) && o.datagram.lid == datagram.lid;
  });
  if (open == open_.end()) return true;
  ++counters_.reported;
  open_.erase(open);
  return true;
}

void Reports::send_open(Open& open, hw::TimePoint now) {
  ++open.tries;
  open.due = now + kPatience;
  out_.push_back({open.datagram, kPatience});
}

void Reports::on_time(hw::TimePoint now) {
  counters_.unanswered += std::erase_if(open_, [&](const Open& o) {
    if (o.due > now || o.tries < kTries) return false;
    silent_.push_back({o.datagram.lid, o.datagram.queue_pair, o.datagram.service_level});
    return true;
  });
  for (Open& open : open_)
    if (open.due <= now) send_open(open, now);
  fill(now);
}

void Reports::fill(hw::TimePoint now) {
  while (!waiting_.empty() && open_.size() < most_open_) {
    send_open(open_.emplace_back(Open{.datagram = waiting_.front()}), now);
    waiting_.pop_front();
  }
}

hw::TimePoint Reports::deadline() const {
  hw::TimePoint earliest = hw::TimePoint::max();
  for (const Open& open : open_) earliest = std::min(earliest, open.due);
  return earliest;
}

}  // namespace rch::sa
