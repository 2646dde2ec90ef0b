#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "chains/rules.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/control_socket.h"
#include "cli/flags.h"
#include "cli/manager_client.h"
#include "cli/output.h"
#include "cli/rules.h"
#include "cli/show/as_text.h"
#include "cli/show/explain.h"
#include "cli/show/options_json.h"
#include "cli/show/policy_json.h"
#include "dumps/rules.h"
#include "engines/registry.h"
#include "parsers/assertions/rules.h"
#include "policy/lint/rules.h"
#include "whatif/rules.h"

namespace rch::cli {
namespace {

Exit show_engines(Format format) {
  Output output(format);
  auto list = Json::array();
  for (const engines::Descriptor* engine : engines::all_engines()) {
    output.line(fmt::format("{:<12} {}", engine->name, engine->summary));
    list.push_back({{"name", engine->name}, {"summary", engine->summary}});
  }
  output.json("engines", list);
  return output.finish(Exit::good);
}

/// The page docs/diagnostics.md is made of.
Exit print_diagnostics_page() {
  std::string page;
  for (const Rule* rule : all_rules())
    page += fmt::format("### {}\n\n{}\n", rule->name, explain_markdown(*rule));
  std::fputs(page.c_str(), stdout);
  return Exit::good;
}

Exit show_diagnostics(Format format) {
  if (format == Format::markdown) return print_diagnostics_page();
  Output output(format);
  auto list = Json::array();
  for (const Rule* rule : all_rules()) {
    output.line(fmt::format("{:<8} {:<32} {}", to_string(rule->severity), rule->name, rule->summary));
    list.push_back(explain_json(*rule));
  }
  output.json("diagnostics", list);
  return output.finish(Exit::good);
}

Exit show_policy(const ConfFlags& conf, Format format) {
  Context context(format);
  const auto policy = read_policy(context, conf);
  if (!policy) return context.output.finish(policy.error());
  const auto document = policy_json(**policy);
  context.output.text(as_text(document));
  context.output.json("policy", document);
  return context.output.finish(Exit::good);
}

/// What docs/options.md says, in short.
Exit show_known_options(Format format) {
  Output output(format);
  const auto document = known_options_json();
  output.text(known_options_text(document));
  output.json("options", document);
  return output.finish(Exit::good);
}

Exit show_options(const ConfFlags& conf, Format format) {
  if (!conf.given()) return show_known_options(format);
  Context context(format);
  const auto read = read_configuration(context, conf);
  const bool errors = context.report();
  if (!read) {
    context.output.error(read.error());
    return context.output.finish(exit_of(read.error().kind));
  }
  if (errors || !read->main) return context.output.finish(Exit::findings);
  const auto document = options_json(*read, *context.sources);
  context.output.text(options_text(document));
  context.output.json("options", document);
  return context.output.finish(Exit::good);
}

void add_running(const Command& show) {
  struct Flags {
    std::string control = default_control_socket();
    Format format = Format::text;
  };
  const Command leaf = show.command("running",
                                    "The configuration of a running subnet manager: options that are not "
                                    "the default, and files with their digests");
  leaf.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<Flags>();
  leaf.add_control(flags->control);
  leaf.add_format(flags->format);
  leaf.does([flags] {
    return ask_manager(flags->format, flags->control, {RunningRequest{}},
                       [](Output& output, const Json& running) {
                         output.text(as_text(running));
                         return Exit::good;
                       });
  });
}

/// A leaf of `show` that needs a configuration.
void add_of_conf(const Command& show, const char* name, const char* what,
                 Exit (*print)(const ConfFlags&, Format), bool conf_required = true) {
  struct Flags {
    ConfFlags conf;
    Format format = Format::text;
  };
  const Command leaf = show.command(name, what);
  auto flags = std::make_shared<Flags>();
  add_conf(leaf, flags->conf);
  leaf.add_format(flags->format);
  leaf.does([flags, print] { return print(flags->conf, flags->format); },
            [flags, conf_required] { return conf_required ? require_conf(flags->conf) : ""; });
}

}  // namespace

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> out = policy::all_rules();
  out.insert(out.end(), std::begin(chains::kRules), std::end(chains::kRules));
  out.insert(out.end(), dumps::rules().begin(), dumps::rules().end());
  out.insert(out.end(), std::begin(whatif::kRules), std::end(whatif::kRules));
  out.insert(out.end(), std::begin(parsers::assertions::kRules), std::end(parsers::assertions::kRules));
  std::sort(out.begin(), out.end(), [](const Rule* a, const Rule* b) { return a->name < b->name; });
  return out;
}

const Rule* find_rule(std::string_view name) {
  const auto rules = all_rules();
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const Rule* rule) { return rule->name == name; });
  return found == rules.end() ? nullptr : *found;
}

void add_show(const Command& rch) {
  const Command command = rch.command("show", "Print what rch knows");
  command.exits({Exit::good, Exit::findings, Exit::usage});
  const auto add = [&](const char* name, const char* what, Exit (*show)(Format),
                       const std::vector<Format>& formats) {
    const Command leaf = command.command(name, what);
    leaf.exits({Exit::good, Exit::usage});
    auto format = std::make_shared<Format>(Format::text);
    leaf.add_format(*format, formats);
    leaf.does([format, show] { return show(*format); });
  };
  add("engines", "The routing engines that a chain may name", show_engines, {Format::text, Format::json});
  add("diagnostics", "Every diagnostic with its grade", show_diagnostics,
      {Format::text, Format::json, Format::markdown});
  add_of_conf(command, "policy", "What a configuration says, as rch understood it", show_policy);
  add_of_conf(command, "options",
              "Every option with its value and where that comes from; without a configuration, with its "
              "default and effect",
              show_options, false);
  add_running(command);
}

}  // namespace rch::cli
