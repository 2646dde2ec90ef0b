#include "cli/show/options_json.h"

#include <fmt/format.h>

#include "policy/build/options/effective.h"
#include "policy/model/option_table.h"

namespace rch::cli {
namespace {

using policy::EffectiveOption;
using policy::OptionSource;

constexpr std::string_view source_name(OptionSource source) {
  return source == OptionSource::step ? "step" : source == OptionSource::main ? "main" : "default";
}

Json option_json(const EffectiveOption& option, const SourceSet& sources) {
  Json out{{"key", option.key}, {"value", option.value}, {"source", source_name(option.source)}};
  if (option.source == OptionSource::initial) return out;
  const SourceText& text = sources.at(option.span.source);
  out["at"] = fmt::format("{}:{}", text.name(), text.position(option.span.begin).line);
  return out;
}

void add_lines(const Json& options, std::string& out) {
  for (const Json& option : *options.elements()) {
    const auto text = [&](const char* key) { return *option.find(key)->string(); };
    out += fmt::format("{:<44} {:<32} {}\n", text("key"), text("value"),
                       text(option.find("at") != nullptr ? "at" : "source"));
  }
}

}  // namespace

Json options_json(const policy::Configuration& configuration, const SourceSet& sources) {
  Json main = Json::array(), steps = Json::array();
  for (const EffectiveOption& option : effective_options(*configuration.main, nullptr, sources))
    main.push_back(option_json(option, sources));
  for (const auto& [id, own] : configuration.own_options) {
    Json changed = Json::array();
    for (const EffectiveOption& option : effective_options(*configuration.main, &own, sources))
      if (option.source == OptionSource::step) changed.push_back(option_json(option, sources));
    steps.push_back({{"id", id.value}, {"options", std::move(changed)}});
  }
  return {{"main", std::move(main)}, {"steps", std::move(steps)}};
}

std::string options_text(const Json& options) {
  std::string out;
  add_lines(*options.find("main"), out);
  for (const Json& step : *options.find("steps")->elements()) {
    out += fmt::format("\nstep {}:\n", step.find("id")->dump());
    add_lines(*step.find("options"), out);
  }
  return out;
}

Json known_options_json() {
  Json options = Json::array();
  for (const policy::OptionKey& key : policy::option_table()) {
    Json option{{"key", key.name}, {"default", key.initial}};
    if (!key.nvidia.empty()) option["nvidia_default"] = key.nvidia;
    option[key.has_effect() ? "effect" : "no_effect"] = key.has_effect() ? key.effect : key.reason;
    options.push_back(std::move(option));
  }
  return options;
}

std::string known_options_text(const Json& options) {
  std::string out;
  for (const Json& option : *options.elements()) {
    const Json* effect = option.find("effect");
    out +=
        fmt::format("{:<44} {:<32} {}\n", *option.find("key")->string(), *option.find("default")->string(),
                    effect != nullptr ? *effect->string() : "none: " + *option.find("no_effect")->string());
  }
  return out;
}

}  // namespace rch::cli
