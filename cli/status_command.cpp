#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/control_socket.h"
#include "cli/status_text.h"

namespace rch::cli {
namespace {

struct StatusFlags {
  std::string control = kControlSocket;
  bool check = false;
  Format format = Format::text;
};

void print(Output& output, const Json& status) {
  for (const auto& [name, what] : status_lines(status)) output.line(fmt::format("{:<8} {}", name, what));
  for (const auto& [member, value] : *status.members()) output.json(member, value);
}

Exit show(Context& context, const StatusFlags& flags) {
  const auto status = ask_control(flags.control, {{"request", "status"}});
  if (!status) return context.stop(status.error());
  if (const Json* error = status->find("error"); error != nullptr && error->string() != nullptr)
    return context.stop({ErrorKind::usage, *error->string()});
  print(context.output, *status);
  return flags.check && !is_healthy(*status) ? Exit::findings : Exit::good;
}

Exit run(const StatusFlags& flags) {
  Context context(flags.format);
  return context.end(show(context, flags), {});
}

}  // namespace

void add_status(const Command& rch) {
  const Command command = rch.command("status", "Show what a running subnet manager does");
  command.exits({Exit::good, Exit::findings, Exit::usage});
  auto flags = std::make_shared<StatusFlags>();
  command.add("--check", flags->check,
              "Exit with 1 unless it is master of proven tables, or stands by and follows its master");
  command.add_control(flags->control);
  command.add_format(flags->format);
  command.does([flags] { return run(*flags); });
}

}  // namespace rch::cli
