#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/control_socket.h"
#include "cli/service.h"

namespace rch::cli {
namespace {

struct ConfirmFlags {
  std::string control = kControlSocket;
  Format format = Format::text;
};

Exit run(const ConfirmFlags& flags) {
  Context context(flags.format);
  const auto answer = ask_control(flags.control, {{"request", kConfirm}});
  if (!answer) return context.end(context.stop(answer.error()), {});
  if (const Json* error = answer->find("error"); error != nullptr && error->string() != nullptr)
    return context.end(context.stop({ErrorKind::invalid, *error->string()}), {});
  context.output.line(fmt::format("reload   {}: confirmed", answer->number("job").value_or(0)));
  for (const auto& [member, value] : *answer->members()) context.output.json(member, value);
  return context.end(Exit::good, {});
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
