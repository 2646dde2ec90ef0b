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

/// A member that is text; empty: there is none.
std::string text(const Json& object, std::string_view member) {
  const Json* value = object.find(member);
  return value != nullptr && value->string() != nullptr ? *value->string() : "";
}

/// Calls f(element) for each element of a member that is a list.
template <class F>
void for_each(const Json& answer, std::string_view member, F&& f) {
  const Json* list = answer.find(member);
  if (list == nullptr || list->elements() == nullptr) return;
  for (const Json& element : *list->elements()) f(element);
}

/// "/etc/opensm/opensm.conf:3:1: "
std::string place_of(const Json& finding) {
  const Json* place = finding.find("place");
  if (place == nullptr || place->members() == nullptr) return "";
  std::string at = text(*place, "file");
  for (const char* member : {"line", "column"})
    if (const auto number = place->number(member)) at += fmt::format(":{}", *number);
  return at + ": ";
}

void print(Output& output, const Json& answer) {
  for_each(answer, "findings", [&](const Json& finding) {
    output.line(
        fmt::format("{}{}: {}", place_of(finding), text(finding, "severity"), text(finding, "message")));
  });
  for_each(answer, "options", [&](const Json& option) {
    output.line(fmt::format("option   {} {} -> {}: {}", text(option, "option"), text(option, "was"),
                            text(option, "is"), text(option, "result")));
  });
  for_each(answer, "files", [&](const Json& file) {
    output.line(fmt::format("file     {}: {}", text(file, "file"), text(file, "result")));
  });
  const std::string why = text(answer, "why"), until = text(answer, "confirm_until");
  output.line(fmt::format("reload   {}: {}{}", answer.number("job").value_or(0), text(answer, "state"),
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
  while (answer && flags.wait && text(*answer, "state") == "pending") {
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
  if (const std::string error = text(*answer, "error"); !error.empty())
    return context.end(context.stop({ErrorKind::usage, error}), {});
  print(context.output, *answer);
  return context.end(exit_of(text(*answer, "state")), {});
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
  command.add("--control", flags->control, "The socket it answers on (default: /run/rch/control)")
      .type("SOCKET");
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
