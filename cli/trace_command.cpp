#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "base/text.h"
#include "chains/plan_file.h"
#include "chains/trace.h"
#include "cli/adaptive_report.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/flags.h"
#include "cli/live.h"
#include "cli/node_names.h"
#include "cli/points.h"
#include "fabric/names.h"
#include "verify/wiring.h"

namespace rch::cli {
namespace {

struct TraceFlags {
  std::string plan, fabric, source, destination, all_from, names, groups;
  std::optional<std::uint8_t> sl;
  Format format = Format::text;
};

void print(Output& output, const fabric::Fabric& fabric, const chains::Trace& trace) {
  const fabric::Node& from = fabric.node(fabric.port(trace.source).node);
  output.line(fmt::format("{} to LID {}, SL {}", describe(from), trace.destination, trace.sl));
  auto hops = Json::array();
  for (const chains::TraceHop& hop : trace.hops) {
    const fabric::Node& node = fabric.node(hop.sw);
    // Tables read from switches do not tell who wrote them: their step has no id.
    const std::string step = !hop.step              ? "no entry"
                             : hop.step->value == 0 ? ""
                                                    : fmt::format("step {}", *hop.step);
    const std::string label = fabric::label_behind(fabric, fabric::Fabric::node_id(hop.sw), hop.out);
    output.line(fmt::format("  {:<40} in {:>3} out {:>3}{} VL {:>2}  {}", describe(node), hop.in, hop.out,
                            label, hop.vl, step));
    hops.push_back({{"switch", node.name()},
                    {"guid", fmt::format("{}", node.guid)},
                    {"in", hop.in.value},
                    {"out", hop.out.value},
                    {"vl", hop.vl}});
    if (!label.empty()) hops.back()["out_label"] = fabric.label(fabric.port_id(hop.sw, hop.out));
    if (hop.step) hops.back()["step"] = hop.step->value;
  }
  output.line(trace.reached ? fmt::format("reached through {} switches", trace.hops.size())
                            : fmt::format("NOT reached: {}", trace.end));
  output.json("trace", {{"destination", trace.destination.value},
                        {"sl", trace.sl},
                        {"reached", trace.reached},
                        {"end", trace.end},
                        {"hops", hops}});
}

/// Why a fabric may lack what is named; empty: it lacks nothing.
using Absence = std::function<std::string(const std::string& name)>;

/// `cables`: that the plan lets take part; null: all.
std::string absence_from_plan(const fabric::CablePolicy* cables, const std::string& name) {
  if (cables == nullptr) return "";
  const auto guid = parse_integer(name);
  if (guid && cables->held_back().contains(Guid(*guid)))
    return fmt::format("`held_back_sw_file` holds {} back", Guid(*guid));
  return "the plan is made without what `topo_config_file` or `held_back_sw_file` leaves out";
}

std::string absence_from_live(std::span<const fabric::Quarantined> left_out, const std::string& name) {
  const auto guid = parse_integer(name);
  for (const fabric::Quarantined& part : left_out)
    if (guid && part.node == Guid(*guid)) return fmt::format("left out: {}: {}", part.place, part.reason);
  return left_out.empty() ? ""
                          : fmt::format("{} {} left out, as told above", counted(left_out.size(), "part"),
                                        left_out.size() == 1 ? "is" : "are");
}

/// What all paths are followed on.
struct TraceInput {
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;
  const chains::DataVls& data_vls;
  const PointGroups& groups;
};

std::string named_end(const fabric::Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  return fmt::format("{} port {}", describe(fabric.node(port.node)), port.number);
}

/// Many paths, a line each: those that do not arrive first.
class PathList {
 public:
  explicit PathList(const TraceInput& input) : input_(input) {}

  void add(const chains::Trace& trace) {
    const PortId owner = input_.fabric.lid_owner(trace.destination).value_or(trace.source);
    const std::string ends = fmt::format("{} to LID {} of {}", named_end(input_.fabric, trace.source),
                                         trace.destination, named_end(input_.fabric, owner));
    if (trace.reached)
      reached_.push_back(fmt::format("{}: {}, SL {}", ends, counted(trace.hops.size(), "switch"), trace.sl));
    else
      lost_.push_back(fmt::format("{}: NOT reached: {}", ends, trace.end));
    list_.push_back({{"source", fmt::format("{}", input_.fabric.port(trace.source).guid)},
                     {"destination", trace.destination.value},
                     {"reached", trace.reached},
                     {"switches", trace.hops.size()},
                     {"sl", trace.sl},
                     {"end", trace.end}});
  }
  Exit print(Output& output) {
    output.line(
        fmt::format("{} of {} reached", reached_.size(), counted(reached_.size() + lost_.size(), "path")));
    for (const auto* lines : {&lost_, &reached_}) {
      for (std::size_t i = 0; i < std::min(kPathsShown, lines->size()); ++i) output.line("  " + (*lines)[i]);
      if (lines->size() > kPathsShown) output.line(fmt::format("  and {} more", lines->size() - kPathsShown));
    }
    output.json("traces", std::move(list_));
    return lost_.empty() ? Exit::good : Exit::findings;
  }

 private:
  static constexpr std::size_t kPathsShown = 20;

  const TraceInput& input_;
  std::vector<std::string> reached_, lost_;
  Json list_ = Json::array();
};

Exit show_paths(Output& output, const TraceFlags& flags, const TraceInput& input,
                const std::vector<NamedPort>& sources, const std::vector<NamedPort>& destinations) {
  PathList list(input);
  for (const NamedPort& source : sources)
    for (const NamedPort& destination : destinations)
      if (source.port != destination.port && destination.lid != kUnassignedLid)
        list.add(chains::trace(input.fabric, input.tables, source.port, destination.lid, flags.sl,
                               input.data_vls));
  return list.print(output);
}

/// Every CA and router port with a LID that hangs on a switch.
std::vector<NamedPort> all_hosts(const fabric::Fabric& fabric) {
  std::vector<NamedPort> hosts;
  for (const fabric::EndPort& host : fabric.end_ports())
    if (host.lid != kUnassignedLid) hosts.push_back({host.port, host.lid});
  return hosts;
}

Exit show_path(Output& output, const TraceFlags& flags, const TraceInput& input, const Absence& absence) {
  const std::string& from = flags.all_from.empty() ? flags.source : flags.all_from;
  const auto sources = find_end_ports(input.fabric, from, absence(from), input.groups);
  const auto destinations = flags.all_from.empty() ? find_end_ports(input.fabric, flags.destination,
                                                                    absence(flags.destination), input.groups)
                                                   : Result<std::vector<NamedPort>>(all_hosts(input.fabric));
  for (const auto* ends : {&sources, &destinations}) {
    if (*ends) continue;
    output.error(ends->error());
    return Exit::usage;
  }
  if (!flags.all_from.empty() || names_several(flags.source) || names_several(flags.destination))
    return show_paths(output, flags, input, *sources, *destinations);
  if (destinations->front().lid == kUnassignedLid) {
    output.error({ErrorKind::invalid, fmt::format("`{}` has no LID", flags.destination)});
    return Exit::findings;
  }
  const chains::Trace trace = chains::trace(input.fabric, input.tables, sources->front().port,
                                            destinations->front().lid, flags.sl, input.data_vls);
  print(output, input.fabric, trace);
  return trace.reached ? Exit::good : Exit::findings;
}

Exit trace(const TraceFlags& flags) {
  Context context(flags.format);
  Output& output = context.output;
  const auto names = read_node_names(context, flags.names);
  if (!names) return output.finish(names.error());
  const auto groups = read_groups(context, flags.groups);
  if (!groups) return output.finish(groups.error());
  const auto end = [&](const Error& error) {
    output.error(error);
    return output.finish(exit_of(error.kind));
  };
  if (!flags.plan.empty()) {
    const auto plan = chains::read_plan(flags.plan);
    if (!plan) return end(plan.error());
    warn_of_choices(output, *plan->tables);
    const verify::Wiring wiring(*plan->fabric, plan->options.qos.max_op_vls);
    const fabric::Fabric named = fabric::with_names(*plan->fabric, *names);
    const chains::DataVls data_vls = [&](PortId port) { return wiring.data_vls(port); };
    return output.finish(
        show_path(output, flags, {named, *plan->tables, data_vls, *groups},
                  [&](const std::string& name) { return absence_from_plan(plan->cables.get(), name); }));
  }
  const auto port = live_port(flags.fabric);
  if (!port) return end(port.error());
  if (!*port) return end({ErrorKind::usage, "--fabric must be live[:CA[:PORT]]; a file holds no tables"});
  const auto live = read_live_tables(**port, false);
  if (!live) return end(live.error());
  output.quarantine(live->seen.quarantine);
  const fabric::Fabric named = fabric::with_names(live->seen.fabric, *names);
  const chains::DataVls data_vls = [&](PortId id) { return live->data_vls[id.index()]; };
  return output.finish(
      show_path(output, flags, {named, live->tables, data_vls, *groups},
                [&](const std::string& name) { return absence_from_live(live->seen.quarantine, name); }));
}

}  // namespace

void add_trace(const Command& rch) {
  const Command command =
      rch.command("trace", "Follow one path hop by hop: ports, SL, VL, the step that wrote the entry");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<TraceFlags>();
  const Command where = command.exactly_one();
  where.add("--plan", flags->plan, "Tables of a plan").type("PLAN");
  where.add("--fabric", flags->fabric, "Tables that the switches of a live fabric hold")
      .type("live[:CA[:PORT]]");
  command.add(
      "SRC", flags->source,
      "Source, as a point: description, its first word, GUID or LID; pattern:, group: or all for several");
  command.add("DST", flags->destination, "Destination, named likewise");
  command.add("--all-from", flags->all_from, "The paths from this source to all hosts, a line each")
      .type("SRC");
  command.add("--sl", flags->sl, "SL that policy names, or that the request for the path insists on")
      .between(0, 15)
      .type("SL");
  add_groups(command, flags->groups);
  add_node_name_map(command, flags->names);
  command.add_format(flags->format);
  command.does([flags] { return trace(*flags); },
               [flags] {
                 if (!flags->all_from.empty())
                   return flags->source.empty() ? std::string()
                                                : std::string("--all-from goes without SRC and DST");
                 if (flags->source.empty()) return std::string("SRC is required");
                 return flags->destination.empty() ? std::string("DST is required") : std::string();
               });
}

}  // namespace rch::cli
