// docs/options.md is made from the option table and the descriptors of engines. RCH_UPDATE=1 rewrites it.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "engines/registry.h"
#include "policy/model/option_table.h"

namespace rch::policy {
namespace {

constexpr std::string_view kMarker = "<!-- From here on: made from policy/model/option_rows.cpp -->\n";

std::string_view type_text(OptionType type) {
  switch (type) {
    case OptionType::boolean:
      return "`TRUE` or `FALSE`";
    case OptionType::u8:
      return "0-255";
    case OptionType::u16:
      return "0-65535";
    case OptionType::u32:
      return "32-bit number";
    case OptionType::u64:
      return "64-bit number";
    case OptionType::number:
      return "number";
    case OptionType::text:
      return "text";
    case OptionType::path:
      return "file";
    case OptionType::words:
      return "words";
    case OptionType::high_limit:
      return "-1 to 255";
    case OptionType::vl_weights:
      return "`VL:WEIGHT,…`";
    case OptionType::sl2vl:
      return "16 VLs";
    case OptionType::mask256:
      return "256-bit mask";
    case OptionType::delay:
      return "`SHIFT:MULT`";
    case OptionType::delays:
      return "`SHIFT:MULT,…`";
    case OptionType::per_sl:
      return "`SL VALUE`, once per SL";
    case OptionType::subjects:
      return "subjects";
    case OptionType::guids:
      return "GUIDs";
    case OptionType::fat_tree:
      return "`PGFT(…)` or `QFT(…)`";
  }
  return {};
}

std::string value_text(const OptionKey& key) {
  if (key.allowed.empty()) return std::string(type_text(key.type));
  std::string text(key.allowed);
  if (!key.fallback.empty()) text += fmt::format("; else {}", key.fallback);
  if (!key.for_zero.empty()) text += fmt::format("; for 0 {}", key.for_zero);
  return text;
}

std::string default_text(const OptionKey& key) {
  std::string text = key.initial.empty() ? "" : fmt::format("`{}`", key.initial);
  if (!key.nvidia.empty()) text += fmt::format(", NVIDIA SM `{}`", key.nvidia);
  return text;
}

std::string readers(std::string_view key) {
  std::string names;
  for (const engines::Descriptor* engine : engines::all_engines())
    if (engine->reads_option(key)) names += fmt::format("{}{}", names.empty() ? "" : ", ", engine->name);
  return names;
}

std::string effect_text(const OptionKey& key) {
  std::string text(key.effect);
  if (text.empty()) text = fmt::format("none: {}", key.reason);
  if (const std::string names = readers(key.name); key.has_effect() && !names.empty())
    text += fmt::format(" ({})", names);
  for_each_word(key.needs, [&](std::string_view needs) {
    text += needs.starts_with('!') ? fmt::format("; not beside `{}`", excluded_setting(needs))
                                   : fmt::format("; needs `{}`", needs);
  });
  if (!key.old_name.empty()) text += fmt::format("; old name `{}`", key.old_name);
  return text;
}

std::string scope_text(const OptionKey& key) {
  return fmt::format("{}{}{}{}", key.per_step ? "step" : "main", key.updatable ? ", SIGHUP" : "",
                     key.at_start ? ", start" : "", key.in_plan ? ", plan" : "");
}

std::string page() {
  std::string text;
  for (const OptionSection& section : option_sections()) {
    text += fmt::format("\n## {}\n\n| option | value | default | scope | effect |\n|---|---|---|---|---|\n",
                        section.title);
    for (const OptionKey& key : section.keys)
      text +=
          fmt::format("| `{}`{} | {} | {} | {} | {} |\n", key.name, key.maker == Maker::nvidia ? " (N)" : "",
                      value_text(key), default_text(key), scope_text(key), effect_text(key));
  }
  return text;
}

TEST(OptionsPage, SaysWhatTheTableSays) {
  const auto path = std::filesystem::path(RCH_TEST_DATA) / "../../docs/options.md";
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t marker = text.find(kMarker);
  ASSERT_NE(marker, std::string::npos) << path << " has no line " << kMarker;
  const std::size_t made = marker + kMarker.size();
  if (std::getenv("RCH_UPDATE") != nullptr) {
    ASSERT_TRUE(write_file(path, text.substr(0, made) + page()));
    GTEST_SKIP() << path << " is written";
  }
  EXPECT_EQ(text.substr(made), page()) << "RCH_UPDATE=1 rewrites " << path;
}

}  // namespace
}  // namespace rch::policy
