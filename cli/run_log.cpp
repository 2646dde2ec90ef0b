#include "cli/run_log.h"

#include "chains/multicast.h"
#include "cli/performance_log.h"
#include "policy/model/partitions.h"

#include <mutex>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/text.h"

namespace rch::cli {
namespace {

using enum LogLevel;

constexpr LogCode kCodes[] = {
    {"RCH100", info, "started"},
    {"RCH101", info, "the state of the subnet manager changed"},
    {"RCH102", info, "stopped"},
    {"RCH103", info, "the port that is used, where the command leaves it open and the machine has several"},
    {"RCH110", info, "a sweep began, and why"},
    {"RCH111", info, "a line of the report on a plan"},
    {"RCH112", warning, "a part of the fabric is left out, and why; or it is no more"},
    {"RCH113", warning, "a node or port is unhealthy, and what becomes of it; or it is healthy again"},
    {"RCH114", warning, "a cable or node is gone"},
    {"RCH115", info, "a cable or node is new"},
    {"RCH120", info, "the tables are installed and read back"},
    {"RCH123", info, "paths that were lost are back before the chain has made its plan"},
    {"RCH130", info, "a trap was received"},
    {"RCH131", warning, "requests of the fabric were refused: too many came from one source, or from all"},
    {"RCH132", warning, "a port has too many errors: trap 129, 130 or 131"},
    {"RCH133", warning, "a port refused a request with a wrong M_Key: trap 256"},
    {"RCH134", warning, "a packet had a wrong P_Key or Q_Key: trap 257, 258 or 259"},
    {"RCH135", warning,
     "subnet administration dropped a request: a wrong SA_Key, the trust model forbids it, or its port sent "
     "too many"},
    {"RCH136", warning, "a port is refused to join a multicast group, and why"},
    {"RCH140", info,
     "tables in the switches that are of no known plan, as another subnet manager leaves them, were judged, "
     "and what becomes of them"},
    {"RCH150", info,
     "an observer sees something else than before: the master, the fabric, whether its tables are proven"},
    {"RCH151", warning, "another subnet manager changed forwarding tables"},
    {"RCH160", warning, "error counters of a port rose"},
    {"RCH161", warning, "PortXmitWait of a port rose by the threshold or more"},
    {"RCH162", warning, "an agent does not answer requests for counters, or answers again"},
    {"RCH163", info, "somebody else cleared counters of a port, or its node restarted"},
    {"RCH164", info, "further lines on counters were left out"},
    {"RCH170", info, "a standby follows the master: it has its plan, LIDs and registrations"},
    {"RCH171", warning, "a standby follows the master no more, and why"},
    {"RCH172", warning, "the master has another configuration than its standby, and what becomes of that"},
    {"RCH173", warning, "what the master tells its standby could not be read"},
    {"RCH174", warning, "the fabric was taken over with what was followed"},
    {"RCH175", warning, "the master does not answer the polls of its standby, or answers again"},
    {"RCH180", warning, "a subnet manager that `allowed_sm_guids` does not name is in the fabric"},
    {"RCH181", warning,
     "a standby gets the state of this master, and `sa_key` is the default that any host knows"},
    {"RCH200", error, "degraded: the fabric was left as it is, and why"},
    {"RCH210", error, "a configuration was refused; the one before it stays"},
    {"RCH211", info, "a configuration was read again"},
    {"RCH212", warning, "a configuration takes effect until it is confirmed or its time is over"},
    {"RCH213", info, "a configuration was confirmed"},
    {"RCH214", warning, "a configuration was not confirmed in time: the one before it comes back"},
    {"RCH215", warning, "started with the configuration that was confirmed last, not with the files"},
    {"RCH216", warning,
     "a file on which only names of nodes or levels of the log depend is wrong, and the start goes on "
     "without it"},
    {"RCH220", warning, "the plan, or a generation of it, could not be read or kept"},
    {"RCH221", warning, "the LIDs could not be read or kept"},
    {"RCH222", warning, "the former M_Keys, or who is behind which cable, could not be read or kept"},
    {"RCH223", warning, "what hosts registered could not be read or kept, or is kept again"},
    {"RCH224", warning, "dump files could not be written"},
    {"RCH230", warning, "a recording or packet log ended: it cannot be written"},
    {"RCH231", warning, "the log file was opened again or could not be, or lines of it are lost"},
};

constexpr std::string_view kReportCode = "RCH111";

std::string text_of(const sm::StateChanged& event) {
  return fmt::format("{}: {}", state_name(event.state), event.why);
}
std::string text_of(const sm::SweepBegan& event) { return fmt::format("sweep: {}", event.reason); }
/// `node`: that has the LID; empty: not known.
std::string text_of(const sm::TrapReceived& event, const std::string& node) {
  const std::string what = hw::describe(event.notice);
  return fmt::format("trap {} from LID {}{}{}{}", event.notice.number, event.from,
                     node.empty() ? "" : fmt::format(" (`{}`)", node), what.empty() ? "" : ": ", what);
}
std::string text_of(const sm::TooManyRequests& event) {
  const hw::Datagram& first = event.refused.first;
  return fmt::format(
      "{} requests in {} s were refused, the first from LID {} of method 0x{:02x}, attribute 0x{:04x}",
      event.refused.count, hw::RequestQuota::kInterval.count(), first.lid,
      get(first.mad, hw::mad_header::kMethod), get(first.mad, hw::mad_header::kAttribute));
}
std::string text_of(const sm::RequestDropped& event) {
  return fmt::format("a request from LID {} of method 0x{:02x}, attribute 0x{:04x} was dropped: {}",
                     event.request.from, static_cast<unsigned>(event.request.method),
                     static_cast<unsigned>(event.request.attribute), event.request.why);
}
std::string text_of(const sm::JoinRefused& event) {
  return fmt::format("port {} is refused to join {}: {}", event.join.port,
                     policy::partitions::mgid_text(event.join.mgid), event.join.why);
}
std::string text_of(const sm::SubnetUp& event) {
  const hw::CommitReport& report = event.installed.report;
  const std::string_view waiting = chains::why_groups_wait(event.installed.plan.verdict);
  return fmt::format(
      "SUBNET UP: plan {}, {} switches, {} end ports, {} quarantined; {} writes, {} forwarding "
      "blocks, {} hosts asked to register again, {} requests, {} sent again{}{}",
      event.status.generation, event.status.switches, event.status.end_ports, event.status.quarantined,
      report.writes(), report.lft_blocks, report.asked_hosts, report.smps.requests, report.smps.resent,
      waiting.empty() ? "" : "; ", waiting);
}
std::string text_of(const sm::Healed& event) {
  const auto left = std::ranges::find(event.installed.plan.verdict.findings, verify::FindingKind::unreachable,
                                      &verify::Finding::kind);
  const bool all = left == event.installed.plan.verdict.findings.end();
  return fmt::format("HEALED: {} after {} ms, {} forwarding blocks; the plan of the chain comes next{}{}",
                     all ? "all lost paths are back" : "some lost paths are back",
                     std::chrono::duration_cast<std::chrono::milliseconds>(event.took).count(),
                     event.installed.report.lft_blocks, all ? "" : "; ", all ? "" : left->message);
}
std::string text_of(const sm::TablesFound& event) {
  const chains::Plan& plan = event.adoption.plan;
  std::string text = fmt::format(
      "found tables in the switches that are of no known plan: {} pairs of end ports, {} multicast groups: "
      "{}",
      plan.verdict.pairs, plan.tables->groups.size(),
      event.adoption.objection.empty() ? "proven" : "not proven: " + event.adoption.objection);
  if (event.adopted) return text + "; they are adopted";
  if (event.kept) return text + "; routes are kept where the configuration could choose them";
  return text + (event.adoption.objection.empty()
                     ? "; they are replaced by the plan of the configuration (to keep them: `--adopt`)"
                     : "; they are replaced by the plan of the configuration");
}
std::string text_of(const sm::FollowsMaster& event) {
  return fmt::format("following the master at LID {}: its plan, LIDs and registrations are known",
                     event.master);
}
std::string text_of(const sm::FollowsNoMore& event) {
  return "the master is not followed any more: " + event.why;
}
std::string text_of(const sm::OtherConfiguration& event) {
  return fmt::format("the master at LID {} has another configuration: {}", event.master,
                     event.accepted ? "it is taken over from anyway"
                                    : "nothing is taken over from it (`--accept other-configuration`)");
}
std::string text_of(const sm::StateNotRead& event) {
  return "the master cannot be followed: " + event.error.message;
}
std::string text_of(const sm::PollsMissed& event) {
  const bool is_known = event.master != kUnassignedLid;
  const std::string master = is_known ? fmt::format("the master at LID {}", event.master) : "the master";
  if (event.polls == 0) return master + " answers";
  return fmt::format("{}: {} missed", is_known ? master + " does not answer as master" : "no master answers",
                     counted(event.polls, "poll"));
}
std::string text_of(const sm::TookOver& event) {
  return fmt::format("taken over from the master at LID {}: its tables are as it planned them{}",
                     event.followed.master,
                     event.followed.whole ? ", and what hosts registered is known"
                                          : "; hosts are asked to register again, as some may not be known");
}
std::string text_of(const sm::ManagerNotAllowed& event) {
  return fmt::format(
      "subnet manager {} is not named by `allowed_sm_guids`: {}", event.guid,
      event.is_master ? "it says that it is master" : "it does not get the mastership from us");
}
std::string text_of(const sm::KnownSaKey&) {
  return "a standby gets our state, and `sa_key` is the default: any host may ask for that state (set a "
         "random "
         "`sa_key` for both managers)";
}
std::string text_of(const sm::HealthChanged& event) {
  const sm::Unhealthy& what = event.part;
  // A node that was not seen since the start has no description.
  const std::string of_node = what.node.empty() ? "node" : fmt::format("`{}`", what.node);
  const std::string port =
      what.part.port.value == 0 ? std::string() : fmt::format(" port {}", what.part.port);
  const std::string name = fmt::format("{}{} ({})", of_node, port, what.part.node);
  if (event.is_over) return fmt::format("healthy again: {}: {}", name, event.why);
  return fmt::format("unhealthy: {}: {}: {}; {}", name, sm::name_of(what.condition), what.reason,
                     what.spared                                ? "it stays in: others would be cut off"
                     : what.action == sm::HealthAction::report  ? "it is reported"
                     : what.action == sm::HealthAction::isolate ? "it is left out"
                                                                : "it is left out and not asked");
}
std::string text_of(const sm::Degraded& event) { return "degraded: " + event.error.message; }
std::string text_of(const sm::PlanNotKept& event) { return "the plan was not kept: " + event.error.message; }
std::string text_of(const sm::CablesNotKept& event) {
  return "who is behind which cable was not kept: " + event.error.message;
}
std::string text_of(const sm::LidsNotKept& event) { return "the LIDs were not kept: " + event.error.message; }

std::string_view code_of(const sm::StateChanged&) { return "RCH101"; }
std::string_view code_of(const sm::SweepBegan&) { return "RCH110"; }
std::string_view code_of(const sm::TrapReceived& event) {
  switch (hw::kind_of(event.notice)) {
    case hw::TrapKind::errors:
      return "RCH132";
    case hw::TrapKind::wrong_m_key:
      return "RCH133";
    case hw::TrapKind::wrong_packet_key:
      return "RCH134";
    case hw::TrapKind::other:
      break;
  }
  return "RCH130";
}
std::string_view code_of(const sm::TooManyRequests&) { return "RCH131"; }
std::string_view code_of(const sm::RequestDropped&) { return "RCH135"; }
std::string_view code_of(const sm::JoinRefused&) { return "RCH136"; }
std::string_view code_of(const sm::TablesFound&) { return "RCH140"; }
std::string_view code_of(const sm::SubnetUp&) { return "RCH120"; }
std::string_view code_of(const sm::Healed&) { return "RCH123"; }
std::string_view code_of(const sm::FollowsMaster&) { return "RCH170"; }
std::string_view code_of(const sm::FollowsNoMore&) { return "RCH171"; }
std::string_view code_of(const sm::OtherConfiguration&) { return "RCH172"; }
std::string_view code_of(const sm::StateNotRead&) { return "RCH173"; }
std::string_view code_of(const sm::TookOver&) { return "RCH174"; }
std::string_view code_of(const sm::PollsMissed&) { return "RCH175"; }
std::string_view code_of(const sm::ManagerNotAllowed&) { return "RCH180"; }
std::string_view code_of(const sm::KnownSaKey&) { return "RCH181"; }
std::string_view code_of(const sm::HealthChanged&) { return "RCH113"; }
std::string_view code_of(const sm::Degraded&) { return "RCH200"; }
std::string_view code_of(const sm::PlanNotKept&) { return "RCH220"; }
std::string_view code_of(const sm::LidsNotKept&) { return "RCH221"; }
std::string_view code_of(const sm::CablesNotKept&) { return "RCH222"; }

template <class Of>
Json hex(Of number) {
  return fmt::format("0x{:04x}", static_cast<unsigned>(number));
}

// GUID, LID and port by these names wherever they are known; `cause` is why.
Json fields_of(const sm::StateChanged& event) {
  return {{"state", state_name(event.state)}, {"cause", event.why}};
}
Json fields_of(const sm::SweepBegan& event) { return {{"cause", event.reason}}; }
Json fields_of(const sm::TrapReceived& event) {
  Json fields{{"trap", event.notice.number}, {"lid", event.from.value}};
  if (const auto port = hw::port_of(event.notice)) fields["port"] = port->value;
  if (const std::string what = hw::describe(event.notice); !what.empty()) fields["cause"] = what;
  return fields;
}
Json fields_of(const sm::TooManyRequests& event) {
  const hw::Datagram& first = event.refused.first;
  return {{"count", event.refused.count},
          {"lid", first.lid},
          {"method", hex(get(first.mad, hw::mad_header::kMethod))},
          {"attribute", hex(get(first.mad, hw::mad_header::kAttribute))}};
}
Json fields_of(const sm::RequestDropped& event) {
  return {{"lid", event.request.from.value},
          {"method", hex(event.request.method)},
          {"attribute", hex(event.request.attribute)},
          {"cause", event.request.why}};
}
Json fields_of(const sm::JoinRefused& event) {
  return {{"guid", fmt::format("{}", event.join.port)},
          {"mgid", policy::partitions::mgid_text(event.join.mgid)},
          {"cause", event.join.why}};
}
Json fields_of(const sm::SubnetUp& event) {
  Json fields{
      {"plan", event.status.generation},           {"switches", event.status.switches},
      {"end_ports", event.status.end_ports},       {"quarantined", event.status.quarantined},
      {"writes", event.installed.report.writes()}, {"asked_hosts", event.installed.report.asked_hosts}};
  if (const std::string_view waiting = chains::why_groups_wait(event.installed.plan.verdict);
      !waiting.empty())
    fields["multicast_unrouted"] = std::string(waiting);
  return fields;
}
Json fields_of(const sm::Healed& event) {
  return {{"milliseconds", std::chrono::duration_cast<std::chrono::milliseconds>(event.took).count()},
          {"blocks", event.installed.report.lft_blocks},
          {"accepted", event.installed.accepted}};
}
Json fields_of(const sm::TablesFound& event) {
  Json fields{{"proven", event.adoption.objection.empty()}, {"adopted", event.adopted}, {"kept", event.kept}};
  if (!event.adoption.objection.empty()) fields["cause"] = event.adoption.objection;
  return fields;
}
Json fields_of(const sm::ManagerNotAllowed& event) {
  return {{"guid", fmt::format("{}", event.guid)}, {"master", event.is_master}};
}
Json fields_of(const sm::KnownSaKey&) { return {}; }
Json fields_of(const sm::FollowsMaster& event) { return {{"lid", event.master.value}}; }
Json fields_of(const sm::FollowsNoMore& event) { return {{"cause", event.why}}; }
Json fields_of(const sm::OtherConfiguration& event) {
  return {{"lid", event.master.value}, {"accepted", event.accepted}};
}
Json fields_of(const sm::HealthChanged& event) {
  const sm::Unhealthy& what = event.part;
  return {{"guid", fmt::format("{}", what.part.node)},
          {"port", what.part.port.value},
          {"node", what.node},
          {"condition", sm::name_of(what.condition)},
          {"action", sm::name_of(what.action)},
          {"over", event.is_over},
          {"cause", event.is_over ? std::string(event.why) : what.reason}};
}
Json fields_of(const sm::PollsMissed& event) {
  return {{"lid", event.master.value}, {"missed", event.polls}};
}
Json fields_of(const sm::TookOver& event) {
  return {{"lid", event.followed.master.value}, {"registrations_known", event.followed.whole}};
}
template <class OfError>
Json fields_of(const OfError& event) {
  Json fields{{"cause", event.error.message}};
  if (!event.error.cause.empty()) fields["error"] = event.error.cause;
  return fields;
}

/// The port that has the LID: its GUID, and its node as people call it.
void name_port(Json& fields, Lid lid, const fabric::Fabric& fabric) {
  const auto owner = fabric.lid_owner(lid);
  if (!owner) return;
  fields["guid"] = fmt::format("{}", fabric.port(*owner).guid);
  fields["node"] = fabric.node(fabric.port(*owner).node).name();
}

}  // namespace

std::span<const LogCode> log_codes() { return kCodes; }

std::string_view name_of(LogLevel level) {
  constexpr std::string_view kNames[] = {"info", "warning", "error"};
  return kNames[static_cast<std::size_t>(level)];
}

/// What copies of a log have in common.
struct RunLog::Shared {
  std::mutex mutex;
  EventLog events;
  std::unique_ptr<LogSink> sink;
  const bool as_json;
  const std::string prefix;
  std::uint64_t lost = 0;  ///< lines that the sink did not take
  std::map<std::string, std::uint64_t, std::less<>> counts{};
};

namespace {

LogLevel level_of(std::string_view code) {
  const auto known = std::ranges::find(kCodes, code, &LogCode::code);
  return known != std::end(kCodes) ? known->level : info;
}

Json json_of(const std::string& time, std::string_view code, std::string_view text, const Json& fields) {
  return {{"time", time},
          {"severity", name_of(level_of(code))},
          {"code", code},
          {"text", text},
          {"fields", fields}};
}

/// The field of a change by the names that other lines have.
Json fields_of(const fabric::Change& change) {
  Json fields{{"guid", fmt::format("{}", change.node)}, {"node", change.name}};
  if (change.port == PortNum(0)) return fields;
  fields["port"] = change.port.value;
  fields["peer_guid"] = fmt::format("{}", change.peer);
  fields["peer_node"] = change.peer_name;
  fields["peer_port"] = change.peer_port.value;
  return fields;
}

}  // namespace

RunLog::RunLog(Clock clock, std::unique_ptr<LogSink> sink, bool as_json, std::string prefix)
    : clock_(std::move(clock)),
      shared_(new Shared{{}, EventLog(), std::move(sink), as_json, std::move(prefix)}) {}

RunLog::RunLog(Clock clock) : RunLog(std::move(clock), *LogSink::open({}), false, {}) {}

Result<RunLog> RunLog::create(const std::string& file, bool as_json, const policy::LogOptions& options) {
  constexpr std::uint64_t kMegabyte = 1U << 20U;
  auto sink = LogSink::open(file, {.accumulate = options.accumulate,
                                   .most_bytes = options.max_size * kMegabyte,
                                   .backlogs = options.backlogs});
  if (!sink) return tl::unexpected(sink.error());
  return RunLog(std::chrono::system_clock::now, std::move(*sink), as_json,
                options.prefix.empty() ? std::string() : options.prefix + " ");
}

std::string RunLog::time_in(std::chrono::milliseconds span) const {
  const auto then = std::chrono::time_point_cast<std::chrono::milliseconds>(clock_()) + span;
  return fmt::format("{:%FT%T}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(then)),
                     then.time_since_epoch().count() % 1000);
}

void RunLog::line(std::string_view code, const std::string& text, const Json& fields) const {
  const std::string time = time_in({});
  const std::lock_guard lock(shared_->mutex);
  const auto write = [&](std::string_view its_code, const std::string& its_text, const Json& its_fields) {
    ++shared_->counts[std::string(its_code)];
    const std::string line = shared_->events.add(json_of(time, its_code, its_text, its_fields));
    return shared_->sink->write(shared_->as_json ? line : text_line(time, its_code, its_text));
  };
  if (!write(code, text, fields)) {
    ++shared_->lost;
  } else if (const std::uint64_t lost = std::exchange(shared_->lost, 0); lost > 0) {
    write("RCH231", fmt::format("{} lines could not be written to the log before the last one", lost),
          {{"lost", lost}});
  }
}

/// A text of several lines has as many lines in the log.
std::string RunLog::text_line(const std::string& time, std::string_view code, std::string_view text) const {
  std::string lines;
  for (std::size_t end = 0; end != text.npos; text.remove_prefix(std::min(text.size(), end + 1))) {
    end = text.find('\n');
    lines += fmt::format("{} {} {} {}{}\n", time, name_of(level_of(code)), code, shared_->prefix,
                         text.substr(0, end));
  }
  return lines;
}

Output::Sink RunLog::reports() const {
  return [log = *this](std::string_view lines) {
    Shared& shared = *log.shared_;
    const std::lock_guard lock(shared.mutex);
    const std::string time = log.time_in({});
    const std::string_view text = lines.substr(0, lines.find_last_not_of('\n') + 1);
    const bool written =
        shared.sink->write(shared.as_json ? json_of(time, kReportCode, text, Json::object()).dump() + "\n"
                                          : log.text_line(time, kReportCode, text));
    if (!written) ++shared.lost;
  };
}

/// One line each, and a count of those beyond the first.
void RunLog::changes(const std::vector<fabric::Change>& changes) const {
  constexpr std::size_t kMost = 20;
  for (const bool is_new : {false, true}) {
    const char* code = is_new ? "RCH115" : "RCH114";
    std::size_t told = 0;
    for (const fabric::Change& change : changes)
      if (change.is_new == is_new && ++told <= kMost) line(code, change.text, fields_of(change));
    if (told > kMost)
      line(code, fmt::format("{} more cables and nodes are {}", told - kMost, is_new ? "new" : "gone"),
           {{"more", told - kMost}});
  }
}

std::map<std::string, std::uint64_t, std::less<>> RunLog::counts() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->counts;
}

const EventLog& RunLog::events() const { return shared_->events; }

void RunLog::reopen() const {
  const auto reopened = [this] {
    const std::lock_guard lock(shared_->mutex);
    return shared_->sink->reopen();
  }();
  if (!shared_->sink->is_file()) return;
  line("RCH231", reopened ? "the log file was opened again"
                          : reopened.error().message + "; the log goes on in the file that is open");
}

void RunLog::event(const sm::ManagerEvent& event, const fabric::Fabric* fabric) const {
  std::visit(
      [&](const auto& told) {
        if constexpr (std::is_same_v<std::decay_t<decltype(told)>, sm::PerformanceEvent>) {
          const LogLine of_port = describe(told.event, fabric);
          return line(of_port.code, of_port.text, of_port.fields);
        } else if constexpr (std::is_same_v<std::decay_t<decltype(told)>, sm::FabricChanged>) {
          return changes(told.changes);
        } else if constexpr (!std::is_same_v<std::decay_t<decltype(told)>, sm::GroupChanged>) {
          Json fields = fields_of(told);
          if (const auto lid = fields.number("lid"); lid && fabric != nullptr)
            name_port(fields, Lid(static_cast<std::uint16_t>(*lid)), *fabric);
          if constexpr (std::is_same_v<std::decay_t<decltype(told)>, sm::TrapReceived>)
            line(code_of(told), text_of(told, fields.text("node")), fields);
          else
            line(code_of(told), text_of(told), fields);
        }
      },
      event);
}

ControlSocket::Reply watch(const EventLog& events, const WatchRequest& request) {
  const std::uint64_t next = events.next(), since = request.since.value_or(next);
  if (since == 0 || since > next)
    return Json{{"error", fmt::format("`since` must be a number from 1 to {}: events are numbered anew from "
                                      "the start of a manager",
                                      next)}};
  return ControlSocket::Reply(since);
}

std::string_view state_name(hw::SmState state) {
  constexpr std::string_view kNames[] = {"not-active", "discovering", "standby", "master"};
  const auto index = static_cast<std::size_t>(state);
  return index < std::size(kNames) ? kNames[index] : "unknown";
}

}  // namespace rch::cli
