#include "cli/show/options_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policy/build/options/effective.h"

namespace rch::cli {
namespace {

using nlohmann::ordered_json;
using policy::EffectiveOption;
using policy::OptionSource;

constexpr std::string_view source_name(OptionSource source) {
  return source == OptionSource::step ? "step" : source == OptionSource::main ? "main" : "default";
}

ordered_json option_json(const EffectiveOption& option, const SourceSet& sources) {
  ordered_json out{{"key", option.key}, {"value", option.value}, {"source", source_name(option.source)}};
  if (option.source == OptionSource::initial) return out;
  const SourceText& text = sources.at(option.span.source);
  out["at"] = fmt::format("{}:{}", text.name(), text.position(option.span.begin).line);
  return out;
}

void add_lines(const ordered_json& options, std::string& out) {
  for (const ordered_json& option : options)
    out += fmt::format("{:<44} {:<32} {}\n", option["key"].get<std::string>(),
                       option["value"].get<std::string>(),
                       option.value("at", option["source"].get<std::string>()));
}

}  // namespace

ordered_json options_json(const policy::Configuration& configuration, const SourceSet& sources) {
  ordered_json main = ordered_json::array(), steps = ordered_json::array();
  for (const EffectiveOption& option : effective_options(*configuration.main, nullptr, sources))
    main.push_back(option_json(option, sources));
  for (const auto& [id, own] : configuration.own_options) {
    ordered_json changed = ordered_json::array();
    for (const EffectiveOption& option : effective_options(*configuration.main, &own, sources))
      if (option.source == OptionSource::step) changed.push_back(option_json(option, sources));
    steps.push_back({{"id", id.value}, {"options", std::move(changed)}});
  }
  return {{"main", std::move(main)}, {"steps", std::move(steps)}};
}

std::string options_text(const ordered_json& options) {
  std::string out;
  add_lines(options["main"], out);
  for (const ordered_json& step : options["steps"]) {
    out += fmt::format("\nstep {}:\n", step["id"].get<unsigned>());
    add_lines(step["options"], out);
  }
  return out;
}

}  // namespace rch::cli
