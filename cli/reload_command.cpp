#include <memory>

#include <fmt/format.h>

#include "cli/accepts.h"
#include "cli/commands.h"
#include "cli/confirmation.h"
#include "cli/control_socket.h"
#include "cli/manager_client.h"
#include "cli/told_findings.h"

namespace rch::cli {
namespace {

struct ReloadFlags {
  std::string control = kControlSocket;
  bool wait = false;
  std::string confirm_within, accept;
  Format format = Format::text;
};

void print(Output& output, const Json& answer) {
  print_findings(output, answer);
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
}

Exit exit_of(const std::string& state) {
  if (state == "refused" || state == "superseded" || state == "rolled_back") return Exit::findings;
  return state == "degraded" ? Exit::fabric : Exit::good;
}

Exit run(const ReloadFlags& flags) {
  ReloadRequest request{.accepts_cut_off = !flags.accept.empty()};
  if (!flags.confirm_within.empty()) request.confirm_within = *confirm_time(flags.confirm_within);
  const Question question{.control = flags.control, .request = request, .waits = flags.wait};
  return ask_manager(flags.format, question, [](Output& output, const Json& answer) {
    print(output, answer);
    return exit_of(answer.text("state"));
  });
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
  command.does([flags] { return run(*flags); },
               [flags] {
                 if (flags->confirm_within.empty()) return std::string();
                 const auto within = confirm_time(flags->confirm_within);
                 return within ? std::string() : "--confirm-within: " + within.error().message;
               });
}

}  // namespace rch::cli
