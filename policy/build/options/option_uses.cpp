#include "policy/build/options/option_uses.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "policy/lint/rules/options.h"

namespace rch::policy {
namespace {

struct Prerequisite {
  std::string_view key;
  std::string_view needs;  ///< must be set to something other than its default
};
constexpr Prerequisite kPrerequisites[] = {
    {"offsweep_balancing_window", "offsweep_balancing_enabled"},
    {"max_reverse_hops", "io_guid_file"},
    {"guid_routing_order_no_scatter", "guid_routing_order_file"},
    {"guid_routing_order_no_scatter", "scatter_ports"},
    {"lmc_esp0", "lmc"},
    {"m_key_protection_level", "m_key"},
    {"m_key_lease_period", "m_key"},
    {"console_port", "console"},
    {"event_plugin_options", "event_plugin_name"},
    {"enhanced_qos_vport0_unlimit_default_rl", "enhanced_qos_policy_file"},
    {"mc_secondary_root_guid", "mc_primary_root_guid"},
    {"topo_policy_file", "pgrp_policy_file"},
};

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
    return changed(main, needs) != nullptr ||
           std::any_of(own.begin(), own.end(), [&](const OptionFile* f) { return changed(*f, needs); });
  };
  std::map<const Setting*, bool> reported;
  const auto check = [&](const OptionFile& file, const Prerequisite& p) {
    const Setting* setting = changed(file, p.key);
    if (setting == nullptr || is_met(p.needs) || !reported.emplace(setting, true).second) return;
    diagnostics.add(kPrerequisiteOff, setting->name.span,
                    fmt::format("`{}` does nothing without `{}`", p.key, p.needs));
  };
  for (const Prerequisite& p : kPrerequisites) {
    check(main, p);
    for (const OptionFile* file : own) check(*file, p);
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
