#include "policy/build/options/option_uses.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "policy/build/options/option_values.h"
#include "policy/lint/rules/options.h"

namespace rch::policy {
namespace {

/// What the file sets to something that is not the default; null if it does not.
const Setting* changed(const OptionFile& file, std::string_view key) {
  const Setting* setting = file.find(key);
  return setting == nullptr || setting->is_default ? nullptr : setting;
}

std::filesystem::path path_of(const Setting& setting, const SourceSet& sources) {
  const auto folder = std::filesystem::path(sources.at(setting.value.span.source).name()).parent_path();
  return (folder / setting.value.text).lexically_normal();
}

}  // namespace

void check_prerequisites(const OptionFile& main, std::span<const OptionFile* const> own,
                         Diagnostics& diagnostics) {
  const auto is_met = [&](std::string_view needs) {
    const bool excludes = needs.starts_with('!');
    if (excludes) needs.remove_prefix(1);
    const bool is_set =
        changed(main, needs) != nullptr ||
        std::ranges::any_of(main.adjustments, [&](const Adjustment& a) { return a.key->name == needs; }) ||
        std::any_of(own.begin(), own.end(), [&](const OptionFile* f) { return changed(*f, needs); });
    return is_set != excludes;
  };
  const auto check = [&](const OptionFile& file) {
    for (const Setting& setting : file.settings) {
      if (!setting.key->has_effect()) continue;  // which is said, and is all that counts
      if (setting.unset || setting.is_default || is_nvidia_default(*setting.key, setting.meaning)) continue;
      std::string_view missing;
      for_each_word(setting.key->needs, [&](std::string_view needs) {
        if (missing.empty() && !is_met(needs)) missing = needs;
      });
      if (missing.empty()) continue;
      const std::string why = missing.starts_with('!') ? fmt::format("beside `{}`", excluded_setting(missing))
                                                       : fmt::format("without `{}`", missing);
      Diagnostic& d = diagnostics.add(kPrerequisiteOff, setting.name.span,
                                      fmt::format("`{}` does nothing {}", setting.key->name, why));
      if (setting.key->is_serious()) d.severity = Severity::warning;
    }
  };
  check(main);
  for (const OptionFile* file : own) check(*file);
}

void check_output_folders(const OptionFile& main, const SourceSet& sources, Diagnostics& diagnostics) {
  struct Output {
    std::string_view key, consequence;
  };
  constexpr Output kOutputs[] = {
      {"log_file", "the log of `rch run` goes to standard output unless `--log` names a file"},
      {"pid_file", "no file holds the number of the process"},
      {"subnet_lst_file", "the list of links is not written"}};
  for (const Output& output : kOutputs) {
    const Setting* setting = changed(main, output.key);
    if (setting == nullptr || setting->unset || names_stream(*setting->key, setting->value.text)) continue;
    if (output.key == "subnet_lst_file" && !main.options.logs.enable_subnet_lst) continue;
    const std::filesystem::path folder = path_of(*setting, sources).parent_path();
    std::error_code ignored;
    const bool is_here = std::filesystem::exists(sources.at(setting->value.span.source).name(), ignored);
    if (!is_here || folder.empty() || std::filesystem::is_directory(folder, ignored)) continue;
    diagnostics
        .add(kAbsentFolder, setting->value.span,
             fmt::format("there is no folder `{}`: {}", folder.string(), output.consequence))
        .hint = "make the folder, or name another file";
  }
}

void check_shared_paths(const OptionFile& main, std::span<const OptionFile* const> own,
                        const SourceSet& sources, Diagnostics& diagnostics) {
  std::map<std::filesystem::path, const Setting*> first;
  const auto check = [&](const OptionFile& file) {
    for (const Setting& setting : file.settings) {
      if (setting.key->type != OptionType::path || setting.unset || setting.value.text.empty()) continue;
      const auto [at, fresh] = first.emplace(path_of(setting, sources), &setting);
      if (fresh || at->second->key == setting.key) continue;
      diagnostics
          .add(kSharedPath, setting.value.span,
               fmt::format("`{}` and `{}` name one file", at->second->key->name, setting.key->name))
          .labels.push_back({at->second->value.span, "named here too"});
    }
  };
  check(main);
  for (const OptionFile* file : own) check(*file);
}

}  // namespace rch::policy
