#include <memory>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/control_socket.h"
#include "cli/service.h"

namespace rch::cli {
namespace {

struct SweepFlags {
  std::string control = kControlSocket;
  std::vector<std::string> accept;
  Format format = Format::text;
};

Exit run(const SweepFlags& flags) {
  Context context(flags.format);
  Json request{{"request", kSweep}};
  if (!flags.accept.empty()) {
    request["accept"] = Json::array();
    for (const std::string& finding : flags.accept) request["accept"].push_back(finding);
  }
  const auto answer = ask_control(flags.control, request);
  if (!answer) return context.end(context.stop(answer.error()), {});
  if (const std::string error = answer->text("error"); !error.empty())
    return context.end(context.stop({ErrorKind::usage, error}), {});
  context.output.line("sweep    asked for; `rch status` and `rch watch` tell what comes of it");
  for (const auto& [member, value] : *answer->members()) context.output.json(member, value);
  return context.end(Exit::good, {});
}

}  // namespace

void add_sweep(const Command& rch) {
  const Command command = rch.command("sweep", "Make a running subnet manager look at the whole fabric now");
  command.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<SweepFlags>();
  command
      .add("--accept", flags->accept,
           "What the next plan may do, and no later one (may be repeated): static-change, link-reset")
      .one_of({std::string(verify::kStaticChange), std::string(hw::kLinkReset)})
      .type("FINDING");
  command.add_control(flags->control);
  command.add_format(flags->format);
  command.does([flags] { return run(*flags); });
}

}  // namespace rch::cli
