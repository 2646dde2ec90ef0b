#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/text.h"
#include "chains/entry_origin.h"
#include "cli/adaptive_report.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/node_names.h"
#include "cli/plan_source.h"
#include "cli/points.h"
#include "fabric/fabric_builder.h"
#include "fabric/names.h"

namespace rch::cli {
namespace {

struct ExplainFlags {
  PlanSource source;
  std::string sw, what, names, groups;
  std::optional<std::size_t> finding;
  Format format = Format::text;
};

/// Says what is known of one switch.
class Explanation {
 public:
  Explanation(Context& context, const SourcedPlan& explained, const fabric::Fabric& fabric, SwitchId sw)
      : output_(context.output),
        sources_(*context.sources),
        explained_(explained),
        fabric_(fabric),
        tables_(*explained.plan.tables),
        sw_(sw) {}

  /// Says it, and gives the same as JSON.
  Json tell_entry(Lid lid) {
    const chains::EntryOrigin origin = chains::entry_origin(fabric_, tables_, sw_, lid);
    output_.line(fmt::format("entry    {} sends LID {}{} {}", describe(fabric_.node(sw_)), lid, owner(lid),
                             by_port(origin.port)));
    Json json{{"switch", guid(fabric_.node(sw_).guid)}, {"lid", lid.value}};
    json["port"] = origin.port == kNoPath ? Json() : Json(origin.port);
    tell_step(origin, json);
    tell_candidates(origin, json);
    return json;
  }
  bool has_entry(Lid lid) const { return chains::entry_origin(fabric_, tables_, sw_, lid).port != kNoPath; }

  Exit tell_port(PortNum port) {
    std::vector<std::uint64_t> by_step(tables_.steps.size());
    std::vector<Lid> lids;
    for (std::size_t l = 1; l <= tables_.lfts.max_lid().index(); ++l) {
      const Lid lid(static_cast<std::uint16_t>(l));
      if (tables_.lfts.at(sw_, lid) != port.value) continue;
      lids.push_back(lid);
      if (!by_step.empty()) ++by_step[tables_.step_of(sw_, lid)];
    }
    output_.line(fmt::format("port     {} port {}{}", describe(fabric_.node(sw_)), port, peer_of(port)));
    output_.line(fmt::format("entries  of {}", counted(lids.size(), "LID")));
    auto steps = Json::array(), all = Json::array();
    for (std::size_t i = 0; i < by_step.size(); ++i)
      if (by_step[i] > 0) {
        output_.line(fmt::format("step     {}: {}", step_text(i), counted(by_step[i], "entry")));
        steps.push_back({{"id", tables_.steps[i].id.value},
                         {"engine", tables_.steps[i].engine},
                         {"entries", by_step[i]}});
      }
    constexpr std::size_t kShown = 10;
    for (std::size_t i = 0; i < std::min(kShown, lids.size()); ++i)
      output_.line(fmt::format("  LID {}{}", lids[i], owner(lids[i])));
    if (lids.size() > kShown) output_.line(fmt::format("  and {} more", lids.size() - kShown));
    for (const Lid lid : lids) all.push_back(lid.value);
    output_.json(
        "port",
        {{"switch", guid(fabric_.node(sw_).guid)}, {"port", port.value}, {"steps", steps}, {"lids", all}});
    return Exit::good;
  }

 private:
  static std::string guid(Guid value) { return fmt::format("{}", value); }
  std::string owner(Lid lid) const {
    const auto port = fabric_.lid_owner(lid);
    if (!port) return ", which nobody has,";
    return fmt::format(" of {} port {}", describe(fabric_.node(fabric_.port(*port).node)),
                       fabric_.port(*port).number);
  }
  std::string peer_of(PortNum number) const {
    const PortId peer = fabric_.port(fabric_.port_id(sw_, number)).peer;
    if (number.value == 0) return ", the switch itself";
    if (peer.is_none()) return ", without a cable";
    return fmt::format("{} to {} port {}",
                       fabric::label_behind(fabric_, fabric::Fabric::node_id(sw_), number),
                       describe(fabric_.node(fabric_.port(peer).node)), fabric_.port(peer).number);
  }
  std::string by_port(std::uint8_t port) const {
    if (port == kNoPath) return "nowhere: there is no entry";
    if (port > fabric_.node(sw_).num_ports) return fmt::format("by port {}, which it does not have", port);
    return fmt::format("by port {}{}", port, peer_of(PortNum(port)));
  }

  /// `20 torus-2QoS on topology 1 (routing-chains.conf:12)`.
  std::string step_text(std::size_t index) const {
    const fabric::RoutedStep& step = tables_.steps[index];
    std::string text = fmt::format("{} {}", step.id, step.engine);
    const auto& reports = explained_.plan.steps;
    const auto report = std::ranges::find(reports, step.id, &chains::StepReport::id);
    if (report != reports.end()) text += fmt::format(" on topology {}", report->topology);
    if (report != reports.end() && report->fallback_to)
      text += fmt::format(", fallback of step {}", *report->fallback_to);
    return text + place_of(step.id);
  }
  std::string place_of(StepId id) const {
    if (!explained_.policy) return "";
    const auto step = std::ranges::find(explained_.policy->steps, id, &policy::Step::id);
    if (step == explained_.policy->steps.end() || step->span.source.is_none()) return "";
    const SourceText& text = sources_.at(step->span.source);
    return fmt::format(" ({}:{})", text.name(), text.position(step->span.begin).line);
  }

  void tell_step(const chains::EntryOrigin& origin, Json& json) {
    if (!origin.step) return;
    const fabric::RoutedStep& step = tables_.steps[*origin.step];
    output_.line("step     " + step_text(*origin.step));
    json["step"] = {{"id", step.id.value}, {"engine", step.engine}};
    const auto list = [&](const char* key, const std::vector<std::size_t>& steps, const char* why) {
      auto ids = Json::array();
      for (const std::size_t other : steps) {
        output_.line(fmt::format("         {}: {}", step_text(other), why));
        ids.push_back(tables_.steps[other].id.value);
      }
      json[key] = std::move(ids);
    };
    list("overlaid", origin.overlaid, "covers the entry too, and a later step replaced it");
    list("left_empty", origin.left_empty, "covers the entry, and left it to earlier steps");
  }

  void tell_candidates(const chains::EntryOrigin& origin, Json& json) {
    auto list = Json::array();
    if (origin.distance)
      output_.line(fmt::format("distance {} between switches on a shortest path; the entry is {}",
                               counted(*origin.distance, "link"), origin.is_shortest ? "on one" : "on none"));
    for (const chains::EntryCandidate& candidate : origin.candidates) {
      const bool is_chosen = candidate.port.value == origin.port;
      output_.line(fmt::format("  {} port {:>3}{}: {} of hosts by it", is_chosen ? "*" : " ", candidate.port,
                               peer_of(candidate.port), counted(candidate.lids, "LID")));
      list.push_back({{"port", candidate.port.value}, {"lids", candidate.lids}, {"chosen", is_chosen}});
    }
    json["distance"] = origin.distance ? Json(*origin.distance) : Json();
    json["is_shortest"] = origin.is_shortest;
    json["candidates"] = std::move(list);
  }

  Output& output_;
  const SourceSet& sources_;
  const SourcedPlan& explained_;
  const fabric::Fabric& fabric_;
  const fabric::RoutingTables& tables_;
  SwitchId sw_;
};

/// One entry, or those for several LIDs of a pattern, a group or all hosts.
Exit explain_entries(Context& context, Explanation& explanation, const SourcedPlan& explained,
                     const std::vector<Lid>& lids, bool several) {
  const Lid highest = explained.plan.tables->lfts.max_lid();
  auto list = Json::array();
  Exit code = Exit::good;
  for (const Lid lid : lids) {
    if (lid > highest)
      return context.stop(
          {ErrorKind::usage, fmt::format("LID {} is beyond the highest of the plan, {}", lid, highest)});
    Json json = explanation.tell_entry(lid);
    if (!explanation.has_entry(lid)) code = Exit::findings;
    if (!several)
      context.output.json("entry", std::move(json));
    else
      list.push_back(std::move(json));
  }
  if (several) context.output.json("entries", std::move(list));
  return code;
}

/// All entries of the witness of a finding: what each switch does there, and who chose it.
Exit explain_finding(Context& context, const SourcedPlan& explained, const fabric::Fabric& fabric,
                     std::size_t number) {
  const std::vector<verify::Finding>& findings = explained.plan.verdict.findings;
  if (number == 0 || number > findings.size())
    return context.stop({ErrorKind::usage, findings.empty()
                                               ? std::string("the plan has no finding")
                                               : fmt::format("the plan has {}: there is none with number {}",
                                                             counted(findings.size(), "finding"), number)});
  const verify::Finding& finding = findings[number - 1];
  context.output.line(fmt::format("finding  {} [{}]", finding.message, verify::name(finding.kind)));
  auto entries = Json::array();
  std::set<std::pair<SwitchId, Lid>> told;
  for (const verify::Hop& hop : finding.witness) {
    if (!told.emplace(hop.sw, hop.destination).second) continue;
    if (hop.destination > kMaxUnicastLid) {
      context.output.line(
          fmt::format("group    {} sends multicast LID 0x{:04X} by port {}: one tree serves it",
                      describe(fabric.node(hop.sw)), hop.destination, hop.out));
      continue;
    }
    entries.push_back(Explanation(context, explained, fabric, hop.sw).tell_entry(hop.destination));
  }
  if (finding.witness.empty())
    context.output.line("entries  none takes part: the packet never leaves its port");
  context.output.json("finding", {{"number", number},
                                  {"kind", verify::name(finding.kind)},
                                  {"message", finding.message},
                                  {"count", finding.count},
                                  {"accepted", finding.accepted}});
  context.output.json("entries", std::move(entries));
  return Exit::good;
}

Exit explain(Context& context, const ExplainFlags& flags) {
  const auto names = read_node_names(context, flags.names);
  if (!names) return names.error();
  const auto groups = read_groups(context, flags.groups);
  if (!groups) return groups.error();
  const auto explained = plan_from(context, flags.source);
  if (!explained) return explained.error();
  warn_of_choices(context.output, *explained->plan.tables);
  const fabric::Fabric fabric = fabric::with_names(fabric::Fabric(*explained->plan.fabric), *names);
  if (flags.finding) return explain_finding(context, *explained, fabric, *flags.finding);
  const auto sw = find_switch_point(fabric, flags.sw);
  if (!sw) return context.stop(sw.error());
  Explanation explanation(context, *explained, fabric, *sw);
  if (const auto number = port_number(flags.what)) {
    if (*number > fabric.node(*sw).num_ports)
      return context.stop({ErrorKind::usage, fmt::format("{} has {}", describe(fabric.node(*sw)),
                                                         counted(fabric.node(*sw).num_ports, "port"))});
    return explanation.tell_port(PortNum(static_cast<std::uint8_t>(*number)));
  }
  if (!names_several(flags.what)) {
    const auto lid = find_lid_point(fabric, flags.what);
    if (!lid) return context.stop(lid.error());
    return explain_entries(context, explanation, *explained, {*lid}, false);
  }
  const auto ports = find_end_ports(fabric, flags.what, {}, *groups);
  if (!ports) return context.stop(ports.error());
  std::vector<Lid> lids;
  for (const NamedPort& port : *ports)
    if (port.lid != kUnassignedLid) lids.push_back(port.lid);
  if (lids.empty())
    return context.stop({ErrorKind::usage, fmt::format("`{}` names no port with a LID", flags.what)});
  return explain_entries(context, explanation, *explained, lids, true);
}

/// Says what is wrong with the flags together; empty: nothing.
std::string objection_to(const ExplainFlags& flags) {
  const bool has_point = !flags.sw.empty() || !flags.what.empty();
  if (flags.finding && has_point) return "--finding goes without SWITCH and WHAT";
  if (!flags.finding && flags.sw.empty()) return "SWITCH is required, or --finding";
  if (!flags.finding && flags.what.empty()) return "WHAT is required";
  return objection(flags.source);
}

}  // namespace

void add_explain(const Command& rch) {
  const Command command = rch.command(
      "explain", "Say which step and engine chose a forwarding entry, and what else was possible");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::unroutable, Exit::fabric});
  auto flags = std::make_shared<ExplainFlags>();
  add_plan_source(command, flags->source, "The plan");
  command.add("SWITCH", flags->sw, "The switch, as a point: `node:`, `guid:`, `lid:`, or a name alone");
  command.add(
      "WHAT", flags->what,
      "A destination, as a point, or `port:N`: what the switch sends by that port; pattern:, group: or "
      "all for several destinations");
  command
      .add("--finding", flags->finding,
           "A finding of the plan by its number, in the order of `rch verify`: each entry of its witness")
      .type("N");
  add_groups(command, flags->groups);
  add_node_name_map(command, flags->names);
  command.add_format(flags->format);
  command.does(
      [flags] {
        Context context(flags->format);
        return context.output.finish(explain(context, *flags));
      },
      [flags] { return objection_to(*flags); });
}

}  // namespace rch::cli
