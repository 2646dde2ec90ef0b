#include <fmt/format.h>

#include "cli/show/parts.h"

namespace rch::cli {
namespace {

using namespace policy::enhanced_qos;

/// Mbit/s by SL; an SL that the rule leaves out is not there.
Json rates_json(const RuleRates& rates) {
  Json out = Json::object();
  for (std::size_t sl = 0; sl < rates.size(); ++sl)
    if (rates[sl]) out[fmt::format("{}", sl)] = *rates[sl] == 0 ? Json("unlimited") : Json(*rates[sl]);
  return out;
}

Json section_json(const policy::Policy& policy, const Section& section) {
  Json rules = Json::array();
  for (const GuidRule& rule : section.guids)
    rules.push_back({{"port", fmt::format("{}", rule.port)}, {"mbps", rates_json(rule.rates)}});
  for (const GroupRule& rule : section.groups)
    rules.push_back({{"group", group_name(policy, rule.group)}, {"mbps", rates_json(rule.rates)}});
  Json out{{"rules", std::move(rules)}};
  if (section.fallback) out["default"] = rates_json(*section.fallback);
  return out;
}

}  // namespace

Json enhanced_qos_json(const policy::Policy& policy) {
  const EnhancedQos& qos = *policy.enhanced_qos;
  return {{"ports", section_json(policy, qos.ports)},
          {"vports", section_json(policy, qos.vports)},
          {"vport0-unlimited", qos.vport0_unlimited}};
}

}  // namespace rch::cli
