#include "policy/build/options/option_compat.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "policy/build/options/option_lists.h"
#include "policy/lint/rules/compat.h"

namespace rch::policy {
namespace {

using parsers::Token;

class BesideOpensm {
 public:
  BesideOpensm(const OptionFile& main, Diagnostics& diagnostics) : main_(main), diagnostics_(diagnostics) {}

  void run() {
    if (const Setting* engines = main_.find("routing_engine")) check_engines(split_words(engines->value));
    for (const Setting& setting : main_.settings) check_path(setting);
    check_fdr10();
    report_nvidia_options();
  }

 private:
  /// OpenSM's last resort is minhop, which never fails.
  void check_engines(const std::vector<Token>& engines) {
    const auto named = [&](std::string_view name) { return std::ranges::find(engines, name, &Token::text); };
    const bool is_forbidden = named("no_fallback") != engines.end();
    const unsigned lmc = main_.options.lids.lmc;
    if (const auto ftree = named("ftree"); ftree != engines.end() && lmc > 0)
      diagnostics_.add(kEngineWithoutLmc, ftree->span,
                       fmt::format("OpenSM's ftree does not route with `lmc {}`{}", lmc,
                                   is_forbidden          ? ""
                                   : engines.size() == 1 ? ": minhop does"
                                                         : ": a later engine does, or minhop"));
    if (engines.empty() || is_forbidden || named("minhop") != engines.end() ||
        named("chain") != engines.end())
      return;
    diagnostics_.add(kFallsBackToMinhop, engines.back().span,
                     fmt::format("OpenSM routes by minhop where {}{} not route; rch does not",
                                 engines.size() == 1 ? fmt::format("`{}`", engines.back().text)
                                                     : std::string("these engines"),
                                 engines.size() == 1 ? " does" : " do"));
  }

  void check_path(const Setting& setting) {
    if (setting.key->type != OptionType::path || setting.key->maker != Maker::opensm || setting.unset ||
        setting.is_default || setting.value.text.empty() ||
        std::filesystem::path(setting.value.text).is_absolute())
      return;
    diagnostics_.add(
        kPathOfWorkingFolder, setting.value.span,
        fmt::format("OpenSM takes `{}` from the folder that it was started in", setting.value.text));
  }

  /// NVIDIA SM's default leaves FDR10 of a port as it is.
  void check_fdr10() {
    constexpr std::uint64_t kMost = 2;
    const Setting* setting = main_.find("fdr10");
    const auto* value = setting != nullptr ? std::get_if<std::uint64_t>(&setting->meaning) : nullptr;
    if (value == nullptr || *value <= kMost) return;
    diagnostics_.add(kValueOfNvidia, setting->value.span,
                     fmt::format("OpenSM takes 1 for `fdr10 {}`, which enables FDR10", *value));
  }

  void report_nvidia_options() {
    constexpr std::size_t kShown = 10;
    std::vector<const Setting*> unknown;
    for (const Setting& setting : main_.settings)
      if (setting.key->maker == Maker::nvidia) unknown.push_back(&setting);
    if (unknown.empty()) return;
    std::vector<std::string_view> names;
    for (const Setting* setting : unknown)
      if (names.size() < kShown) names.push_back(setting->key->name);
    const std::string more =
        unknown.size() > kShown ? fmt::format(" and {} more", unknown.size() - kShown) : std::string();
    diagnostics_.add(kOptionsOfNvidia, unknown.front()->name.span,
                     fmt::format("OpenSM does not know `{}`{}", fmt::join(names, "`, `"), more));
  }

  const OptionFile& main_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_beside_opensm(const OptionFile& main, Diagnostics& diagnostics) {
  BesideOpensm(main, diagnostics).run();
}

}  // namespace rch::policy
