#include "cli/service.h"

#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "chains/plan_file.h"
#include "cli/accepts.h"

namespace rch::cli {

std::string to_text(const ServiceOptions& options) {
  Json accept = Json::array();
  for (const std::string& finding : options.accept) accept.push_back(finding);
  return Json{{"opensm_conf", options.conf.opensm_conf},
              {"rch_file", options.conf.rch_file},
              {"control", options.control},
              {"plan_file", options.plan_file},
              {"lid_file", options.lid_file},
              {"accept", std::move(accept)},
              {"strict", options.strict ? "yes" : "no"},
              {"adopt", options.adopt ? "yes" : "no"}}
      .dump();
}

std::optional<ServiceOptions> service_options(std::string_view text) {
  const auto json = Json::parse(text);
  const Json* accept = json ? json->find("accept") : nullptr;
  if (accept == nullptr || accept->elements() == nullptr) return std::nullopt;
  const auto member = [&](std::string_view name) {
    const Json* value = json->find(name);
    return value != nullptr && value->string() != nullptr ? *value->string() : std::string();
  };
  ServiceOptions options{.conf = {.opensm_conf = member("opensm_conf"), .rch_file = member("rch_file")},
                         .control = member("control"),
                         .plan_file = member("plan_file"),
                         .lid_file = member("lid_file"),
                         .strict = member("strict") == "yes",
                         .adopt = member("adopt") == "yes"};
  for (const Json& finding : *accept->elements())
    if (finding.string() != nullptr) options.accept.push_back(*finding.string());
  return options;
}

Stage<Loaded> load(Context& context, const ServiceOptions& options) {
  auto policy = read_policy(context, options.conf);
  if (!policy) return tl::unexpected(policy.error());
  policy::Settings settings = context.settings;
  settings.accept.insert(settings.accept.end(), options.accept.begin(), options.accept.end());
  return Loaded{std::move(*policy), std::move(settings)};
}

Service::Service(hw::Exchange& exchange, const ServiceOptions& options, const Loaded& loaded, RunLog log,
                 Storage storage)
    : exchange_(exchange),
      loaded_(loaded),
      log_(std::move(log)),
      manager_(exchange, replanner(), settings(options, std::move(storage)),
               {.manager = [this](const sm::ManagerEvent& event) { on(event); },
                .chains = [this](const chains::Event& event) { report_->observer()(event); }}) {}

sm::ManagerSettings Service::settings(const ServiceOptions& options, Storage storage) const {
  const policy::ManagerOptions& manager = loaded_.policy->options.manager;
  sm::ManagerSettings settings{.install = accepted(options.accept),
                               .sweep_every = std::chrono::seconds{manager.sweep_interval},
                               .sweep_on_trap = manager.sweep_on_trap,
                               .always_whole = manager.force_heavy_sweep,
                               .keep = std::move(storage.plan),
                               .keep_lids = std::move(storage.lids)};
  settings.install.strict = options.strict;
  settings.install.accept_path_sls = true;  // subnet administration hands them out
  settings.adopt = options.adopt;
  settings.judge = [loaded = loaded_](const fabric::Fabric& live, chains::FoundTables found) {
    return chains::judge_found(*loaded.policy, live, std::move(found), loaded.settings.accept);
  };
  settings.install.manager = {.sm_key = manager.sm_key,
                              .sm_priority = manager.sm_priority,
                              .poll_every = hw::Milliseconds{manager.sminfo_polling_timeout},
                              .missed_polls = manager.polling_retry_number};
  return settings;
}

/// Plans by the configuration as it is now.
sm::Replanner Service::replanner() const {
  return [this, loaded = loaded_](const fabric::Fabric& live, const sm::Known& known) {
    const chains::PlanRequest request{.installed = known.installed,
                                      .groups_of = known.found,
                                      .joined = &known.joined,
                                      .settings = loaded.settings,
                                      .lids = &known.lids,
                                      .lids_of_fabric_first = known.after_standby,
                                      .may_reassign = known.first,
                                      .may_change_sls = accepted(loaded.settings.accept).accept_static};
    return chains::plan(loaded.policy, live, request, context_->diagnostics, report_->observer());
  };
}

void Service::start_from(const std::string& path, const Result<std::string>& content) {
  std::string why = content ? "" : content.error().message;
  if (content) {
    auto plan = chains::decode_plan(*content);
    if (plan) return manager_.start_from(std::move(*plan));
    why = fmt::format("`{}`: {}", path, plan.error().message);
  }
  log_.line("RCH220", why + "; routes are computed afresh");
}

void Service::log_start(const std::string& version, const std::string& control) const {
  log_.line("RCH100", fmt::format("rch {} started, requests on {}", version, control));
}

Exit Service::log_end(const Result<void>& ended) const {
  log_.line("RCH102", fmt::format("stopped{}, {} requests sent", ended ? "" : ": " + ended.error().message,
                                  exchange_.counters().sent));
  return ended ? Exit::good : exit_of(ended.error().kind);
}

void Service::start_from_lids(const std::string& path, const Result<std::string>& content) {
  if (loaded_.policy->options.lids.reassign_lids) return;
  if (!content) return log_.line("RCH221", content.error().message);
  Context context(Format::text);
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

void Service::note_kept(const Result<void>& kept) {
  if (!kept && !not_kept_)
    log_.line("RCH223", kept.error().message + "; a restart will not know what hosts registered");
  if (kept && not_kept_) log_.line("RCH223", "what hosts registered is kept again");
  not_kept_ = !kept;
}

void Service::on(const sm::ManagerEvent& event) {
  if (std::holds_alternative<sm::SweepBegan>(event)) {
    report_.reset();
    context_ = std::make_unique<Context>(Format::text);
    report_ = std::make_unique<Report>(*context_, ReportOptions{.previous = "the plan before"});
  }
  log_.event(event);
}

namespace {

/// Options that are read at the start only.
auto fixed_options(const policy::Options& options) {
  const policy::ManagerOptions& m = options.manager;
  const policy::TransportOptions& t = options.transport;
  return std::tuple(m.sm_key, m.sm_priority, m.sweep_interval, m.force_heavy_sweep, m.sweep_on_trap,
                    m.sminfo_polling_timeout, m.polling_retry_number, m.m_key, t.transaction_timeout,
                    t.transaction_retries, t.max_wire_smps);
}

}  // namespace

void Service::reload(Stage<Loaded> loaded) {
  if (!loaded) return log_.line("RCH210", "the configuration is refused; the one before it stays");
  const bool needs_restart = fixed_options(loaded->policy->options) != fixed_options(loaded_.policy->options);
  loaded_ = std::move(*loaded);
  log_.line("RCH211", "the configuration was read again");
  if (needs_restart)
    log_.line("RCH211",
              "options of mastership, sweeps and requests changed: they take effect at the next start");
  manager_.replan(replanner());
}

bool Service::holds_all() const {
  const sm::Status& status = manager_.status();
  return status.state == hw::SmState::master && status.proven && !status.degraded && status.quarantined == 0;
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

Json Service::status() const {
  const sm::Status& status = manager_.status();
  return {
      {"state", state_name(status.state)}, {"proven", status.proven},
      {"generation", status.generation},   {"degraded", status.degraded ? Json(*status.degraded) : Json()},
      {"switches", status.switches},       {"end_ports", status.end_ports},
      {"quarantined", status.quarantined}, {"sa", describe(manager_.subnet_administration())}};
}

}  // namespace rch::cli
