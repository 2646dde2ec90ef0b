#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <tuple>

#include <fmt/format.h>

#include "chains/plan_file.h"
#include "cli/accepts.h"
#include "cli/commands.h"
#include "cli/live.h"
#include "cli/report.h"
#include "cli/run_log.h"
#include "cli/run_loop.h"
#include "cli/stop_signals.h"
#include "sm/manager.h"

namespace rch::cli {
namespace {

struct RunFlags {
  ConfFlags conf;
  std::string fabric = "live", control = kControlSocket, plan_file;
  std::vector<std::string> accept;
  bool strict = false;
};

/// A configuration as it was read.
struct Loaded {
  std::shared_ptr<const policy::Policy> policy;
  policy::Settings settings;  ///< with the findings that the command line accepts
};

Stage<Loaded> load(const RunFlags& flags) {
  Context context(Format::text);
  auto policy = read_policy(context, flags.conf);
  if (!policy) return tl::unexpected(policy.error());
  policy::Settings settings = context.settings;
  settings.accept.insert(settings.accept.end(), flags.accept.begin(), flags.accept.end());
  return Loaded{std::move(*policy), std::move(settings)};
}

/// One manager on one port, from the configuration to the end of the process.
class Service {
 public:
  Service(const RunFlags& flags, Loaded loaded, Connection connection)
      : flags_(flags),
        loaded_(std::move(loaded)),
        connection_(std::move(connection)),
        manager_(*connection_.driver,
                 [this](const fabric::Fabric& live, const chains::Plan* installed) {
                   return plan(live, installed);
                 },
                 settings(),
                 {.manager = [this](const sm::ManagerEvent& event) { on(event); },
                  .chains = [this](const chains::Event& event) { report_->observer()(event); }}) {}

  Exit run();

 private:
  sm::ManagerSettings settings();
  Result<chains::Plan> plan(const fabric::Fabric& live, const chains::Plan* installed);
  void start_from_file();
  void on(const sm::ManagerEvent& event);
  void reload();
  Json answer(const Json& request);
  Json status() const;

  RunFlags flags_;
  std::mutex mutex_;
  Loaded loaded_;  ///< a plan is made of a copy
  Connection connection_;
  // What one sweep prints.
  std::unique_ptr<Context> context_;
  std::unique_ptr<Report> report_;
  sm::Manager manager_;
};

sm::ManagerSettings Service::settings() {
  const policy::ManagerOptions& options = loaded_.policy->options.manager;
  sm::ManagerSettings settings{.install = accepted(flags_.accept),
                               .sweep_every = std::chrono::seconds{options.sweep_interval},
                               .sweep_on_trap = options.sweep_on_trap};
  settings.install.strict = flags_.strict;
  settings.install.manager = {.sm_key = options.sm_key,
                              .sm_priority = options.sm_priority,
                              .poll_every = hw::Milliseconds{options.sminfo_polling_timeout},
                              .missed_polls = options.polling_retry_number};
  if (!flags_.plan_file.empty())
    settings.keep = [file = flags_.plan_file](const chains::Plan& plan) {
      return chains::write_plan(file, plan);
    };
  return settings;
}

/// Called in the threads of jobs.
Result<chains::Plan> Service::plan(const fabric::Fabric& live, const chains::Plan* installed) {
  std::unique_lock lock(mutex_);
  const Loaded loaded = loaded_;
  lock.unlock();
  return chains::plan(loaded.policy, live, {.installed = installed, .settings = loaded.settings},
                      context_->diagnostics, report_->observer());
}

void Service::start_from_file() {
  if (flags_.plan_file.empty() || !std::filesystem::exists(flags_.plan_file)) return;
  auto plan = chains::read_plan(flags_.plan_file);
  if (plan) return manager_.start_from(std::move(*plan));
  log_line("RCH220", fmt::format("{}; routes are computed afresh", plan.error().message));
}

void Service::on(const sm::ManagerEvent& event) {
  if (std::holds_alternative<sm::SweepBegan>(event)) {
    report_.reset();
    context_ = std::make_unique<Context>(Format::text);
    report_ = std::make_unique<Report>(*context_, ReportOptions{.previous = "the plan before"});
  }
  log_event(event);
}

/// Options that are read at the start only.
auto fixed_options(const policy::Options& options) {
  const policy::ManagerOptions& m = options.manager;
  const policy::TransportOptions& t = options.transport;
  return std::tuple(m.sm_key, m.sm_priority, m.sweep_interval, m.sweep_on_trap, m.sminfo_polling_timeout,
                    m.polling_retry_number, m.m_key, t.transaction_timeout, t.transaction_retries,
                    t.max_wire_smps);
}

/// A configuration with errors changes nothing.
void Service::reload() {
  auto loaded = load(flags_);
  if (!loaded) return log_line("RCH210", "the configuration is refused; the one before it stays");
  const std::unique_lock lock(mutex_);
  const bool needs_restart = fixed_options(loaded->policy->options) != fixed_options(loaded_.policy->options);
  loaded_ = std::move(*loaded);
  log_line("RCH211", "the configuration was read again");
  if (needs_restart)
    log_line("RCH211",
             "options of mastership, sweeps and requests changed: they take effect at the next start");
  manager_.replan();
}

Json Service::status() const {
  const sm::Status& status = manager_.status();
  return {
      {"state", state_name(status.state)}, {"proven", status.proven},
      {"generation", status.generation},   {"degraded", status.degraded ? Json(*status.degraded) : Json()},
      {"switches", status.switches},       {"end_ports", status.end_ports},
      {"quarantined", status.quarantined}};
}

Json Service::answer(const Json& request) {
  const Json* member = request.find("request");
  const std::string what = member != nullptr && member->string() != nullptr ? *member->string() : "";
  if (what == "status") return status();
  if (what == "sweep") {
    manager_.sweep();
    return {{"accepted", true}};
  }
  return {{"error", "unknown request: expected `status` or `sweep`"}};
}

Exit Service::run() {
  Context context(Format::text);
  auto control = ControlSocket::open(flags_.control, [this](const Json& request) { return answer(request); });
  if (!control) return context.stop(control.error());
  connection_.driver->stop_when(stop_on_signals());
  RunLoop loop(connection_, **control, reload_on_hangup(), [this] { reload(); });
  start_from_file();
  log_line("RCH100", fmt::format("rch {} started, requests on {}", RCH_VERSION, flags_.control));
  const auto ended = loop.run(manager_.run());
  log_line("RCH102", ended ? std::string("stopped") : "stopped: " + ended.error().message);
  return ended ? Exit::good : exit_of(ended.error().kind);
}

Exit run(const RunFlags& flags) {
  Context context(Format::text);
  const auto port = live_port(flags.fabric);
  if (!port) return context.stop(port.error());
  if (!*port) return context.stop({ErrorKind::usage, "--fabric must be live[:CA[:PORT]]"});
  auto loaded = load(flags);
  if (!loaded) return loaded.error();
  auto connection = connect(**port, loaded->policy->options, true);
  if (!connection) return context.stop(connection.error());
  Service service(flags, std::move(*loaded), std::move(*connection));
  return service.run();
}

}  // namespace

void add_run(const Command& rch) {
  const Command command = rch.command("run", "Be the subnet manager of a live fabric");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<RunFlags>();
  const Command what = command.exactly_one();
  add_conf(what, flags->conf);
  command.add("--fabric", flags->fabric, "The port to use (default: live)").type("live[:CA[:PORT]]");
  command.add("--control", flags->control, "Answer `rch status` here (default: /run/rch/control)")
      .type("SOCKET");
  command
      .add("--plan", flags->plan_file,
           "Keep the installed plan here; routes of the plan found at the start are kept")
      .type("PLAN");
  add_accept(command, flags->accept, accepted_by_install());
  add_strict(command, flags->strict);
  command.does([flags] { return run(*flags); });
}

}  // namespace rch::cli
