#include "cli/show/explain.h"

#include <fmt/format.h>

#include "cli/layout.h"
#include "policy/lint/examples.h"

namespace rch::cli {
namespace {

/// `text` with every line indented by two blanks.
std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out += fmt::format("  {}", text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

}  // namespace

std::string explain_text(const Rule& rule) {
  const auto paragraph = [](std::string_view text) {
    return fmt::format("\n{}\n", wrapped(text, columns_of(stdout)));
  };
  std::string out = fmt::format("{} ({})\n", rule.name, to_string(rule.severity));
  out += paragraph(fmt::format("  {}", rule.summary));
  if (!rule.reason.empty()) out += paragraph(fmt::format("  Why: {}", rule.reason));
  for (const Peer peer : {Peer::opensm, Peer::nvidia})
    if (const std::string does = peer_behaviour(rule, peer); !does.empty())
      out += paragraph(fmt::format("  {}", does));
  if (!rule.repair.empty()) out += paragraph(fmt::format("  Repair: {}", rule.repair));
  if (const std::string_view example = policy::example(rule); !example.empty())
    out += fmt::format("\n  Example:\n\n{}", indented(example));
  return out;
}

std::string explain_markdown(const Rule& rule) {
  std::string out = fmt::format("**{}**: {}.", to_string(rule.severity), rule.summary);
  if (!rule.reason.empty()) out += fmt::format(" Why: {}.", rule.reason);
  for (const Peer peer : {Peer::opensm, Peer::nvidia})
    if (const std::string does = peer_behaviour(rule, peer); !does.empty()) out += fmt::format(" {}.", does);
  out += '\n';
  if (!rule.repair.empty()) out += fmt::format("Repair: {}.\n", rule.repair);
  if (const std::string_view example = policy::example(rule); !example.empty())
    out += fmt::format("\n```\n{}```\n", example);
  return out;
}

Json explain_json(const Rule& rule) {
  Json out{{"name", rule.name}, {"severity", to_string(rule.severity)}, {"summary", rule.summary}};
  const auto add = [&](const char* key, std::string_view text) {
    if (!text.empty()) out[key] = text;
  };
  add("reason", rule.reason);
  add("opensm", rule.opensm);
  add("nvidia", rule.nvidia);
  add("repair", rule.repair);
  add("example", policy::example(rule));
  return out;
}

}  // namespace rch::cli
