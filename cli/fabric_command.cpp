#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/change_json.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/flags.h"
#include "cli/generate.h"
#include "cli/node_names.h"
#include "cli/torus_command.h"
#include "fabric/difference.h"
#include "fabric/formats.h"
#include "fabric/names.h"
#include "fabric/parts.h"

namespace rch::cli {
namespace {

struct FabricFlags {
  std::string fabric = "live", other, file, to = "ibnetdiscover", names;
  TorusFlags torus;
  bool strict = false;
  Format format = Format::text;
};

/// Runs `use` on the fabric that the flags name.
template <class F>
Exit with_fabric(const FabricFlags& flags, F&& use) {
  Context context(flags.format);
  context.strict = flags.strict;
  const auto names = read_node_names(context, flags.names);
  if (!names) return context.output.finish(names.error());
  auto fabric = read_fabric(context, flags.fabric, {});
  if (!fabric) return context.output.finish(fabric.error());
  return context.output.finish(use(context, fabric::with_names(std::move(*fabric), *names)));
}

Exit write(const FabricFlags& flags) {
  if (flags.format == Format::json && (flags.file.empty() || flags.file == "-")) {
    Output output(flags.format);
    output.error({ErrorKind::usage, "with `--format json` standard output is taken; name a file with `-o`"});
    return output.finish(Exit::usage);
  }
  return with_fabric(flags, [&](Context& context, const fabric::Fabric& fabric) {
    const auto written = write_fabric(fabric, form_named(flags.to), flags.file);
    if (written) return Exit::good;
    context.output.error(written.error());
    return exit_of(written.error().kind);
  });
}

struct Counts {
  std::size_t cas = 0, routers = 0, down_ports = 0;
  std::size_t fewest_hosts = 0, most_hosts = 0;
  std::map<std::size_t, std::size_t> switches_by_ports;
  std::map<std::size_t, std::size_t> groups_by_cables;  ///< pairs of switches by number of parallel cables
};

Counts count(const fabric::Fabric& fabric) {
  Counts counts;
  for (const fabric::Node& node : fabric.nodes()) {
    counts.cas += node.type == fabric::NodeType::ca ? 1 : 0;
    counts.routers += node.type == fabric::NodeType::router ? 1 : 0;
    if (node.type == fabric::NodeType::sw) ++counts.switches_by_ports[node.num_ports];
  }
  for (const fabric::Port& port : fabric.ports())
    counts.down_ports += port.number.value != 0 && port.peer.is_none() ? 1 : 0;
  counts.fewest_hosts = fabric.end_ports().size();
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const std::size_t hosts = fabric.end_ports_of(SwitchId(s)).size();
    counts.fewest_hosts = std::min(counts.fewest_hosts, hosts);
    counts.most_hosts = std::max(counts.most_hosts, hosts);
    for (const fabric::Neighbor& n : fabric.graph().neighbors(SwitchId(s)))
      if (n.sw.value > s) ++counts.groups_by_cables[n.link_count];
  }
  return counts;
}

/// A part of the fabric that no cable joins to the others.
struct PartCounts {
  std::size_t switches = 0, end_ports = 0;
  SwitchId first = SwitchId::none();
};

/// The largest first.
std::vector<PartCounts> count_parts(const fabric::Fabric& fabric) {
  const fabric::Parts parts = fabric::parts(fabric.graph());
  std::vector<PartCounts> counts(parts.count);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    PartCounts& part = counts[parts.of[s]];
    if (part.switches++ == 0) part.first = SwitchId(s);
    part.end_ports += fabric.end_ports_of(SwitchId(s)).size();
  }
  std::ranges::stable_sort(counts, std::ranges::greater{},
                           [](const PartCounts& part) { return std::pair(part.switches, part.end_ports); });
  return counts;
}

/// Says which parts are cut off; nothing of a fabric in one piece.
void tell_parts(Output& out, const fabric::Fabric& fabric, const std::vector<PartCounts>& parts) {
  constexpr std::size_t kShown = 8;
  if (parts.size() < 2) return;
  out.line(fmt::format("parts        {} that no cable joins", parts.size()));
  for (const PartCounts& part : std::span(parts).first(std::min(parts.size(), kShown)))
    out.line(fmt::format("             {} and {}: {}{}", counted(part.switches, "switch"),
                         counted(part.end_ports, "end port"), describe(fabric.node(part.first)),
                         part.switches > 1 ? " first" : ""));
  if (parts.size() > kShown) out.line(fmt::format("             and {} more", parts.size() - kShown));
}

Json to_json(const std::vector<PartCounts>& parts, const fabric::Fabric& fabric) {
  Json list = Json::array();
  for (const PartCounts& part : parts)
    list.push_back({{"switches", part.switches},
                    {"end_ports", part.end_ports},
                    {"first", fmt::format("{}", fabric.node(part.first).guid)}});
  return list;
}

Exit info(const FabricFlags& flags) {
  return with_fabric(flags, [&](Context& context, const fabric::Fabric& fabric) {
    if (flags.torus.given()) return show_torus(context, fabric, flags.torus);
    const Counts counts = count(fabric);
    Output& out = context.output;
    out.line(fmt::format("fingerprint  {}", fabric.fingerprint()));
    out.line(fmt::format("nodes        {}, {}, {}", counted(fabric.switch_count(), "switch"),
                         counted(counts.cas, "CA"), counted(counts.routers, "router")));
    for (const auto& [ports, switches] : counts.switches_by_ports)
      out.line(fmt::format("             {} with {}", counted(switches, "switch"), counted(ports, "port")));
    out.line(fmt::format("end ports    {} on switches, {} to {} a switch", fabric.end_ports().size(),
                         counts.fewest_hosts, counts.most_hosts));
    out.line(fmt::format("links        {} between switches", fabric.graph().link_ends() / 2));
    for (const auto& [cables, groups] : counts.groups_by_cables)
      out.line(fmt::format("             {} of switches joined by {}", counted(groups, "pair"),
                           counted(cables, "cable")));
    const std::vector<PartCounts> parts = count_parts(fabric);
    tell_parts(out, fabric, parts);
    out.line(fmt::format("ports        {} without a cable", counts.down_ports));
    if (fabric.max_lid() != kUnassignedLid)
      out.line(fmt::format("LIDs         up to {}", fabric.max_lid()));
    else
      out.line("LIDs         none assigned");
    if (fabric.origin())
      out.line(fmt::format("origin       {} port {}{}",
                           describe(fabric.node(fabric.port(*fabric.origin()).node)),
                           fabric.port(*fabric.origin()).number,
                           fabric::label_behind(fabric, fabric.port(*fabric.origin()).node,
                                                fabric.port(*fabric.origin()).number)));
    out.json("fabric", {{"fingerprint", fabric.fingerprint()},
                        {"switches", fabric.switch_count()},
                        {"cas", counts.cas},
                        {"routers", counts.routers},
                        {"end_ports", fabric.end_ports().size()},
                        {"links", fabric.graph().link_ends() / 2},
                        {"parts", to_json(parts, fabric)},
                        {"max_lid", fabric.max_lid().value}});
    return Exit::good;
  });
}

Exit diff(const FabricFlags& flags) {
  return with_fabric(flags, [&](Context& context, const fabric::Fabric& before) {
    auto read = read_fabric(context, flags.other, {});
    if (!read) return read.error();
    const fabric::Fabric after = fabric::with_names(std::move(*read), fabric::names_of(before));
    const auto changes = fabric::differences(before, after, fabric::Compared::everything, 1000);
    for (const std::string& change : changes) context.output.line(change);
    context.output.json("differences", changes);
    Json structured = Json::array();
    for (const fabric::Change& change : fabric::changes(before, after))
      structured.push_back(change_json(change));
    context.output.json("changes", structured);
    if (changes.empty()) context.output.line("no difference");
    return changes.empty() ? Exit::good : Exit::findings;
  });
}

}  // namespace

void add_writing(const Command& command, std::string& to, std::string& file) {
  command.add("--to", to, "Form: ibnetdiscover (default), db_csv or snapshot")
      .one_of({"ibnetdiscover", "db_csv", "snapshot"})
      .type("FORM");
  command.add("-o,--output", file, "File to write (default, and -: standard output)").type("FILE");
}

fabric::Format form_named(const std::string& to) {
  if (to == "db_csv") return fabric::Format::db_csv;
  return to == "snapshot" ? fabric::Format::snapshot : fabric::Format::ibnetdiscover;
}

Result<void> write_fabric(const fabric::Fabric& fabric, fabric::Format form, const std::string& file) {
  std::string text;
  if (form == fabric::Format::snapshot) {
    text = fabric::write_snapshot(fabric);
  } else {
    std::ostringstream out;
    if (form == fabric::Format::db_csv)
      fabric::write_db_csv(fabric, out);
    else
      fabric::write_ibnetdiscover(fabric, out);
    text = std::move(out).str();
  }
  if (!file.empty() && file != "-") return write_file(file, text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    return fail(ErrorKind::usage, "cannot write to standard output");
  return {};
}

void add_fabric(const Command& rch) {
  const Command command = rch.command("fabric", "Discover, generate, convert, describe and compare fabrics");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<FabricFlags>();
  const auto leaf = [&](const char* name, const char* about, std::initializer_list<Exit> codes) {
    const Command made = command.command(name, about);
    made.exits(codes);
    made.add_format(flags->format);
    return made;
  };

  const Command discover = leaf("discover", "Sweep a live fabric and write what was found",
                                {Exit::good, Exit::usage, Exit::fabric});
  discover.add("--fabric", flags->fabric, "The port to use (default: live)").type("live[:CA[:PORT]]");
  add_writing(discover, flags->to, flags->file);
  add_strict(discover, flags->strict);
  const auto check_file = [flags] {
    return flags->file == "-" ? std::string() : require_writable(flags->file, "a fabric");
  };
  discover.does([flags] { return write(*flags); }, check_file);

  const Command convert =
      leaf("convert", "Write a fabric in another form", {Exit::good, Exit::usage, Exit::fabric});
  convert.add("FABRIC", flags->fabric, "The fabric").required();
  add_writing(convert, flags->to, flags->file);
  convert.does([flags] { return write(*flags); }, check_file);

  const Command count =
      leaf("info", "Count what is in a fabric", {Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  count.add("FABRIC", flags->fabric, "The fabric").required();
  add_node_name_map(count, flags->names);
  add_torus(count, flags->torus);
  count.does([flags] { return info(*flags); });

  const Command compare = leaf("diff", "Say what changed from one fabric to another; exit 1 if any",
                               {Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  compare.add("BEFORE", flags->fabric, "The fabric as it was").required();
  compare.add("AFTER", flags->other, "The fabric as it is").required();
  add_node_name_map(compare, flags->names);
  compare.does([flags] { return diff(*flags); });

  add_generate(command);
  add_join(command);
}

}  // namespace rch::cli
