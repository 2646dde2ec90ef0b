#include "hw/smp_client.h"

#include <algorithm>

namespace rch::hw {
namespace {

namespace h = mad_header;

/// A transaction id is a sequence number, never 0, above the slot number.
constexpr unsigned kSlotBits = 6;
static_assert(SmpClient::kMaxWindow == 1U << kSlotBits);

bool is_busy(const SmpAnswer& answer) { return (answer.status & 1U) != 0; }

}  // namespace

bool is_guarded(Method method, Attribute attribute) {
  return method == Method::set && attribute != Attribute::sm_info;
}

SmpClient::SmpClient(const SmpOptions& options) : options_(options), keys_(std::move(options_.keys)) {
  options_.window = std::clamp(options_.window, 1U, kMaxWindow);
  allowed_ = std::min(options_.window, kSafeWindow);
  options_.per_node = std::max(options_.per_node, 1U);
  options_.window2 = std::clamp(options_.window2, options_.window, kMaxWindow);
  slots_.resize(options_.window2);
  for (unsigned slot = options_.window2; slot-- > 0;) free_slots_.push_back(slot);
}

void SmpClient::submit(const SmpRequest& request) {
  ++unfinished_;
  queue_.push_back({request});
}

bool SmpClient::must_wait(const SmpRequest& request, TimePoint now) const {
  return now >= sets_until_ && is_guarded(request.method, request.attribute);
}

void SmpClient::hold(Waiting waiting) {
  if (refuses_sets_) {
    completed_.push_back({waiting.request.tag, {}});
    --unfinished_;
  } else {
    withheld_.push_back(std::move(waiting));
  }
}

void SmpClient::drop_withheld_sets(bool from_now_on) {
  refuses_sets_ = from_now_on;
  for (const Waiting& waiting : withheld_) completed_.push_back({waiting.request.tag, {}});
  unfinished_ -= withheld_.size();
  withheld_.clear();
}

void SmpClient::on_datagram(const Datagram& datagram, TimePoint now) {
  if (datagram.status == 0 && get(datagram.mad, h::kResponse) == 0) {
    incoming_.push_back(datagram);
    return;
  }
  Slot* slot = match(datagram);
  if (slot != nullptr && datagram.status != 0) return;  // on_time() sends it again
  if (slot == nullptr || !is_answer_to(datagram, slot->request)) {
    ++counters_.unmatched;
  } else if (const SmpAnswer answer = decode_answer(datagram); !is_busy(answer)) {
    on_answer(*slot, answer, now);  // a busy agent is asked again when the attempt runs out
  }
}

/// PortInfo without an M_Key may be that of an agent that shows it to another key.
void SmpClient::on_answer(Slot& slot, SmpAnswer answer, TimePoint now) {
  if (hides_key(slot.request, answer) && !slot.cancelled && ++slot.hidden < slot.keys.size())
    return send_again(slot, now);
  keys_.learn(slot.request, answer, slot.keys[(slot.attempts - 1) % slot.keys.size()]);
  answer.foreign_key = options_.sets_follow && keys_.is_foreign(slot.request, answer);
  if (answer.answered) {
    if (slot.attempts == 1) widen();
    const unsigned took = rounds(slot, slot.attempts);
    recent_.note(took, now - slot.sent_at, now);
    if (!slot.request.node.is_none()) nodes_[slot.request.node].answers.note(took, now - slot.sent_at, now);
  }
  finish(slot, answer);
}

/// One more for each round of answers in time.
void SmpClient::widen() {
  if (++in_time_ < allowed_) return;
  in_time_ = 0;
  allowed_ = std::min(allowed_ + 1, options_.window);
}

/// Requests wait, and the window has been full for long without an end.
void SmpClient::grow_while_stuck(TimePoint now) {
  if (!is_full() || queue_.empty() || allowed_ < options_.window || allowed_ + more_ >= options_.window2) {
    full_since_ = TimePoint::max();
  } else if (full_since_ == TimePoint::max()) {
    full_since_ = now;
  } else if (now - full_since_ >= options_.stuck_after) {
    ++more_;
    full_since_ = now;
  }
}

void SmpClient::on_time(TimePoint now) {
  for (Slot& slot : slots_)
    if (slot.transaction != 0 && slot.deadline <= now) retry_or_give_up(slot, now);
}

void SmpClient::cancel(OwnerId owner) {
  cancel(queue_, owner);
  cancel(withheld_, owner);
  for (auto& [key, node] : nodes_) {
    if (parked_ == 0) break;
    const std::size_t before = node.parked.size();
    cancel(node.parked, owner);
    parked_ -= before - node.parked.size();
  }
  for (Slot& slot : slots_) {
    if (slot.transaction == 0 || slot.request.tag.owner != owner) continue;
    slot.cancelled = true;
    if (slot.request.method == Method::set || std::exchange(slot.completed, true)) continue;
    completed_.push_back({slot.request.tag, {}});
  }
}

void SmpClient::cancel(std::deque<Waiting>& waiting, OwnerId owner) {
  unfinished_ -= std::erase_if(waiting, [&](const Waiting& one) {
    if (one.request.tag.owner != owner) return false;
    completed_.push_back({one.request.tag, {}});
    return true;
  });
}

void SmpClient::give_up_all() {
  for (Slot& slot : slots_)
    if (slot.transaction != 0) finish(slot, {});
  const auto give_up = [this](std::deque<Waiting>& waiting) {
    for (const Waiting& one : waiting) completed_.push_back({one.request.tag, {}});
    waiting.clear();
  };
  give_up(queue_);
  give_up(withheld_);
  for (auto& [key, node] : nodes_) give_up(node.parked);
  to_send_.clear();
  unfinished_ = parked_ = 0;
}

std::vector<OutgoingDatagram> SmpClient::take_to_send(TimePoint now) {
  if (now < sets_until_) {
    queue_.insert(queue_.begin(), withheld_.begin(), withheld_.end());
    withheld_.clear();
  }
  grow_while_stuck(now);
  for (; !is_full() && !queue_.empty(); queue_.pop_front()) {
    if (must_wait(queue_.front().request, now))
      hold(std::move(queue_.front()));
    else
      start(queue_.front(), now);
  }
  grow_while_stuck(now);
  return std::exchange(to_send_, {});
}

/// Puts the request on the wire, or parks it behind the others of its node.
void SmpClient::start(const Waiting& waiting, TimePoint now) {
  const SmpRequest& request = waiting.request;
  if (!request.node.is_none()) {
    NodeState& node = nodes_[request.node];
    if (node.on_wire >= options_.per_node) {
      node.parked.push_back(waiting);
      ++parked_;
      return;
    }
    ++node.on_wire;
  }
  Slot& slot = slots_[free_slots_.back()];
  free_slots_.pop_back();
  slot.attempts = waiting.attempts;
  slot.patient = waiting.patient;
  slot.hidden = waiting.hidden;
  slot.cancelled = slot.completed = false;
  slot.request = request;
  keys_.keys_for(request, slot.keys);
  send(slot, now);
}

void SmpClient::send(Slot& slot, TimePoint now) {
  const auto index = static_cast<std::uint32_t>(&slot - slots_.data());
  do {
    slot.transaction = ++sequence_ << kSlotBits | index;
  } while (slot.transaction >> kSlotBits == 0);
  const std::uint64_t key = slot.keys[slot.attempts++ % slot.keys.size()];
  ++counters_.sent;
  const bool quick = rounds(slot, slot.attempts) <= quick_rounds(slot.request, now);
  const Milliseconds wait = quick ? quick_wait(now) : patient_wait(rounds(slot, ++slot.patient));
  slot.sent_at = now;
  slot.deadline = now + wait;
  to_send_.push_back({encode(slot.request, slot.transaction, key), wait});
}

/// Sends it, or lets it wait until Sets may be sent.
void SmpClient::send_again(Slot& slot, TimePoint now) {
  if (!must_wait(slot.request, now)) return send(slot, now);
  hold({slot.request, slot.attempts, slot.patient, slot.hidden});
  leave(slot);
}

Milliseconds SmpClient::quick_wait(TimePoint now) {
  const auto slowest = std::chrono::ceil<Milliseconds>(recent_.longest_delay(now));
  return std::min(std::max(kQuickWait * slowest, kLeastWait), options_.timeout);
}

/// `round`: of patient attempts, from 1 on.
Milliseconds SmpClient::patient_wait(unsigned round) const {
  return options_.timeout * std::min(1U << std::min(round - 1, 8U), kLongestWait);
}

SmpClient::Slot* SmpClient::match(const Datagram& datagram) {
  const auto transaction = static_cast<std::uint32_t>(get(datagram.mad, h::kTransactionLow));
  const std::size_t index = transaction & (kMaxWindow - 1);
  if (transaction == 0 || index >= slots_.size()) return nullptr;
  Slot& slot = slots_[index];
  return slot.transaction == transaction && belongs_to(datagram, slot.request) ? &slot : nullptr;
}

void SmpClient::retry_or_give_up(Slot& slot, TimePoint now) {
  allowed_ = std::min(allowed_, kSafeWindow);
  in_time_ = 0;
  const unsigned least = slot.request.patience == Patience::again ? 1 : options_.retries + 1;
  const bool was_patient = slot.patient >= least * slot.keys.size();
  if (slot.cancelled || (was_patient && rounds(slot, slot.attempts) >= quick_rounds(slot.request, now))) {
    ++counters_.lost;
    if (options_.sets_follow && slot.request.method == Method::set) keys_.note_refusal(slot.request.to);
    return finish(slot, {});
  }
  if (!must_wait(slot.request, now)) ++counters_.resent;
  send_again(slot, now);
}

/// As many as loss explains without an answer.
unsigned SmpClient::quick_rounds(const SmpRequest& request, TimePoint now) {
  if (request.patience == Patience::brief) return 0;
  unsigned attempts = recent_.attempts_to_dead(now);
  if (!request.node.is_none())
    attempts = std::max(attempts, nodes_[request.node].answers.attempts_to_dead(now));
  return attempts == 1 ? 0 : std::min(attempts, kMostQuick);
}

/// Attempts with the key that had most of them.
unsigned SmpClient::rounds(const Slot& slot, unsigned attempts) {
  const auto keys = static_cast<unsigned>(slot.keys.size());
  return (attempts + keys - 1) / keys;
}

void SmpClient::finish(Slot& slot, const SmpAnswer& answer) {
  if (!slot.completed) completed_.push_back({slot.request.tag, answer});
  ++counters_.requests;
  --unfinished_;
  leave(slot);
}

/// The slot is free, and the next request of its node may start.
void SmpClient::leave(Slot& slot) {
  slot.transaction = 0;
  free_slots_.push_back(static_cast<std::uint32_t>(&slot - slots_.data()));
  more_ = 0;
  full_since_ = TimePoint::max();
  if (slot.request.node.is_none()) return;
  NodeState& node = nodes_[slot.request.node];
  --node.on_wire;
  if (node.parked.empty()) return;
  queue_.push_front(std::move(node.parked.front()));
  node.parked.pop_front();
  --parked_;
}

TimePoint SmpClient::deadline() const {
  TimePoint earliest = TimePoint::max();
  for (const Slot& slot : slots_)
    if (slot.transaction != 0) earliest = std::min(earliest, slot.deadline);
  if (full_since_ != TimePoint::max())
    earliest = std::min(earliest, full_since_ + std::chrono::ceil<Milliseconds>(options_.stuck_after));
  return earliest;
}

}  // namespace rch::hw
