#include "sa/rmpp.h"

#include <algorithm>
#include <iterator>

namespace rch::sa {
namespace {

namespace h = hw::mad_header;

/// Keys are ordered by LID first.
template <class Transfers>
std::size_t transfers_with(const Transfers& transfers, std::uint16_t lid) {
  const auto first = transfers.lower_bound(TransferKey{.lid = lid});
  std::size_t count = 0;
  for (auto it = first; it != transfers.end() && it->first.lid == lid; ++it) ++count;
  return count;
}

template <class Transfers>
bool has_room_for_one(const Transfers& transfers, std::uint16_t lid, const RmppOptions& options) {
  return transfers.size() < options.transfers &&
         transfers_with(transfers, lid) < options.transfers_per_source;
}

/// True if `first` repeats the first segment of a transfer of which nothing else is here. No sender repeats
/// it later: the next one is sent after its ACK.
bool has_begun(const std::map<TransferKey, IncomingTransfer>& transfers, const hw::Datagram& first) {
  const auto known = transfers.find(transfer_key(first));
  return known != transfers.end() && known->second.ack().segment == 1 &&
         known->second.first().mad == first.mad;
}

}  // namespace

bool Rmpp::has_room(std::uint16_t lid, std::size_t bytes) const {
  return has_room_for_one(outgoing_, lid, options_) && bytes <= options_.bytes &&
         bytes_ <= options_.bytes - bytes;
}

/// A program that ended without its last ACK leaves a transfer that is repeated for seconds. Others of its
/// host must not be refused for it: the one that has been silent longest goes.
void Rmpp::make_room(std::uint16_t lid) {
  constexpr unsigned kAbandoned = 4;  // silences: 0.75 s
  auto silent = outgoing_.end();
  for (auto it = outgoing_.lower_bound(TransferKey{.lid = lid});
       it != outgoing_.end() && it->first.lid == lid; ++it)
    if (it->second.silences() >= kAbandoned &&
        (silent == outgoing_.end() || it->second.silences() > silent->second.silences()))
      silent = it;
  if (silent != outgoing_.end()) give_up(silent);
}

const hw::Datagram* Rmpp::sending_to(const hw::Datagram& request) const {
  const auto transfer = outgoing_.find(transfer_key(request));
  return transfer == outgoing_.end() ? nullptr : &transfer->second.header();
}

void Rmpp::begin_again(const hw::Datagram& request, hw::TimePoint now) {
  const auto transfer = outgoing_.find(transfer_key(request));
  if (transfer == outgoing_.end() || transfer->second.silences() == 0) return;
  transfer->second.begin_again();
  fill_window(transfer->second, now);
}

void Rmpp::forget(const hw::Datagram& request) {
  const auto transfer = outgoing_.find(transfer_key(request));
  if (transfer == outgoing_.end()) return;
  ++counters_.failed_out;
  drop(transfer);
}

bool Rmpp::send(const hw::Datagram& header, std::vector<std::uint8_t> records, hw::TimePoint now) {
  if (sending_to(header) != nullptr) return false;
  if (!has_room(header.lid, records.size())) make_room(header.lid);
  if (!has_room(header.lid, records.size())) {
    ++counters_.refused;
    return false;
  }
  ++counters_.started_out;
  bytes_ += records.size();
  const OutgoingTransfer::Timing timing{.first_timeout = options_.first_timeout,
                                        .longest_timeout = options_.longest_timeout,
                                        .retries = options_.retries,
                                        .in_flight = std::max(options_.in_flight, 1U)};
  const auto [transfer, is_new] =
      outgoing_.try_emplace(transfer_key(header), header, std::move(records), timing);
  fill_window(transfer->second, now);
  return true;
}

bool Rmpp::on_datagram(const hw::Datagram& datagram, hw::TimePoint now) {
  const hw::Mad& mad = datagram.mad;
  const RmppFields fields = rmpp_fields(mad);
  const bool active = (fields.flags & rmpp_flags::kActive) != 0;
  if (datagram.status != 0 || !active || get(mad, h::kClass) != static_cast<std::uint64_t>(hw::MadClass::sa))
    return false;
  if (fields.type == RmppType::stop || fields.type == RmppType::abort) {
    on_end(transfer_key(datagram));
  } else if (get(mad, header::kRmppVersion) != kRmppVersion) {
    refuse(datagram, RmppStatus::unsupported_version);
  } else if (fields.type != RmppType::data && fields.type != RmppType::ack) {
    refuse(datagram, RmppStatus::bad_type);
  } else if (fields.status != RmppStatus::normal) {
    refuse(datagram, RmppStatus::illegal_status);
  } else if (fields.type == RmppType::ack) {
    on_ack(datagram, now);
  } else {
    on_data(datagram, now);
  }
  return true;
}

void Rmpp::on_ack(const hw::Datagram& datagram, hw::TimePoint now) {
  // The receiver of a double-sided transfer is told by an ACK of segment 0 that the answer may start; it
  // starts with a window of one anyway, so there is nothing to do.
  const auto transfer = outgoing_.find(transfer_key(datagram));
  if (transfer == outgoing_.end()) {
    ++counters_.unmatched;
    return;
  }
  if (const RmppStatus status = transfer->second.on_ack(rmpp_fields(datagram.mad), now);
      status != RmppStatus::normal) {
    refuse(datagram, status);
  } else if (transfer->second.done()) {
    ++counters_.finished_out;
    drop(transfer);
  } else {
    fill_window(transfer->second, now);
  }
}

void Rmpp::on_data(const hw::Datagram& datagram, hw::TimePoint now) {
  const TransferKey key = transfer_key(datagram);
  const bool is_request = get(datagram.mad, h::kResponse) == 0;
  if (is_request && rmpp_fields(datagram.mad).segment == 1 && !has_begun(incoming_, datagram))
    forget_former(key);
  const auto finished = last_acks_.find(key);
  if (finished != last_acks_.end() && !incoming_.contains(key)) {
    ++counters_.repeated;
    to_send_.push_back(rmpp_answer(datagram, finished->second.ack));
    return;
  }
  IncomingTransfer* transfer = find_or_start(datagram, now);
  if (transfer == nullptr) return;

  bytes_ -= transfer->bytes();
  const IncomingTransfer::Outcome outcome = transfer->on_data(datagram);
  bytes_ += transfer->bytes();
  if (outcome.status != RmppStatus::normal) return refuse(datagram, outcome.status);
  if (bytes_ > options_.bytes) return refuse(datagram, RmppStatus::no_resources);
  if (outcome.acknowledge) to_send_.push_back(rmpp_answer(datagram, transfer->ack()));
  if (outcome.is_new)
    transfer->deadline = now + options_.patience;
  else
    ++counters_.repeated;
  deadline_ = std::min(deadline_, transfer->deadline);
  if (transfer->done()) finish(incoming_.find(key), now);
}

/// A request begins under the key of one before it, which its sender has given up if it is not whole.
void Rmpp::forget_former(const TransferKey& key) {
  last_acks_.erase(key);
  const auto former = incoming_.find(key);
  if (former == incoming_.end()) return;
  ++counters_.failed_in;
  drop(former);
}

IncomingTransfer* Rmpp::find_or_start(const hw::Datagram& datagram, hw::TimePoint now) {
  const TransferKey key = transfer_key(datagram);
  if (const auto found = incoming_.find(key); found != incoming_.end()) return &found->second;
  const bool response = get(datagram.mad, h::kResponse) != 0;
  if (rmpp_fields(datagram.mad).segment != 1 || (response && !options_.accept_responses)) {
    ++counters_.unmatched;
    return nullptr;
  }
  if (!has_room_for_one(incoming_, key.lid, options_)) {
    ++counters_.refused;
    refuse(datagram, RmppStatus::no_resources);
    return nullptr;
  }
  ++counters_.started_in;
  IncomingTransfer& transfer = incoming_.try_emplace(key, datagram, options_.incoming_bytes).first->second;
  transfer.deadline = now + options_.patience;
  return &transfer;
}

void Rmpp::finish(Incoming::iterator transfer, hw::TimePoint now) {
  ++counters_.finished_in;
  // The oldest makes room: a flood must not make memory grow.
  if (finished_.size() >= options_.transfers) forget_finished(finished_.front().forget);
  finished_.push_back({transfer->first, now + options_.linger});
  last_acks_[transfer->first] = {transfer->second.ack(), finished_.back().forget};
  deadline_ = std::min(deadline_, finished_.front().forget);
  bytes_ -= transfer->second.bytes();
  received_.push_back({transfer->second.first(), transfer->second.take_data()});
  incoming_.erase(transfer);
}

/// Ends what `datagram` belongs to, and tells its sender why.
void Rmpp::refuse(const hw::Datagram& datagram, RmppStatus status) {
  to_send_.push_back(rmpp_answer(datagram, rmpp_end(status)));
  const bool is_ack = rmpp_fields(datagram.mad).type == RmppType::ack;
  if (const auto out = outgoing_.find(transfer_key(datagram)); is_ack && out != outgoing_.end()) {
    ++counters_.failed_out;
    drop(out);
  }
  if (const auto in = incoming_.find(transfer_key(datagram)); !is_ack && in != incoming_.end()) {
    ++counters_.failed_in;
    drop(in);
  }
}

/// The peer gives up.
void Rmpp::on_end(const TransferKey& key) {
  const auto out = outgoing_.find(key);
  const auto in = incoming_.find(key);
  if (out == outgoing_.end() && in == incoming_.end()) ++counters_.unmatched;
  if (out != outgoing_.end()) {
    ++counters_.failed_out;
    drop(out);
  }
  if (in != incoming_.end()) {
    ++counters_.failed_in;
    drop(in);
  }
}

void Rmpp::fill_window(OutgoingTransfer& transfer, hw::TimePoint now) {
  const std::size_t before = to_send_.size();
  transfer.fill_window(now, to_send_);
  counters_.segments_out += to_send_.size() - before;
  deadline_ = std::min(deadline_, transfer.deadline());
}

void Rmpp::drop(Outgoing::iterator transfer) {
  bytes_ -= transfer->second.bytes();
  outgoing_.erase(transfer);
}

void Rmpp::drop(Incoming::iterator transfer) {
  bytes_ -= transfer->second.bytes();
  incoming_.erase(transfer);
}

void Rmpp::on_time(hw::TimePoint now) {
  if (now < deadline_) return;
  deadline_ = hw::TimePoint::max();
  resend_or_give_up(now);
  give_up_waiting(now);
  forget_finished(now);
  if (!finished_.empty()) deadline_ = std::min(deadline_, finished_.front().forget);
}

void Rmpp::give_up(Outgoing::iterator transfer) {
  hw::Datagram abort = transfer->second.header();
  set_rmpp_fields(abort.mad, rmpp_end(RmppStatus::too_many_retries));
  std::fill(abort.mad.begin() + header::kData, abort.mad.end(), std::uint8_t{0});
  to_send_.push_back(abort);
  ++counters_.failed_out;
  drop(transfer);
}

void Rmpp::resend_or_give_up(hw::TimePoint now) {
  for (auto it = outgoing_.begin(); it != outgoing_.end();) {
    const auto transfer = it++;
    OutgoingTransfer& out = transfer->second;
    if (out.deadline() > now) {
      deadline_ = std::min(deadline_, out.deadline());
      continue;
    }
    ++counters_.silences;
    if (out.go_back(now)) {
      fill_window(out, now);
      continue;
    }
    give_up(transfer);
  }
}

void Rmpp::give_up_waiting(hw::TimePoint now) {
  for (auto it = incoming_.begin(); it != incoming_.end();) {
    const auto transfer = it++;
    if (transfer->second.deadline > now) {
      deadline_ = std::min(deadline_, transfer->second.deadline);
      continue;
    }
    to_send_.push_back(rmpp_answer(transfer->second.first(), rmpp_end(RmppStatus::took_too_long)));
    ++counters_.failed_in;
    drop(transfer);
  }
}

void Rmpp::forget_finished(hw::TimePoint now) {
  while (!finished_.empty() && finished_.front().forget <= now) {
    // Another transfer of the same key may have ended since.
    const auto last_ack = last_acks_.find(finished_.front().key);
    if (last_ack != last_acks_.end() && last_ack->second.forget <= now) last_acks_.erase(last_ack);
    finished_.pop_front();
  }
}

}  // namespace rch::sa
