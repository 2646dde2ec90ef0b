#include "cli/observe.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/run_loop.h"
#include "cli/status_text.h"
#include "cli/stop_signals.h"
#include "policy/bind/given_names.h"
#include "sm/observer.h"

namespace rch::cli {
namespace {

/// "LID 3 (0x0002c90300010005, priority 4)"
std::string master_of(const sm::Audit& audit) {
  const auto master = std::ranges::find_if(audit.managers, [](const hw::OtherSm& sm) {
    return sm.answered && sm.info.state == hw::SmState::master;
  });
  if (master == audit.managers.end()) return "no master answers";
  return fmt::format("master at LID {} ({}, priority {})", audit.found.plan.fabric->port(master->port).lid,
                     master->guid, master->info.priority);
}

/// Switches do not show the service levels of hosts. Who observes names the configuration of the manager that
/// is observed.
constexpr const char* kWithItsSls = "if hosts have the service levels of this configuration";

std::string text_of(const sm::Audit& audit) {
  const chains::Plan& plan = audit.found.plan;
  return fmt::format(
      "observed: {}, {} switches, {} end ports, {} quarantined, {} multicast groups; tables {}",
      master_of(audit), plan.fabric->switch_count(), plan.fabric->end_ports().size(), audit.quarantined,
      plan.tables->groups.size(),
      audit.found.objection.empty()  ? "proven"
      : audit.found.by_configuration ? std::string("proven ") + kWithItsSls
                                     : "not proven: " + audit.found.objection);
}

class Observation {
 public:
  Observation(const Loaded& loaded, hw::Exchange& exchange, RunLog log)
      : log_(std::move(log)), observer_(exchange, settings(loaded)) {}

  sm::Observer& observer() { return observer_; }
  const RunLog& log() const { return log_; }
  const Json& status() const { return status_; }
  bool has_looked() const { return looks_ > 0; }
  /// True if the tables that the last look read are proven.
  bool is_proven() const { return is_proven_; }
  ControlSocket::Reply on(const StatusRequest&) const { return status_; }
  ControlSocket::Reply on(const WatchRequest& request) const { return watch(log_.events(), request); }
  ControlSocket::Reply on(const SweepRequest& request) {
    if (request.accept.any()) return refusal_by_observer("an observer installs nothing");
    observer_.look_now();
    return Json{{"accepted", true}};
  }
  ControlSocket::Reply on(const ReloadRequest&) const {
    return refusal_by_observer("an observer does not read its configuration again");
  }
  template <class Other>
  ControlSocket::Reply on(const Other&) const {
    return refusal_by_observer(
        fmt::format("an observer does not answer `{}`: expected `status`, `sweep` or `watch`", Other::kName));
  }

 private:
  sm::Observer::Settings settings(const Loaded& loaded) {
    sm::Observer::Settings settings;
    settings.judge = [loaded](const fabric::Fabric& live, chains::FoundTables found) {
      return chains::judge_found(*loaded.policy, live, std::move(found), loaded.settings.accept);
    };
    settings.every =
        std::chrono::seconds{std::max<std::uint32_t>(loaded.policy->options.manager.sweep_interval, 1)};
    settings.tell = [this](const Result<sm::Audit>& audit) { on(audit); };
    return settings;
  }

  void on(const Result<sm::Audit>& audit) {
    ++looks_;
    is_proven_ = audit && (audit->found.objection.empty() || audit->found.by_configuration);
    const std::string text = audit ? text_of(*audit) : "not observed: " + audit.error().message;
    if (audit && audit->entries_changed > 0)
      log_.line("RCH151", fmt::format("{} forwarding entries changed{}", audit->entries_changed,
                                      audit->fabric_changed ? ", and the fabric" : ""));
    if (std::exchange(last_, text) != text) log_.line("RCH150", text);
    status_ = status_of(audit);
  }
  Json status_of(const Result<sm::Audit>& audit) const {
    const bool proven = is_proven_;
    const std::string why = !audit ? audit.error().message : proven ? std::string() : audit->found.objection;
    const bool is_conditional = proven && !audit->found.objection.empty();
    const fabric::Fabric* fabric = audit ? audit->found.plan.fabric.get() : nullptr;
    return {{"state", "observing"},
            {"proven", proven},
            {"condition", is_conditional ? Json(kWithItsSls) : Json()},
            {"generation", looks_},
            {"degraded", why.empty() ? Json() : Json(why)},
            {"switches", fabric != nullptr ? fabric->switch_count() : 0},
            {"end_ports", fabric != nullptr ? fabric->end_ports().size() : 0},
            {"quarantined", audit ? audit->quarantined : 0}};
  }

  RunLog log_;
  std::uint64_t looks_ = 0;
  bool is_proven_ = false;
  std::string last_;
  Json status_ = status_of(fail(ErrorKind::usage, "nothing was observed yet"));
  sm::Observer observer_;
};

}  // namespace

Exit observe(const ServiceOptions& options, const Loaded& loaded, const Captures& captures,
             Connection connection, const RunLog& log) {
  Context context(Format::text);
  hw::Driver& driver = *connection.driver;
  driver.name_nodes(std::make_shared<const fabric::NodeNames>(policy::given_names(*loaded.policy)));
  Observation observation(loaded, driver, log);
  auto control = ControlSocket::open(
      options.control,
      [&](const Request& request) {
        return std::visit([&](const auto& asked) { return observation.on(asked); }, request);
      },
      [&](std::uint64_t& number) { return observation.log().events().take(number); });
  if (!control) return context.stop(control.error());
  driver.stop_when(stop_on_signals());
  captures.tap(driver);
  Notifier notifier = Notifier::from_environment();
  const bool once = loaded.policy->options.manager.run_once;
  const auto refuse_reload = [&] {
    observation.log().line("RCH210", "an observer does not read its configuration again");
  };
  const auto turn = [&, &reload = reload_on_hangup(), &reopen = reopen_on_usr1()] {
    if (reload.exchange(false)) refuse_reload();
    if (reopen.exchange(false)) log.reopen();
    if (!once || driver.stopping() || !observation.has_looked()) return;
    driver.on_stop();
  };
  RunLoop loop(connection, **control, notifier,
               {.turn = turn, .status = [&] { return status_line(observation.status()); }});
  observation.log().line("RCH100",
                         fmt::format("rch {} observes, requests on {}", RCH_VERSION, options.control));
  const auto ended = loop.run(observation.observer().run());
  observation.log().line("RCH102", ended ? std::string("stopped") : "stopped: " + ended.error().message);
  (*control)->feed();
  if (ended && once) return observation.is_proven() ? Exit::good : Exit::findings;
  return ended ? Exit::good : exit_of(ended.error().kind);
}

}  // namespace rch::cli
