#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/accepts.h"
#include "cli/commands.h"
#include "cli/control_socket.h"
#include "cli/manager_client.h"
#include "cli/told_findings.h"

namespace rch::cli {
namespace {

struct PartitionFlags {
  std::string control = kControlSocket, partition, port, membership = "limited";
  bool absent = false;
  std::vector<std::string> accept;
  Format format = Format::text;
};

Exit print_partitions(Output& output, const Json& answer) {
  if (answer.list("partitions").empty()) output.line("there is no partition yet");
  for (const Json& partition : answer.list("partitions")) {
    output.line(fmt::format("{}  {}", partition.text("pkey"), partition.text("name")));
    for (const Json& port : partition.list("ports"))
      output.line(
          fmt::format("  {:<7}  {}  {}", port.text("membership"), port.text("guid"), port.text("node")));
  }
  return Exit::good;
}

Exit exit_of_change(const std::string& state) {
  if (state == "degraded") return Exit::fabric;
  return state == "installed" || state == "standby" ? Exit::good : Exit::findings;
}

/// Waits until all ports have acknowledged, or the change is refused.
Exit change(const PartitionFlags& flags, PartitionRequest::Action action) {
  const PartitionRequest request{.action = action,
                                 .partition = flags.partition,
                                 .port = flags.port,
                                 .membership = value_of(membership_words(), flags.membership),
                                 .may_be_absent = flags.absent,
                                 .accepts_other_configuration = !flags.accept.empty()};
  const Question question{flags.control, request, ErrorKind::invalid, true};
  return ask_manager(flags.format, question, [](Output& output, const Json& answer) {
    const std::string state = answer.text("state"), why = answer.text("why");
    print_findings(output, answer);
    output.line(fmt::format("change   {}: {}{}", answer.number("job").value_or(0), state,
                            why.empty() ? "" : ": " + why));
    return exit_of_change(state);
  });
}

void add_common(const Command& command, const std::shared_ptr<PartitionFlags>& flags) {
  command.add_control(flags->control);
  command.add_format(flags->format);
}

void add_change(const Command& partition, const std::string& name, const std::string& about) {
  const bool adds = name == "add";
  const auto action = adds ? PartitionRequest::Action::add : PartitionRequest::Action::remove;
  const Command command = partition.command(name, about);
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<PartitionFlags>();
  command
      .add("PARTITION", flags->partition,
           adds ? "Name or P_Key of a partition in the file; NAME=0xPKEY also makes a new one"
                : "Name or P_Key of a partition in the file")
      .required();
  command.add("PORT", flags->port, "GUID of the port, LID, or name of its host").required();
  command
      .add("--accept", flags->accept,
           "other-configuration: change this manager although one that stands by would not take over then")
      .one_of({std::string(kOtherConfiguration)})
      .type("other-configuration");
  if (adds) {
    command.add("--absent", flags->absent, "Also a GUID that no port of the fabric has yet");
    command.add("--membership", flags->membership, "How it belongs to the partition (default: limited)")
        .one_of({"limited", "full", "both"})
        .type("limited|full|both");
  }
  add_common(command, flags);
  command.does([flags, action] { return change(*flags, action); });
}

}  // namespace

void add_partition(const Command& rch) {
  const Command partition =
      rch.command("partition", "Show or change the partitions of a running subnet manager");
  const Command listing = partition.command("list", "Ports by partition, as the installed plan has them");
  listing.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<PartitionFlags>();
  add_common(listing, flags);
  listing.does([flags] {
    return ask_manager(flags->format, {flags->control, PartitionsRequest{}}, print_partitions);
  });
  add_change(partition, "add", "Make a port a member, in the fabric and in the partition file");
  add_change(partition, "remove", "Take a port out, in the fabric and in the partition file");
}

}  // namespace rch::cli
