#include "verify/verify.h"

#include <algorithm>

#include "verify/cycle.h"
#include "verify/findings.h"
#include "verify/service_levels.h"
#include "verify/survey.h"

namespace rch::verify {
namespace {

Verdict judge(const Field& field, const Survey& found) {
  Verdict verdict;
  const std::uint64_t sources = field.wiring.sources().size();
  verdict.pairs = sources == 0 ? 0 : field.destinations.size() * (sources - 1);
  verdict.channels = found.graph.channels.size();
  verdict.dependencies = found.graph.dependents.size();
  if (!field.wiring.without_lid().empty()) verdict.findings.push_back(missing_lids(field));
  for (const FindingKind kind : {FindingKind::unreachable, FindingKind::dropped_by_vl, FindingKind::loop})
    if (const Tally::Count& lost = found.lost.of(kind); lost.pairs != 0)
      verdict.findings.push_back(lost_pairs(field, kind, lost, verdict.pairs));
  if (const Cycle cycle = shortest_cycle(found.graph); !cycle.channels.empty())
    verdict.findings.push_back(credit_loop(field, found.graph, cycle));
  return verdict;
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
  }
  return "";
}

bool Verdict::clean() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.accepted; });
}

Verdict verify(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, const Options& options) {
  const Wiring wiring(fabric, options.max_op_vls);
  const std::vector<Destination> targets = destinations(fabric, wiring);
  // Lanes are numbered for the service levels that the rules are known to give; if paths turn out to have
  // others, once more with those.
  for (SlSet sls = expected_sls(tables);;) {
    const Lanes lanes(wiring, tables.sl2vl, sls);
    const Injection injection(wiring, lanes);
    const Field field{fabric, tables, wiring, lanes, injection, targets, options.column_bytes};
    const Survey found = survey(field);
    if ((found.sls & ~sls) == 0) return judge(field, found);
    sls = static_cast<SlSet>(sls | found.sls);
  }
}

}  // namespace rch::verify
