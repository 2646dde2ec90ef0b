// What the manager that stays does from one sweep to the next, and what brings the next one.

#include <algorithm>
#include <utility>

#include "hw/causes.h"
#include "hw/inquiry.h"
#include "hw/partial_walk.h"
#include "sm/manager.h"

namespace rch::sm {
namespace {

using hw::Milliseconds;

/// From a trap to the sweep: one cable sets off a trap at each end.
constexpr Milliseconds kHoldDown{3};
/// From another change to the sweep: hosts that join groups come together.
constexpr Milliseconds kHoldDownOfOthers{50};
/// So many sweeps that traps bring in one `trap_hold_down` follow at once: a loss must not wait for the one
/// before it. A port that sends traps without end waits.
constexpr unsigned kQuickSweeps = 8;
constexpr Milliseconds kRetryAfter{1000};
/// A part that is faulty for days does not make every second a walk over the whole fabric.
constexpr unsigned kQuickRetries = 8;
constexpr Milliseconds kRetryLater{10000};
constexpr std::string_view kOtherWasMaster = "another subnet manager was master, too";
/// Who asks for the first time is asked back this often at most.
constexpr Milliseconds kMeetEvery{500};

}  // namespace

hw::Task<Result<Manager::Reason>> Manager::wait_for_change() {
  quiet_until_ = exchange_.now() + std::chrono::seconds{settings_.health.quarantine.trap_hold_down};
  for (unsigned sweeps = 1;; ++sweeps) {
    const Milliseconds span = !retry_                            ? settings_.sweep_every
                              : status_.retries <= kQuickRetries ? kRetryAfter
                                                                 : kRetryLater;
    const hw::TimePoint due = span.count() == 0 ? hw::TimePoint::max() : exchange_.now() + span;
    auto resting = rest(std::min({due, health_.deadline(), balance_at_}));
    if (auto rested = co_await resting; !rested) co_return tl::unexpected(rested.error());
    if (!wake_.empty()) break;
    health_.on_time(exchange_.now());
    if (health_.has_change()) co_return Reason("a part is healthy again");
    if (balance_at_ <= exchange_.now()) {
      balance_at_ = hw::TimePoint::max();
      balances_ = true;
      co_return Reason("off-sweep balancing");
    }
    if (exchange_.now() < due) continue;
    if (retry_) co_return Reason("the last sweep failed");
    if (settings_.always_whole) {
      looks_.ask_whole();
      co_return Reason("every sweep is a heavy one");
    }
    if (settings_.whole_after > 0 && sweeps > settings_.whole_after) {
      looks_.ask_whole();
      co_return Reason("so many light sweeps are over");
    }
    const auto change = co_await light_sweep();
    if (!change || !change->empty()) co_return change;
    if (!looks_.is_time_for_silent(*live_, sweeps)) continue;
    if (!needs_whole_look(*live_)) {
      health_.on_silence(*live_, exchange_.now());
      if (health_.has_change()) co_return Reason("a part is unhealthy");
      continue;
    }
    looks_.ask_all();
    co_return Reason("parts are quarantined");
  }
  hw::Pause hold(holds_until());
  if (auto ran = co_await exchange_.run(hold); !ran) co_return tl::unexpected(ran.error());
  co_return wake_;
}

/// What came to wake the manager may not be all.
hw::TimePoint Manager::holds_until() {
  const hw::TimePoint now = exchange_.now();
  if (at_once_) return now;
  if (!trapped_) return std::max(now + kHoldDownOfOthers, quiet_until_);
  const std::chrono::seconds hold_down{settings_.health.quarantine.trap_hold_down};
  if (now - trap_sweeps_since_ >= hold_down) {
    trap_sweeps_since_ = now;
    trap_sweeps_ = 0;
  }
  return ++trap_sweeps_ <= kQuickSweeps ? now + kHoldDown
                                        : std::max(now + kHoldDown, trap_sweeps_since_ + hold_down);
}

/// Until then, or until something wakes the manager. Ports are given their alias GUIDs meanwhile.
hw::Task<Result<void>> Manager::rest(hw::TimePoint until) {
  for (;;) {
    const auto wakes = [this] {
      if (mastership_.other_was_master()) wake_ = kOtherWasMaster;
      return !wake_.empty() || stands_by() || sa_.guids_to_write() != nullptr || meets_now();
    };
    hw::Pause pause(meets_at_ > exchange_.now() ? std::min(until, meets_at_) : until, wakes);
    if (auto ran = co_await exchange_.run(pause); !ran) co_return tl::unexpected(ran.error());
    if (stands_by()) co_return hw::fail(hw::causes::kMastershipLost, mastership_.objection());
    // Who asks all the time, and whom no answer reaches, does not hold up what is due.
    if (wake_.empty() && meets_now() && exchange_.now() < until) {
      const std::function<bool()> is_woken = [this] { return !wake_.empty(); };
      auto meeting = mastership_.meet(is_woken);
      auto met = co_await meeting;
      meets_at_ = exchange_.now() + kMeetEvery;
      if (!met && !mastership_.other_was_master()) co_return met;
      continue;
    }
    if (wake_.empty() && sa_.guids_to_write() == nullptr && exchange_.now() < until) continue;
    if (!wake_.empty() || sa_.guids_to_write() == nullptr) co_return {};
    auto writing = write_guids();
    if (auto written = co_await writing; !written) co_return written;
  }
}

/// Who asked is answered when the port has them.
hw::Task<Result<void>> Manager::write_guids() {
  const sa::GuidWrite write = *sa_.guids_to_write();
  const auto port = live_->fabric.find_port(write.port);
  bool taken = false;
  if (port) {
    hw::SmpRequest request = hw::request_to(*live_, *port, hw::Attribute::guid_info, write.block, 0);
    request.method = hw::Method::set;
    for (std::size_t i = 0; i < write.guids.size(); ++i)
      set(request.data, hw::Field{static_cast<std::uint16_t>(8 * i), 0, 64}, write.guids[i].value);
    const auto answer = co_await hw::ask(exchange_, request);
    if (!answer) co_return tl::unexpected(answer.error());
    taken = answer->good() && answer->data == request.data;
  }
  sa_.on_guids_written(taken, exchange_.now());
  co_return {};
}

/// Whether we are still master, and what the switches tell of their ports (IBA 14.4).
hw::Task<Result<Manager::Reason>> Manager::light_sweep() {
  dropped_ = 0;
  ++counters_.light_sweeps;
  note_known_key();
  auto kept = keep_unsaved(false);
  if (auto written = co_await kept; !written) co_return tl::unexpected(written.error());
  auto keeping = keep_cables();
  if (auto done = co_await keeping; !done) co_return tl::unexpected(done.error());
  mastership_.doubt_silence();
  const std::vector<hw::SmpRequest> questions = mastership_.questions();
  const auto answers = co_await hw::ask(exchange_, questions);
  if (!answers) co_return tl::unexpected(answers.error());
  const auto confirmed = mastership_.confirm(questions, *answers);
  if (mastership_.other_was_master()) co_return kOtherWasMaster;
  if (!confirmed) co_return tl::unexpected(confirmed.error());
  note_other_managers();
  if (!*confirmed) {
    looks_.ask_whole();
    co_return Reason("another subnet manager showed up");
  }
  const auto given = co_await mastership_.hand_over(may_have());
  if (!given) co_return tl::unexpected(given.error());
  if (*given) co_return Reason("handed over");
  auto renewal = renew_leases();
  const auto ended = co_await renewal;
  if (!ended) co_return tl::unexpected(ended.error());
  if (*ended) {
    looks_.ask_whole();
    co_return Reason("a port protects itself no more");
  }
  const std::function<bool()> wakes = [this] { return !wake_.empty(); };
  auto changed = co_await hw::ask_switches(exchange_, *live_, wakes);
  if (!changed) co_return tl::unexpected(changed.error());
  if (!wake_.empty()) co_return wake_;
  const bool is_quiet = changed->empty();
  looks_.note_changes(std::move(*changed));
  co_return is_quiet ? Reason() : Reason("switches changed or do not answer");
}

/// A wrong M_Key begins the lease of a port, and the right one ends it. True: one protects itself no more.
hw::Task<Result<bool>> Manager::renew_leases() {
  std::vector<hw::SmpRequest> questions;
  for (const Lid lid : std::exchange(violated_, {}))
    if (const auto owner = installed_ ? installed_->fabric->lid_owner(lid) : std::nullopt)
      questions.push_back({.to = lid,
                           .attribute = hw::Attribute::port_info,
                           .modifier = installed_->fabric->port(*owner).number.value});
  if (questions.empty()) co_return false;
  const auto answers = co_await hw::ask(exchange_, std::move(questions));
  if (!answers) co_return tl::unexpected(answers.error());
  const std::uint8_t level = installed_->options.manager.m_key_protection_level;
  co_return std::ranges::any_of(*answers, [&](const hw::SmpAnswer& answer) {
    return answer.good() && get(answer.data, hw::port_info::kMKey) != 0 &&
           get(answer.data, hw::port_info::kMKeyProtect) < level;
  });
}

/// Told once, as long as a standby is there.
void Manager::note_known_key() {
  const bool is_known = settings_.standby.sa_key == policy::ManagerOptions{}.sa_key && followers() > 0;
  if (is_known && !std::exchange(told_key_, true)) observers_.manager(KnownSaKey{});
}

}  // namespace rch::sm
