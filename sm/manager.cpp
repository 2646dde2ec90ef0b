#include "sm/manager.h"

#include <utility>

#include "hw/causes.h"
#include "hw/inquiry.h"
#include "hw/partial_walk.h"
#include "sm/found_tables.h"

namespace rch::sm {
namespace {

using hw::Milliseconds;
using hw::SmState;

/// From a trap to the sweep: one cable sets off a trap at each end.
constexpr Milliseconds kHoldDown{50};
constexpr Milliseconds kRetryAfter{1000};
/// A part that is sick for days does not make every second a walk over the whole fabric.
constexpr unsigned kQuickRetries = 8;
constexpr Milliseconds kRetryLater{10000};
/// Traps of a kind that are told of from one sweep to the next: a port that sends without end must not fill
/// the log.
constexpr unsigned kTrapsTold = 10;
/// Dropped requests of hosts that are told of from one light sweep to the next, for the same reason.
constexpr unsigned kDroppedTold = 10;
// Notice (sm-sa 6.1)
constexpr std::uint16_t kLinkState = 128, kLocalChange = 144, kWrongMKey = 256;
constexpr std::string_view kOtherGaveWay = "another master handed over";
/// An update waits no longer for followers to have its target. The cable that is to be routed around may be
/// theirs.
constexpr Milliseconds kAnnounceFor{1000};
/// Ports whose leases are renewed in a light sweep.
constexpr std::size_t kMostViolated = 256;

hw::ManagerOptions that_stays(hw::ManagerOptions options) {
  options.stays = true;
  return options;
}

}  // namespace

Manager::Manager(hw::Exchange& exchange, Replanner planner, ManagerSettings settings,
                 ManagerObservers observers)
    : exchange_(exchange),
      planner_(std::move(planner)),
      settings_(std::move(settings)),
      observers_(std::move(observers)),
      mastership_(exchange, that_stays(settings_.install.manager),
                  [this](hw::Datagram& datagram) { return on_request(datagram); }),
      perfmgr_([this](const perfmgr::Event& event) { observers_.manager(PerformanceEvent{event}); }),
      standby_(exchange, settings_.standby,
               [this](const StandbyEvent& event) {
                 if (std::holds_alternative<FollowsMaster>(event)) status_.degraded.reset();
                 std::visit([this](const auto& told) { observers_.manager(told); }, event);
               }),
      health_(settings_.health, [this](const HealthChanged& event) { observers_.manager(event); }),
      either_side_(sa_, standby_.follower()),
      looks_(exchange_, mastership_, health_, settings_.health, settings_.install.strict, counters_),
      kept_cables_(exchange_.keys().cables().version()) {
  exchange_.serve(hw::MadClass::sa, either_side_);
  sa_.followers().set_configuration(settings_.standby.configuration);
  exchange_.serve(hw::MadClass::performance, perfmgr_);
  perfmgr_.follow(settings_.performance, exchange_.now());
  sa_.on_groups_changed([this] { wake_ = "multicast groups changed"; });
  sa_.on_dropped([this](const sa::Dropped& request) {
    if (++dropped_ <= kDroppedTold) observers_.manager(RequestDropped{request});
  });
  sa_.on_group_event([this](const sa::GroupEvent& event) { observers_.manager(GroupChanged{event}); });
  exchange_.tell_refused([this](const hw::RequestsRefused& refused) {
    counters_.refused_requests += refused.count;
    observers_.manager(TooManyRequests{refused});
  });
}

void Manager::sweep() {
  wake_ = "the operator asks";
  at_once_ = true;
  looks_.ask_all();
}

Result<void> Manager::isolate(Part part, HealthAction action) {
  if (mastership_.state() != SmState::master || !live_)
    return fail(ErrorKind::usage, "this subnet manager is not master");
  return ask_for(health_.isolate(*live_, part, action));
}

Result<void> Manager::release(Part part) {
  if (mastership_.state() != SmState::master || !live_)
    return fail(ErrorKind::usage, "this subnet manager is not master");
  return ask_for(health_.release(*live_, part));
}

/// Keeps what the operator changed, and sweeps as soon as possible.
Result<void> Manager::ask_for(Result<void> changed) {
  if (!changed) return changed;
  sa::LeftOutParts parts;
  for (const auto& [part, action] : health_.left_out_by_hand())
    parts.emplace(sa::PartName{part.node, part.port}, static_cast<std::uint8_t>(action));
  sa_.left_out().set(parts);
  sweep();
  return changed;
}

/// What an operator told an earlier process, or the master before.
void Manager::restore_left_out() {
  Health::ManualParts parts;
  for (const auto& [part, number] : sa_.left_out().all())
    if (const auto action = HealthAction(number); action <= HealthAction::no_discover)
      parts.emplace(Part{part.first, part.second}, action);
  health_.leave_out_by_hand(parts);
}

void Manager::start_from(const sa::JournalContent& registrations) {
  sa_.restore(registrations, exchange_.now());
  restore_left_out();
}

void Manager::replan(Replanner planner, const ManagerSettings& settings, std::uint64_t configuration) {
  planner_ = std::move(planner);
  configuration_ = configuration;
  settings_.sweep_every = settings.sweep_every;
  settings_.sweep_on_trap = settings.sweep_on_trap;
  settings_.always_whole = settings.always_whole;
  mastership_.follow(settings.install.manager);
  perfmgr_.follow(settings.performance, exchange_.now());
  standby_.configure(settings.standby);
  settings_.standby = settings.standby;
  settings_.health = settings.health;
  settings_.balance_after = settings.balance_after;
  health_.follow(settings.health);
  sa_.followers().set_configuration(settings.standby.configuration);
  wake_ = "the configuration was read again";
  at_once_ = true;
}

/// Traps are repressed, and lead to a sweep if the port that sent them is one of ours.
bool Manager::on_request(hw::Datagram& datagram) {
  namespace h = hw::mad_header;
  const auto is = [&](hw::Field field, auto value) {
    return get(datagram.mad, field) == static_cast<std::uint64_t>(value);
  };
  if (!is(h::kMethod, hw::Method::trap) || !is(h::kAttribute, hw::Attribute::notice)) return false;
  if (mastership_.state() != SmState::master) return false;
  hw::SmpData data;
  std::copy_n(datagram.mad.begin() + h::kData, data.size(), data.begin());
  const hw::Notice notice = hw::decode_notice(data);
  const std::uint16_t number = notice.number;
  const Lid from(datagram.lid);
  ++counters_.traps[hw::is_known(notice) ? number : 0];
  if (++traps_[static_cast<std::size_t>(hw::kind_of(notice))] <= kTrapsTold)
    observers_.manager(TrapReceived{notice, from});
  sa_.on_trap(std::span(datagram.mad).subspan(h::kData), from, exchange_.now());
  if (settings_.sweep_on_trap && (number == kLinkState || number == kLocalChange)) note_change(from);
  if (hw::kind_of(notice) == hw::TrapKind::errors) note_errors(notice, from);
  if (number == kWrongMKey && violated_.size() < kMostViolated) violated_.insert(from);
  set(datagram.mad, h::kMethod, static_cast<std::uint8_t>(hw::Method::trap_repress));
  return true;
}

/// Only a port itself, or its switch, tells of it.
void Manager::note_errors(const hw::Notice& notice, Lid from) {
  if (!live_ || notice.issuer != from) return;
  health_.on_error_trap(*live_, from, hw::port_of(notice), exchange_.now());
  if (health_.has_change()) wake_ = "a port is unhealthy";
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

/// The switch of that LID is to be looked at, or the one that the host hangs on.
void Manager::note_change(Lid from) {
  const auto owner = installed_ ? installed_->fabric->lid_owner(from) : std::nullopt;
  if (!owner) return;
  const fabric::Fabric& fabric = *installed_->fabric;
  NodeId node = fabric.port(*owner).node;
  if (const PortId peer = fabric.port(*owner).peer; !fabric.is_switch(node) && !peer.is_none())
    node = fabric.port(peer).node;
  wake_ = "trap";
  looks_.note_change(fabric.node(node).guid);
}

hw::Task<Result<void>> Manager::run() {
  note_state("`sm_inactive` is set");
  Reason reason = "start";
  while (!ended()) {
    if (stands_by()) {
      const auto may_take_over = co_await stand_by();
      if (!may_take_over) break;
      if (!*may_take_over) continue;
      reason = "the master is gone or handed over";
    }
    observers_.manager(SweepBegan{reason});
    perfmgr_.pause();
    const auto passed = co_await pass();
    perfmgr_.resume(exchange_.now());
    if (ended()) break;
    std::string why = passed ? "handed over to a higher rank" : passed.error().message;
    if (!passed) note_failure(passed.error());
    if (mastership_.state() == SmState::master || retry_) {
      const auto change = co_await wait_for_change();
      if (ended()) break;
      reason = change ? *change : Reason("the mastership was lost");
      if (!change) why = change.error().message;
    }
    note_state(why);
  }
  if (exchange_.broken()) co_return tl::unexpected(*exchange_.broken());
  co_return {};
}

/// Who may get the mastership. With M_Keys per port, one that follows us: it knows who is behind which cable.
std::function<bool(Guid)> Manager::may_have() const {
  return [this](Guid manager) {
    if (!exchange_.keys().own().per_port) return true;
    const auto port = installed_ ? installed_->fabric->find_port(manager) : std::nullopt;
    return port && sa_.followers().follows(installed_->fabric->port(*port).lid, exchange_.now());
  };
}

/// False: the master is gone, and its place is not ours.
hw::Task<Result<bool>> Manager::stand_by() {
  written_.reset();
  health_.forget();
  followed_ = kUnassignedLid;
  standby_.begin();
  const auto stood = co_await mastership_.stand_by(standby_);
  if (!stood) co_return tl::unexpected(stood.error());
  if (standby_.refuse()) {
    status_.degraded = "the master is gone, and had another configuration";
    co_return false;
  }
  standby_.end(mastership_.state() == SmState::discovering);
  if (const chains::Plan* plan = standby_.plan(); plan != nullptr) exchange_.know(*plan->fabric);
  after_standby_ = true;
  co_return true;
}

/// One sweep as master, or the attempt to become it.
hw::Task<Result<void>> Manager::pass() {
  wake_ = {};
  retry_ = at_once_ = false;
  traps_ = {};
  status_.tried = configuration_;
  auto looking = look();
  auto live = co_await looking;
  if (!live) co_return tl::unexpected(live.error());
  note_state("no other subnet manager is master");
  const auto given = co_await mastership_.hand_over(may_have());
  if (!given) co_return tl::unexpected(given.error());
  if (*given) co_return {};
  note_look(std::move(*live));
  const bool had_another = status_.generation == 0 && had_another_manager(*live_);
  if (had_another && settings_.adopt && !after_standby_) installed_.reset();  // it is outdated
  const bool is_new_here = !installed_ || after_standby_ || had_another;
  const bool judges = settings_.judge || standby_.knows_something();
  if (is_new_here && judges && forwards(*live_))
    if (auto judged = co_await judge_found(*live_); !judged) co_return judged;
  if (health_.has_change()) {  // the master before had left parts out
    auto looking_again = look();
    live = co_await looking_again;
    if (!live) co_return tl::unexpected(live.error());
    note_look(std::move(*live));
  }
  auto keeping = keep_cables();
  if (auto done = co_await keeping; !done) co_return done;
  auto installation = install_on(*live_);
  auto installed = co_await installation;
  if (!installed && !ended()) looks_.note_failed(*live_);
  co_return installed;
}

hw::Task<Result<hw::LiveFabric>> Manager::look() {
  if (mastership_.other_gave_way()) {
    written_.reset();
    status_.proven = false;
  }
  auto looking = looks_.look({.live = live_ ? &*live_ : nullptr,
                              .is_known = written_.has_value(),
                              .installed = installed_ ? installed_->fabric : nullptr,
                              .serves = status_.generation > 0});
  auto seen = co_await looking;
  if (!seen) co_return tl::unexpected(seen.error());
  if (seen->whole) written_.reset();
  if (seen->unsettled) wake_ = "ports changed during the sweep";
  co_return std::move(seen->live);
}

void Manager::note_look(hw::LiveFabric live) {
  live_.emplace(std::move(live));
  note_other_managers();
  status_.switches = live_->fabric.switch_count();
  status_.end_ports = live_->fabric.end_ports().size();
  status_.quarantined = live_->quarantine.size();
  tell(observers_.chains, chains::FabricSeen{live_->quarantine});
}

/// Each is told of once, until it is gone.
void Manager::note_other_managers() {
  std::set<Guid> seen;
  for (const hw::SmInfo& other : mastership_.not_allowed()) {
    seen.insert(other.guid);
    if (!not_allowed_.contains(other.guid))
      observers_.manager(ManagerNotAllowed{other.guid, other.state == SmState::master});
  }
  not_allowed_ = std::move(seen);
}

/// Told once, as long as a standby is there.
void Manager::note_known_key() {
  const bool is_known = settings_.standby.sa_key == policy::ManagerOptions{}.sa_key && followers() > 0;
  if (is_known && !std::exchange(told_key_, true)) observers_.manager(KnownSaKey{});
}

/// The first thing to do in a fabric that another subnet manager ran.
hw::Task<Result<void>> Manager::judge_found(const hw::LiveFabric& live) {
  auto found = co_await read_found_tables(exchange_, live);
  if (!found) co_return tl::unexpected(found.error());
  if (auto followed = standby_.fitting(live, found->tables); followed && after_standby_) {
    auto taken = take_over(std::move(*followed));
    co_return co_await taken;
  }
  if (!settings_.judge) co_return {};
  const auto judge = [&] { return settings_.judge(live.fabric, std::move(*found)); };
  auto adoption = co_await exchange_.work(judge);
  if (!adoption) co_return tl::unexpected(adoption.error());
  const bool proven = adoption->objection.empty(), adopted = settings_.adopt && !installed_ && proven;
  keeps_found_ = after_standby_ && proven && !adopted;
  observers_.manager(TablesFound{*adoption, adopted, keeps_found_});
  adopts_found_ = adopted;
  found_ = std::move(adoption->plan);
  co_return {};
}

/// From now on it is as if we had been master before, and our LID had been that of the master. It is kept
/// before ports name us: a manager that starts again then must not take an older state for the last one.
hw::Task<Result<void>> Manager::take_over(FollowedFabric followed) {
  observers_.manager(TookOver{followed});
  sa_.take_over(followed.registrations, followed.whole, exchange_.now());
  restore_left_out();
  followed_ = followed.master;
  asks_clients_ = !followed.whole;
  installed_ = std::move(followed.plan);
  lids_ = std::move(followed.lids);
  lids_unsaved_ = plan_unsaved_ = true;
  planned_for_.clear();
  found_.reset();
  adopts_found_ = keeps_found_ = false;
  after_standby_ = false;
  auto kept = keep_unsaved(true);
  co_return co_await kept;
}

/// Another subnet manager has written its own LID to all ports: those are asked in any case, unless it is
/// known what hosts registered with it.
bool Manager::asks_all_clients() const {
  const bool knows_clients = installed_ && sa_.knows_hosts_of(*installed_->fabric);
  const bool begins = status_.generation == 0 || followed_ != kUnassignedLid;
  return after_standby_ || asks_clients_ || (begins && !knows_clients);
}

/// Ports get their M_Keys all the same: a manager that begins again finds most of them by its plan.
hw::Task<Result<void>> Manager::keep_cables() {
  auto keeping = sm::keep_cables(exchange_, settings_.keep_cables, kept_cables_);
  const auto kept = co_await keeping;
  if (!kept && !std::exchange(told_cables_, true)) observers_.manager(CablesNotKept{kept.error()});
  if (kept) told_cables_ = false;
  co_return {};
}

/// Who takes over in the middle of the update knows both plans then. A follower that is silent is not waited
/// for: it does not know the target, and asks hosts.
hw::Task<Result<void>> Manager::announce(const chains::Plan& target) {
  sa_.followers().announce(target);
  hw::Pause pause(exchange_.now() + kAnnounceFor, [this] { return sa_.followers().have_target(); });
  co_return co_await exchange_.run(pause);
}

hw::Task<Result<void>> Manager::install_on(const hw::LiveFabric& live) {
  const std::optional<hw::WrittenTables> written = std::exchange(written_, std::nullopt);
  InstallOptions options = settings_.install;
  options.written = written ? &*written : nullptr;
  options.asks_all_clients = asks_all_clients();
  options.followed_sm = options.asks_all_clients ? kUnassignedLid : followed_;
  options.known_clients = installed_ ? installed_->fabric.get() : nullptr;
  options.previous = installed_ ? &*installed_ : nullptr;
  options.announce = [this](const chains::Plan& target) { return announce(target); };
  const std::string fingerprint = live.fabric.fingerprint();
  const std::uint64_t groups = sa_.groups().version();
  const std::uint64_t configuration = configuration_;
  options.reloaded = status_.configuration != configuration;
  const bool balances = std::exchange(balances_, false);
  const bool again = !after_standby_ && !balances && status_.configuration == configuration &&
                     planned_for_ == fingerprint && groups_ == groups;
  // A switch that comes back as it was gets its tables back; nothing else is routed anew for it.
  const Planner planner = [this, again, balances, plan = planner_,
                           joined = sa_.groups().joined()](const fabric::Fabric& fabric) {
    if (again) return Result<chains::Plan>(*installed_);
    if (adopts_found_) return Result<chains::Plan>(*found_);
    const std::optional<chains::Plan>& kept = keeps_found_ ? found_ : installed_;
    return plan(fabric, {.installed = kept ? &*kept : nullptr,
                         .found = found_ ? &*found_ : nullptr,
                         .joined = joined,
                         .lids = lids_,
                         .first = status_.generation == 0,
                         .balances = balances,
                         .after_standby = after_standby_});
  };
  auto installation = install(exchange_, live, planner, options, &mastership_, observers_.chains);
  auto done = co_await installation;
  if (!done) co_return tl::unexpected(done.error());
  if (!again) ++status_.generation;
  health_.on_installed();
  status_.proven = true;
  status_.configuration = configuration;
  looks_.note_installed(live);
  status_.retries = 0;
  const bool was_degraded = std::exchange(status_.degraded, std::nullopt).has_value();
  if (!again || was_degraded || done->report.writes() > 0) observers_.manager(SubnetUp{*done, status_});
  written_ = std::move(done->written);
  installed_ = std::move(done->plan);
  const bool is_balanced = balances && planned_for_ == fingerprint;
  if (!again || balance_at_ != hw::TimePoint::max())
    balance_at_ = !is_balanced && settings_.balance_after ? exchange_.now() + *settings_.balance_after
                                                          : hw::TimePoint::max();
  planned_for_ = fingerprint;
  groups_ = groups;
  if (lids_.take_over(*installed_->fabric)) lids_unsaved_ = true;
  sa_.followers().offer(lids_);
  const auto snapshot = [&] { return sa::snapshot_of(live, *installed_); };
  publish(co_await exchange_.work(snapshot));
  found_.reset();
  adopts_found_ = keeps_found_ = false;
  after_standby_ = asks_clients_ = false;
  followed_ = kUnassignedLid;
  standby_.forget();
  if (!again) plan_unsaved_ = true;
  auto kept = keep_unsaved(true);
  co_return co_await kept;
}

/// What was installed is what hosts are answered from, and how agents are asked for counters.
void Manager::publish(const std::shared_ptr<const sa::Snapshot>& snapshot) {
  sa_.publish(snapshot, exchange_.now());
  const auto pkeys = snapshot->pkeys(snapshot->local);
  perfmgr_.publish({.fabric = installed_->fabric,
                    .tables = installed_->tables,
                    .local = snapshot->local,
                    .pkeys = {pkeys.begin(), pkeys.end()}},
                   exchange_.now());
}

/// A disk that is full may have room later. It is told once.
hw::Task<Result<void>> Manager::keep_unsaved(bool tells) {
  if (lids_unsaved_ && settings_.keep_lids) {
    const auto write = [this] { return settings_.keep_lids(lids_); };
    const auto kept = co_await exchange_.work(write);
    lids_unsaved_ = !kept;
    if (!kept && tells) observers_.manager(LidsNotKept{kept.error()});
  }
  if (plan_unsaved_ && settings_.keep) {
    const auto write = [this] { return settings_.keep(*installed_); };
    const auto kept = co_await exchange_.work(write);
    plan_unsaved_ = !kept;
    if (!kept && tells) observers_.manager(PlanNotKept{kept.error()});
  }
  co_return {};
}

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
  hw::Pause hold(at_once_ ? exchange_.now() : std::max(exchange_.now() + kHoldDown, quiet_until_));
  if (auto ran = co_await exchange_.run(hold); !ran) co_return tl::unexpected(ran.error());
  co_return wake_;
}

/// Until then, or until something wakes the manager. Ports are given their alias GUIDs meanwhile.
hw::Task<Result<void>> Manager::rest(hw::TimePoint until) {
  for (;;) {
    const auto wakes = [this] {
      if (mastership_.other_gave_way()) wake_ = kOtherGaveWay;
      return !wake_.empty() || sa_.guids_to_write() != nullptr;
    };
    hw::Pause pause(until, wakes);
    if (auto ran = co_await exchange_.run(pause); !ran) co_return tl::unexpected(ran.error());
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

/// Whether we are still master, and what the switches tell of their ports (sm-sa 2.3).
hw::Task<Result<Manager::Reason>> Manager::light_sweep() {
  dropped_ = 0;
  ++counters_.light_sweeps;
  note_known_key();
  auto kept = keep_unsaved(false);
  if (auto written = co_await kept; !written) co_return tl::unexpected(written.error());
  auto keeping = keep_cables();
  if (auto done = co_await keeping; !done) co_return tl::unexpected(done.error());
  mastership_.doubt_silence();
  const auto answers = co_await hw::ask(exchange_, mastership_.questions());
  if (!answers) co_return tl::unexpected(answers.error());
  const auto confirmed = mastership_.confirm(*answers);
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

void Manager::note_state(const std::string& why) {
  if (status_.state == mastership_.state()) return;
  status_.state = mastership_.state();
  if (status_.state != SmState::master) {
    status_.proven = false;
    status_.degraded.reset();
    sa_.publish(nullptr, exchange_.now());
    perfmgr_.stop();
  }
  observers_.manager(StateChanged{status_.state, why});
}

/// The fabric stays as it is. A lost request may be answered next time; what cannot be routed or proven waits
/// for a change.
void Manager::note_failure(const Error& error) {
  written_.reset();
  ++counters_.failures;
  if (error.cause == hw::causes::kMastershipLost.name) return;
  status_.proven = false;
  retry_ = !error.cause.empty();  // the fabric failed, not the plan
  status_.retries = retry_ ? status_.retries + 1 : 0;
  if (status_.degraded == error.message) return;
  status_.degraded = error.message;
  observers_.manager(Degraded{error});
}

}  // namespace rch::sm
