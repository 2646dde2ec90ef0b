#include <memory>

#include "cli/commands.h"
#include "cli/control_socket.h"
#include "cli/manager_client.h"

namespace rch::cli {
namespace {

struct SweepFlags {
  std::string control = kControlSocket;
  std::vector<std::string> accept;
  Format format = Format::text;
};

Exit run(const SweepFlags& flags) {
  SweepRequest request;
  for (const std::string& finding : flags.accept) request.accept.*value_of(consent_words(), finding) = true;
  return ask_manager(flags.format, {flags.control, request}, [](Output& output, const Json& answer) {
    const std::string note = answer.text("note");
    output.line("sweep    " +
                (note.empty() ? "asked for; `rch status` and `rch watch` tell what comes of it" : note));
    return Exit::good;
  });
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
