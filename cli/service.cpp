#include "cli/service.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "chains/dumps.h"
#include "chains/multicast.h"
#include "chains/plan_file.h"
#include "cli/accepts.h"
#include "cli/certify.h"
#include "cli/cut_off.h"
#include "cli/names.h"
#include "cli/partition_change.h"
#include "policy/bind/bind_cables.h"
#include "policy/bind/given_names.h"

namespace rch::cli {

Service::Service(hw::Exchange& exchange, const ServiceOptions& options, const Loaded& loaded, RunLog log,
                 Storage storage, ActivityReport& activity)
    : exchange_(exchange),
      loaded_(loaded),
      log_(std::move(log)),
      options_(options),
      activity_(activity),
      manager_(exchange, replanner(), settings(std::move(storage)),
               {.manager = [this](const sm::ManagerEvent& event) { on(event); },
                .chains = [this](const chains::Event& event) { on(event); }}) {
  activity_.select(loaded.policy->options);
}

namespace {

/// The longest window of the steps that ask for off-sweep balancing.
std::optional<std::chrono::seconds> balance_after(const policy::Policy& policy) {
  std::optional<std::chrono::seconds> longest;
  for (const policy::Step& step : policy.steps)
    if (step.routing.offsweep_balancing_enabled)
      longest = std::max(longest.value_or(std::chrono::seconds{0}),
                         std::chrono::seconds{step.routing.offsweep_balancing_window});
  return longest;
}

perfmgr::Settings performance_settings(const policy::Options& options) {
  const policy::PerformanceOptions& asked = options.performance;
  perfmgr::Settings settings{.enabled = asked.perfmgr,
                             .follows_redirection = asked.perfmgr_redir,
                             .sweep_time = std::chrono::seconds(asked.perfmgr_sweep_time_s),
                             .outstanding = asked.perfmgr_max_outstanding_queries,
                             .with_cas = !asked.perfmgr_ignore_cas,
                             .keeps_gone = !asked.perfmgr_rm_nodes,
                             .asks_class_port_info = asked.perfmgr_query_cpi,
                             .tells_errors = asked.perfmgr_log_errors,
                             .timeout = hw::Milliseconds(options.transport.transaction_timeout),
                             .retries = options.transport.transaction_retries};
  if (asked.perfmgr_xmit_wait_log) settings.xmit_wait_threshold = asked.perfmgr_xmit_wait_threshold;
  return settings;
}

}  // namespace

sm::ManagerSettings Service::settings(Storage storage) const {
  const policy::ManagerOptions& manager = loaded_.policy->options.manager;
  sm::ManagerSettings settings{.install = accepted(options_.accept),
                               .heals = true,
                               .sweep_every = std::chrono::seconds{manager.sweep_interval},
                               .sweep_on_trap = manager.sweep_on_trap,
                               .always_whole = manager.force_heavy_sweep,
                               .whole_after = manager.force_heavy_sweep_window,
                               .keep = std::move(storage.plan),
                               .keep_lids = std::move(storage.lids),
                               .keep_cables = std::move(storage.cables)};
  settings.performance = performance_settings(loaded_.policy->options);
  settings.install.strict = options_.strict;
  settings.node_names = policy::given_names(*loaded_.policy);
  settings.cables = policy::cable_policy(*loaded_.policy);
  settings.install.accept_path_sls = true;  // subnet administration hands them out
  settings.adopt = options_.adopt;
  settings.standby = standby_options(loaded_);
  settings.balance_after = balance_after(*loaded_.policy);
  settings.health = {loaded_.policy->options.health, loaded_.settings.quarantine};
  settings.judge = [loaded = loaded_](const fabric::Fabric& live, chains::FoundTables found) {
    return chains::judge_found(*loaded.policy, live, std::move(found), loaded.settings.accept);
  };
  settings.install.manager = {.sm_key = manager.sm_key,
                              .sm_priority = manager.sm_priority,
                              .master_sm_priority = manager.master_sm_priority,
                              .inactive = manager.sm_inactive,
                              .poll_every = hw::Milliseconds{manager.sminfo_polling_timeout},
                              .missed_polls = manager.polling_retry_number,
                              .allowed_sms = manager.allowed_sms};
  return settings;
}

sm::StandbyOptions Service::standby_options(const Loaded& loaded) {
  std::vector<std::string> accepted = loaded.settings.accept;
  const bool accepts_other = std::erase(accepted, kOtherConfiguration) > 0;
  return {.configuration = configuration_hash(loaded.running, std::move(accepted)),
          .sa_key = loaded.policy->options.manager.sa_key,
          .accepts_other = accepts_other};
}

namespace {

/// Where OpenSM's dumps of each step go (`log_flags` 0x40); empty: nowhere.
std::string step_dumps(const policy::Options& options) {
  constexpr unsigned kRouting = 0x40;
  return (options.manager.log_flags & kRouting) != 0 ? dump_folder(options).string() : std::string();
}

}  // namespace

/// Plans by the configuration as it is now.
sm::Replanner Service::replanner() {
  return [this, loaded = loaded_](const fabric::Fabric& live, const sm::Known& known) {
    context_->sources = loaded.texts;
    context_->settings = loaded.settings;
    const chains::PlanRequest request{.installed = known.installed,
                                      .found = known.found,
                                      .joined = &known.joined,
                                      .settings = loaded.settings,
                                      .lids = &known.lids,
                                      .lids_of_fabric_first = known.after_standby,
                                      .may_reassign = known.first,
                                      .may_balance = known.balances,
                                      .may_change_sls = accepted(loaded.settings.accept).accept_static,
                                      .for_dumps = !step_dumps(loaded.policy->options).empty(),
                                      .repairs = known.repairs,
                                      .regroups = known.regroups,
                                      .makes_groups = false};
    auto plan = chains::plan(loaded.policy, live, request, context_->diagnostics,
                             [this](const chains::Event& event) { on(event); });
    if (plan && options_.certify)
      if (const auto made = certify(tables_of(*plan)); !made)
        return Result<chains::Plan>(tl::unexpected(made.error()));
    return plan;
  };
}

constexpr std::string_view kHasGroups = "it has groups of ports for adaptive routing";

void Service::start_from(const std::string& path, const Result<std::string>& content) {
  std::string why = content ? "" : content.error().message;
  if (content) {
    auto plan = chains::decode_plan(*content);
    if (plan && plan->tables->adaptive.empty()) return start_from_plan(std::move(*plan));
    why = fmt::format("`{}`: {}", path, plan ? kHasGroups : std::string_view(plan.error().message));
  }
  log_.line("RCH220", why + "; routes are computed afresh");
}

void Service::start_from_plan(chains::Plan plan) {
  const auto cables = policy::cable_policy(*loaded_.policy);
  if (const auto cut = cables ? cut_off(*plan.fabric, *cables) : std::nullopt; cut && !cut->is_unfit) {
    cut_off_ = cut->what;
    log_.line("RCH112", "left out by the lists of cables and switches: " + cut_off_);
  }
  manager_.start_from(std::move(plan));
}

void Service::log_start(const std::string& version, const std::string& control) const {
  log_.line("RCH100", fmt::format("rch {} started, requests on {}", version, control));
}

Exit Service::log_end(const Result<void>& ended) const {
  if (manager_.status().state == hw::SmState::master) activity_.note_end();
  log_.line("RCH102", fmt::format("stopped{}, {} requests sent", ended ? "" : ": " + ended.error().message,
                                  exchange_.counters().sent));
  return ended ? Exit::good : exit_of(ended.error().kind);
}

void Service::start_from_lids(const std::string& path, const Result<std::string>& content) {
  if (loaded_.policy->options.lids.reassign_lids) return;
  if (!content) return log_.line("RCH221", content.error().message);
  Context context(Format::text, log_.reports());
  const SourceId source = context.sources->add(path, *content);
  manager_.start_from(fabric::read_guid2lid(*context.sources, source, context.diagnostics));
  context.report();
}

void Service::start_from_registrations(const std::string& path, const Result<std::string>& content) {
  constexpr std::string_view kAfter = "; all hosts are asked to register again";
  if (!content) return log_.line("RCH223", fmt::format("{}{}", content.error().message, kAfter));
  const sa::JournalContent journal = sa::read_journal(*content);
  manager_.start_from(journal);
  if (!journal.damage.empty())
    log_.line("RCH223", fmt::format("`{}`: {}: {} records before it are used{}", path, journal.damage,
                                    journal.records.size(), kAfter));
}

void Service::note_kept(const Result<void>& kept, std::size_t bytes) {
  ++(kept ? journal_writes_ : journal_failures_);
  if (kept) journal_bytes_ += bytes;
  if (!kept && !not_kept_)
    log_.line("RCH223", kept.error().message + "; a restart will not know what hosts registered");
  if (kept && not_kept_) log_.line("RCH223", "what hosts registered is kept again");
  not_kept_ = !kept;
}

namespace {

/// `enable_subnet_lst`
Result<void> write_links(const chains::Plan& plan, const policy::Options& options) {
  if (!options.logs.enable_subnet_lst) return {};
  const std::filesystem::path file =
      options.logs.subnet_lst_file.value_or(dump_folder(options) / "opensm-subnet.lst");
  return chains::dump_links(file, *plan.fabric, plan.tables->lfts);
}

}  // namespace

void Service::on(const sm::ManagerEvent& event) {
  // Joins are many: they go into the activity report alone.
  if (const auto* group = std::get_if<sm::GroupChanged>(&event)) {
    activity_.note(group->event);
    return;
  }
  if (const auto* sweep = std::get_if<sm::SweepBegan>(&event)) {
    sweep_reason_ = sweep->reason;
    report_.reset();
    context_ = std::make_unique<Context>(Format::text, log_.reports());
    report_ =
        std::make_unique<Report>(*context_, ReportOptions{.dump_dir = step_dumps(loaded_.policy->options),
                                                          .previous = "the plan before",
                                                          .tenants = tells_tenants_});
  }
  const auto& plan = manager_.installed();
  log_.event(event, plan ? plan->fabric.get() : nullptr);
  const auto* up = std::get_if<sm::SubnetUp>(&event);
  if (up == nullptr) return;
  tells_tenants_ = false;  // they are those of the configuration, whatever fails
  reloads_.note_installed(up->status.configuration);
  const auto left_out = manager_.left_out();
  installed_without_.assign(left_out.begin(), left_out.end());
  writes_ += up->installed.report.writes();
  installation_ = {.time = log_.time_in({}),
                   .reason = sweep_reason_,
                   .is_repair = up->status.heals,
                   .writes = up->installed.report.writes(),
                   .accepted = up->installed.accepted};
  activity_.note(up->installed);
  if (!report_->dumped()) log_.line("RCH224", report_->dumped().error().message);
  if (const auto written = write_links(up->installed.plan, loaded_.policy->options); !written)
    log_.line("RCH224", written.error().message);
}

void Service::on(const chains::Event& event) {
  if (const auto* seen = std::get_if<chains::FabricSeen>(&event)) return note_left_out(*seen);
  const auto took = [this](std::string_view phase, double milliseconds) {
    const std::lock_guard lock(phases_mutex_);
    phases_[phase].add(milliseconds);
  };
  if (const auto* phase = std::get_if<chains::PhaseFinished>(&event))
    took(name(phase->phase), phase->milliseconds);
  if (const auto* step = std::get_if<chains::StepOutcome>(&event)) {
    took("route", step->milliseconds);
    activity_.note(step->report);
  }
  if (const auto* routed = std::get_if<chains::GroupsRouted>(&event)) activity_.note(routed->groups);
  report_->observer()(event);
}

/// What is left out is told once, and so is that it is back.
void Service::note_left_out(const chains::FabricSeen& seen) {
  const std::vector<fabric::Quarantined>& parts = seen.quarantine;
  const std::string own_cable = seen.own_cable ? kept_own_cable(*seen.own_cable) : "";
  if (own_cable != own_cable_ && !own_cable.empty())
    log_.line("RCH112", own_cable,
              {{"guid", fmt::format("{}", seen.own_cable->node)},
               {"port", seen.own_cable->port.value},
               {"cause", seen.own_cable->reason}});
  own_cable_ = own_cable;
  const std::string absent = absent_held_back(seen.absent);
  if (absent != absent_ && !absent.empty()) log_.line("RCH112", absent);
  absent_ = absent;
  const auto tell = [this](const auto& these, const auto& others, const char* text) {
    for (const fabric::Quarantined& part : these) {
      // The place names the route, which changes with the cables.
      const auto is_part = [&](const fabric::Quarantined& other) {
        return other.node == part.node && other.port == part.port;
      };
      if (std::ranges::any_of(others, is_part)) continue;
      log_.line("RCH112", fmt::format("{}: {}: {}", text, part.place, part.reason),
                {{"guid", fmt::format("{}", part.node)}, {"port", part.port.value}, {"cause", part.reason}});
    }
  };
  tell(parts, left_out_, "left out");
  tell(left_out_, parts, "no more left out");
  left_out_ = parts;
}

namespace {

/// The options that take effect at the next start; empty: none.
std::string for_next_start(const Json& changed) {
  std::string names;
  for (const Json& option : *changed.find("options")->elements())
    if (*option.find("result")->string() == "needs_restart")
      names += (names.empty() ? "" : ", ") + *option.find("option")->string();
  return names;
}

}  // namespace

/// It is what runs from now on. Returns the number of the reload.
std::uint64_t Service::take(Loaded loaded, Json told) {
  const auto cut = new_cut_off(loaded, loaded_, manager_.known_plan());
  if (!same_lists(loaded, loaded_)) cut_off_ = cut ? cut->what : "";
  const Json changed = changes(loaded_.running, loaded.running);
  for (const auto& [member, value] : *changed.members()) told[member] = value;
  loaded_ = std::move(loaded);
  tells_tenants_ = true;
  activity_.select(loaded_.policy->options);
  log_.line("RCH211", "the configuration was read again");
  if (const std::string names = for_next_start(changed); !names.empty())
    log_.line("RCH211", "options that take effect at the next start: " + names);
  const std::uint64_t job = reloads_.add(std::move(told), false);
  manager_.replan(replanner(), settings({}), job);
  if (loaded_.policy->options.manager.sweep_every_hup_signal) manager_.sweep();
  return job;
}

void Service::judge_lists(Reading& reading, bool accepts_cut_off) const {
  cli::judge_lists(reading, loaded_, manager_.known_plan(), manager_.seen(), accepts_cut_off);
}

Json Service::reload(Reading reading, std::optional<std::chrono::seconds> within, const std::string& until) {
  Json told{{"findings", std::move(reading.findings)}};
  if (!reading.loaded) {
    log_.line("RCH210", fmt::format("the configuration is refused{}{}; the one before it stays",
                                    reading.refused.empty() ? "" : ": ", reading.refused));
    return reload_status(reloads_.add(std::move(told), true));
  }
  const Loaded before = loaded_;
  const std::uint64_t job = take(std::move(*reading.loaded), std::move(told));
  if (within) {
    confirmation_.wait(job, before, exchange_.now() + *within, until);
    log_.line("RCH212",
              fmt::format("reload {} takes effect until {}, and for good with `rch confirm`", job, until),
              {{"job", job}, {"until", until}});
  } else {
    confirmation_.confirm();
  }
  return reload_status(job);
}

Json Service::reload_status(std::uint64_t job) const {
  Json answer = reloads_.answer(job, manager_.status());
  if (confirmation_.state() == Confirmation::State::waiting && confirmation_.job() == job)
    answer["confirm_until"] = *confirmation_.status().find("until");
  return answer;
}

Json Service::confirm() {
  const std::uint64_t job = confirmation_.job();
  confirmation_.confirm();
  log_.line("RCH213", fmt::format("reload {} is confirmed", job), {{"job", job}});
  return reload_status(job);
}

void Service::come_back() {
  const std::uint64_t job = confirmation_.job();
  log_.line("RCH214",
            fmt::format("reload {} was not confirmed in time: the configuration before it comes back", job),
            {{"job", job}});
  reloads_.roll_back(job);
  take(confirmation_.come_back(), {{"rolls_back", job}, {"findings", Json::array()}});
}

void Service::start_from_confirmed(const std::string& path) {
  confirmation_.start_with_confirmed();
  log_.line("RCH215",
            fmt::format("started with the configuration that was confirmed last, as kept in `{}`: what "
                        "came after it was not confirmed (`rch reload` reads the files)",
                        path),
            {{"file", path}});
}

bool Service::is_installed() const {
  const sm::Status status = manager_.status();
  return status.state == hw::SmState::master && (status.proven || !status.accepted.empty());
}

bool Service::holds_all() const {
  const sm::Status status = manager_.status();
  return is_installed() && !status.degraded && status.quarantined == 0;
}

namespace {

Json describe(const sa::Server& server) {
  const sa::ServerCounters& counters = server.counters();
  Json by_status = Json::object();
  for (const auto& [status, times] : counters.refused_by) by_status[std::string(sa::name_of(status))] = times;
  return {{"requests", counters.requests},
          {"answered", counters.answered},
          {"refused", counters.refused},
          {"refused_by_status", by_status},
          {"malformed", counters.malformed},
          {"wrong_key", counters.wrong_key},
          {"unknown_source", counters.unknown},
          {"repeated", counters.repeated},
          {"distrusted", counters.distrusted},
          {"spoofed", counters.spoofed},
          {"throttled", counters.throttled},
          {"transfers_failed", server.transfers().failed_out + server.transfers().failed_in},
          {"transfers_refused", server.transfers().refused},
          {"reports", server.reports().reported},
          {"reports_unanswered", server.reports().unanswered},
          {"reports_dropped", server.reports().dropped},
          {"multicast_groups", server.groups().all().size()},
          {"services", server.services()},
          {"subscriptions", server.subscriptions()}};
}

}  // namespace

bool Service::leaves_to_master() const {
  const hw::SmState state = manager_.status().state;
  return state == hw::SmState::standby || state == hw::SmState::not_active;
}

Json Service::sweep(const SweepRequest& request) {
  if (leaves_to_master()) return refusal_by_state(manager_.status().state);
  if (const auto swept = manager_.sweep(request.accept); !swept) return {{"error", swept.error().message}};
  return {{"accepted", true}};
}

namespace {

Json part_json(const fabric::Quarantined& part) {
  return {{"guid", fmt::format("{}", part.node)},
          {"port", part.port.value},
          {"place", part.place},
          {"reason", part.reason}};
}

}  // namespace

Json Service::parts() const {
  Json left_out = Json::array(), unhealthy = Json::array();
  for (const fabric::Quarantined& part : manager_.left_out()) left_out.push_back(part_json(part));
  for (const auto& [part, what] : manager_.health().unhealthy()) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(what.until - exchange_.now()).count();
    const bool ends = what.until != hw::TimePoint::max();
    unhealthy.push_back({{"guid", fmt::format("{}", part.node)},
                         {"port", part.port.value},
                         {"node", what.node},
                         {"condition", sm::name_of(what.condition)},
                         {"action", sm::name_of(what.action)},
                         {"reason", what.reason},
                         {"spared", what.spared},
                         {"seconds_left", ends ? Json(std::max<std::int64_t>(left, 0)) : Json()}});
  }
  Json kept = Json::array();
  const hw::LiveFabric* seen = manager_.seen();
  if (seen != nullptr && seen->own_cable) kept.push_back(part_json(*seen->own_cable));
  return {{"left_out", std::move(left_out)},
          {"kept", std::move(kept)},
          {"held_back_absent", seen == nullptr ? "" : absent_held_back(seen->absent)},
          {"unhealthy", std::move(unhealthy)}};
}

std::size_t Service::left_behind_by(const Loaded& loaded) const {
  return manager_.followers_without(standby_options(loaded).configuration);
}

std::string Service::absence() const {
  const std::size_t parts = manager_.left_out().size();
  if (parts == 0) return "";
  return fmt::format("{} {} left out (`rch quarantine list`)", counted(parts, "part"),
                     parts == 1 ? "is" : "are");
}

Result<Guid> Service::guid_named(const std::string& name) const {
  const auto guid = parse_integer(name);
  if (guid && name.starts_with("0x")) return Guid(*guid);
  // The plan does not hold parts that are left out.
  std::set<Guid> unhealthy;
  for (const auto& [part, what] : manager_.health().unhealthy())
    if (what.node == name || std::string_view(what.node).substr(0, what.node.find(' ')) == name)
      unhealthy.insert(part.node);
  if (unhealthy.size() == 1) return *unhealthy.begin();
  if (known_plan() == nullptr) return fail(ErrorKind::usage, "no fabric is known yet: give a GUID");
  const fabric::Fabric& fabric = *known_plan()->fabric;
  const auto named = find_end_port(fabric, name, absence());
  if (!named) return tl::unexpected(named.error());
  return fabric.node(fabric.port(named->port).node).guid;
}

Json Service::quarantine(const QuarantineRequest& request) {
  using PartAction = QuarantineRequest::Action;
  const hw::SmState state = manager_.status().state;
  const bool lists = request.action == PartAction::list;
  if (lists ? leaves_to_master() : state != hw::SmState::master) return refusal_by_state(state);
  if (lists) return parts();
  const auto node = guid_named(request.node);
  if (!node) return {{"error", node.error().message}};
  const sm::Part part{*node, PortNum(static_cast<std::uint8_t>(request.port.value_or(0)))};
  const auto change = [&]() -> Result<void> {
    switch (request.action) {
      case PartAction::report:
        return manager_.isolate(part, sm::HealthAction::report);
      case PartAction::isolate:
        return manager_.isolate(part, sm::HealthAction::isolate);
      case PartAction::no_discover:
        return manager_.isolate(part, sm::HealthAction::no_discover);
      case PartAction::release:
        return manager_.release(part);
      default:
        return manager_.isolate(part, {});
    }
  };
  if (const auto changed = change(); !changed) return {{"error", changed.error().message}};
  return parts();
}

Json Service::partitions() const {
  if (leaves_to_master()) return refusal_by_state(manager_.status().state);
  if (plan() == nullptr) return {{"error", "no plan is installed"}};
  return partitions_json(*loaded_.policy, *plan());
}

ManagerMetrics Service::metrics() const {
  const sa::Server& server = manager_.subnet_administration();
  ManagerMetrics metrics{.status = manager_.status(),
                         .is_following = manager_.following() && !manager_.status().degraded,
                         .followers = manager_.followers(),
                         .other_followers = manager_.followers_without_ours(),
                         .manager = manager_.counters(),
                         .smps = exchange_.counters(),
                         .sa = server.counters(),
                         .transfers = server.transfers(),
                         .reports = server.reports(),
                         .multicast_groups = server.groups().all().size(),
                         .services = server.services(),
                         .subscriptions = server.subscriptions(),
                         .events = log_.counts(),
                         .writes = writes_,
                         .journal_writes = journal_writes_,
                         .journal_bytes = journal_bytes_,
                         .journal_failures = journal_failures_,
                         .is_confirmed = confirmation_.state() == Confirmation::State::confirmed};
  metrics.performance = manager_.performance_manager().counters();
  if (const auto totals = manager_.performance_manager().totals(); totals && plan() != nullptr)
    metrics.ports = {totals, plan()->fabric, plan()->tables, loaded_.policy};
  for (const auto& [part, what] : manager_.health().unhealthy())
    ++metrics.unhealthy[{sm::name_of(what.condition), sm::name_of(what.action)}];
  const std::lock_guard lock(phases_mutex_);
  metrics.phases = phases_;
  return metrics;
}

namespace {

Json takeover_json(const std::optional<sm::Takeover>& takeover) {
  if (!takeover) return {};
  return {{"polls", takeover->polls},
          {"missed", takeover->missed},
          {"seconds", std::chrono::duration<double>(takeover->polls * takeover->every).count()}};
}

Json update_json(const std::optional<sm::UpdateBegins>& update) {
  if (!update) return {};
  return {{"rounds", update->rounds},
          {"drained_lids", update->drained_lids},
          {"waits_ms", static_cast<std::uint64_t>(update->waits.count())}};
}

}  // namespace

Json Service::status() const {
  const sm::Status status = manager_.status();
  const std::optional<Lid> following = manager_.following();
  const std::string waiting(plan() == nullptr ? std::string_view()
                                              : chains::why_groups_wait(plan()->verdict));
  return {{"state", state_name(status.state)},
          {"proven", status.proven},
          {"accepted", status.accepted},
          {"update", update_json(status.update)},
          {"multicast_unrouted", waiting.empty() ? Json() : Json(waiting)},
          {"generation", status.generation},
          {"degraded", status.degraded ? Json(*status.degraded) : Json()},
          {"heals", status.heals},
          {"pairs_without_path", status.pairs_without_path},
          {"switches", status.switches},
          {"end_ports", status.end_ports},
          {"quarantined", status.quarantined},
          {"excluded_cables", static_cast<std::uint64_t>(std::ranges::count(manager_.left_out(), true,
                                                                            &fabric::Quarantined::excluded))},
          {"cut_off", cut_off_.empty() ? Json() : Json(cut_off_)},
          {"unhealthy", manager_.health().unhealthy().size()},
          {"vl_arbitration", plan() == nullptr                     ? Json()
                             : plan()->tables->arbitration.empty() ? Json("not managed")
                                                                   : Json("managed")},
          {"following", following ? Json(following->value) : Json()},
          {"takeover", takeover_json(manager_.takeover())},
          {"followers", manager_.followers()},
          {"followers_with_other_configuration", manager_.followers_without_ours()},
          {"unconfirmed", confirmation_.status()},
          {"sa", describe(manager_.subnet_administration())}};
}

}  // namespace rch::cli
