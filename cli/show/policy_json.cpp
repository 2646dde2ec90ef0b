#include "cli/show/policy_json.h"

#include <fmt/format.h>

#include "cli/show/parts.h"

namespace rch::cli {
namespace {

using namespace policy;

/// One rule of a group as its file writes it.
class RuleText {
 public:
  explicit RuleText(const Policy& policy) : policy_(policy) {}

  std::string operator()(const PortGuidRule& rule) const {
    std::string text = fmt::format("port-guid: {}", rule.guid);
    char separator = '@';
    for (const auto& [low, high] : rule.ports) {
      text += separator + (low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high));
      separator = '/';
    }
    return text;
  }
  std::string operator()(const PortGuidRangeRule& rule) const {
    return fmt::format("port-guid-range: {}-{}", rule.low, rule.high);
  }
  std::string operator()(const PortNameRule& rule) const {
    std::string text = "port-name: hostname=" + rule.hostname;
    if (rule.port) text += fmt::format("; port={}", *rule.port);
    if (rule.hca_index) text += fmt::format("; hca_idx={}", *rule.hca_index);
    return text;
  }
  std::string operator()(const PortRegexpRule& rule) const {
    return "port-regexp: " + rule.regexp + (rule.port ? fmt::format(":{}", *rule.port) : "");
  }
  std::string operator()(const UnionRule& rule) const {
    return of_groups("union-rule", rule.left, rule.right);
  }
  std::string operator()(const SubtractRule& rule) const {
    return of_groups("subtract-rule", rule.left, rule.right);
  }
  std::string operator()(BuiltinGroup) const { return "predefined"; }

 private:
  std::string of_groups(std::string_view word, GroupId left, GroupId right) const {
    return fmt::format("{}: {}, {}", word, group_name(policy_, left), group_name(policy_, right));
  }

  const Policy& policy_;
};

Json groups_json(const Policy& policy) {
  Json list = Json::array();
  for (const PortGroup& group : policy.groups) {
    if (std::holds_alternative<BuiltinGroup>(group.rules.front())) continue;
    Json rules = Json::array();
    for (const policy::GroupRule& rule : group.rules) rules.push_back(std::visit(RuleText(policy), rule));
    Json out{{"name", group.name.text}};
    if (!group.use.empty()) out["use"] = group.use;
    out["rules"] = std::move(rules);
    list.push_back(std::move(out));
  }
  return list;
}

Json topologies_json(const Policy& policy) {
  Json list = Json::array();
  for (const Topology& topology : policy.topologies)
    list.push_back({{"id", topology.id.value},
                    {"sw-grp", group_name(policy, topology.switches)},
                    {"hca-grp", group_name(policy, topology.hosts)}});
  return list;
}

/// Its seeds as `switch > neighbour` by axis and direction.
Json torus_json(const fabric::TorusShape& torus) {
  Json seeds = Json::array();
  constexpr std::array kAxes{"x", "y", "z"};
  for (const fabric::TorusSeed& seed : torus.seeds) {
    Json out = Json::object();
    const auto link = [&](const char* axis, char sign, const auto& end) {
      if (end) out[fmt::format("{}{}_link", axis, sign)] = fmt::format("{} {}", end->from, end->to);
    };
    for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
      link(kAxes[axis], 'p', seed.plus[axis]);
      link(kAxes[axis], 'm', seed.minus[axis]);
      if (seed.dateline[axis] != 0) out[fmt::format("{}_dateline", kAxes[axis])] = seed.dateline[axis];
    }
    seeds.push_back(std::move(out));
  }
  std::string size;
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis)
    size += fmt::format("{}{}{}", axis == 0 ? "" : " ", torus.wraps[axis] ? "" : "m", torus.radix[axis]);
  Json out{{"size", size}, {"seeds", std::move(seeds)}};
  if (!torus.port_order.empty()) out["port_order"] = fmt::format("{}", fmt::join(torus.port_order, " "));
  return out;
}

Json step_json(const Policy& policy, const Step& step) {
  Json out{{"id", step.id.value}, {"engine", step.engine}};
  if (!step.use.empty()) out["use"] = step.use;
  out["topology"] = step.topology.value;
  if (step.fallback_to) out["fallback-to"] = step.fallback_to->value;
  if (step.mode == EngineMode::compat) out["mode"] = "compat";
  if (step.path_bit)
    out["path-bit"] = *step.path_bit;
  else
    out["path-bit"] = "all";
  if (step.torus) out["torus"] = torus_json(*step.torus);
  if (auto files = step_files_json(policy, step.files); !files.empty()) out["files"] = std::move(files);
  return out;
}

Json steps_json(const Policy& policy) {
  Json list = Json::array();
  for (const Step& step : policy.steps) list.push_back(step_json(policy, step));
  return list;
}

}  // namespace

const std::string& group_name(const Policy& policy, GroupId id) {
  return policy.groups[id.index()].name.text;
}

Json policy_json(const Policy& policy) {
  Json out{{"groups", groups_json(policy)},
           {"topologies", topologies_json(policy)},
           {"steps", steps_json(policy)},
           {"partitions", partitions_json(policy)}};
  if (policy.qos) out["qos"] = qos_json(policy);
  if (policy.enhanced_qos) out["enhanced-qos"] = enhanced_qos_json(policy);
  if (auto files = fabric_files_json(policy); !files.empty()) out["files"] = std::move(files);
  return out;
}

}  // namespace rch::cli
