// The proof, and where its parts are.
//
// A credit loop is a cycle in the channel dependency graph. Asking every pair of hosts which channels it uses
// costs pairs x hops. But packets to one LID follow one entry per switch, and their VL depends on the port
// they came in by and their SL alone. So packets of all sources are taken through the tables together, as
// (switch, destination, SL, VL) states, each visited once. Unreachable destinations show on the way, and
// forwarding loops as cycles. Entries that no source uses are never met: a cycle of those is no finding.
//
//   wiring          links in the layout of the proof, from ports and peers alone
//   lanes           SL2VL maps with what links can carry; VLs in use numbered densely
//   injection       where hosts put packets onto links
//   switch_order    neighbours close to each other, whatever their GUIDs are
//   entry_rows      table entries by switch, of destinations with LIDs close to each other
//   packet_classes  (SL, VL) states of a packet
//   propagation     packets to a block of destinations, switch by switch (Dally and Seitz 1987)
//   dependencies    what was found, as bits, then as a graph
//   survey          all destinations on all threads
//   changes         those to which packets go another way than in an earlier proof, which is built on
//   changed_ways    what these packets add to it, from changed entries alone
//   columns, in_tree, account   lost pairs counted exactly, only where a fault showed
//   multicast       trees of groups, and their dependencies
//   cycle           peeling, components, a short cycle (Dally and Seitz 1987)
//   reached_lids    LIDs that every switch reaches, which a repair leaves alone
//   trace, findings, messages   one packet as a witness, and words for it
//
// The result does not depend on threads: bits are or-ed, counts added, witnesses are lowest by LID and
// source.
//
// Packets of hosts to LIDs of switches are judged last, beside all others (Verdict::switch_lids). Forwarding
// loops are found for every LID and from every switch: also where no packet of a host comes by, and for LIDs
// that no port has. Of what else becomes of packets from switches nothing is judged. Updates under traffic
// are judged in transition/.

#include "verify/verify.h"

#include <algorithm>
#include <iterator>

#include "verify/cycle.h"
#include "verify/findings.h"
#include "verify/given_sls.h"
#include "verify/multicast/groups.h"
#include "verify/service_levels.h"
#include "verify/survey.h"

namespace rch::verify {
namespace {

/// What routing does wrong. Pairs that no cable joins are counted apart from these.
constexpr FindingKind kLosses[] = {FindingKind::unreachable, FindingKind::dropped_by_vl, FindingKind::loop};
constexpr FindingKind kPairFindings[] = {FindingKind::unreachable, FindingKind::dropped_by_vl,
                                         FindingKind::loop, FindingKind::disconnected};

std::uint64_t lost_pairs(const Tally& tally) {
  std::uint64_t pairs = 0;
  for (const FindingKind kind : kLosses) pairs += tally.of(kind).pairs;
  return pairs;
}

std::vector<Destination> merged(std::span<const Destination> a, std::span<const Destination> b) {
  const auto by_switch = [](const Destination& d) { return d.owner.sw; };
  std::vector<Destination> all;
  std::ranges::merge(a, b, std::back_inserter(all), {}, by_switch, by_switch);
  return all;
}

SwitchLids judge_switch_lids(const Context& context, const Survey& found) {
  SwitchLids result;
  const auto sends_to_switches = [&](const Source& source) {
    return context.wiring.sends_to_switches(source.sw.index());
  };
  const auto senders =
      static_cast<std::size_t>(std::ranges::count_if(context.wiring.sources(), sends_to_switches));
  result.pairs = senders * context.switches.size();
  result.lost_pairs = lost_pairs(found.lost_to_switches);
  result.disconnected_pairs = found.lost_to_switches.of(FindingKind::disconnected).pairs;
  if (!found.cyclic_with_switches) return result;
  const std::vector<Destination> all = merged(context.destinations, context.switches);
  Context with_switches = context;
  with_switches.destinations = all;
  const ChannelDependencyGraph& graph = *found.cyclic_with_switches;
  Finding finding = credit_loop(with_switches, graph, shortest_cycle(graph));
  result.on_credit_loops = finding.count;
  result.credit_loop = std::move(finding.message);
  return result;
}

/// Pairs of aggregation nodes without a path that need none (fabric::AggregationNodes).
std::uint64_t unneeded_pairs(const Context& context) {
  const fabric::AggregationNodes& nodes = context.aggregation;
  std::uint64_t pairs = 0;
  for (const Destination& to : context.destinations)
    if (nodes.is_bare(to.owner.sw))
      for (const SwitchId from : nodes.bare_switches())
        if (is_unneeded(context, from, to)) pairs += context.wiring.sources_of(from.index()).size();
  return pairs;
}

Verdict judge(const Context& context, const Survey& found) {
  Verdict verdict;
  const std::uint64_t sources = context.wiring.sources().size();
  verdict.pairs = sources == 0 ? 0 : context.destinations.size() * (sources - 1);
  verdict.channels = found.channels;
  verdict.dependencies = found.dependencies;
  verdict.at_most = found.at_most;
  if (!context.wiring.without_lid().empty()) verdict.findings.push_back(missing_lids(context));
  for (const FindingKind kind : kPairFindings)
    if (const Tally::Count& lost = found.lost.of(kind); lost.pairs != 0)
      verdict.findings.push_back(lost_pairs(context, kind, lost, verdict.pairs));
  if (found.lost.of(FindingKind::loop).pairs == 0 && !found.loops.empty())
    verdict.findings.push_back(looping_entries(context, found.loops));
  if (!found.acyclic)
    verdict.findings.push_back(credit_loop(context, found.graph(), shortest_cycle(found.graph())));
  verdict.unneeded_pairs = unneeded_pairs(context);
  verdict.switch_lids = judge_switch_lids(context, found);
  verdict.groups = context.tables.groups.size();
  for (Finding& finding : group_findings(context)) verdict.findings.push_back(std::move(finding));
  return verdict;
}

/// Surveys all paths and groups, and returns f(context, survey). `to_switches_too`: LIDs of switches are
/// destinations like those of hosts.
template <class F>
auto survey_and(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, const Options& options,
                const F& f, bool to_switches_too = false) {
  const Wiring wiring(fabric, options.max_op_vls);
  std::vector<Destination> targets = destinations(fabric, wiring);
  if (to_switches_too) targets = merged(targets, switch_destinations(fabric));
  const std::vector<Destination> switches =
      options.switch_lids ? switch_destinations(fabric) : std::vector<Destination>{};
  const fabric::AggregationNodes aggregation(fabric);
  // VLs are numbered for the service levels that the rules are known to give. If paths turn out to have
  // others, the survey is made again with those.
  SlSet first = options.path_sls ? expected_sls(tables) : group_sls(tables);
  if (options.path_sls && options.given != nullptr) first = static_cast<SlSet>(first | options.given->all());
  for (SlSet sls = first;;) {
    const Lanes lanes(wiring, tables.sl2vl, sls);
    const Injection injection(wiring, lanes);
    const Context context{fabric, tables, wiring, lanes, injection, targets, switches, options, aggregation};
    Survey found = survey(context);
    if ((found.sls & ~sls) == 0) return f(context, found);
    sls = static_cast<SlSet>(sls | found.sls);
  }
}

}  // namespace

std::string_view name(FindingKind kind) {
  switch (kind) {
    case FindingKind::unreachable:
      return "unreachable";
    case FindingKind::dropped_by_vl:
      return "dropped-by-vl";
    case FindingKind::loop:
      return "loop";
    case FindingKind::credit_loop:
      return "credit-loop";
    case FindingKind::multicast_unreachable:
      return "multicast-unreachable";
    case FindingKind::multicast_loop:
      return "multicast-loop";
    case FindingKind::multicast_unrouted:
      return "multicast-unrouted";
    case FindingKind::disconnected:
      return "disconnected";
  }
  return "";
}

bool Verdict::clean() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) {
    return f.accepted || f.kind == FindingKind::multicast_unrouted;
  });
}

ChannelDependencyGraph graph_of_all(const fabric::Fabric& fabric, const KnownDependencies& known) {
  const Wiring wiring(fabric, known.max_op_vls);
  ChannelDependencyGraph graph =
      std::visit([&](const auto& bits) { return channel_dependency_graph(wiring, bits.all); }, known.bits);
  graph.vls = known.vls;
  return graph;
}

std::vector<ChannelDependency> channel_dependencies(const fabric::Fabric& fabric,
                                                    const fabric::RoutingTables& tables,
                                                    const Options& options) {
  Options without_switches = options;
  without_switches.switch_lids = false;
  without_switches.earlier = nullptr;
  without_switches.known = nullptr;
  const auto list = [&](const Context& context, const ChannelDependencyGraph& graph) {
    const auto& channels = graph.channels;
    const auto port = [&](std::size_t c) { return fabric.port_id(channels[c].sw, channels[c].out); };
    const auto vl = [&](std::size_t c) { return context.lanes.vl_of_lane(channels[c].lane); };
    std::vector<ChannelDependency> result;
    for (std::size_t c = 0; c < channels.size(); ++c)
      for (const std::uint32_t next : graph.after(c))
        result.push_back({port(c), vl(c), port(next), vl(next)});
    return result;
  };
  const auto list_paths = [&](const Context& context, const Survey& found) {
    return list(context, found.paths);
  };
  return survey_and(fabric, tables, without_switches, list_paths, options.switch_lids);
}

std::optional<WithoutPathSls> without_path_sls(const fabric::Fabric& fabric,
                                               const fabric::RoutingTables& tables, const Verdict& proven,
                                               const Options& options) {
  if (options.given == nullptr && fabric::common_path_sl(tables) == std::uint8_t{0}) return std::nullopt;
  Options at_sl0 = options;
  at_sl0.path_sls = at_sl0.switch_lids = false;
  at_sl0.earlier = nullptr;
  at_sl0.known = nullptr;
  // Entries that no path loses a packet by, whatever its SL, are on no loop that packets reach. Groups count
  // at some SLs only.
  at_sl0.loop_free =
      tables.adaptive.empty() && std::ranges::none_of(proven.findings, [](const Finding& finding) {
        return std::ranges::find(kPairFindings, finding.kind) != std::end(kPairFindings);
      });
  return survey_and(fabric, tables, at_sl0, [](const Context&, const Survey& found) {
    WithoutPathSls result{.channels = found.channels};
    if (!found.acyclic) result.on_credit_loops = channels_on_cycles(found.graph());
    result.lost_pairs = lost_pairs(found.lost);
    return result;
  });
}

Verdict verify(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, const Options& options) {
  return survey_and(fabric, tables, options, [&](const Context& context, Survey& found) {
    Verdict verdict = judge(context, found);
    if (options.graph != nullptr) *options.graph = std::move(found.paths);
    if (options.known != nullptr)
      *options.known =
          found.known ? std::make_shared<const KnownDependencies>(std::move(*found.known)) : nullptr;
    return verdict;
  });
}

}  // namespace rch::verify
