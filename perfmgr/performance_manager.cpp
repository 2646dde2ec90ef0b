#include "perfmgr/performance_manager.h"

#include <algorithm>
#include <map>

namespace rch::perfmgr {
namespace {

namespace h = hw::mad_header;
using hw::Datagram;
using hw::TimePoint;

/// A transaction id is a sequence number, never 0, above the slot number.
constexpr unsigned kSlotBits = 6;
static_assert(PerformanceManager::kMostOutstanding == 1U << kSlotBits);
/// Requests that are sent at once when the loop comes late.
constexpr int kMostAtOnce = 16;
/// Requests without an answer, one after the other, after which an agent is left for this sweep.
constexpr unsigned kMostMissed = 2;
constexpr std::uint16_t kBusy = 0x0001, kRedirect = 0x0002;
constexpr std::uint32_t kGeneralServices = 1;  // queue pair
constexpr std::uint16_t kDefaultPKey = 0x7FFF, kBasePKey = 0x7FFF;

Data data_of(const hw::Mad& mad) { return std::span(mad).subspan<kData, kDataSize>(); }

}  // namespace

// What there is to ask

void PerformanceManager::follow(const Settings& settings, TimePoint now) {
  if (settings == settings_) return;
  const bool was_on = is_on();
  settings_ = settings;
  if (!is_on()) {
    drop_requests();
    agents_.clear();
    history_.clear();
    totals_.reset();
    sweeping_ = false;
    return;
  }
  rebuild();
  next_sweep_ = was_on ? std::min(next_sweep_, sweep_began_ + settings_.sweep_time) : now;
}

void PerformanceManager::publish(const View& view, TimePoint now) {
  if (view.fabric == view_.fabric && view.tables == view_.tables) return;
  const bool was_on = is_on();
  view_ = view;
  if (!is_on()) return;
  rebuild();
  if (!was_on) next_sweep_ = now;
}

void PerformanceManager::stop() {
  view_ = {};
  drop_requests();
  agents_.clear();
  history_.clear();
  sweeping_ = false;
}

void PerformanceManager::resume(TimePoint now) {
  paused_ = false;
  next_request_ = std::max(next_request_, now);
}

/// Agents that were there before go on where they are in the sweep.
void PerformanceManager::rebuild() {
  drop_requests();
  const auto key_of = [](const Asked& asked) { return PortKey{asked.agent.node, asked.agent.ports.front()}; };
  std::map<PortKey, const Asked*> before;
  for (const Asked& asked : agents_) before.emplace(key_of(asked), &asked);
  const std::vector<Agent> found = agents_of(view_, settings_.with_cas, &counters_.unreachable);
  const Rows rows =
      rows_for(view_, found, totals_.get(), asked_fabric_.get(), {settings_.with_cas, settings_.keeps_gone});
  totals_ = rows.totals;
  asked_fabric_ = view_.fabric;
  std::vector<History> history(rows.before.size());
  for (std::size_t row = 0; row < history.size(); ++row)
    if (rows.before[row] < history_.size()) history[row] = history_[rows.before[row]];
  history_ = std::move(history);
  std::vector<Asked> agents;
  for (const Agent& agent : found) {
    Asked& asked = agents.emplace_back(Asked{agent});
    asked.rows = rows_of(agent, *totals_);
    if (const auto was = before.find(key_of(asked)); was != before.end()) {
      asked.abilities = was->second->abilities;
      asked.redirected = was->second->redirected;
      asked.is_silent = was->second->is_silent;
      asked.is_due = was->second->is_due;
    }
  }
  agents_ = std::move(agents);
  counters_.agents = agents_.size();
  set_pace();
  for (std::uint32_t a = 0; sweeping_ && a < agents_.size(); ++a) {
    if (!agents_[a].is_due) continue;
    begin(agents_[a]);
    ready_.push_back(a);
  }
}

void PerformanceManager::drop_requests() {
  for (Slot& slot : slots_) {
    if (slot.transaction == 0) continue;
    if (Asked& asked = agents_[slot.agent]; asked.step == Step::clear)
      history_[asked.rows[asked.port]].maybe_cleared |= asked.full;
    free(slot);
  }
  ready_.clear();
  out_.clear();
}

// A sweep

void PerformanceManager::begin_sweep(TimePoint now) {
  sweeping_ = true;
  told_ = {};
  sweep_began_ = next_request_ = now;
  for (std::uint32_t a = 0; a < agents_.size(); ++a) {
    begin(agents_[a]);
    ready_.push_back(a);
  }
}

/// A sweep over these agents takes three quarters of its time.
void PerformanceManager::set_pace() {
  std::size_t requests = 1;
  for (const Asked& asked : agents_) requests += 1 + 2 * asked.rows.size();
  interval_ = std::chrono::nanoseconds(settings_.sweep_time) * 3 / 4 / requests;
}

void PerformanceManager::end_sweep(TimePoint now) {
  sweeping_ = false;
  ++counters_.sweeps;
  counters_.last_sweep = std::chrono::duration_cast<hw::Milliseconds>(now - sweep_began_);
  counters_.silent = static_cast<std::size_t>(std::ranges::count_if(agents_, &Asked::is_silent));
  next_sweep_ = std::max(now, sweep_began_ + settings_.sweep_time);
  std::size_t left_out = 0;
  for (const unsigned told : told_) left_out += told - std::min(told, kMostTold);
  if (left_out > 0) tell_(EventsLeftOut{left_out});
}

void PerformanceManager::begin(Asked& asked) const {
  asked.is_due = true;
  asked.answered = false;
  asked.missed = 0;
  asked.port = 0;
  if (!settings_.asks_class_port_info) asked.abilities = Abilities{};
  if (asked.abilities)
    begin_port(asked);
  else
    asked.step = Step::class_port_info;
}

void PerformanceManager::begin_port(Asked& asked) const {
  asked.reading = {};
  asked.full = {};
  asked.step = is_all_wide(*asked.abilities) ? Step::extended : Step::port_counters;
}

void PerformanceManager::next_port(std::uint32_t agent) {
  Asked& asked = agents_[agent];
  if (++asked.port == asked.rows.size()) return finish(asked);
  begin_port(asked);
  ready_.push_front(agent);
}

void PerformanceManager::finish(Asked& asked) {
  asked.is_due = false;
  const bool silent = !asked.answered;
  if (silent) asked.abilities.reset();  // what comes back may be another one
  if (std::exchange(asked.is_silent, silent) != silent)
    tell(AgentSilent{{asked.agent.node, asked.agent.ports.front()}, asked.agent.lid, silent});
}

// Requests

void PerformanceManager::fill(TimePoint now) {
  while (!ready_.empty() && on_wire_ < window() && next_request_ <= now) {
    const std::uint32_t agent = ready_.front();
    ready_.pop_front();
    ask(agent, now);
    next_request_ = std::max(next_request_ + interval_, now - kMostAtOnce * interval_);
  }
}

void PerformanceManager::ask(std::uint32_t agent, TimePoint now, unsigned redirections) {
  Slot& slot = *std::ranges::find(slots_, 0U, &Slot::transaction);
  const auto index = static_cast<std::uint32_t>(&slot - slots_.data());
  do {
    slot.transaction = ++sequence_ << kSlotBits | index;
  } while (slot.transaction >> kSlotBits == 0);
  ++on_wire_;
  slot.agent = agent;
  slot.attempts = 0;
  slot.redirections = redirections;
  slot.datagram = request_of(agents_[agent]);
  set(slot.datagram.mad, h::kTransaction, slot.transaction);
  send(slot, now);
}

void PerformanceManager::send(Slot& slot, TimePoint now) {
  if (slot.attempts++ > 0) ++counters_.resent;
  slot.deadline = now + settings_.timeout;
  out_.push_back({slot.datagram, settings_.timeout});
}

void PerformanceManager::free(Slot& slot) {
  slot.transaction = 0;
  --on_wire_;
}

Datagram PerformanceManager::request_of(const Asked& asked) const {
  constexpr std::array kAttributes{Attribute::class_port_info, Attribute::port_counters,
                                   Attribute::port_counters_extended, Attribute::port_counters};
  Datagram datagram{.lid = asked.agent.lid.value,
                    .queue_pair = kGeneralServices,
                    .service_level = asked.agent.service_level,
                    .pkey_index = pkey_index(kDefaultPKey).value_or(0)};
  if (const auto& elsewhere = asked.redirected) {
    datagram.lid = elsewhere->lid.value;
    datagram.queue_pair = elsewhere->queue_pair;
    datagram.service_level = elsewhere->service_level;
    datagram.queue_key = elsewhere->queue_key;
    datagram.pkey_index = pkey_index(elsewhere->pkey).value_or(0);
  }
  hw::Mad& mad = datagram.mad;
  set(mad, h::kBaseVersion, 1);
  set(mad, h::kClass, static_cast<std::uint64_t>(hw::MadClass::performance));
  set(mad, h::kClassVersion, kClassVersion);
  set(mad, h::kMethod,
      static_cast<std::uint64_t>(asked.step == Step::clear ? hw::Method::set : hw::Method::get));
  set(mad, h::kAttribute, static_cast<std::uint64_t>(kAttributes[static_cast<std::size_t>(asked.step)]));
  if (asked.step == Step::class_port_info) return datagram;
  const auto data = std::span(mad).subspan(kData);
  set(data, port_counters::kPortSelect, asked.agent.ports[asked.port].value);
  std::uint32_t selected = 0;
  for (std::size_t c = 0; c < kCounterCount; ++c)
    if (asked.full[c]) selected |= 1U << row_of(static_cast<Counter>(c)).select;
  set(data, port_counters::kCounterSelect, selected & 0xFFFFU);
  if (asked.step == Step::clear) set(data, port_counters::kCounterSelect2, selected >> 16U);
  return datagram;
}

/// Where our port has the P_Key, full or limited.
std::optional<std::uint16_t> PerformanceManager::pkey_index(std::uint16_t pkey) const {
  const auto found = std::ranges::find_if(
      view_.pkeys, [&](std::uint16_t own) { return own != 0 && (own & kBasePKey) == (pkey & kBasePKey); });
  if (found == view_.pkeys.end()) return std::nullopt;
  return static_cast<std::uint16_t>(found - view_.pkeys.begin());
}

PerformanceManager::Slot* PerformanceManager::match(const Datagram& datagram) {
  const auto transaction = static_cast<std::uint32_t>(get(datagram.mad, h::kTransactionLow));
  Slot& slot = slots_[transaction & (kMostOutstanding - 1)];
  const hw::Mad& asked = slot.datagram.mad;
  return transaction != 0 && slot.transaction == transaction &&
                 get(datagram.mad, h::kAttribute) == get(asked, h::kAttribute)
             ? &slot
             : nullptr;
}

// Events

void PerformanceManager::on_datagram(const Datagram& datagram, TimePoint now) {
  Slot* slot = match(datagram);
  if (slot != nullptr && datagram.status != 0) return;  // it is sent again when its time is over
  const bool is_answer = get(datagram.mad, h::kMethod) == static_cast<std::uint64_t>(hw::Method::get_resp);
  if (slot == nullptr || !is_answer || datagram.lid != slot->datagram.lid) {
    if (datagram.status == 0) ++counters_.unmatched;
    return;
  }
  const std::uint64_t status = get(datagram.mad, h::kStatus);
  if ((status & kBusy) != 0) return;
  const std::uint32_t agent = slot->agent;
  const unsigned redirections = slot->redirections;
  free(*slot);
  ++counters_.requests;
  agents_[agent].answered |= agents_[agent].step != Step::class_port_info;
  agents_[agent].missed = 0;
  const Data data = data_of(datagram.mad);
  if ((status & kRedirect) != 0 && follow_redirection(agent, data, redirections, now)) return;
  if (status == 0)
    on_answer(agent, data, now);
  else
    on_refusal(agent);
}

/// False: the redirection is not for us to follow.
bool PerformanceManager::follow_redirection(std::uint32_t agent, Data data, unsigned redirections,
                                            TimePoint now) {
  const Redirection to = decode_class_port_info(data).redirection;
  if (!settings_.follows_redirection || redirections > 0 || to.lid == kUnassignedLid ||
      to.lid > kMaxUnicastLid || to.queue_pair == 0 || !pkey_index(to.pkey))
    return false;
  ++counters_.redirected;
  agents_[agent].redirected = to;
  ask(agent, now, redirections + 1);
  return true;
}

void PerformanceManager::on_answer(std::uint32_t agent, Data data, TimePoint now) {
  Asked& asked = agents_[agent];
  if (asked.step != Step::class_port_info &&
      get(data, port_counters::kPortSelect) != asked.agent.ports[asked.port].value)
    return on_refusal(agent);
  switch (asked.step) {
    case Step::class_port_info:
      asked.abilities = decode_class_port_info(data).abilities;
      begin_port(asked);
      return ready_.push_front(agent);
    case Step::port_counters:
      decode_port_counters(data, *asked.abilities, asked.reading);
      if (!asked.abilities->wide) return on_reading(agent, now);
      asked.step = Step::extended;
      return ready_.push_front(agent);
    case Step::extended:
      decode_port_counters_extended(data, *asked.abilities, asked.reading);
      return on_reading(agent, now);
    case Step::clear:
      on_cleared(asked, data);
      return next_port(agent);
  }
}

/// An agent without ClassPortInfo has no extended counters. One that claims them wrongly is asked for the
/// others.
void PerformanceManager::on_refusal(std::uint32_t agent) {
  ++counters_.refused;
  Asked& asked = agents_[agent];
  if (asked.step == Step::class_port_info) {
    asked.abilities = Abilities{};
  } else if (asked.step == Step::extended) {
    asked.abilities = Abilities{.xmit_wait = asked.abilities->xmit_wait};
  } else {
    return next_port(agent);
  }
  begin_port(asked);
  ready_.push_front(agent);
}

void PerformanceManager::on_silence(std::uint32_t agent) {
  ++counters_.requests;
  ++counters_.unanswered;
  Asked& asked = agents_[agent];
  asked.redirected.reset();
  if (asked.step == Step::clear) history_[asked.rows[asked.port]].maybe_cleared |= asked.full;
  if (asked.step == Step::class_port_info || ++asked.missed >= kMostMissed) return finish(asked);
  next_port(agent);
}

void PerformanceManager::on_reading(std::uint32_t agent, TimePoint now) {
  Asked& asked = agents_[agent];
  const std::size_t row = asked.rows[asked.port];
  History& history = history_[row];
  const Change change = compare(history.last ? &*history.last : nullptr, asked.reading, *asked.abilities);
  add(*totals_, row, asked.reading, change);
  const CounterSet not_by_us = change.reset & ~history.maybe_cleared;
  counters_.resets += not_by_us.count();
  counters_.saturated += change.saturated.count();
  tell_of({asked.agent.node, asked.agent.ports[asked.port]}, change, not_by_us,
          std::chrono::duration_cast<hw::Milliseconds>(now - history.at));
  history = {.last = LastReading{asked.reading, *asked.abilities}, .at = now};
  if (change.full.none()) return next_port(agent);
  asked.full = change.full;
  asked.step = Step::clear;
  ask(agent, now);
}

/// The answer shows what the counters are now. One that is not lower may still have been cleared: agents show
/// the value before.
void PerformanceManager::on_cleared(Asked& asked, Data data) {
  History& history = history_[asked.rows[asked.port]];
  if (!history.last) return;
  Reading shown;
  decode_port_counters(data, *asked.abilities, shown);
  for (std::size_t c = 0; c < kCounterCount; ++c) {
    if (!asked.full[c] || !shown.present[c]) continue;
    std::uint64_t& last = history.last->reading.values[c];
    const bool is_lower = shown.values[c] < last;
    if (is_lower) last = 0, ++counters_.cleared;  // what it shows was counted since
    history.maybe_cleared[c] = !is_lower;
  }
}

void PerformanceManager::tell_of(const PortKey& port, const Change& change, CounterSet not_by_us,
                                 hw::Milliseconds span) {
  if (not_by_us.any()) tell(CountersReset{port, not_by_us});
  ErrorsRose errors{port, {}, span};
  bool any = false;
  for (std::size_t c = 0; c < kCounterCount; ++c) {
    if (!row_of(static_cast<Counter>(c)).is_error || change.risen[c] == 0) continue;
    errors.risen[c] = change.risen[c];
    any = true;
  }
  if (any && settings_.tells_errors) tell(errors);
  const std::uint64_t waited = change.risen[static_cast<std::size_t>(Counter::xmit_wait)];
  if (settings_.xmit_wait_threshold && waited > 0 && waited >= *settings_.xmit_wait_threshold)
    tell(XmitWaitRose{port, waited, span});
}

/// One that fails everywhere must not fill the log.
void PerformanceManager::tell(const Event& event) {
  if (++told_[event.index()] <= kMostTold) tell_(event);
}

void PerformanceManager::on_time(TimePoint now) {
  if (!is_on()) return;
  for (Slot& slot : slots_) {
    if (slot.transaction == 0 || slot.deadline > now) continue;
    if (slot.attempts <= settings_.retries) {
      send(slot, now);
      continue;
    }
    free(slot);
    on_silence(slot.agent);
  }
  if (!paused_) {
    if (!sweeping_ && next_sweep_ <= now) begin_sweep(now);
    fill(now);
  }
  if (sweeping_ && ready_.empty() && on_wire_ == 0) end_sweep(now);
}

void PerformanceManager::take_datagrams(std::vector<hw::OutgoingDatagram>& out, TimePoint /*now*/) {
  std::ranges::move(std::exchange(out_, {}), std::back_inserter(out));
}

TimePoint PerformanceManager::deadline() const {
  TimePoint earliest = TimePoint::max();
  if (!is_on()) return earliest;
  for (const Slot& slot : slots_)
    if (slot.transaction != 0) earliest = std::min(earliest, slot.deadline);
  if (paused_) return earliest;
  if (!sweeping_) return std::min(earliest, next_sweep_);
  const bool may_ask = !ready_.empty() && on_wire_ < window();
  return may_ask ? std::min(earliest, next_request_) : earliest;
}

}  // namespace rch::perfmgr
