#include "sm/manager.h"

#include <utility>

#include <fmt/format.h>

#include "hw/causes.h"
#include "sm/found_tables.h"

// What a sweep installs: manager_install.cpp. What happens between sweeps: manager_waits.cpp.

namespace rch::sm {
namespace {

using hw::SmState;

/// Traps of a kind that are told of from one sweep to the next: a port that sends without end must not fill
/// the log.
constexpr unsigned kTrapsTold = 10;
/// Dropped requests of hosts that are told of from one light sweep to the next, for the same reason.
constexpr unsigned kDroppedTold = 10;
// Notice (IBA 13.4.8)
constexpr std::uint16_t kLinkState = 128, kLocalChange = 144, kWrongMKey = 256;
/// Ports whose leases are renewed in a light sweep.
constexpr std::size_t kMostViolated = 256;

/// Traffic is no worse off than without a list; it would be if nothing were routed any more.
const std::string kUnfitList =
    std::string(fabric::kListFitsNothing) + "; it is not applied, and the fabric is managed without a list";

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
                 if (const auto* missed = std::get_if<PollsMissed>(&event)) note_missed(*missed);
                 std::visit([this](const auto& told) { observers_.manager(told); }, event);
               }),
      health_(settings_.health, [this](const HealthChanged& event) { observers_.manager(event); }),
      either_side_(sa_, standby_.follower()),
      looks_(exchange_, mastership_, health_, settings_.health, settings_.install.strict, counters_),
      kept_cables_(exchange_.keys().cables().version()) {
  exchange_.name_nodes(std::make_shared<const fabric::NodeNames>(settings_.node_names));
  exchange_.admit(settings_.cables);
  exchange_.serve(hw::MadClass::sa, either_side_);
  sa_.followers().set_configuration(settings_.standby.configuration);
  exchange_.serve(hw::MadClass::performance, perfmgr_);
  perfmgr_.follow(settings_.performance, exchange_.now());
  sa_.on_groups_changed([this] { wake_ = "multicast groups changed"; });
  sa_.on_dropped([this](const sa::Dropped& request) {
    if (++dropped_ <= kDroppedTold) observers_.manager(RequestDropped{request});
  });
  sa_.on_join_refused([this](const sa::JoinRefused& join) { observers_.manager(JoinRefused{join}); });
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

Result<void> Manager::sweep(Consent consent) {
  if (consent.any() && mastership_.state() != SmState::master)
    return fail(ErrorKind::usage, "this subnet manager is not master, so it has no plan to install");
  consent_.static_change |= consent.static_change;
  consent_.link_reset |= consent.link_reset;
  sweep();
  return {};
}

Result<void> Manager::isolate(Part part, std::optional<HealthAction> action) {
  if (mastership_.state() != SmState::master || !live_)
    return fail(ErrorKind::usage, "this subnet manager is not master");
  return ask_for(health_.isolate(*live_, part, action));
}

Result<void> Manager::release(Part part) {
  if (mastership_.state() != SmState::master || !live_)
    return fail(ErrorKind::usage, "this subnet manager is not master");
  return ask_for(health_.release(*live_, part));
}

/// A standby that has to leave the fabric without a master tells so while there is one.
Status Manager::status() const {
  Status status = status_;
  status.state = mastership_.state();
  if (status.state != SmState::master) status.forget_proof();
  status.list_ignored = status.state == SmState::master && live_ && live_->list_ignored;
  if (status.list_ignored && !status.degraded) status.degraded = kUnfitList;
  if (!status.degraded && stands_by() && standby_.refuses_master())
    status.degraded =
        "the master has another configuration: this standby does not take over from it until both have the "
        "same";
  return status;
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
  settings_.whole_after = settings.whole_after;
  mastership_.follow(settings.install.manager);
  perfmgr_.follow(settings.performance, exchange_.now());
  standby_.configure(settings.standby);
  settings_.standby = settings.standby;
  settings_.health = settings.health;
  exchange_.name_nodes(std::make_shared<const fabric::NodeNames>(settings.node_names));
  const auto of = [](const auto& cables) { return cables ? *cables : fabric::CablePolicy({}, {}); };
  if (of(settings.cables) != of(exchange_.cable_policy())) looks_.ask_all();
  exchange_.admit(settings.cables);
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
  hw::SmpData data;
  std::copy_n(datagram.mad.begin() + h::kData, data.size(), data.begin());
  const hw::Notice notice = hw::decode_notice(data);
  const std::uint16_t number = notice.number;
  const Lid from(datagram.lid);
  // Who is about to be master is not told again.
  if (number == kWrongMKey && violated_.size() < kMostViolated) violated_.insert(from);
  if (mastership_.state() != SmState::master) return false;
  ++counters_.traps[hw::is_known(notice) ? number : 0];
  if (++traps_[static_cast<std::size_t>(hw::kind_of(notice))] <= kTrapsTold)
    observers_.manager(TrapReceived{notice, from});
  sa_.on_trap(std::span(datagram.mad).subspan(h::kData), from, exchange_.now());
  if (settings_.sweep_on_trap && (number == kLinkState || number == kLocalChange)) note_change(from);
  if (hw::kind_of(notice) == hw::TrapKind::errors) note_errors(notice, from);
  set(datagram.mad, h::kMethod, static_cast<std::uint8_t>(hw::Method::trap_repress));
  return true;
}

/// Only a port itself, or its switch, tells of it.
void Manager::note_errors(const hw::Notice& notice, Lid from) {
  if (!live_ || notice.issuer != from) return;
  health_.on_error_trap(*live_, from, hw::port_of(notice), exchange_.now());
  if (health_.has_change()) wake_ = "a port is unhealthy";
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
  trapped_ = true;
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
    const std::uint64_t configuration = configuration_;
    const auto passed = co_await pass();
    // Behind what cannot be seen another one may be master, and have given LIDs to other ports.
    const auto is_blind = [](const Error& error) {
      return error.cause == hw::causes::kNotWhole.name || error.cause == hw::causes::kOwnPortFault.name;
    };
    if (passed || !is_blind(passed.error())) perfmgr_.resume(exchange_.now());
    if (ended()) break;
    std::string why = passed ? "handed over to a higher rank" : passed.error().message;
    if (!passed) note_failure(passed.error());
    status_.tried = configuration;  // not before: `degraded` may still be that of the configuration before
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
  if (mastership_.missed_polls() == 0) standby_.begin();  // else we wait for the same master still
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
  sweep_began_ = exchange_.now();
  retry_ = at_once_ = trapped_ = false;
  traps_ = {};
  const bool other_was_master = mastership_.other_was_master();
  auto looking = look();
  auto live = co_await looking;
  if (!live) co_return tl::unexpected(live.error());
  if (status_.state != SmState::master || other_was_master) broken_off_ = exchange_.now();
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
  if (may_heal(*live_)) {
    auto healing = heal(*live_, false);
    const auto healed = co_await healing;
    if (!healed && !ended()) looks_.note_failed(*live_);
    if (!healed) co_return tl::unexpected(healed.error());
    if (*healed) {  // what was seen of the switches is outdated now
      wake_ = heals_since_ ? "a further repair restores the paths that are still lost"
                           : "lost paths are back, and the chain has to plan";
      at_once_ = true;
      co_return {};
    }
  }
  auto installation = install_on(*live_);
  auto installed = co_await installation;
  if (!installed && !ended()) looks_.note_failed(*live_);
  // Tables of another manager stay as they are, unless it is one whose plan is known.
  if (had_another && followed_ == kUnassignedLid) co_return installed;
  // The chain has no plan: links that came up and groups that changed are seen to by the paths there are.
  if (!installed && installed.error().cause.empty() && !ended() && can_heal()) {
    auto healing = heal(*live_, true);
    if (const auto healed = co_await healing; !healed) co_return tl::unexpected(healed.error());
  }
  co_return installed;
}

hw::Task<Result<hw::LiveFabric>> Manager::look() {
  if (mastership_.other_was_master()) {
    written_.reset();
    status_.forget_proof();
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
  std::vector<fabric::Change> changes;
  if (live_) changes = fabric::changes(live_->fabric, live.fabric);
  live_.emplace(std::move(live));
  if (!changes.empty()) observers_.manager(FabricChanged{changes});
  note_other_managers();
  status_.switches = live_->fabric.switch_count();
  status_.end_ports = live_->fabric.end_ports().size();
  status_.quarantined = live_->quarantine.size();
  tell(observers_.chains, chains::FabricSeen{live_->quarantine, live_->own_cable, live_->absent});
  const bool told = std::exchange(told_unfit_list_, live_->list_ignored);
  if (!live_->list_ignored || told) return;
  const Error unfit{ErrorKind::forbidden, kUnfitList};
  observers_.manager(Degraded{unfit});
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

void Manager::note_missed(const PollsMissed& missed) {
  status_.degraded.reset();
  if (missed.polls == 0) return;
  const unsigned all = mastership_.options().missed_polls;
  const std::string_view what_then = standby_.refuses_master()
                                         ? "does not take over, as their configurations differ"
                                     : missed.polls < all ? "takes over when all are"
                                                          : "takes over now";
  status_.degraded =
      fmt::format("{}: {} of {} polls missed; this manager {}",
                  missed.master == kUnassignedLid
                      ? "no master answers"
                      : fmt::format("the master at LID {} does not answer as master", missed.master),
                  missed.polls, all, what_then);
}

std::optional<Takeover> Manager::takeover() const {
  if (mastership_.state() != SmState::standby) return std::nullopt;
  const hw::ManagerOptions& options = mastership_.options();
  return Takeover{options.missed_polls, mastership_.missed_polls(), options.poll_every};
}

void Manager::note_state(const std::string& why) {
  if (status_.state == mastership_.state()) return;
  status_.state = mastership_.state();
  status_.degraded.reset();
  if (status_.state != SmState::master) {
    status_.forget_proof();
    status_.heals = false;
    consent_ = {};
    note_lost_pairs(0, exchange_.now());  // the new master knows
    sa_.publish(nullptr, exchange_.now());
    perfmgr_.stop();
  }
  observers_.manager(StateChanged{status_.state, why});
}

/// The fabric stays as it is. A lost request may be answered next time; what cannot be routed or proven waits
/// for a change. A repair that is installed stays proven.
void Manager::note_failure(const Error& error) {
  const bool is_of_plan = error.cause.empty();
  if (!is_of_plan) written_.reset();
  ++counters_.failures;
  if (error.cause == hw::causes::kMastershipLost.name) return;
  if (!is_of_plan || !holds_repair()) status_.forget_proof();
  retry_ = !is_of_plan;
  status_.retries = retry_ ? status_.retries + 1 : 0;
  // It is not true of a repair that was installed.
  Error told = error;
  if (is_of_plan && repaired_ && holds_repair() && told.message.ends_with(chains::kTablesStay)) {
    told.message.resize(told.message.size() - chains::kTablesStay.size());
    told.message += "; a repair of the installed tables is in effect";
  }
  if (status_.generation == 0 && status_.state == SmState::master)
    told.message += "; hosts get no answers of subnet administration until a plan is installed";
  if (status_.degraded == told.message) return;
  status_.degraded = told.message;
  observers_.manager(Degraded{told});
}

}  // namespace rch::sm
