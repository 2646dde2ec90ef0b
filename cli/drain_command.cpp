// `rch drain` and `rch undrain`: maintenance under a running subnet manager.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/accepts.h"
#include "cli/commands.h"
#include "cli/control_socket.h"
#include "cli/manager_client.h"

namespace rch::cli {
namespace {

struct DrainFlags {
  std::vector<std::string> parts;
  std::string accept, control = default_control_socket();
  bool dry_run = false;
  Format format = Format::text;
};

std::string parts_of(const Json& answer) {
  std::vector<std::string> parts;
  for (const Json& part : answer.list("parts"))
    if (part.string() != nullptr) parts.push_back(*part.string());
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Prints what a drain or its way back has come to.
Exit print_drain(Output& output, const Json& answer) {
  const std::string state = answer.text("state"), why = answer.text("why");
  const bool is_good = state == "drained" || state == "returned" || state == "would_drain";
  if (!answer.text("what").empty()) output.line("parts    " + answer.text("what"));
  if (is_good && state != "returned")
    output.line(fmt::format("update   {} in {}, {} without a path meanwhile",
                            counted(answer.number("entries").value_or(0), "entry"),
                            counted(answer.number("rounds").value_or(0), "round"),
                            counted(answer.number("lids_without_path").value_or(0), "LID")));
  for (const Json& note : answer.list("notes"))
    if (note.string() != nullptr) output.line("note     " + *note.string(), Meaning::warning);
  const std::string_view word = state == "drained"       ? "out of service: nothing is sent there any more"
                                : state == "returned"    ? "in service again"
                                : state == "would_drain" ? "can be taken out of service"
                                : state == "refused"     ? "refused"
                                                         : "failed";
  output.line(fmt::format("drain    {}: {}{}", parts_of(answer), word, why.empty() ? "" : ": " + why),
              is_good ? Meaning::good : Meaning::bad);
  if (state == "failed") return Exit::fabric;
  return is_good ? Exit::good : Exit::findings;
}

Request status_of_drain(std::uint64_t job) { return DrainStatusRequest{job}; }

Exit ask(const DrainFlags& flags, Request request) {
  return ask_manager(
      flags.format, flags.control,
      {.request = std::move(request), .refusal = ErrorKind::invalid, .waits = true, .again = status_of_drain},
      print_drain);
}

void add_parts(const Command& command, DrainFlags& flags) {
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  command
      .add("PART", flags.parts,
           "A switch or host by name, GUID or LID; A:B: all cables between two nodes; A[3]: the cable at a "
           "port")
      .required();
  command.add_control(flags.control);
  command.add_format(flags.format);
}

}  // namespace

void add_drain(const Command& rch) {
  const Command command = rch.command(
      "drain", "Take parts out of service before they are touched, if nobody else loses anything");
  auto flags = std::make_shared<DrainFlags>();
  add_parts(command, *flags);
  command.add("--dry-run", flags->dry_run, "Say what would happen, and change nothing");
  command
      .add("--accept", flags->accept,
           "interruption: LIDs may be without a path for a packet lifetime while tables are replaced")
      .one_of({std::string(kInterruption)})
      .type("interruption");
  command.does([flags] {
    return ask(*flags, DrainRequest{.parts = flags->parts,
                                    .dry_run = flags->dry_run,
                                    .accepts_interruption = !flags->accept.empty()});
  });
}

void add_undrain(const Command& rch) {
  const Command command = rch.command("undrain", "Take parts back into service that `rch drain` took out");
  auto flags = std::make_shared<DrainFlags>();
  add_parts(command, *flags);
  command.does([flags] { return ask(*flags, UndrainRequest{flags->parts}); });
}

}  // namespace rch::cli
