#include <fmt/format.h>

#include <functional>
#include <memory>

#include "base/text.h"
#include "chains/plan_file.h"
#include "chains/trace.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/flags.h"
#include "cli/live.h"
#include "cli/names.h"
#include "cli/node_names.h"
#include "fabric/names.h"
#include "verify/wiring.h"

namespace rch::cli {
namespace {

struct TraceFlags {
  std::string plan, fabric, source, destination, names;
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

Exit show_path(Output& output, const TraceFlags& flags, const fabric::Fabric& fabric,
               const fabric::RoutingTables& tables, const chains::DataVls& data_vls, const Absence& absence) {
  const auto source = find_end_port(fabric, flags.source, absence(flags.source));
  const auto destination = find_end_port(fabric, flags.destination, absence(flags.destination));
  for (const auto* end : {&source, &destination}) {
    if (*end) continue;
    output.error(end->error());
    return Exit::usage;
  }
  if (destination->lid == kUnassignedLid) {
    output.error({ErrorKind::invalid, fmt::format("`{}` has no LID", flags.destination)});
    return Exit::findings;
  }
  const chains::Trace trace =
      chains::trace(fabric, tables, source->port, destination->lid, flags.sl, data_vls);
  print(output, fabric, trace);
  return trace.reached ? Exit::good : Exit::findings;
}

Exit trace(const TraceFlags& flags) {
  Context context(flags.format);
  Output& output = context.output;
  const auto names = read_node_names(context, flags.names);
  if (!names) return output.finish(names.error());
  const auto end = [&](const Error& error) {
    output.error(error);
    return output.finish(exit_of(error.kind));
  };
  if (!flags.plan.empty()) {
    const auto plan = chains::read_plan(flags.plan);
    if (!plan) return end(plan.error());
    const verify::Wiring wiring(*plan->fabric, plan->options.qos.max_op_vls);
    const fabric::Fabric named = fabric::with_names(*plan->fabric, *names);
    const auto data_vls = [&](PortId port) { return wiring.data_vls(port); };
    return output.finish(
        show_path(output, flags, named, *plan->tables, data_vls,
                  [&](const std::string& name) { return absence_from_plan(plan->cables.get(), name); }));
  }
  const auto port = live_port(flags.fabric);
  if (!port) return end(port.error());
  if (!*port) return end({ErrorKind::usage, "--fabric must be live[:CA[:PORT]]; a file holds no tables"});
  const auto live = read_live_tables(**port, false);
  if (!live) return end(live.error());
  output.quarantine(live->seen.quarantine);
  const fabric::Fabric named = fabric::with_names(live->seen.fabric, *names);
  return output.finish(show_path(
      output, flags, named, live->tables, [&](PortId id) { return live->data_vls[id.index()]; },
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
  command.add("SRC", flags->source, "Source: description, its first word, GUID or LID").required();
  command.add("DST", flags->destination, "Destination, named likewise").required();
  command.add("--sl", flags->sl, "SL that policy names, or that the request for the path insists on")
      .between(0, 15)
      .type("SL");
  add_node_name_map(command, flags->names);
  command.add_format(flags->format);
  command.does([flags] { return trace(*flags); });
}

}  // namespace rch::cli
