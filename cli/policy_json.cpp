#include "cli/policy_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rch::cli {
namespace {

using nlohmann::ordered_json;
using namespace policy;

std::string hex(Guid guid) { return fmt::format("{}", guid); }

/// One rule of a group as its file writes it.
class RuleText {
 public:
  explicit RuleText(const Policy& policy) : policy_(policy) {}

  std::string operator()(const PortGuidRule& rule) const {
    std::string text = "port-guid: " + hex(rule.guid);
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
    const auto name = [&](GroupId id) { return policy_.groups[id.index()].name.text; };
    return fmt::format("{}: {}, {}", word, name(left), name(right));
  }

  const Policy& policy_;
};

ordered_json groups_json(const Policy& policy) {
  ordered_json list = ordered_json::array();
  for (const PortGroup& group : policy.groups) {
    if (std::holds_alternative<BuiltinGroup>(group.rules.front())) continue;
    ordered_json rules = ordered_json::array();
    for (const GroupRule& rule : group.rules) rules.push_back(std::visit(RuleText(policy), rule));
    ordered_json out{{"name", group.name.text}};
    if (!group.use.empty()) out["use"] = group.use;
    out["rules"] = std::move(rules);
    list.push_back(std::move(out));
  }
  return list;
}

ordered_json topologies_json(const Policy& policy) {
  ordered_json list = ordered_json::array();
  for (const Topology& topology : policy.topologies)
    list.push_back({{"id", topology.id.value},
                    {"sw-grp", policy.groups[topology.switches.index()].name.text},
                    {"hca-grp", policy.groups[topology.hosts.index()].name.text}});
  return list;
}

ordered_json step_json(const Step& step) {
  ordered_json out{{"id", step.id.value}, {"engine", step.engine}};
  if (!step.use.empty()) out["use"] = step.use;
  out["topology"] = step.topology.value;
  if (step.fallback_to) out["fallback-to"] = step.fallback_to->value;
  if (step.mode == EngineMode::compat) out["mode"] = "compat";
  if (step.path_bit)
    out["path-bit"] = *step.path_bit;
  else
    out["path-bit"] = "all";
  return out;
}

ordered_json steps_json(const Policy& policy) {
  ordered_json list = ordered_json::array();
  for (const Step& step : policy.steps) list.push_back(step_json(step));
  return list;
}

std::string scalar(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool plain(const ordered_json& value) { return !value.is_structured() || value.empty(); }

void write(const ordered_json& value, std::size_t depth, std::string& out);

/// `key: value` on one line, or the members of the value below the key.
void write_member(std::string_view key, const ordered_json& value, std::size_t depth, std::string& out) {
  if (plain(value)) {
    out +=
        value.is_structured() ? fmt::format("{}: none\n", key) : fmt::format("{}: {}\n", key, scalar(value));
    return;
  }
  out += fmt::format("{}:\n", key);
  write(value, depth + 1, out);
}

void write(const ordered_json& value, std::size_t depth, std::string& out) {
  const std::string indent(2 * depth, ' ');
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      out += indent;
      write_member(key, member, depth, out);
    }
    return;
  }
  for (const ordered_json& item : value) {
    if (plain(item)) {
      out += fmt::format("{}- {}\n", indent, scalar(item));
      continue;
    }
    std::string block;
    write(item, depth + 1, block);
    block[indent.size()] = '-';
    out += block;
  }
}

}  // namespace

ordered_json policy_json(const Policy& policy) {
  return {{"groups", groups_json(policy)},
          {"topologies", topologies_json(policy)},
          {"steps", steps_json(policy)}};
}

std::string as_text(const ordered_json& document) {
  std::string out;
  write(document, 0, out);
  return out;
}

}  // namespace rch::cli
