#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/control_socket.h"

namespace rch::cli {
namespace {

struct StatusFlags {
  std::string control = kControlSocket;
  Format format = Format::text;
};

/// A member as people read it.
std::string text(const Json& status, std::string_view member) {
  const Json* value = status.find(member);
  if (value == nullptr) return "unknown";
  return value->string() != nullptr ? *value->string() : value->dump();
}

void print(Output& output, const Json& status) {
  output.line("state    " + text(status, "state"));
  output.line(fmt::format("tables   {}, plan {}",
                          text(status, "proven") == "true" ? "proven" : "not known to be proven",
                          text(status, "generation")));
  if (const std::string why = text(status, "degraded"); why != "null") output.line("degraded " + why);
  output.line(fmt::format("fabric   {} switches, {} end ports, {} quarantined", text(status, "switches"),
                          text(status, "end_ports"), text(status, "quarantined")));
  for (const auto& [member, value] : *status.members()) output.json(member, value);
}

Exit show(Context& context, const std::string& control) {
  const auto status = ask_control(control, {{"request", "status"}});
  if (!status) return context.stop(status.error());
  if (status->find("error") != nullptr) return context.stop({ErrorKind::usage, text(*status, "error")});
  print(context.output, *status);
  return Exit::good;
}

Exit run(const StatusFlags& flags) {
  Context context(flags.format);
  return context.end(show(context, flags.control), {});
}

}  // namespace

void add_status(const Command& rch) {
  const Command command = rch.command("status", "Show what a running subnet manager does");
  command.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<StatusFlags>();
  command.add("--control", flags->control, "The socket it answers on (default: /run/rch/control)")
      .type("SOCKET");
  command.add_format(flags->format);
  command.does([flags] { return run(*flags); });
}

}  // namespace rch::cli
