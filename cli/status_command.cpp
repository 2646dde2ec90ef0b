#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/control_socket.h"
#include "cli/manager_client.h"
#include "cli/status_text.h"

namespace rch::cli {
namespace {

struct StatusFlags {
  std::string control = kControlSocket;
  bool check = false;
  Format format = Format::text;
};

Exit run(const StatusFlags& flags) {
  return ask_manager(flags.format, {flags.control, StatusRequest{}}, [&](Output& output, const Json& status) {
    for (const auto& [name, what] : status_lines(status)) output.line(fmt::format("{:<8} {}", name, what));
    return flags.check && !is_healthy(status) ? Exit::findings : Exit::good;
  });
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
