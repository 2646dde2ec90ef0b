#include "cli/torus_command.h"

#include <algorithm>

#include <fmt/format.h>

#include "chains/trace.h"
#include "cli/names.h"
#include "cli/torus_grid.h"
#include "engines/torus_2qos/discovery.h"
#include "engines/torus_2qos/multicast_tree.h"
#include "fabric/fabric_builder.h"
#include "fabric/lids.h"
#include "parsers/torus_conf/torus_conf.h"
#include "policy/build/torus/torus.h"

namespace rch::cli {
namespace {

namespace torus = engines::torus_2qos;

Stage<torus::Options> read_conf(Context& context, const std::string& file) {
  const auto source = context.sources->load(file);
  if (!source) {
    context.output.error(source.error());
    return tl::unexpected(exit_of(source.error().kind));
  }
  const auto syntax = parsers::torus_conf::parse(*context.sources, *source, context.diagnostics);
  policy::TorusConf conf = policy::build_torus(syntax, *source, context.diagnostics);
  if (context.report()) return tl::unexpected(Exit::findings);
  return torus::Options{std::move(conf.shape)};
}

/// The fabric with a LID for every end port, as a sweep would give them.
Stage<fabric::Fabric> with_lids(Context& context, const fabric::Fabric& fabric) {
  const auto plan = rch::fabric::plan_lids(fabric, {});
  Result<fabric::Fabric> labelled =
      plan ? rch::fabric::with_lids(fabric, plan->lids) : tl::unexpected(plan.error());
  if (labelled) return std::move(*labelled);
  context.output.error(labelled.error());
  return tl::unexpected(exit_of(labelled.error().kind));
}

void print_missing_links(Context& context, const fabric::SubFabric& view, const torus::Torus& found) {
  const torus::Geometry& geometry = found.geometry();
  auto cut = Json::array();
  for (const torus::Torus::MissingLink& link : found.missing_links()) {
    const torus::Position to = geometry.neighbor(link.from, link.direction);
    const auto& from_node = view.node(found.switch_at(link.from));
    const auto& to_node = view.node(found.switch_at(to));
    context.output.line(fmt::format("no cable {} {} to {} {}", geometry.name(link.from), describe(from_node),
                                    geometry.name(to), describe(to_node)));
    cut.push_back({geometry.name(link.from), geometry.name(to)});
  }
  context.output.json("cut", std::move(cut));
}

void print_missing_switches(Context& context, const torus::Torus& found) {
  std::vector<std::string> missing;
  for (torus::Position p : found.missing_switches()) missing.push_back(found.geometry().name(p));
  if (!missing.empty()) context.output.line(fmt::format("no switch {}", fmt::join(missing, " ")));
  context.output.json("missing", missing);
}

void print_non_torus_links(Context& context, const fabric::SubFabric& view, const torus::Torus& found) {
  const auto place = [&](SwitchId sw) {
    return fmt::format("{} {}", found.geometry().name(found.position_of(sw)), describe(view.node(sw)));
  };
  for (const torus::Torus::NonTorusLink& link : found.non_torus_links())
    context.output.line(fmt::format("unused   {} to {}: not adjacent", place(link.a), place(link.b)));
}

fabric::RoutingTables whole_routing(const fabric::Fabric& fabric, engines::StepTables&& tables) {
  fabric::RoutingTables routing;
  fabric::RoutedStep step;
  step.id = StepId(1);
  step.switches = IdSet<SwitchId>(fabric.switch_count(), true);
  step.lids = IdSet<Lid>(fabric.max_lid().index() + 1, true);
  step.sl = std::move(tables.sl);
  routing.lfts = std::move(tables.lfts);
  routing.sl2vl = std::move(tables.sl2vl);
  routing.steps.push_back(std::move(step));
  return routing;
}

/// The path that the flags ask for.
Stage<chains::Trace> follow(Context& context, const fabric::Fabric& fabric, const TorusFlags& flags,
                            engines::StepTables&& tables) {
  const auto source = find_end_port(fabric, flags.path[0]);
  const auto destination = find_end_port(fabric, flags.path[1]);
  for (const auto* end : {&source, &destination}) {
    if (*end) continue;
    context.output.error(end->error());
    return tl::unexpected(Exit::usage);
  }
  return chains::trace(fabric, whole_routing(fabric, std::move(tables)), source->port, destination->lid);
}

void print_path(Context& context, const torus::Torus& found, const chains::Trace& trace) {
  std::vector<std::string> places, vls;
  for (const chains::TraceHop& hop : trace.hops) {
    places.push_back(found.geometry().name(found.position_of(hop.sw)));
    vls.push_back(fmt::format("{}", hop.vl));
  }
  if (!vls.empty()) vls.pop_back();  // the last one leads out of the torus
  context.output.line(
      fmt::format("path     {}, SL {}, VL {}", fmt::join(places, " "), trace.sl, fmt::join(vls, " ")));
  context.output.json("path", {{"positions", places}, {"sl", trace.sl}});
}

void mark_path(const torus::Torus& found, const chains::Trace& trace, GridMarks& marks) {
  for (const chains::TraceHop& hop : trace.hops) marks.path.push_back(found.position_of(hop.sw));
}

/// The first tree that is tried for multicast; nothing where there is none.
void mark_tree(Context& context, const torus::Torus& found, GridMarks& marks) {
  const auto trees = torus::multicast_trees(found, 1);
  if (trees.empty()) return context.output.line("tree     none reaches all switches");
  const engines::SpanningTree& tree = trees.front();
  const auto& position_of = found.placement().position_of;
  marks.parent.resize(found.geometry().size(), torus::Position::none());
  for (std::size_t s = 0; s < tree.parent.size(); ++s)
    if (!tree.parent[s].is_none()) marks.parent[position_of[s].index()] = position_of[tree.parent[s].index()];
  context.output.line(fmt::format("tree     rooted at {}, the first that is tried for multicast",
                                  found.geometry().name(position_of[tree.order.front().index()])));
}

}  // namespace

void add_torus(const Command& command, TorusFlags& flags) {
  const Flag conf =
      command.add("--torus", flags.conf, "Draw the torus of this torus-2QoS.conf on the fabric").type("CONF");
  command.add("--path", flags.path, "Mark the path between two end ports (description, GUID or LID)")
      .values(2)
      .needs(conf)
      .type("SRC DST");
  command.add("--tree", flags.tree, "Draw only the cables of the tree for multicast").needs(conf);
}

Exit show_torus(Context& context, const fabric::Fabric& given, const TorusFlags& flags) {
  const auto options = read_conf(context, flags.conf);
  if (!options) return options.error();
  const auto fabric = with_lids(context, given);
  if (!fabric) return fabric.error();
  const fabric::SubFabric view(*fabric);
  const auto discovered = torus::discover_torus(view, *options);
  if (!discovered) {
    context.output.error({ErrorKind::invalid, discovered.error().message});
    return Exit::findings;
  }
  const torus::Torus& found = discovered->torus;

  auto tables = torus::route(view, *options);
  const bool routable = tables.has_value();
  std::optional<chains::Trace> trace;
  if (routable && !flags.path.empty()) {
    auto followed = follow(context, *fabric, flags, std::move(*tables));
    if (!followed) return followed.error();
    trace = std::move(*followed);
  }
  GridMarks marks;
  if (trace) mark_path(found, *trace, marks);
  if (flags.tree) mark_tree(context, found, marks);
  context.output.text(draw_grid(found, marks));
  context.output.line(fmt::format("torus    {}, {} of {} positions taken, {} cables", found.geometry().name(),
                                  view.switch_count(), found.geometry().size(), found.link_count()));
  for (const std::string& remark : discovered->remarks) context.output.line("         " + remark);
  print_missing_switches(context, found);
  print_missing_links(context, view, found);
  print_non_torus_links(context, view, found);
  if (trace) print_path(context, found, *trace);
  if (!routable)
    context.output.line(fmt::format("refused  [{}] {}", tables.error().rule, tables.error().message));
  context.output.json("torus", {{"size", found.geometry().name()}, {"routable", routable}});
  return routable ? Exit::good : Exit::findings;
}

}  // namespace rch::cli
