#include <algorithm>

#include "policy/model/qos_policy.h"

namespace rch::policy::qos {
namespace {

constexpr std::uint16_t kPkeyBits = 0x7FFF;

/// A list that is empty asks for nothing.
template <class Number>
bool fits(const Ranges& accepted, const std::optional<Number>& given) {
  return accepted.empty() || (given && accepted.contains(*given));
}

bool fits(const std::vector<std::size_t>& accepted, const std::vector<PortSet>& groups, const Port& port) {
  return accepted.empty() || std::any_of(accepted.begin(), accepted.end(),
                                         [&](std::size_t group) { return groups[group].contains(port); });
}

bool fits(const MatchRule& rule, const std::vector<PortSet>& groups, const Query& query) {
  const auto pkey =
      query.pkey ? std::optional(static_cast<std::uint16_t>(*query.pkey & kPkeyBits)) : std::nullopt;
  return fits(rule.service_ids, query.service_id) && fits(rule.qos_classes, query.qos_class) &&
         fits(rule.pkeys, pkey) && fits(rule.source, groups, query.source) &&
         fits(rule.destination, groups, query.destination);
}

}  // namespace

bool PortSet::empty() const {
  return guids.empty() && names.empty() && pkeys.empty() && node_types == 0 && !sm && !group;
}

bool PortSet::contains(const Port& port) const {
  if ((node_types & type_bit(port.type)) != 0 || (sm && port.is_sm) || guids.contains(port.guid.value))
    return true;
  if (group && std::binary_search(port.groups.begin(), port.groups.end(), *group)) return true;
  if (!names.empty() &&
      std::binary_search(names.begin(), names.end(), NodePort{std::string(port.node), port.number}))
    return true;
  return std::any_of(port.pkeys.begin(), port.pkeys.end(),
                     [&](std::uint16_t pkey) { return pkeys.contains(pkey); });
}

Match match(const QosPolicy& policy, const Query& query) {
  for (const MatchRule& rule : policy.rules)
    if (fits(rule, policy.groups, query)) return {&policy.levels[rule.level], &rule};
  return {&policy.levels[policy.fallback], nullptr};
}

}  // namespace rch::policy::qos
