// `rch help NAME`: what a command takes, or what a name means that rch prints: a diagnostic, a code of the
// log, a cause of failure.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/rules.h"
#include "cli/run_log.h"
#include "cli/show/explain.h"
#include "hw/causes.h"

namespace rch::cli {
namespace {

std::vector<std::string> explained_names() {
  std::vector<std::string> names;
  for (const Rule* rule : all_rules()) names.emplace_back(rule->name);
  for (const LogCode& code : log_codes()) names.emplace_back(code.code);
  for (const hw::Cause& cause : hw::all_causes()) names.emplace_back(cause.name);
  return names;
}

/// Empty: the name is not known.
std::string explanation(std::string_view name) {
  if (const Rule* rule = find_rule(name)) return explain_text(*rule);
  for (const LogCode& code : log_codes())
    if (to_lower(code.code) == to_lower(name))
      return fmt::format("{} ({}), a line in the log of `rch run`\n\n  {}\n", code.code, name_of(code.level),
                         code.meaning);
  for (const hw::Cause& cause : hw::all_causes())
    if (cause.name == name)
      return fmt::format("{}, a cause why a command on a live fabric fails\n\n  {}\n", cause.name,
                         cause.summary);
  return {};
}

Exit help(const std::string& name) {
  Output output(Format::text);
  const std::string text = explanation(name);
  output.text(text);
  if (!text.empty()) return output.finish(Exit::good);
  const std::vector<std::string> names = explained_names();
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view meant = nearest(name, candidates);
  output.error(
      {ErrorKind::usage, fmt::format("no command, diagnostic, code or cause is called `{}`{}", name,
                                     meant.empty() ? "" : fmt::format("; did you mean `{}`?", meant))});
  return output.finish(Exit::usage);
}

}  // namespace

void add_help(const Command& rch) {
  const Command command =
      rch.command("help", "Explain a command, or a diagnostic, code or cause that rch printed");
  command.exits({Exit::good, Exit::usage});
  auto name = std::make_shared<std::string>();
  std::vector<std::string> names = explained_names();
  for (const CommandOutline& other : rch.outline().commands) names.push_back(other.name);
  command.add("NAME", *name, "Such as plan, undefined-port-group, RCH114 or port-down")
      .required()
      .suggest(names);
  command.does([name] { return help(*name); });
}

}  // namespace rch::cli
