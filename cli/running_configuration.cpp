#include "cli/running_configuration.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "chains/plan.h"
#include "policy/build/options/effective.h"

namespace rch::cli {
namespace {

using policy::OptionKey;
using Option = RunningConfiguration::Option;
using File = RunningConfiguration::File;

/// Whether two configurations mean the same by a key that rch keeps.
bool means_the_same(const OptionKey& key, policy::Options one, policy::Options other) {
  const policy::OptionField field = key.field(other);
  return std::visit([&](auto* value) { return *value == *std::get<decltype(value)>(field); }, key.field(one));
}

std::string shown(const Option& option) { return option.key->secret ? "(hidden)" : option.value; }

std::string_view result_of(const OptionKey& key) {
  if (!key.has_effect()) return "no_effect";
  return key.at_start ? "needs_restart" : "applied";
}

Json changed_options(const RunningConfiguration& before, const RunningConfiguration& now) {
  Json out = Json::array();
  for (std::size_t i = 0; i < now.options.size(); ++i) {
    const Option &was = before.options[i], &is = now.options[i];
    if (was.value == is.value) continue;
    if (is.key->field != nullptr && means_the_same(*is.key, before.values, now.values)) continue;
    out.push_back(
        {{"option", is.key->name}, {"was", shown(was)}, {"is", shown(is)}, {"result", result_of(*is.key)}});
  }
  return out;
}

Json changed_files(const std::vector<File>& before, const std::vector<File>& now) {
  Json out = Json::array();
  for (const File& file : now)
    if (std::ranges::find(before, file) == before.end())
      out.push_back({{"file", file.name}, {"result", "applied"}});
  for (const File& file : before)
    if (std::ranges::find(now, file.name, &File::name) == now.end())
      out.push_back({{"file", file.name}, {"result", "dropped"}});
  return out;
}

/// An options file: one that the command line names, or in which an option stands.
bool is_main(const policy::OptionFile& main, SourceId id, const std::string& name,
             std::span<const std::string> main_files) {
  return std::ranges::find(main_files, name) != main_files.end() ||
         std::ranges::any_of(main.settings,
                             [&](const policy::Setting& s) { return s.name.span.source == id; });
}

}  // namespace

RunningConfiguration running_configuration(const policy::Configuration& configuration,
                                           const SourceSet& sources,
                                           std::span<const std::string> main_files) {
  RunningConfiguration out{.values = configuration.policy->options, .options = {}, .files = {}};
  for (const policy::EffectiveOption& option :
       policy::effective_options(*configuration.main, nullptr, sources)) {
    const OptionKey* key = policy::find_option(option.key);
    if (!out.options.empty() && out.options.back().key == key) {  // a line for each SL
      out.options.back().value += ", " + option.value;
      continue;
    }
    const bool is_default = option.source == policy::OptionSource::initial ||
                            (key->field != nullptr && means_the_same(*key, out.values, policy::Options{}));
    out.options.push_back({key, option.value, is_default});
  }
  for (const SourceId id : configuration.policy->sources)
    out.files.push_back({sources.at(id).name(), chains::digest(sources.at(id).text()),
                         is_main(*configuration.main, id, sources.at(id).name(), main_files)});
  return out;
}

std::uint64_t configuration_hash(const RunningConfiguration& configuration,
                                 std::vector<std::string> accepted) {
  std::string text;
  for (const Option& option : configuration.options) {
    const OptionKey& key = *option.key;
    const bool counts =
        key.has_effect() && !key.secret && !key.of_host && key.type != policy::OptionType::path;
    if (counts && !option.is_default) text += fmt::format("{} {}\n", key.name, option.value);
  }
  for (const File& file : configuration.files)
    if (!file.is_main)
      text += fmt::format("{} {}\n", std::filesystem::path(file.name).filename().string(), file.digest);
  std::ranges::sort(accepted);
  for (const std::string& finding : accepted) text += fmt::format("accept {}\n", finding);
  constexpr std::size_t kDigits = 16;
  return std::max<std::uint64_t>(1, std::stoull(chains::digest(text).substr(0, kDigits), nullptr, 16));
}

Json changes(const RunningConfiguration& before, const RunningConfiguration& now) {
  return {{"options", changed_options(before, now)}, {"files", changed_files(before.files, now.files)}};
}

Json to_json(const RunningConfiguration& configuration) {
  Json options = Json::array(), files = Json::array();
  for (const Option& option : configuration.options)
    if (!option.is_default) options.push_back({{"option", option.key->name}, {"value", shown(option)}});
  for (const File& file : configuration.files)
    files.push_back({{"file", file.name}, {"digest", file.digest}});
  return {{"options", std::move(options)}, {"files", std::move(files)}};
}

}  // namespace rch::cli
