// The commands that ask a running subnet manager over its control socket.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/accepts.h"
#include "cli/commands.h"
#include "cli/confirmation.h"
#include "cli/control_socket.h"
#include "cli/manager_client.h"
#include "cli/status_text.h"

namespace rch::cli {
namespace {

/// The flags that each of these commands has.
struct ClientFlags {
  std::string control = default_control_socket();
  Format format = Format::text;
};

/// Completes a command that asks what `question` makes of its flags, and prints the answer with `print`.
template <class Flags>
void asks(const Command& command, const std::shared_ptr<Flags>& flags, Question (*question)(const Flags&),
          Exit (*print)(Output&, const Json&)) {
  command.add_control(flags->control);
  command.add_format(flags->format);
  command.does([=] { return ask_manager(flags->format, flags->control, question(*flags), print); });
}

}  // namespace

namespace {

Meaning meaning_of(std::string_view name, std::string_view what) {
  if (name == "degraded") return Meaning::bad;
  if (name != "tables") return Meaning::plain;
  return what.starts_with("proven") ? Meaning::good : Meaning::warning;
}

}  // namespace

void add_status(const Command& rch) {
  struct Flags : ClientFlags {
    bool check = false;
  };
  const Command command = rch.command("status", "Show what a running subnet manager does");
  command.exits({Exit::good, Exit::findings, Exit::usage});
  auto flags = std::make_shared<Flags>();
  command.add("--check", flags->check,
              "Exit with 1 unless it is master of proven tables and all hosts have paths, or stands by and "
              "follows its "
              "master");
  command.add_control(flags->control);
  command.add_format(flags->format);
  command.does([flags] {
    return ask_manager(flags->format, flags->control, {StatusRequest{}},
                       [&](Output& output, const Json& status) {
                         for (const auto& [name, what] : status_lines(status))
                           output.line(fmt::format("{:<8} {}", name, what), meaning_of(name, what));
                         return flags->check && !is_healthy(status) ? Exit::findings : Exit::good;
                       });
  });
}

void add_sweep(const Command& rch) {
  struct Flags : ClientFlags {
    std::vector<std::string> accept;
  };
  const Command command = rch.command("sweep", "Make a running subnet manager look at the whole fabric now");
  command.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<Flags>();
  command
      .add("--accept", flags->accept,
           "What the next plan may do, and no later one (may be repeated): static-change, link-reset")
      .one_of({std::string(verify::kStaticChange), std::string(hw::kLinkReset)})
      .type("FINDING");
  const auto question = [](const Flags& given) {
    SweepRequest request;
    for (const std::string& finding : given.accept) request.accept.*value_of(kConsents, finding) = true;
    return Question{request};
  };
  asks<Flags>(command, flags, question, [](Output& output, const Json&) {
    output.line("sweep    asked for; `rch status` and `rch watch` tell what comes of it");
    return Exit::good;
  });
}

namespace {

/// Prints the findings of a configuration as `rch lint` does: each with its place, the quoted line and the
/// hint.
void print_findings(Output& output, const Json& answer) {
  for (const Json& finding : answer.list("findings")) {
    std::string text = finding.text("text");
    if (text.empty()) text = fmt::format("{}: {}", finding.text("severity"), finding.text("message"));
    while (text.ends_with('\n')) text.pop_back();
    output.line(text);
  }
}

Exit exit_of_reload(const std::string& state) {
  if (state == "refused" || state == "superseded" || state == "rolled_back") return Exit::findings;
  return state == "degraded" ? Exit::fabric : Exit::good;
}

Exit print_reload(Output& output, const Json& answer) {
  print_findings(output, answer);
  for (const Json& option : answer.list("options"))
    output.line(fmt::format("option   {} {} -> {}: {}", option.text("option"), option.text("was"),
                            option.text("is"), option.text("result")));
  for (const Json& file : answer.list("files"))
    output.line(fmt::format("file     {}: {}", file.text("file"), file.text("result")));
  const std::string why = answer.text("why"), until = answer.text("confirm_until");
  const Json* in_effect = answer.find("in_effect");
  const bool is_replaced = in_effect != nullptr && in_effect->dump() == "false";
  output.line(fmt::format("reload   {}: {}{}{}", answer.number("job").value_or(0), answer.text("state"),
                          is_replaced ? "; the plan of another configuration has replaced it" : "",
                          why.empty() ? "" : ": " + why));
  if (!until.empty())
    output.line(fmt::format(
        "confirm  the configuration before comes back at {} (`rch confirm` keeps this one)", until));
  return exit_of_reload(answer.text("state"));
}

struct ReloadFlags : ClientFlags {
  bool wait = false;
  std::string confirm_within, accept;
};

Exit ask_for_reload(const ReloadFlags& flags) {
  ReloadRequest request{.accepts_cut_off = !flags.accept.empty()};
  if (!flags.confirm_within.empty()) request.confirm_within = *confirm_time(flags.confirm_within);
  return ask_manager(flags.format, flags.control, {.request = request, .waits = flags.wait}, print_reload);
}

}  // namespace

void add_reload(const Command& rch) {
  const Command command = rch.command("reload", "Make a running subnet manager read its configuration again");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<ReloadFlags>();
  command.add("--wait", flags->wait, "Answer when its plan is installed, or say why it is not");
  command
      .add("--confirm-within", flags->confirm_within,
           "The configuration before comes back after this time (90s, 5m, 2h) unless `rch confirm` is given")
      .type("TIME");
  command
      .add("--accept", flags->accept,
           "Take a list of cables or switches that cuts off hosts or switches of the installed plan: cut-off")
      .one_of({std::string(kCutOff)})
      .type("FINDING");
  command.add_control(flags->control);
  command.add_format(flags->format);
  command.does([flags] { return ask_for_reload(*flags); },
               [flags] {
                 if (flags->confirm_within.empty()) return std::string();
                 const auto within = confirm_time(flags->confirm_within);
                 return within ? std::string() : "--confirm-within: " + within.error().message;
               });
}

void add_confirm(const Command& rch) {
  const Command command =
      rch.command("confirm", "Keep a configuration that was read with `rch reload --confirm-within`");
  command.exits({Exit::good, Exit::findings, Exit::usage});
  const auto question = [](const ClientFlags&) { return Question{ConfirmRequest{}, ErrorKind::invalid}; };
  asks<ClientFlags>(command, std::make_shared<ClientFlags>(), question,
                    [](Output& output, const Json& answer) {
                      output.line(fmt::format("reload   {}: confirmed", answer.number("job").value_or(0)));
                      return Exit::good;
                    });
}

namespace {

struct PartitionFlags : ClientFlags {
  std::string partition, port, membership = "limited";
  std::vector<std::string> accept;
  bool absent = false;
};

Exit print_partitions(Output& output, const Json& answer) {
  if (answer.list("partitions").empty()) output.line("there is no partition yet");
  for (const Json& partition : answer.list("partitions")) {
    output.line(fmt::format("{}  {}", partition.text("pkey"), partition.text("name")));
    for (const Json& port : partition.list("ports"))
      output.line(
          fmt::format("  {:<7}  {}  {}", port.text("membership"), port.text("guid"), port.text("node")));
  }
  return Exit::good;
}

Exit exit_of_change(const std::string& state) {
  if (state == "degraded") return Exit::fabric;
  return state == "installed" || state == "standby" ? Exit::good : Exit::findings;
}

/// The command ends when all ports have acknowledged, or the change is refused.
template <PartitionRequest::Action action>
Question change_of(const PartitionFlags& flags) {
  return {.request = PartitionRequest{.action = action,
                                      .partition = flags.partition,
                                      .port = flags.port,
                                      .membership = value_of(kMemberships, flags.membership),
                                      .may_be_absent = flags.absent,
                                      .accepts_other_configuration = !flags.accept.empty()},
          .refusal = ErrorKind::invalid,
          .waits = true};
}

Exit print_change(Output& output, const Json& answer) {
  const std::string state = answer.text("state"), why = answer.text("why");
  print_findings(output, answer);
  output.line(fmt::format("change   {}: {}{}", answer.number("job").value_or(0), state,
                          why.empty() ? "" : ": " + why));
  return exit_of_change(state);
}

void add_change(const Command& partition, const std::string& name, const std::string& about) {
  const bool adds = name == "add";
  const Command command = partition.command(name, about);
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<PartitionFlags>();
  command
      .add("PARTITION", flags->partition,
           adds ? "Name or P_Key of a partition in the file; NAME=0xPKEY also makes a new one"
                : "Name or P_Key of a partition in the file")
      .required();
  command.add("PORT", flags->port, "GUID of the port, LID, or name of its host").required();
  command
      .add("--accept", flags->accept,
           "other-configuration: change this manager although one that stands by would not take over then")
      .one_of({std::string(kOtherConfiguration)})
      .type("other-configuration");
  if (adds) {
    command.add("--absent", flags->absent, "Also a GUID that no port of the fabric has yet");
    command.add("--membership", flags->membership, "How it belongs to the partition (default: limited)")
        .one_of({"limited", "full", "both"})
        .type("limited|full|both");
  }
  using PartitionAction = PartitionRequest::Action;
  asks(command, flags, adds ? change_of<PartitionAction::add> : change_of<PartitionAction::remove>,
       print_change);
}

}  // namespace

void add_partition(const Command& rch) {
  const Command partition =
      rch.command("partition", "Show or change the partitions of a running subnet manager");
  const Command listing = partition.command("list", "Ports by partition, as the installed plan has them");
  listing.exits({Exit::good, Exit::usage});
  const auto question = [](const ClientFlags&) { return Question{PartitionsRequest{}}; };
  asks<ClientFlags>(listing, std::make_shared<ClientFlags>(), question, print_partitions);
  add_change(partition, "add", "Make a port a member, in the fabric and in the partition file");
  add_change(partition, "remove", "Take a port out, in the fabric and in the partition file");
}

namespace {

struct QuarantineFlags : ClientFlags {
  std::string action, node;
  std::optional<std::uint64_t> port;
};

Question question_about(const QuarantineFlags& flags) {
  return {QuarantineRequest{value_of(kQuarantineActions, flags.action), flags.node, flags.port},
          ErrorKind::invalid};
}

Exit print_parts(Output& output, const Json& answer) {
  const std::string absent = answer.text("held_back_absent");
  if (answer.list("left_out").empty() && answer.list("kept").empty() && answer.list("unhealthy").empty() &&
      absent.empty())
    output.line("nothing is left out, and nothing is unhealthy");
  for (const Json& part : answer.list("left_out"))
    output.line(fmt::format("left out   {}: {}", part.text("place"), part.text("reason")));
  for (const Json& part : answer.list("kept"))
    output.line(fmt::format("kept       {}: {}; the fabric is seen over it", part.text("place"),
                            part.text("reason")));
  if (!absent.empty()) output.line("absent     " + absent);
  for (const Json& part : answer.list("unhealthy")) {
    const std::uint64_t port = part.number("port").value_or(0);
    const auto left = part.number("seconds_left");
    const Json* spared = part.find("spared");
    output.line(fmt::format(
        "unhealthy  `{}`{} ({}): {}, {}: {}{}{}", part.text("node"),
        port == 0 ? "" : fmt::format(" port {}", port), part.text("guid"), part.text("condition"),
        part.text("action"), part.text("reason"), left ? fmt::format("; {} s left", *left) : "",
        spared != nullptr && spared->dump() == "true" ? "; it stays in: others would be cut off" : ""));
  }
  return Exit::good;
}

void add_quarantine_command(const Command& quarantine, const std::string& name, const std::string& about) {
  const Command command = quarantine.command(name, about);
  command.exits({Exit::good, Exit::findings, Exit::usage});
  auto flags = std::make_shared<QuarantineFlags>();
  flags->action = name;
  if (name != "list") {
    command.add("NODE", flags->node, "GUID of a node or of a port of an adapter, LID, or name of a node")
        .required();
    command.add("--port", flags->port, "One port of the node (default: the whole node)").between(1, 254);
  }
  if (name == "add")
    command
        .add("--action", flags->action,
             "What becomes of it (default: that of `hm_ca_manual_action` or `hm_sw_manual_action`, else "
             "isolate)")
        .one_of({"report", "isolate", "no_discover"})
        .type("report|isolate|no_discover");
  asks(command, flags, question_about, print_parts);
}

}  // namespace

void add_quarantine(const Command& rch) {
  const Command quarantine =
      rch.command("quarantine", "Show or change what a running subnet manager leaves out of the fabric");
  add_quarantine_command(quarantine, "list", "What is left out, and what is unhealthy");
  add_quarantine_command(quarantine, "add", "Leave a node or port out until it is released");
  add_quarantine_command(quarantine, "release", "Take a node or port back, whatever made it unhealthy");
}

namespace {

struct WatchFlags {
  std::string control = default_control_socket();
  std::optional<std::uint64_t> since;
  std::string format = "json";
};

/// Returns an event as people read it.
std::string for_people(const Json& event) {
  return fmt::format("{} {} {} {}\n", event.text("time"), event.text("severity"), event.text("code"),
                     event.text("text"));
}

/// Lines go out as they come, until the manager stops or nobody reads them. An error is one line, too.
Exit watch(Context& context, const WatchFlags& flags) {
  std::optional<Error> refused;
  const auto print = [&](const std::string& line) {
    const auto told = Json::parse(line);
    if (told && told->find("error") != nullptr)
      refused = Error{ErrorKind::usage, *told->find("error")->string()};
    else
      std::fputs((flags.format == "text" && told ? for_people(*told) : line).c_str(), stdout);
    return !refused && std::fflush(stdout) == 0;
  };
  const auto watched = watch_control(flags.control, {flags.since}, print);
  if (!watched) return context.stop(watched.error());
  return refused ? context.stop(*refused) : Exit::good;
}

}  // namespace

void add_watch(const Command& rch) {
  const Command command = rch.command("watch", "Print the events of a running subnet manager, a line each");
  command.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<WatchFlags>();
  command.add("--since", flags->since, "Begin with the event of this number (default: with the next one)")
      .type("N");
  command.add("--format", flags->format, "Lines of JSON, or of text (default: json)")
      .one_of({"text", "json"})
      .type("text|json");
  command.add_control(flags->control);
  command.does([flags] {
    Context context(Format::text);
    return context.end(watch(context, *flags), {});
  });
}

}  // namespace rch::cli
