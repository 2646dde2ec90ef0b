#include <charconv>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/control_socket.h"
#include "cli/service.h"

namespace rch::cli {
namespace {

/// From question to question about a job that is under way.
constexpr std::chrono::milliseconds kAskEvery{50};

struct ReloadFlags {
  std::string control = kControlSocket;
  bool wait = false;
  std::string confirm_within;
  Format format = Format::text;
};

/// "/etc/opensm/opensm.conf:3:1: "
std::string place_of(const Json& finding) {
  const Json* place = finding.find("place");
  if (place == nullptr || place->members() == nullptr) return "";
  std::string at = place->text("file");
  for (const char* member : {"line", "column"})
    if (const auto number = place->number(member)) at += fmt::format(":{}", *number);
  return at + ": ";
}

void print(Output& output, const Json& answer) {
  for (const Json& finding : answer.list("findings"))
    output.line(
        fmt::format("{}{}: {}", place_of(finding), finding.text("severity"), finding.text("message")));
  for (const Json& option : answer.list("options"))
    output.line(fmt::format("option   {} {} -> {}: {}", option.text("option"), option.text("was"),
                            option.text("is"), option.text("result")));
  for (const Json& file : answer.list("files"))
    output.line(fmt::format("file     {}: {}", file.text("file"), file.text("result")));
  const std::string why = answer.text("why"), until = answer.text("confirm_until");
  output.line(fmt::format("reload   {}: {}{}", answer.number("job").value_or(0), answer.text("state"),
                          why.empty() ? "" : ": " + why));
  if (!until.empty())
    output.line(fmt::format(
        "confirm  the configuration before comes back at {} (`rch confirm` keeps this one)", until));
  for (const auto& [member, value] : *answer.members()) output.json(member, value);
}

Exit exit_of(const std::string& state) {
  if (state == "refused" || state == "superseded" || state == "rolled_back") return Exit::findings;
  return state == "degraded" ? Exit::fabric : Exit::good;
}

/// "90s", "5m", "2h". None: it is no such time.
std::optional<std::uint64_t> seconds_of(std::string_view text) {
  constexpr std::pair<char, std::uint64_t> kUnits[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end + 1 != text.data() + text.size() || count == 0 || count > 86400)
    return std::nullopt;
  for (const auto& [unit, seconds] : kUnits)
    if (*end == unit) return count * seconds;
  return std::nullopt;
}

/// The answer about the job, once it says more than that it is pending if that is waited for.
Result<Json> reload(const ReloadFlags& flags) {
  Json request{{"request", kReload}};
  if (const auto within = seconds_of(flags.confirm_within)) request["confirm_within"] = *within;
  auto answer = ask_control(flags.control, request);
  while (answer && flags.wait && answer->text("state") == "pending") {
    std::this_thread::sleep_for(kAskEvery);
    answer =
        ask_control(flags.control, {{"request", kReloadStatus}, {"job", answer->number("job").value_or(0)}});
  }
  return answer;
}

Exit run(const ReloadFlags& flags) {
  Context context(flags.format);
  const auto answer = reload(flags);
  if (!answer) return context.end(context.stop(answer.error()), {});
  if (const std::string error = answer->text("error"); !error.empty())
    return context.end(context.stop({ErrorKind::usage, error}), {});
  print(context.output, *answer);
  return context.end(exit_of(answer->text("state")), {});
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
  command.add_control(flags->control);
  command.add_format(flags->format);
  command.does([flags] { return run(*flags); },
               [flags] {
                 return flags->confirm_within.empty() || seconds_of(flags->confirm_within)
                            ? std::string()
                            : "--confirm-within takes a time as in 90s, 5m or 2h, not `" +
                                  flags->confirm_within + "`";
               });
}

}  // namespace rch::cli
