// The proof, and where its parts are.
//
// Credit loops are circles in the graph of channels (cable, VL) that wait for each other. Asking every pair
// of hosts which channels it uses costs pairs x hops. But the packets towards one LID run down one tree of
// table entries, and which VL they get depends on the port they came in by and their SL alone. So each tree
// is walked once from its leaves, carrying sets of SLs per VL instead of packets; reachability and forwarding
// loops fall out on the way. Entries no source uses are never met: a circle that only exists on paper is no
// finding.
//
//   wiring          cables in the layout of the walks, from ports and peers alone
//   lanes           SL2VL maps with what links can carry; VLs in use numbered densely
//   columns         the tables transposed; destinations that need one walk together
//   in_tree         the tree of one column, leaves first, and its circles
//   walker          one walk (routing-engines 12.2)
//   dependencies    what all walks found, as bits, then as a graph
//   survey          all walks on all threads
//   account         lost pairs counted exactly, only where a walk found fault
//   multicast       trees of groups, and what their packets wait for
//   cycle           peeling, components, a short circle (routing-engines 12.3)
//   trace, findings, messages   one packet as a witness, and words for it
//
// What comes out does not depend on threads: bits are or-ed, counts added, witnesses are lowest by LID and
// source.
//
// Changes of tables under traffic are judged in transition/. Not looked at: paths from and to switches' own
// LIDs.

#include "verify/verify.h"

#include <algorithm>

#include "verify/cycle.h"
#include "verify/findings.h"
#include "verify/multicast/groups.h"
#include "verify/service_levels.h"
#include "verify/survey.h"

namespace rch::verify {
namespace {

Verdict judge(const Context& context, const Survey& found) {
  Verdict verdict;
  const std::uint64_t sources = context.wiring.sources().size();
  verdict.pairs = sources == 0 ? 0 : context.destinations.size() * (sources - 1);
  verdict.channels = found.graph.channels.size();
  verdict.dependencies = found.graph.dependents.size();
  if (!context.wiring.without_lid().empty()) verdict.findings.push_back(missing_lids(context));
  for (const FindingKind kind : {FindingKind::unreachable, FindingKind::dropped_by_vl, FindingKind::loop})
    if (const Tally::Count& lost = found.lost.of(kind); lost.pairs != 0)
      verdict.findings.push_back(lost_pairs(context, kind, lost, verdict.pairs));
  if (!found.acyclic)
    verdict.findings.push_back(credit_loop(context, found.graph, shortest_cycle(found.graph)));
  verdict.groups = context.tables.groups.size();
  for (Finding& finding : group_findings(context)) verdict.findings.push_back(std::move(finding));
  return verdict;
}

/// Looks at everything, and hands it to f(context, survey).
template <class F>
auto survey_and(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, const Options& options,
                const F& f) {
  const Wiring wiring(fabric, options.max_op_vls);
  const std::vector<Destination> targets = destinations(fabric, wiring);
  // Lanes are numbered for the service levels that the rules are known to give; if paths turn out to have
  // others, once more with those.
  for (SlSet sls = expected_sls(tables);;) {
    const Lanes lanes(wiring, tables.sl2vl, sls);
    const Injection injection(wiring, lanes);
    const Context context{
        fabric, tables, wiring, lanes, injection, targets, options.column_bytes, options.graph != nullptr};
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
  }
  return "";
}

bool Verdict::clean() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.accepted; });
}

std::vector<Wait> waits(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, std::uint8_t vl,
                        const Options& options) {
  return survey_and(fabric, tables, options, [&](const Context& context, const Survey& found) {
    const auto sends = [&](const ChannelGraph::Channel& c) { return fabric.port_id(c.sw, c.out); };
    const auto on_lane = [&](const ChannelGraph::Channel& c) { return context.lanes.vl_of_lane(c.lane) == vl; };
    const auto& channels = found.graph.channels;
    std::vector<Wait> result;
    for (std::size_t c = 0; c < channels.size(); ++c)
      for (std::uint32_t next : found.graph.after(c))
        if (on_lane(channels[c]) && on_lane(channels[next]))
          result.push_back({sends(channels[c]), sends(channels[next])});
    return result;
  });
}

Verdict verify(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, const Options& options) {
  return survey_and(fabric, tables, options, [&](const Context& context, Survey& found) {
    Verdict verdict = judge(context, found);
    if (options.graph != nullptr) *options.graph = std::move(found.paths);
    return verdict;
  });
}

}  // namespace rch::verify
