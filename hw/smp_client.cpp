#include "hw/smp_client.h"

#include <algorithm>

namespace rch::hw {
namespace {

namespace h = mad_header;

/// Requests that may wait before submit() makes room: keeps a bulk write from piling up in memory.
constexpr std::size_t kQueueBound = 4096;
/// A transaction id is a sequence number, never 0, above the slot number.
constexpr unsigned kSlotBits = 6;
static_assert(SmpClient::kMaxWindow == 1U << kSlotBits);

Mad encode(const SmpRequest& request, std::uint32_t transaction, std::uint64_t m_key) {
  Mad mad{};
  set(mad, h::kBaseVersion, 1);
  set(mad, h::kClass, static_cast<std::uint8_t>(MadClass::directed_route));
  set(mad, h::kClassVersion, 1);
  set(mad, h::kMethod, static_cast<std::uint8_t>(request.method));
  set(mad, h::kHopCount, request.route.hops);
  set(mad, h::kTransactionLow, transaction);
  set(mad, h::kAttribute, static_cast<std::uint16_t>(request.attribute));
  set(mad, h::kModifier, request.modifier);
  set(mad, h::kMKey, m_key);
  set(mad, h::kDrSlid, 0xFFFF);
  set(mad, h::kDrDlid, 0xFFFF);
  std::copy(request.data.begin(), request.data.end(), mad.begin() + h::kData);
  std::copy_n(request.route.ports.begin(), request.route.hops + 1U, mad.begin() + h::kInitialPath);
  return mad;
}

bool belongs(const Mad& mad, const SmpRequest& request) {
  return get(mad, h::kClass) == static_cast<std::uint8_t>(MadClass::directed_route) &&
         get(mad, h::kHopCount) == request.route.hops &&
         get(mad, h::kAttribute) == static_cast<std::uint16_t>(request.attribute) &&
         get(mad, h::kModifier) == request.modifier;
}

/// An answer on its way back; the local agent may leave the direction bit alone (sm-sa 1.2).
bool is_answer_to(const Mad& mad, const SmpRequest& request) {
  return get(mad, h::kMethod) == static_cast<std::uint8_t>(Method::get_resp) &&
         (get(mad, h::kDirection) == 1 || request.route.hops == 0);
}

SmpAnswer decode(const Mad& mad) {
  SmpAnswer answer;
  answer.answered = true;
  answer.status = static_cast<std::uint16_t>(get(mad, h::kStatus) & 0x7FFFU);
  std::copy_n(mad.begin() + h::kData, answer.data.size(), answer.data.begin());
  return answer;
}

bool is_busy(const SmpAnswer& answer) { return (answer.status & 1U) != 0; }

}  // namespace

SmpClient::SmpClient(Transport& transport, const SmpOptions& options)
    : transport_(transport), options_(options) {
  options_.window = std::clamp(options_.window, 1U, kMaxWindow);
  options_.per_node = std::max(options_.per_node, 1U);
  slots_.resize(options_.window);
  for (unsigned slot = options_.window; slot-- > 0;) free_slots_.push_back(slot);
}

SmpClient::~SmpClient() {
  abandon_queued();
  while (free_slots_.size() < slots_.size() && !broken_) pump();
}

void SmpClient::submit(const SmpRequest& request, Callback done) {
  ++unfinished_;
  queue_.push_back({request, std::move(done)});
  if (in_pump_) return;
  start_queued();
  while (queue_.size() > kQueueBound && !broken_) pump();
}

Result<void> SmpClient::wait_all() {
  while (unfinished_ > 0 && !broken_) pump();
  if (!broken_) return {};
  drop_everything();
  return tl::unexpected(*broken_);
}

/// Nothing will be answered any more: every callback is due now, before what it refers to is gone.
void SmpClient::drop_everything() {
  in_pump_ = true;
  while (unfinished_ > 0) {
    for (Slot& slot : slots_) {
      if (slot.transaction != 0) finish(slot, {});
    }
    abandon_queued();
  }
  in_pump_ = false;
}

Result<SmpAnswer> SmpClient::ask(const SmpRequest& request) {
  SmpAnswer result;
  submit(request, [&result](const SmpAnswer& answer) { result = answer; });
  if (auto waited = wait_all(); !waited) return tl::unexpected(waited.error());
  return result;
}

void SmpClient::abandon_queued() {
  std::deque<Job> dropped;
  dropped.swap(queue_);
  for (auto& [key, node] : nodes_) {
    for (Job& job : node.parked) dropped.push_back(std::move(job));
    node.parked.clear();
  }
  unfinished_ -= dropped.size();
  for (const Job& job : dropped) job.done({});
}

void SmpClient::serve(Milliseconds span) {
  const Clock::time_point until = transport_.now() + span;
  while (transport_.now() < until) {
    arrived_.clear();
    transport_.receive(arrived_, until);
    for (Datagram& datagram : arrived_) handle(datagram);
  }
}

Result<void> SmpClient::become_manager(Responder responder) {
  responder_ = std::move(responder);
  return transport_.set_is_sm();
}

void SmpClient::start_queued() {
  while (!free_slots_.empty() && !queue_.empty()) {
    Job job = std::move(queue_.front());
    queue_.pop_front();
    start(std::move(job));
  }
}

/// Puts the job on the wire, or parks it behind the others of its node.
void SmpClient::start(Job job) {
  if (job.request.node != kNoNode) {
    NodeQueue& node = nodes_[job.request.node];
    if (node.on_wire >= options_.per_node) {
      node.parked.push_back(std::move(job));
      return;
    }
    ++node.on_wire;
  }
  Slot& slot = slots_[free_slots_.back()];
  free_slots_.pop_back();
  slot.attempts = 0;
  slot.job = std::move(job);
  send(slot);
}

void SmpClient::send(Slot& slot) {
  const auto index = static_cast<std::uint32_t>(&slot - slots_.data());
  do {
    slot.transaction = ++sequence_ << kSlotBits | index;
  } while (slot.transaction >> kSlotBits == 0);
  ++slot.attempts;
  ++counters_.sent;
  slot.deadline = transport_.now() + options_.timeout;
  Datagram datagram;
  datagram.mad = encode(slot.job.request, slot.transaction, options_.m_key);
  auto sent = transport_.send(datagram, options_.timeout);
  if (!sent && !broken_) broken_ = sent.error();
}

void SmpClient::pump() {
  in_pump_ = true;
  start_queued();
  arrived_.clear();
  transport_.receive(arrived_, next_deadline());
  for (Datagram& datagram : arrived_) handle(datagram);
  expire();
  start_queued();
  in_pump_ = false;
}

void SmpClient::handle(Datagram& datagram) {
  if (datagram.status == 0 && get(datagram.mad, h::kResponse) == 0) return handle_request(datagram);
  Slot* slot = match(datagram.mad);
  if (slot == nullptr) {
    ++counters_.unmatched;
    return;
  }
  if (datagram.status != 0) return retry_or_give_up(*slot);
  if (!is_answer_to(datagram.mad, slot->job.request)) {
    ++counters_.unmatched;
    return;
  }
  const SmpAnswer answer = decode(datagram.mad);
  if (!is_busy(answer)) finish(*slot, answer);  // a busy agent is asked again when the attempt runs out
}

void SmpClient::handle_request(Datagram& datagram) {
  if (!responder_ || !responder_(datagram)) return;
  auto sent = transport_.send(datagram, Milliseconds{0});
  if (!sent && !broken_) broken_ = sent.error();
}

SmpClient::Slot* SmpClient::match(const Mad& mad) {
  const auto transaction = static_cast<std::uint32_t>(get(mad, h::kTransactionLow));
  const std::size_t index = transaction & (kMaxWindow - 1);
  if (transaction == 0 || index >= slots_.size()) return nullptr;
  Slot& slot = slots_[index];
  return slot.transaction == transaction && belongs(mad, slot.job.request) ? &slot : nullptr;
}

void SmpClient::expire() {
  const Clock::time_point now = transport_.now();
  for (Slot& slot : slots_) {
    if (slot.transaction != 0 && slot.deadline <= now) retry_or_give_up(slot);
  }
}

void SmpClient::retry_or_give_up(Slot& slot) {
  if (slot.attempts > options_.retries) {
    ++counters_.lost;
    return finish(slot, {});
  }
  ++counters_.resent;
  send(slot);
}

void SmpClient::finish(Slot& slot, const SmpAnswer& answer) {
  const Job job = std::move(slot.job);
  slot.transaction = 0;
  free_slots_.push_back(static_cast<std::uint32_t>(&slot - slots_.data()));
  ++counters_.requests;
  --unfinished_;
  if (job.request.node != kNoNode) {
    NodeQueue& node = nodes_[job.request.node];
    --node.on_wire;
    if (!node.parked.empty()) {
      queue_.push_front(std::move(node.parked.front()));
      node.parked.pop_front();
    }
  }
  job.done(answer);
}

Clock::time_point SmpClient::next_deadline() const {
  Clock::time_point earliest = Clock::time_point::max();
  for (const Slot& slot : slots_) {
    if (slot.transaction != 0) earliest = std::min(earliest, slot.deadline);
  }
  return earliest;
}

}  // namespace rch::hw
