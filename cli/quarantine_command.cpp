#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/control_socket.h"
#include "cli/manager_client.h"

namespace rch::cli {
namespace {

using PartAction = QuarantineRequest::Action;

struct QuarantineFlags {
  std::string control = kControlSocket, node, action = "add";
  int port = 0;
  Format format = Format::text;
};

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

Exit ask(const QuarantineFlags& flags, PartAction action) {
  const QuarantineRequest request{action, flags.node, static_cast<std::uint8_t>(flags.port)};
  return ask_manager(flags.format, {flags.control, request, ErrorKind::invalid}, print_parts);
}

Command make(const Command& quarantine, const std::string& name, const std::string& about,
             const std::shared_ptr<QuarantineFlags>& flags) {
  const Command command = quarantine.command(name, about);
  command.exits({Exit::good, Exit::findings, Exit::usage});
  if (name != "list") {
    command.add("NODE", flags->node, "GUID of a node or of a port of an adapter, LID, or name of a node")
        .required();
    command.add("--port", flags->port, "One port of the node (default: the whole node)").between(1, 254);
  }
  return command;
}

void add_common(const Command& command, const std::shared_ptr<QuarantineFlags>& flags) {
  command.add_control(flags->control);
  command.add_format(flags->format);
}

}  // namespace

void add_quarantine(const Command& rch) {
  const Command quarantine =
      rch.command("quarantine", "Show or change what a running subnet manager leaves out of the fabric");
  auto flags = std::make_shared<QuarantineFlags>();
  const Command list = make(quarantine, "list", "What is left out, and what is unhealthy", flags);
  add_common(list, flags);
  list.does([flags] { return ask(*flags, PartAction::list); });
  auto added = std::make_shared<QuarantineFlags>();
  const Command add = make(quarantine, "add", "Leave a node or port out until it is released", added);
  add.add(
         "--action", added->action,
         "What becomes of it (default: that of `hm_ca_manual_action` or `hm_sw_manual_action`, else isolate)")
      .one_of({"report", "isolate", "no_discover"})
      .type("report|isolate|no_discover");
  add_common(add, added);
  add.does([added] { return ask(*added, value_of(quarantine_words(), added->action)); });
  auto released = std::make_shared<QuarantineFlags>();
  const Command release =
      make(quarantine, "release", "Take a node or port back, whatever made it unhealthy", released);
  add_common(release, released);
  release.does([released] { return ask(*released, PartAction::release); });
}

}  // namespace rch::cli
