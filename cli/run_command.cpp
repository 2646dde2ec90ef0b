#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/source.h"
#include "base/text.h"
#include "chains/plan_file.h"
#include "cli/accepts.h"
#include "cli/captures.h"
#include "cli/commands.h"
#include "cli/confirmed_file.h"
#include "cli/drains.h"
#include "cli/generations.h"
#include "cli/http_server.h"
#include "cli/journal_file.h"
#include "cli/key_file.h"
#include "cli/lid_file.h"
#include "cli/live.h"
#include "cli/observe.h"
#include "cli/partition_change.h"
#include "cli/published.h"
#include "cli/run_loop.h"
#include "cli/service.h"
#include "cli/state_file.h"
#include "cli/status_text.h"
#include "cli/stop_signals.h"

namespace rch::cli {
namespace {

struct RunFlags {
  ServiceOptions service;
  CaptureFlags captures;
  GenerationLimits history;
  std::string fabric = "live", http, log, log_format = "text";
  bool observe = false;
};

/// Where the configuration says; what is wrong with that is told when it is taken.
std::string lid_file_of(const ConfFlags& conf) {
  Context context(Format::text);
  const auto read = read_configuration(context, conf);
  return read && read->policy ? default_lid_file(read->policy->options.manager) : default_lid_file();
}

/// M_Keys that ports may hold, and the files that tell of them.
struct KnownKeys {
  std::vector<record::FileRead> files{};
  hw::KeyOptions keys{};
};

KnownKeys read_keys(const policy::ManagerOptions& options, const std::string& lid_file, const RunLog& log) {
  KnownKeys found;
  const auto read = [&](const std::string& path) -> std::optional<std::string> {
    std::error_code unreadable;
    if (!std::filesystem::exists(path, unreadable)) return std::nullopt;
    found.files.push_back({path, read_file(path)});
    const Result<std::string>& content = found.files.back().content;
    if (content) return *content;
    log.line("RCH222", content.error().message);
    return std::nullopt;
  };
  Context context(Format::text, log.reports());
  found.keys = known_keys(options, lid_file, read, *context.sources, context.diagnostics);
  context.report();
  return found;
}

/// The file that the command line names, else `log_file` where it is not OpenSM's default; empty: standard
/// output.
std::string log_file(const RunFlags& flags, const RunningConfiguration& running) {
  if (!flags.log.empty()) return flags.log;
  const auto option =
      std::ranges::find(running.options, policy::find_option("log_file"), &RunningConfiguration::Option::key);
  const bool is_stream = option->value == "-" || option->value == "stdout" || option->value == "stderr";
  return is_stream || option->value == "(null)" || option->value == option->key->initial ? std::string()
                                                                                         : option->value;
}

/// No start fails for `log_file`: the log is on standard output if it cannot be opened. One that the command
/// line names has to be. Tells which files are left out.
Result<RunLog> open_log(const RunFlags& flags, const Loaded& loaded) {
  const bool as_json = flags.log_format == "json";
  const policy::LogOptions& options = loaded.policy->options.logs;
  const std::string file = log_file(flags, loaded.running);
  auto opened = RunLog::create(file, as_json, options);
  const std::string why = opened ? "" : opened.error().message;
  if (!opened && flags.log.empty()) opened = RunLog::create("", as_json, options);
  if (opened && !why.empty()) opened->line("RCH231", why + "; the log is on standard output");
  if (opened)
    for (const std::string& option : loaded.spared)
      opened->line("RCH216", fmt::format("the file of `{}` is wrong, and left out until a reload; `rch lint` "
                                         "shows what is wrong with it",
                                         option));
  return opened;
}

void tell(const RunLog& log, const Result<void>& kept) {
  if (!kept) log.line("RCH222", kept.error().message);
}

/// `pid_file`, where it is not OpenSM's default: there as long as this process runs.
class PidFile {
 public:
  PidFile(const policy::LogOptions& options, const RunLog& log) {
    if (!options.pid_file || *options.pid_file == policy::find_option("pid_file")->initial) return;
    path_ = *options.pid_file;
    tell(log, write_file(path_, fmt::format("{}\n", getpid())));
  }
  ~PidFile() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  PidFile(const PidFile&) = delete;
  PidFile& operator=(const PidFile&) = delete;

 private:
  std::filesystem::path path_;
};

/// One manager on one port, from the configuration to the end of the process.
class RunningService {
 public:
  RunningService(const ServiceOptions& options, const GenerationLimits& history, const Loaded& loaded,
                 const Captures& captures, const KnownKeys& known, Connection connection, const RunLog& log,
                 bool from_confirmed)
      : options_(options),
        history_(history),
        captures_(captures),
        connection_(std::move(connection)),
        journal_(journal_file(options.lid_file), loaded.policy->options.manager.fsync_high_avail_files),
        lids_on_disk_(loaded.policy->options.manager.fsync_high_avail_files),
        ends_once_installed_(loaded.policy->options.manager.run_once),
        activity_([log] { return log.time_in({}); },
                  [log](const std::string& why) { log.line("RCH224", why); }),
        service_(*connection_.driver, options_, loaded, log, storage(), activity_),
        drains_(service_,
                [this](const QuarantineRequest& request) {
                  put(request);
                  return service_.quarantine(request);
                }),
        from_confirmed_(from_confirmed) {
    captures_.put_files(*loaded.policy->texts);
    for (const record::FileRead& file : known.files) captures_.put(file);
    captures_.put(record::FileRead{kPortGuid, fmt::format("{}", connection_.transport->port_guid())});
    if (!known.keys.former.empty()) forget_keys_ = known.keys.own;
  }

  /// `http`: where to answer; empty: nowhere.
  Exit run(const std::string& http);

 private:
  Service::Storage storage() const;
  void keep_history() const;
  void start_from_files();
  Result<void> keep_or_forget(bool must_be_confirmed) const;
  std::string standbys_left_behind(const Loaded& loaded) const;
  void put(const RecordedRequest& request) const { captures_.put(record::Asked{recording_text(request)}); }
  void turn(std::atomic<bool>& reload_asked, std::atomic<bool>& reopen_asked);

  // The answers to each request.
  ControlSocket::Reply on(const StatusRequest&) { return service_.status(); }
  ControlSocket::Reply on(const RunningRequest&) { return service_.running(); }
  ControlSocket::Reply on(const PartitionsRequest&) { return service_.partitions(); }
  ControlSocket::Reply on(const WatchRequest& request) { return watch(service_.log().events(), request); }
  ControlSocket::Reply on(const ReloadStatusRequest& request) { return service_.reload_status(request.job); }
  ControlSocket::Reply on(const SweepRequest& request);
  ControlSocket::Reply on(const ReloadRequest& request);
  ControlSocket::Reply on(const ConfirmRequest& request);
  ControlSocket::Reply on(const PartitionRequest& request);
  ControlSocket::Reply on(const QuarantineRequest& request);
  ControlSocket::Reply on(const DrainRequest& request) { return drains_.drain(request); }
  ControlSocket::Reply on(const UndrainRequest& request) { return drains_.undrain(request); }
  ControlSocket::Reply on(const DrainStatusRequest& request) { return drains_.answer(request.job); }

  ServiceOptions options_;
  const GenerationLimits history_;
  const Captures& captures_;
  Connection connection_;
  JournalFile journal_;
  const bool lids_on_disk_;   ///< `fsync_high_avail_files`
  bool ends_once_installed_;  ///< `run_once`, until it is
  ActivityReport activity_;
  Notifier notifier_ = Notifier::from_environment();
  Published published_;
  Service service_;
  Drains drains_;
  const bool from_confirmed_;                 ///< the configuration is not that of the files
  std::optional<hw::KeySource> forget_keys_;  ///< they replace all others; nothing: there are no others
};

Service::Storage RunningService::storage() const {
  const auto told = [this](Result<void> kept) {
    captures_.put(record::FileKept{kept});
    return kept;
  };
  Service::Storage storage;
  storage.plan = [this, told](const chains::Plan& plan) {
    make_folder_of(options_.plan_file);
    make_private(options_.plan_file);  // it has the M_Key
    auto kept = told(chains::write_plan(options_.plan_file, plan));
    if (kept) keep_history();
    return kept;
  };
  storage.lids = [this, told](const fabric::LidRecords& lids) {
    return told(write_lid_file(options_.lid_file, lids, lids_on_disk_));
  };
  storage.cables = [this, told](const fabric::CableMap& cables) {
    return told(keep_cables(options_.lid_file, cables));
  };
  return storage;
}

/// A generation that cannot be kept is told, and nothing else depends on it.
void RunningService::keep_history() const {
  const auto kept = keep_generation(generations_folder(options_.lid_file), options_.plan_file,
                                    service_.generation_note(), history_);
  if (!kept) service_.log().line("RCH220", kept.error().message);
}

void RunningService::start_from_files() {
  const auto with = [this](const std::string& file, auto start) {
    if (file.empty() || !std::filesystem::exists(file)) return;
    const auto content = read_file(file);
    captures_.put(record::FileRead{file, content});
    (service_.*start)(file, content);
  };
  with(options_.plan_file, &Service::start_from);
  with(options_.lid_file, &Service::start_from_lids);
  with(journal_file(options_.lid_file), &Service::start_from_registrations);
  if (!from_confirmed_) return;
  const std::string confirmed = confirmed_file(options_.lid_file);
  captures_.put(record::FileRead{confirmed, std::string()});
  service_.start_from_confirmed(confirmed);
}

/// Before a configuration is taken: what a restart begins with.
Result<void> RunningService::keep_or_forget(bool must_be_confirmed) const {
  const std::string path = confirmed_file(options_.lid_file);
  const bool is_kept = service_.confirmation().state() != Confirmation::State::confirmed;
  if (must_be_confirmed && !is_kept) return keep_confirmed(path, *service_.loaded().texts);
  return !must_be_confirmed && is_kept ? forget_confirmed(path) : Result<void>();
}

ControlSocket::Reply RunningService::on(const ReloadRequest& request) {
  const auto within = request.confirm_within;
  notifier_.begin_reload(connection_.driver->now());
  Context context(Format::text, service_.log().reports());
  Reading reading = read_again(context, options_);
  captures_.put_files(*context.sources);
  if (!within && service_.confirmation().state() == Confirmation::State::waiting)
    refuse(reading,
           "the reload before waits to be confirmed: `rch confirm`, or `rch reload --confirm-within`");
  if (within && reading.loaded &&
      default_lid_file(reading.loaded->policy->options.manager) !=
          default_lid_file(service_.loaded().policy->options.manager))
    refuse(reading,
           "`cache_files_dir` differs: what is confirmed could not be found again (without --confirm-within "
           "it takes effect at the next start)");
  service_.judge_lists(reading, request.accepts_cut_off);
  if (reading.loaded)
    if (const auto kept = keep_or_forget(within.has_value()); !kept) refuse(reading, kept.error().message);
  const std::string until = within ? service_.log().time_in(*within) : std::string();
  if (!reading.loaded)
    put(RefusedReload{reading.refused});
  else
    put(within ? RecordedRequest(TimedReload{within, until}) : request);
  if (reading.loaded)
    if (const std::string behind = standbys_left_behind(*reading.loaded); !behind.empty())
      warn(reading, behind);
  Json answer = service_.reload(std::move(reading), within, until);
  notifier_.end_reload();
  return answer;
}

ControlSocket::Reply RunningService::on(const ConfirmRequest& request) {
  if (service_.confirmation().state() != Confirmation::State::waiting)
    return Json{{"error", "no reload waits to be confirmed"}};
  if (const auto done = keep_or_forget(false); !done) return Json{{"error", done.error().message}};
  put(request);
  return service_.confirm();
}

constexpr const char* kChangeThereFirst =
    ": make the same change there first, or add `--accept other-configuration`";

/// Empty: none is.
std::string RunningService::standbys_left_behind(const Loaded& loaded) const {
  const std::size_t behind = service_.left_behind_by(loaded);
  if (behind == 0) return "";
  return fmt::format("{} with another configuration would not take over from this manager any more",
                     counted(behind, "standby manager"));
}

/// Linted as a whole before the file is written; written before it takes effect.
ControlSocket::Reply RunningService::on(const PartitionRequest& request) {
  const auto refused = [](const std::string& why) { return Json{{"error", why}}; };
  if (service_.confirmation().state() != Confirmation::State::confirmed)
    return refused(
        "the configuration waits to be confirmed, or was not: `rch confirm` or `rch reload` first");
  if (service_.known_plan() == nullptr) return refused("no plan is installed");
  const auto change = partition_change(request, service_, options_.conf.opensm_conf);
  if (!change) return refused(change.error().message);
  Context context(Format::text, service_.log().reports());
  context.sources->provide(change->file, change->text);
  context.presentation = policy::Presentation::spared;  // names of nodes change nobody's membership
  Reading reading = read_again(context, options_);
  captures_.put_files(*context.sources);
  service_.judge_lists(reading, false);
  if (reading.loaded) {
    const Guid own = connection_.transport->port_guid();
    const std::string behind = standbys_left_behind(*reading.loaded);
    if (const auto kept = keeps_manager(*reading.loaded->policy, *service_.known_plan(), own); !kept)
      refuse(reading, kept.error().message);
    else if (!behind.empty() && !request.accepts_other_configuration)
      refuse(reading, behind + kChangeThereFirst);
    else if (const auto written = write_file(change->file, change->text); !written)
      refuse(reading, written.error().message);
    if (reading.loaded && !behind.empty()) warn(reading, behind);
    if (reading.loaded && !change->note.empty()) warn(reading, change->note);
  }
  put(reading.loaded ? RecordedRequest(ReloadRequest{}) : RefusedReload{reading.refused});
  return service_.reload(std::move(reading));
}

ControlSocket::Reply RunningService::on(const SweepRequest& request) {
  put(request);
  return service_.sweep(request);
}

ControlSocket::Reply RunningService::on(const QuarantineRequest& request) {
  if (request.action != QuarantineRequest::Action::list) put(request);
  return service_.quarantine(request);
}

void RunningService::turn(std::atomic<bool>& reload_asked, std::atomic<bool>& reopen_asked) {
  if (reload_asked.exchange(false)) on(ReloadRequest{});
  if (reopen_asked.exchange(false)) {
    service_.log().reopen();
    activity_.reopen();
  }
  drains_.turn();
  published_.turn(connection_.driver->now(), service_);
  if (ends_once_installed_ && service_.is_installed()) {
    ends_once_installed_ = false;
    connection_.driver->on_stop();
  }
  if (!service_.confirmation().is_over(connection_.driver->now())) return;
  put(ComeBack{});
  service_.come_back();
}

Exit RunningService::run(const std::string& http) {
  Context context(Format::text);
  auto control = ControlSocket::open(
      options_.control,
      [this](const Request& request) {
        return std::visit([this](const auto& asked) { return on(asked); }, request);
      },
      [this](std::uint64_t& number) { return service_.log().events().take(number); });
  if (!control) return context.stop(control.error());
  std::unique_ptr<HttpServer> server;
  if (!http.empty()) {
    auto listening = HttpServer::listen(http, published_.pages());
    if (!listening) return context.stop(listening.error());
    server = std::move(*listening);
  }
  hw::Driver& driver = *connection_.driver;
  driver.stop_when(stop_on_signals());
  driver.keep_with([this](const hw::Keeping& keeping) {
    auto kept = journal_.keep(keeping);
    service_.note_kept(kept, keeping.bytes.size());
    return kept;
  });
  captures_.tap(driver);
  const auto turn_of_loop = [this, &reload = reload_on_hangup(), &reopen = reopen_on_usr1()] {
    turn(reload, reopen);
  };
  RunLoop loop(connection_, **control, notifier_,
               {.turn = turn_of_loop, .status = [this] { return status_line(service_.status()); }});
  start_from_files();
  published_.turn(driver.now(), service_);
  captures_.put(record::Started{RCH_VERSION, to_text(options_), driver.now()});
  service_.log_start(RCH_VERSION, options_.control);
  const auto ended = loop.run(service_.run());
  // Every port has the key of the configuration now.
  if (forget_keys_ && service_.holds_all())
    tell(service_.log(), keep_keys(options_.lid_file, *forget_keys_, {}));
  const Exit code = service_.log_end(ended);
  (*control)->feed();
  return code;
}

Exit run(const RunFlags& flags) {
  Context context(Format::text);
  const auto port = live_port(flags.fabric);
  if (!port) return context.stop(port.error());
  if (!*port) return context.stop({ErrorKind::usage, "--fabric must be live[:CA[:PORT]] or live:GUID"});
  std::optional<StateLock> lock;
  if (!flags.observe) {
    auto taken = StateLock::take(flags.service.lid_file);
    if (!taken) return context.stop(taken.error());
    lock.emplace(std::move(*taken));
  }
  auto confirmed = read_confirmed(confirmed_file(flags.service.lid_file));
  if (!confirmed) return context.stop(confirmed.error());
  if (flags.observe) confirmed->reset();  // an observer takes no reload
  if (*confirmed) {
    for (record::FileRead& file : **confirmed) context.sources->provide(file.path, std::move(*file.content));
    context.sources->seal();
  }
  const auto loaded = load(context, flags.service);
  if (!loaded) return loaded.error();
  const policy::Options& options = loaded->policy->options;
  const auto opened = open_log(flags, *loaded);
  if (!opened) return context.stop(opened.error());
  const RunLog& log = *opened;
  const PidFile pid_file(options.logs, log);
  const KnownKeys known = read_keys(options.manager, flags.service.lid_file, log);
  if (!flags.observe) tell(log, keep_keys(flags.service.lid_file, known.keys.own, known.keys.former));
  auto connection = connect(**port, options, !flags.observe, known.keys);
  if (!connection) return context.stop(connection.error());
  if (const std::string& choice = connection->transport->choice(); !choice.empty())
    log.line("RCH103", "uses " + choice);
  const auto lost = [log](const Error& error) { log.line("RCH230", error.message); };
  const auto captures = Captures::create(flags.captures, lost);
  if (!captures) return context.stop(captures.error());
  if (flags.observe) return observe(flags.service, *loaded, *captures, std::move(*connection), log);
  RunningService service(flags.service, flags.history, *loaded, *captures, known, std::move(*connection), log,
                         confirmed->has_value());
  return service.run(flags.http);
}

}  // namespace

void add_run(const Command& rch) {
  const Command command = rch.command("run", "Be the subnet manager of a live fabric");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<RunFlags>();
  ServiceOptions& service = flags->service;
  const Command what = command.exactly_one();
  add_conf(what, service.conf);
  command.add("--fabric", flags->fabric, "The port to use, GUID: by its port GUID (default: live)")
      .type("live[:CA[:PORT]]|live:GUID");
  command.add("--control", service.control, "Answer `rch status` here (default: /run/rch/control)")
      .type("SOCKET");
  command
      .add("--plan", service.plan_file,
           "Keep the installed plan here; routes of the plan found at the start are kept (default: rch-plan "
           "beside the guid2lid file)")
      .type("PLAN");
  command
      .add("--guid2lid", service.lid_file,
           "LIDs of ports, as OpenSM keeps them (default: guid2lid in `cache_files_dir`, $OSM_CACHE_DIR or "
           "/var/cache/opensm)")
      .type("FILE");
  command.add("--certify", service.certify,
              "Install only tables for which a certificate is made and checked (rch certify)");
  command
      .add("--history", flags->history.count,
           "Installed plans to keep for `rch history` (default: 16; 0: none), in rch-generations beside the "
           "guid2lid file")
      .type("COUNT");
  command
      .add("--history-size", flags->history.mib,
           "They take no more room than that, but for the newest (default: 512)")
      .type("MIB");
  command.add("--adopt", service.adopt,
              "Keep the tables that another subnet manager installed, if they are proven");
  command.add("--observe", flags->observe,
              "Audit what another subnet manager installs; write nothing, be no manager");
  command
      .add("--http", flags->http,
           "Answer GET /metrics and /status here; a PORT alone is one of localhost (default: nobody is "
           "answered)")
      .type("ADDRESS:PORT");
  command
      .add(
          "--log", flags->log,
          "Write the log here; SIGUSR1 opens it again (default: `log_file` where it is not OpenSM's default, "
          "else standard output)")
      .type("FILE");
  command
      .add("--log-format", flags->log_format,
           "Lines of text, or of JSON as `rch watch` prints (default: text)")
      .one_of({"text", "json"})
      .type("text|json");
  add_accept(command, service.accept, accepted_by_run());
  add_strict(command, service.strict);
  add_captures(command, flags->captures);
  command.does(
      [flags] {
        ServiceOptions& options = flags->service;
        if (options.lid_file.empty()) options.lid_file = lid_file_of(options.conf);
        if (options.plan_file.empty()) options.plan_file = default_plan_file(options.lid_file);
        return run(*flags);
      },
      [flags] {
        const bool manages = flags->service.adopt || flags->service.strict || flags->service.certify ||
                             !flags->service.plan_file.empty() || !flags->captures.record.empty() ||
                             !flags->http.empty();
        return flags->observe && manages
                   ? std::string(
                         "--observe goes without --adopt, --certify, --http, --plan, --record and --strict")
                   : std::string();
      });
}

}  // namespace rch::cli
