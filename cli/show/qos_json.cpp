#include <fmt/format.h>

#include "cli/show/parts.h"

namespace rch::cli {
namespace {

using namespace policy::qos;

enum class Base { decimal, hex };

std::string ranges_text(const Ranges& ranges, Base base) {
  const auto number = [&](std::uint64_t n) {
    return base == Base::hex ? fmt::format("{:#x}", n) : fmt::format("{}", n);
  };
  std::string out;
  for (const auto& [low, high] : ranges.all())
    out += (out.empty() ? "" : ",") + number(low) + (low == high ? "" : "-" + number(high));
  return out;
}

void put(Json& out, const char* key, const Ranges& ranges, Base base) {
  if (!ranges.empty()) out[key] = ranges_text(ranges, base);
}
void put(Json& out, const char* key, const std::optional<std::uint8_t>& value) {
  if (value) out[key] = *value;
}

std::string types_text(std::uint8_t types) {
  using fabric::NodeType;
  std::string out;
  for (const auto& [type, word] : {std::pair(NodeType::ca, "CA"), std::pair(NodeType::sw, "SWITCH"),
                                   std::pair(NodeType::router, "ROUTER")})
    if ((types & type_bit(type)) != 0) out += (out.empty() ? "" : ",") + std::string(word);
  if (types == kAllTypes) return "ALL";
  return out;
}

Json ports_json(const policy::Policy& policy, const PortSet& ports) {
  Json out = Json::object();
  put(out, "port-guid", ports.guids, Base::hex);
  Json names = Json::array();
  for (const NodePort& name : ports.names) names.push_back(fmt::format("{}/P{}", name.node, name.port));
  if (!names.empty()) out["port-name"] = std::move(names);
  put(out, "pkey", ports.pkeys, Base::hex);
  if (ports.node_types != 0) out["node-type"] = types_text(ports.node_types);
  if (ports.sm) out["node-type-self"] = true;
  if (ports.group) out["group"] = group_name(policy, *ports.group);
  return out;
}

Json level_json(const Level& level) {
  Json out = Json::object();
  if (!level.name.empty()) out["name"] = level.name;
  out["sl"] = level.sl;
  put(out, "mtu-limit", level.mtu_limit);
  put(out, "rate-limit", level.rate_limit);
  put(out, "packet-life", level.packet_life);
  put(out, "path-bits", level.path_bits, Base::decimal);
  put(out, "pkey", level.pkeys, Base::hex);
  return out;
}

/// What a rule asks of one end: any of these sets of ports.
Json ends_json(const policy::Policy& policy, const std::vector<std::size_t>& groups) {
  Json list = Json::array();
  for (const std::size_t group : groups) list.push_back(ports_json(policy, policy.qos->groups[group]));
  return list;
}

Json rule_json(const policy::Policy& policy, const MatchRule& rule) {
  Json out = Json::object();
  put(out, "service-id", rule.service_ids, Base::hex);
  put(out, "qos-class", rule.qos_classes, Base::decimal);
  put(out, "pkey", rule.pkeys, Base::hex);
  if (!rule.source.empty()) out["source"] = ends_json(policy, rule.source);
  if (!rule.destination.empty()) out["destination"] = ends_json(policy, rule.destination);
  out["level"] = level_json(policy.qos->levels[rule.level]);
  return out;
}

}  // namespace

Json qos_json(const policy::Policy& policy) {
  Json rules = Json::array();
  for (const MatchRule& rule : policy.qos->rules) rules.push_back(rule_json(policy, rule));
  return {{"rules", std::move(rules)}, {"otherwise", level_json(policy.qos->levels[policy.qos->fallback])}};
}

}  // namespace rch::cli
