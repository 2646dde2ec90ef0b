// What a sweep of the manager that stays installs, and what it takes over from the manager before.

#include <utility>

#include "hw/inquiry.h"
#include "sm/found_tables.h"
#include "sm/manager.h"
#include "sm/parts_in_place.h"

namespace rch::sm {
namespace {

/// An update waits no longer for followers to have its target. The cable that is to be routed around may be
/// theirs.
constexpr hw::Milliseconds kAnnounceFor{1000};

}  // namespace

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
  if (installed_) chains::keep_found_roots(*found_, *installed_);
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

/// Ports get their M_Keys anyway: a manager that begins again finds most of them by its plan.
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

InstallOptions Manager::install_options() {
  InstallOptions options = settings_.install;
  options.begins = [this](const UpdateBegins& update) {
    status_.update = update;
    if (update.pairs_without_path > status_.pairs_without_path)
      note_lost_pairs(update.pairs_without_path, update.waits.count() > 0 ? sweep_began_ : exchange_.now());
  };
  options.written = written_ ? &*written_ : nullptr;
  options.asks_all_clients = asks_all_clients();
  options.followed_sm = options.asks_all_clients ? kUnassignedLid : followed_;
  options.known_clients = installed_ ? installed_->fabric.get() : nullptr;
  options.previous = installed_ ? &*installed_ : nullptr;
  options.previous_holds = status_.proven || !status_.accepted.empty();
  options.broken_off = broken_off_;
  return options;
}

bool Manager::can_heal() const { return settings_.heals && installed_ && !after_standby_; }

bool Manager::may_heal(const hw::LiveFabric& live) const {
  const std::string fingerprint = live.fabric.fingerprint();
  return status_.generation > 0 && can_heal() && planned_for_ != fingerprint && healed_for_ != fingerprint &&
         (heals_since_ || is_traffic_cut(live, *installed_->fabric));
}

/// Before anything else is changed, traffic that a loss interrupted comes back: new entries only where the
/// installed ones lead nowhere (chains/repair.h). What a first repair leaves is restored by a further one, in
/// the next pass. False: there was nothing that may be repaired. `regroups`:
/// the chain has no plan.
hw::Task<Result<bool>> Manager::heal(const hw::LiveFabric& live, bool regroups) {
  const auto repair = [this, &live, regroups, plan = planner_, joined = sa_.groups().joined()] {
    return plan(live.fabric, {.installed = &*installed_,
                              .joined = joined,
                              .lids = lids_,
                              .first = false,
                              .repairs = true,
                              .regroups = regroups});
  };
  const auto since = std::exchange(heals_since_, std::nullopt);
  auto repaired = co_await exchange_.work(repair);
  if (!repaired) co_return false;
  const bool healed_before = status_.heals;
  const bool cut = since || is_traffic_cut(live, *installed_->fabric);
  const bool is_followed = !regroups && repaired->left_pairs > 0;
  const bool restores = cut && repaired->lost_pairs > repaired->left_pairs;
  if (cut) note_lost_pairs(repaired->lost_pairs, sweep_began_);
  status_.heals = healed_before || restores;
  const Planner planner = [&](const fabric::Fabric&) { return Result<chains::Plan>(*repaired); };
  InstallOptions options = install_options();
  sa_.followers().announce(*repaired);  // and does not wait: traffic does
  options.brief = options.keeps_links = true;
  auto installation = install(exchange_, live, planner, options, &mastership_, observers_.chains);
  auto done = co_await installation;
  status_.update.reset();
  if (!done) status_.heals = healed_before;
  if (!done && done.error().cause.empty() && !ended()) co_return false;  // nothing was written
  if (!done) {
    written_.reset();
    broken_off_ = exchange_.now();
    co_return tl::unexpected(done.error());
  }
  if (!regroups && restores && !is_followed) note_healed(*done, since.value_or(sweep_began_));
  note_lost_pairs(done->plan.left_pairs, exchange_.now());
  const bool changed =
      done->report.writes() > 0 || installed_->fabric->fingerprint() != live.fabric.fingerprint();
  repaired_ = status_.heals || done->report.lft_blocks + done->report.multicast_blocks > 0;
  // From the first plan on hosts are answered, and what is lost is repaired.
  if (regroups && !changed && status_.generation > 0) {
    healed_for_ = live.fabric.fingerprint();
    co_return false;
  }
  auto noting = note_installed(live, std::move(*done), true, false);
  auto noted = co_await noting;
  if (!noted) co_return tl::unexpected(noted.error());
  planned_for_.clear();  // not by the chain
  healed_for_ = is_followed ? std::string() : live.fabric.fingerprint();
  if (is_followed) heals_since_ = since.value_or(sweep_began_);
  co_return true;
}

/// From `since` on so many pairs of hosts have no path.
void Manager::note_lost_pairs(std::uint64_t pairs, hw::TimePoint since) {
  const auto seconds = [](auto span) { return std::chrono::duration<double>(span).count(); };
  counters_.pair_seconds += static_cast<double>(status_.pairs_without_path) * seconds(since - lost_since_);
  status_.pairs_without_path = pairs;
  lost_since_ = since;
}

ManagerCounters Manager::counters() const {
  ManagerCounters counters = counters_;
  const std::chrono::duration<double> took = exchange_.now() - lost_since_;
  counters.pair_seconds += static_cast<double>(status_.pairs_without_path) * took.count();
  return counters;
}

void Manager::note_healed(const Installed& done, hw::TimePoint since) {
  const std::chrono::duration<double> took = exchange_.now() - since;
  ++counters_.heals;
  counters_.last_heal = std::chrono::duration_cast<hw::Milliseconds>(took);
  observers_.manager(Healed{done, counters_.last_heal});
}

hw::Task<Result<void>> Manager::install_on(const hw::LiveFabric& live) {
  InstallOptions options = install_options();
  const std::optional<hw::WrittenTables> written = std::exchange(written_, std::nullopt);
  options.written = written ? &*written : nullptr;
  options.announce = [this](const chains::Plan& target) { return announce(target); };
  options.begins = [this, begins = options.begins](const UpdateBegins& update) {
    begins(update);
    status_.degraded.reset();  // the plan that had to be accepted is being written
  };
  const Consent consent = consent_;
  options.accept_static |= consent.static_change;
  options.accept_reset |= consent.link_reset;
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
  status_.update.reset();
  if (consent.any() && (done || done.error().cause.empty())) consent_ = {};
  // A plan that may not be installed leaves all as it was. Only links that are reset may have been written
  // before.
  const bool stays = !done && done.error().cause.empty() && !options.accept_reset;
  if (stays) written_ = written;
  if (!done && !stays) broken_off_ = exchange_.now();
  if (!done) co_return tl::unexpected(done.error());
  status_.configuration = configuration;
  const bool is_balanced = balances && planned_for_ == fingerprint;
  if (!again || balance_at_ != hw::TimePoint::max())
    balance_at_ = !is_balanced && settings_.balance_after ? exchange_.now() + *settings_.balance_after
                                                          : hw::TimePoint::max();
  planned_for_ = fingerprint;
  heals_since_.reset();
  status_.heals = false;
  note_lost_pairs(0, exchange_.now());
  healed_for_.clear();
  groups_ = groups;
  auto noting = note_installed(live, std::move(*done), !again, true);
  co_return co_await noting;
}

/// The switches hold a plan, and hosts are answered by it. `by_chain`: it is no repair, after which the
/// configuration may still have no plan.
hw::Task<Result<void>> Manager::note_installed(const hw::LiveFabric& live, Installed done, bool is_new,
                                               bool by_chain) {
  if (is_new) ++status_.generation;
  health_.on_installed();
  broken_off_.reset();
  status_.proven = done.accepted.empty();
  status_.accepted = done.accepted;
  looks_.note_installed(live);
  status_.retries = 0;
  const bool was_degraded = by_chain && std::exchange(status_.degraded, std::nullopt).has_value();
  if (is_new || was_degraded || done.report.writes() > 0) observers_.manager(SubnetUp{done, status_});
  written_ = std::move(done.written);
  installed_ = std::move(done.plan);
  if (live.list_ignored)
    installed_->cables = std::make_shared<const fabric::CablePolicy>(*live.sweep->cable_policy());
  if (lids_.take_over(*installed_->fabric)) lids_unsaved_ = true;
  sa_.followers().offer(lids_);
  const auto snapshot = [&] { return sa::snapshot_of(live, *installed_); };
  publish(co_await exchange_.work(snapshot));
  found_.reset();
  adopts_found_ = keeps_found_ = false;
  after_standby_ = asks_clients_ = false;
  followed_ = kUnassignedLid;
  standby_.forget();
  if (is_new) plan_unsaved_ = true;
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

}  // namespace rch::sm
