#include "policy/model/enhanced_qos.h"

#include <algorithm>

namespace rch::policy::enhanced_qos {
namespace {

/// What the rule names, else what the default says, else no limit.
SlRates resolve(const RuleRates* rule, const std::optional<RuleRates>& fallback) {
  SlRates rates{};
  for (std::size_t sl = 0; sl < rates.size(); ++sl) {
    if (rule != nullptr && (*rule)[sl])
      rates[sl] = *(*rule)[sl];
    else if (fallback)
      rates[sl] = (*fallback)[sl].value_or(0);
  }
  return rates;
}

const RuleRates* find_guid(const Section& section, Guid port) {
  const auto at = std::lower_bound(section.guids.begin(), section.guids.end(), port,
                                   [](const GuidRule& rule, Guid guid) { return rule.port < guid; });
  return at != section.guids.end() && at->port == port ? &at->rates : nullptr;
}

const RuleRates* find_group(const Section& section, std::span<const GroupId> groups) {
  const auto last = std::find_if(section.groups.rbegin(), section.groups.rend(), [&](const GroupRule& rule) {
    return std::binary_search(groups.begin(), groups.end(), rule.group);
  });
  return last == section.groups.rend() ? nullptr : &last->rates;
}

}  // namespace

SlRates port_rates(const EnhancedQos& policy, Guid port, std::span<const GroupId> groups) {
  const RuleRates* rule = find_guid(policy.ports, port);
  if (rule == nullptr) rule = find_group(policy.ports, groups);
  return resolve(rule, policy.ports.fallback);
}

SlRates vport_rates(const EnhancedQos& policy, Guid vport, bool is_vport0) {
  const bool unlimited = is_vport0 && policy.vport0_unlimited;
  return resolve(find_guid(policy.vports, vport), unlimited ? std::nullopt : policy.vports.fallback);
}

}  // namespace rch::policy::enhanced_qos
