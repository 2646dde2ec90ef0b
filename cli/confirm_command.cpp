#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/control_socket.h"
#include "cli/manager_client.h"

namespace rch::cli {
namespace {

struct ConfirmFlags {
  std::string control = kControlSocket;
  Format format = Format::text;
};

Exit run(const ConfirmFlags& flags) {
  const Question question{flags.control, ConfirmRequest{}, ErrorKind::invalid};
  return ask_manager(flags.format, question, [](Output& output, const Json& answer) {
    output.line(fmt::format("reload   {}: confirmed", answer.number("job").value_or(0)));
    return Exit::good;
  });
}

}  // namespace

void add_confirm(const Command& rch) {
  const Command command =
      rch.command("confirm", "Keep a configuration that was read with `rch reload --confirm-within`");
  command.exits({Exit::good, Exit::findings, Exit::usage});
  auto flags = std::make_shared<ConfirmFlags>();
  command.add_control(flags->control);
  command.add_format(flags->format);
  command.does([flags] { return run(*flags); });
}

}  // namespace rch::cli
