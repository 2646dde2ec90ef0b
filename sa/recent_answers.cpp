#include "sa/recent_answers.h"

#include <algorithm>
#include <utility>

#include <xxhash.h>

namespace rch::sa {

RecentAnswers::Key RecentAnswers::key_of(const hw::Datagram& request) {
  return {transfer_key(request), XXH3_64bits(request.mad.data(), request.mad.size())};
}

void RecentAnswers::add(const hw::Datagram& request) {
  if (request.arrived == hw::TimePoint::max()) return;
  adding_.insert(key_of(request));
  first_arrival_ = std::min(first_arrival_, request.arrived);
}

/// Datagrams are handled in the order in which they arrived: none that is handled later came before the first
/// of these.
void RecentAnswers::on_sent(hw::TimePoint now) {
  if (adding_.empty()) return;
  while (!batches_.empty() && batches_.front().sent <= first_arrival_) batches_.pop_front();
  if (now - first_arrival_ >= kSoonest) batches_.push_back({now, std::exchange(adding_, {})});
  adding_.clear();
  first_arrival_ = hw::TimePoint::max();
}

bool RecentAnswers::cover(const hw::Datagram& request) const {
  if ((adding_.empty() && batches_.empty()) || request.arrived == hw::TimePoint::max()) return false;
  const Key key = key_of(request);
  return adding_.contains(key) || std::ranges::any_of(batches_, [&](const Batch& batch) {
           return request.arrived < batch.sent && batch.answered.contains(key);
         });
}

}  // namespace rch::sa
