#include "chains/adoption.h"

#include <algorithm>

namespace rch::chains {
namespace {

std::string objection_to(const verify::Verdict& verdict, bool maps_alike) {
  const auto finding = std::ranges::find(verdict.findings, false, &verify::Finding::accepted);
  if (finding != verdict.findings.end()) return finding->message;
  if (maps_alike) return {};
  return "ports map service levels to VLs in different ways, and which ones hosts use is not known";
}

}  // namespace

Result<Adoption> judge_found(const policy::Policy& policy, const fabric::Fabric& live, FoundTables found,
                             const std::vector<std::string>& accept) {
  StepReport step;
  step.id = found.tables.steps.front().id;
  step.engine = found.tables.steps.front().engine = "installed";
  Plan plan;
  plan.fabric = std::make_shared<const fabric::Fabric>(live);
  plan.tables = std::make_shared<const fabric::RoutingTables>(std::move(found.tables));
  plan.steps.push_back(std::move(step));
  plan.options = policy.options;
  for (const fabric::MulticastGroup& group : plan.tables->groups) plan.joined.push_back(group.mlid);
  auto proven = prove_again(std::move(plan), live, accept);
  if (!proven) return tl::unexpected(proven.error());
  std::string objection = objection_to(proven->verdict, found.maps_alike);
  return Adoption{std::move(*proven), std::move(objection)};
}

}  // namespace rch::chains
