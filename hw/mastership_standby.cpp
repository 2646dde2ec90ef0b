// How the mastership is given away, and what a subnet manager does until it may be master again (IBA 14.4).

#include <algorithm>
#include <utility>

#include "hw/inquiry.h"
#include "hw/mastership.h"
#include "hw/sm_info_requests.h"

namespace rch::hw {
namespace {

/// A manager that stands by looks this often which SM its port names.
constexpr Milliseconds kNameEvery{1000};
/// An answer to the question for an SM that seems to be gone.
constexpr Milliseconds kHurry{300};

/// `watch_` is `watch` while this lives.
class Watching {
 public:
  Watching(const StandbyWatch*& place, const StandbyWatch& watch) : place_(place) { place_ = &watch; }
  ~Watching() { place_ = nullptr; }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  const StandbyWatch*& place_;
};

}  // namespace

Task<Result<bool>> Mastership::hand_over(std::function<bool(Guid)> may_have) {
  const auto higher = std::ranges::find_if(rivals_, [&](const Rival& rival) {
    return rival.is(SmState::standby) && rival.info->key == shown_.key && options_.allows(rival.info->guid) &&
           outranks(*rival.info, shown_) && may_have(rival.info->guid);
  });
  if (higher == rivals_.end()) co_return false;
  const auto taken = co_await ask(exchange_, tell(higher->at, kHandover));
  if (!taken) co_return tl::unexpected(taken.error());
  if (!taken->good()) co_return false;
  enter(SmState::standby);
  higher->info->state = SmState::master;
  co_return true;
}

/// The master that we lost to, or else the one that our port names, whether it answers or not.
std::optional<Mastership::Polled> Mastership::master_to_poll() const {
  for (const SmState state : {SmState::master, SmState::discovering})
    if (const auto r = std::ranges::find_if(rivals_, [&](const Rival& rival) { return rival.is(state); });
        r != rivals_.end())
      return Polled{r->at, r->lid};
  if (told_off_by_ && !senders_.empty()) return Polled{senders_.back()};
  const Lid named = own_.master_sm_lid == own_.lid ? kUnassignedLid : own_.master_sm_lid;
  if (named == kUnassignedLid) return std::nullopt;
  const auto silent =
      std::ranges::find_if(rivals_, [&](const Rival& r) { return !r.info && r.lid == named; });
  return Polled{silent != rivals_.end() ? silent->at : Address(named), named};
}

void Mastership::follow(const ManagerOptions& options) {
  options_.sm_priority = shown_.priority = options.sm_priority;
  options_.master_sm_priority = options.master_sm_priority;
  enter(shown_.state);
  options_.poll_every = options.poll_every;
  options_.missed_polls = options.missed_polls;
  options_.allowed_sms = options.allowed_sms;
}

/// Where no master is known, one of those may be it who did not answer or who asked us meanwhile.
Task<Result<void>> Mastership::find_master() {
  meet_senders();
  const auto is_up = [](const Rival& r) { return r.is(SmState::master) || r.is(SmState::discovering); };
  if (std::ranges::any_of(rivals_, is_up) || given_up_ != kUnassignedLid) co_return {};
  for (Rival& rival : rivals_) rival.due = !rival.info;
  const auto asked = co_await poll();
  if (exchange_.broken() || exchange_.stopping()) co_return asked;
  co_return {};
}

/// Tells which SM our port names now. What our own port does not answer is asked for again.
Task<Result<void>> Mastership::name_master(StandbyWatch& watch) {
  const auto answer = co_await ask(exchange_, get_from(kOwnNode, Attribute::port_info, own_number_.value));
  if (!answer) co_return tl::unexpected(answer.error());
  if (!answer->good()) co_return {};
  const auto own = decode<PortInfo>(answer->data);
  own_.lid = own.lid;
  own_.master_sm_lid = own.master_sm_lid;
  watch.on_master(own.master_sm_lid == own.lid ? kUnassignedLid : own.master_sm_lid, own.master_sm_sl);
  co_return {};
}

/// The SM at that address says that it is master. It has the time between two polls to do so, and less
/// `in_a_hurry`: if that is too short, win() finds it again.
Task<Result<bool>> Mastership::is_there(std::optional<Polled> master, bool in_a_hurry) {
  if (!master) co_return false;
  const TimePoint until =
      exchange_.now() + (in_a_hurry ? kHurry : std::max<Milliseconds>(kHurry, options_.poll_every));
  Inquiry inquiry(std::vector<SmpRequest>(1, get_from(master->at, Attribute::sm_info)),
                  [&] { return exchange_.now() >= until; });
  if (auto ran = co_await exchange_.run(inquiry); !ran) co_return tl::unexpected(ran.error());
  const auto info = sm_info_in(inquiry.answers().front());
  co_return info && info->state == SmState::master;
}

/// A cable that was pulled and plugged may leave two masters. The one that gives way tells the other, which
/// does not know that anybody wrote beside it (IBA 14.4: Set(SMInfo, HANDOVER) to a master).
Task<Result<void>> Mastership::give_way(Address master) {
  SmInfo as_master = shown_;
  as_master.state = SmState::master;
  SmpRequest handover = tell(master, kHandover);
  handover.data = encode(as_master);
  const auto taken = co_await ask(exchange_, handover);
  if (!taken) co_return tl::unexpected(taken.error());
  if (taken->good()) owes_handover_ = false;
  co_return {};
}

Task<Result<void>> Mastership::stand_by(StandbyWatch& watch) {
  const Watching watching(watch_, watch);
  if (std::exchange(begins_inactive_, false)) {
    if (auto seen = co_await look_at_own_port(); !seen) co_return tl::unexpected(seen.error());
    begin_managing();
  }
  if (auto found = co_await find_master(); !found) co_return found;
  std::optional<Polled> master = master_to_poll();
  TimePoint poll = exchange_.now() + (owes_handover_ ? kPollEvery : options_.poll_every);
  bool is_gone = false;
  while ((!is_gone && missed_ < options_.missed_polls) || shown_.state == SmState::not_active) {
    const Lid before = own_.master_sm_lid;
    if (auto named = co_await name_master(watch); !named) co_return named;
    const Lid now = own_.master_sm_lid == own_.lid ? kUnassignedLid : own_.master_sm_lid;
    if (now != kUnassignedLid && now != before && !(master && master->lid == now)) {
      master = Polled{now, now};  // another one took over meanwhile
      poll = exchange_.now();
    }
    const auto hurries = [&] {
      if (watch.is_heard()) hurried_ = false;
      return !hurried_ && watch.is_silent();
    };
    Pause pause(std::min(poll, exchange_.now() + kNameEvery), [&] {
      return shown_.state == SmState::discovering  // a master handed over, or told us to look again
             || hurries();
    });
    if (auto ran = co_await exchange_.run(pause); !ran) co_return tl::unexpected(ran.error());
    if (shown_.state == SmState::discovering) break;
    const bool in_a_hurry = hurries();
    if (!in_a_hurry && exchange_.now() < poll) continue;
    poll = exchange_.now() + options_.poll_every;
    const auto there = co_await is_there(master, in_a_hurry);
    if (!there) co_return tl::unexpected(there.error());
    if (!*there) {
      watch.on_missed(master ? master->lid : kUnassignedLid, ++missed_);
      tells_missed_ = true;
      if (!in_a_hurry) continue;
      hurried_ = true;
      const auto shows = co_await shows_manager(master);
      if (!shows) co_return tl::unexpected(shows.error());
      is_gone = !*shows;
      continue;
    }
    if (std::exchange(tells_missed_, false)) watch.on_missed(master->lid, 0);
    missed_ = 0;
    hurried_ = false;
    given_up_ = kUnassignedLid;
    watch.on_alive();
    if (!owes_handover_) continue;
    if (auto given = co_await give_way(master->at); !given) co_return given;
    if (owes_handover_) poll = exchange_.now() + kNameEvery;
  }
  leave(master);
  co_return {};
}

/// Its port shows an SM still: a process that hangs, and not one that has ended.
Task<Result<bool>> Mastership::shows_manager(std::optional<Polled> master) {
  if (!master) co_return false;
  auto asking = ask_manager(master->at, Patience::again);
  const auto known = co_await asking;
  if (!known) co_return tl::unexpected(known.error());
  co_return known->is_sm;
}

/// Its answers do not count any more. If it missed all polls, neither does its silence.
void Mastership::leave(const std::optional<Polled>& master) {
  if (shown_.state == SmState::discovering) missed_ = 0, hurried_ = false;
  if (missed_ >= options_.missed_polls) {
    given_up_ = master ? master->lid : kUnassignedLid;
    given_up_at_ = exchange_.now();
    missed_ = 0;
    hurried_ = false;
  }
  for (Rival& rival : rivals_)
    if (master && rival.at == master->at) rival.info.reset();
}

}  // namespace rch::hw
