#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/source.h"
#include "chains/plan_file.h"
#include "cli/accepts.h"
#include "cli/commands.h"
#include "cli/live.h"
#include "cli/run_loop.h"
#include "cli/service.h"
#include "cli/stop_signals.h"

namespace rch::cli {
namespace {

struct RunFlags {
  ServiceOptions service;
  std::string fabric = "live", control = kControlSocket;
};

Service::Keep keep_in(const std::string& file) {
  if (file.empty()) return {};
  return [file](const chains::Plan& plan) { return chains::write_plan(file, plan); };
}

/// One manager on one port, from the configuration to the end of the process.
class RunningService {
 public:
  RunningService(const RunFlags& flags, const Loaded& loaded, Connection connection)
      : flags_(flags),
        connection_(std::move(connection)),
        service_(*connection_.driver, flags_.service, loaded, RunLog(), keep_in(flags_.service.plan_file)) {}

  Exit run();

 private:
  void start_from_file();
  void reload();
  Json answer(const Json& request);

  RunFlags flags_;
  Connection connection_;
  Service service_;
};

void RunningService::start_from_file() {
  const std::string& file = flags_.service.plan_file;
  if (!file.empty() && std::filesystem::exists(file)) service_.start_from(file, read_file(file));
}

void RunningService::reload() {
  Context context(Format::text);
  service_.reload(load(context, flags_.service));
}

Json RunningService::answer(const Json& request) {
  const Json* member = request.find("request");
  const std::string what = member != nullptr && member->string() != nullptr ? *member->string() : "";
  if (what == "status") return service_.status();
  if (what == "sweep") {
    service_.sweep();
    return {{"accepted", true}};
  }
  return {{"error", "unknown request: expected `status` or `sweep`"}};
}

Exit RunningService::run() {
  Context context(Format::text);
  auto control = ControlSocket::open(flags_.control, [this](const Json& request) { return answer(request); });
  if (!control) return context.stop(control.error());
  connection_.driver->stop_when(stop_on_signals());
  RunLoop loop(connection_, **control, reload_on_hangup(), [this] { reload(); });
  start_from_file();
  const RunLog& log = service_.log();
  log.line("RCH100", fmt::format("rch {} started, requests on {}", RCH_VERSION, flags_.control));
  const auto ended = loop.run(service_.run());
  log.line("RCH102", ended ? std::string("stopped") : "stopped: " + ended.error().message);
  return ended ? Exit::good : exit_of(ended.error().kind);
}

Exit run(const RunFlags& flags) {
  Context context(Format::text);
  const auto port = live_port(flags.fabric);
  if (!port) return context.stop(port.error());
  if (!*port) return context.stop({ErrorKind::usage, "--fabric must be live[:CA[:PORT]]"});
  const auto loaded = load(context, flags.service);
  if (!loaded) return loaded.error();
  auto connection = connect(**port, loaded->policy->options, true);
  if (!connection) return context.stop(connection.error());
  RunningService service(flags, *loaded, std::move(*connection));
  return service.run();
}

}  // namespace

void add_run(const Command& rch) {
  const Command command = rch.command("run", "Be the subnet manager of a live fabric");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<RunFlags>();
  ServiceOptions& service = flags->service;
  const Command what = command.exactly_one();
  add_conf(what, service.conf);
  command.add("--fabric", flags->fabric, "The port to use (default: live)").type("live[:CA[:PORT]]");
  command.add("--control", flags->control, "Answer `rch status` here (default: /run/rch/control)")
      .type("SOCKET");
  command
      .add("--plan", service.plan_file,
           "Keep the installed plan here; routes of the plan found at the start are kept")
      .type("PLAN");
  add_accept(command, service.accept, accepted_by_install());
  add_strict(command, service.strict);
  command.does([flags] { return run(*flags); });
}

}  // namespace rch::cli
