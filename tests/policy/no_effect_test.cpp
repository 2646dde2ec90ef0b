// Every option whose row says that it has no effect is named by lint at a value of its own, with the reason.

#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "parsers/opensm_conf/opensm_conf.h"
#include "policy/build/options/option_file.h"

namespace rch::policy {
namespace {

std::string findings(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add("opensm.conf", text);
  read_main_options(parsers::opensm_conf::parse(sources, source, diagnostics), nullptr, sources, diagnostics);
  std::string all;
  for (const Diagnostic& d : diagnostics.all())
    if (d.rule->name == "no-effect-yet") all += render(d, sources);
  return all;
}

/// A value of `0-2,7` or a word of `off local` that is not the default and turns something on.
std::optional<std::string> other_allowed(const OptionKey& key) {
  std::string allowed(key.allowed);
  for (char& c : allowed)
    if (c == ',' || c == '-') c = ' ';
  std::optional<std::string> found;
  const auto keep = [&](std::string_view word) {
    if (word != key.initial && word != "0") found = std::string(word);
  };
  if (allowed != key.allowed) keep("1");
  for_each_word(allowed, keep);
  return found;
}

std::string own_value(const OptionKey& key) {
  if (!key.allowed.empty())
    if (const auto other = other_allowed(key)) return *other;
  switch (key.type) {
    case OptionType::boolean:
      return key.initial == "TRUE" ? "FALSE" : "TRUE";
    case OptionType::text:
    case OptionType::path:
      return "/own/value";
    case OptionType::mask256:
      return "0x1f";
    case OptionType::delay:
    case OptionType::delays:
      return "1:2";
    case OptionType::per_sl:
      return "1 7";
    default:
      return key.initial == "3" ? "5" : "3";
  }
}

TEST(OptionsWithoutEffect, AreNamedWithTheReason) {
  std::size_t checked = 0;
  std::string all;
  for (const OptionKey& key : option_table()) {
    if (key.has_effect()) continue;
    ++checked;
    EXPECT_FALSE(key.reason.empty()) << key.name;
    const std::string line = fmt::format("{} {}\n", key.name, own_value(key));
    all += line;
    const std::string said = findings(line);
    const std::string named = fmt::format("`{}` has no effect: {} [no-effect-yet]", key.name, key.reason);
    EXPECT_NE(said.find(named), std::string::npos) << line << said;
    EXPECT_EQ(said.starts_with("opensm.conf:1:1: warning: "), key.is_serious()) << said;
  }
  EXPECT_GT(checked, 200U);
  // In one file, none hides another one.
  const std::string said = findings(all);
  for (const OptionKey& key : option_table())
    EXPECT_TRUE(key.has_effect() || said.find(fmt::format("`{}`", key.name)) != std::string::npos)
        << key.name;
}

TEST(OptionsWithoutEffect, AreNotNamedAtADefault) {
  std::string defaults;
  for (const OptionKey& key : option_table()) {
    if (key.has_effect()) continue;
    for (const std::string_view value : {key.initial, key.nvidia})
      if (!value.empty()) defaults += fmt::format("{} {}\n", key.name, value);
  }
  EXPECT_EQ(findings(defaults), "");
  EXPECT_EQ(findings("virt_enabled 0\nissu_mode 0\nrouter_policy_file (null)\nnvlink_enable FALSE\n"), "");
}

TEST(OptionsWithoutEffect, HaveAReasonOfTheirOwn) {
  std::size_t acting = 0;
  for (const OptionKey& key : option_table()) {
    acting += key.has_effect() ? 1 : 0;
    EXPECT_NE(key.has_effect(), !key.reason.empty()) << key.name;
    EXPECT_EQ(key.reason.find("not implemented"), std::string_view::npos) << key.name;
  }
  EXPECT_GE(acting, 187U);
}

}  // namespace
}  // namespace rch::policy
