#include "chains/adoption.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::RoutingTables;

/// A switch does not show the service levels that hosts use. A finding that they decide about says nothing
/// where they are not known.
bool depends_on_sls(const verify::Finding& finding) {
  return finding.kind == verify::FindingKind::credit_loop ||
         finding.kind == verify::FindingKind::dropped_by_vl;
}

bool is_objection(const verify::Finding& finding) { return !finding.accepted; }

Result<Plan> proven(const policy::Policy& policy, const Fabric& live, RoutingTables tables,
                    const std::vector<std::string>& accept) {
  StepReport step;
  step.id = tables.steps.front().id;
  step.engine = "installed";
  Plan plan;
  plan.fabric = std::make_shared<const Fabric>(live);
  plan.tables = std::make_shared<const RoutingTables>(std::move(tables));
  plan.steps.push_back(std::move(step));
  plan.options = policy.options;
  for (const fabric::MulticastGroup& group : plan.tables->groups) plan.joined.push_back(group.mlid);
  return prove_again(std::move(plan), live, accept);
}

/// Counts the entries for LIDs of this fabric that differ.
std::uint64_t differing_entries(const Fabric& fabric, const fabric::ForwardingTables& a,
                                const fabric::ForwardingTables& b) {
  const std::size_t count = std::min(a.stride(), b.stride());
  std::uint64_t differing = 0;
  for (std::size_t l = 1; l < count; ++l) {
    const Lid lid(static_cast<std::uint16_t>(l));
    if (!fabric.lid_owner(lid)) continue;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      differing += a.at(SwitchId(s), lid) != b.at(SwitchId(s), lid) ? 1U : 0U;
  }
  return differing;
}

/// What the configuration makes of the fabric. Nothing if it routes nothing, or needs other LIDs.
std::shared_ptr<const RoutingTables> tables_of(const policy::Policy& policy, const Fabric& live) {
  if (policy.steps.empty()) return nullptr;
  Diagnostics ignored;
  const auto made = plan(std::make_shared<const policy::Policy>(policy), live,
                         {.settings = {}, .lids_of_fabric_first = true, .may_reassign = false}, ignored);
  return made && made->fabric->fingerprint() == live.fingerprint() ? made->tables : nullptr;
}

/// The tables that were found, with the service levels of the configuration.
struct ByConfiguration {
  std::optional<RoutingTables> tables{};
  std::uint64_t differing = 0;  ///< entries, where they are not those of the configuration
};

ByConfiguration with_sls(const policy::Policy& policy, const Fabric& live, const FoundTables& found,
                         const RoutingTables& unnamed) {
  const auto made = tables_of(policy, live);
  if (made == nullptr) return {};
  if (const std::uint64_t differing = differing_entries(live, made->lfts, unnamed.lfts); differing > 0)
    return {.differing = differing};
  RoutingTables tables;
  tables.lfts = unnamed.lfts.clone();
  tables.sl2vl = found.maps;
  tables.groups = unnamed.groups;
  tables.steps = made->steps;
  return {.tables = std::move(tables)};
}

/// `loop`: that all hosts close with one service level; null: none is known.
std::string unknown_sls(const verify::Finding* loop, std::uint64_t differing) {
  std::string why =
      "ports map service levels to VLs in different ways, and which ones hosts use is not known";
  if (loop != nullptr) why = loop->message;
  if (differing > 0)
    why += fmt::format(" (those of this configuration say nothing: {} {} found otherwise)",
                       counted(differing, "entry"), differing == 1 ? "is" : "are");
  return why;
}

}  // namespace

Result<Adoption> judge_found(const policy::Policy& policy, const Fabric& live, FoundTables found,
                             const std::vector<std::string>& accept) {
  auto at_one_sl = proven(policy, live, std::move(found.tables), accept);
  if (!at_one_sl) return tl::unexpected(at_one_sl.error());
  const auto& findings = at_one_sl->verdict.findings;
  const auto certain = std::ranges::find_if(findings, [](const verify::Finding& finding) {
    return is_objection(finding) && !depends_on_sls(finding);
  });
  if (certain != findings.end()) {
    std::string why = certain->message;
    return Adoption{std::move(*at_one_sl), std::move(why)};
  }
  const auto objection = std::ranges::find_if(findings, is_objection);
  if (found.maps_alike && objection == findings.end()) return Adoption{std::move(*at_one_sl), {}};
  ByConfiguration known = with_sls(policy, live, found, *at_one_sl->tables);
  std::string why = unknown_sls(found.maps_alike ? &*objection : nullptr, known.differing);
  if (!known.tables) return Adoption{std::move(*at_one_sl), std::move(why)};
  auto judged = proven(policy, live, std::move(*known.tables), accept);
  if (!judged) return tl::unexpected(judged.error());
  const auto wrong = std::ranges::find_if(judged->verdict.findings, is_objection);
  if (wrong != judged->verdict.findings.end()) return Adoption{std::move(*at_one_sl), std::move(why)};
  why += "; with the service levels of this configuration, whose entries they are, they are proven";
  return Adoption{std::move(*at_one_sl), std::move(why), true};
}

void keep_found_roots(Plan& found, const Plan& earlier) {
  for (const StepReport& step : earlier.steps) {
    if (step.found_roots.empty()) continue;
    StepReport known;
    known.id = step.id;
    known.engine = step.engine;
    known.found_roots = step.found_roots;
    found.steps.push_back(std::move(known));
  }
}

}  // namespace rch::chains
