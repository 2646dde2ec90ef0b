// Text cases: a folder of tests/policy/cases holds configuration files and `expected.txt`, every diagnostic
// as the user sees it. With an `opensm.conf` or `rch.yaml` the case is loaded, and bound to `fabric.net` if
// there is one; without it all files are linted together, one called as a dialect (`hop-weights.conf`) as
// that dialect, and bound to a `fabric.net` beside others. RCH_UPDATE=1 rewrites the expectations. Folders
// named fail_* are exactly those with an error.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fabric/formats.h"
#include "in_folder.h"
#include "policy/bind/bind.h"
#include "policy/build/front_end.h"
#include "policy/lint/examples.h"
#include "policy/lint/rules.h"

namespace rch::policy {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGrades[] = {"error: ", "warning: ", "note: "};
const fs::path kCases = fs::path(RCH_TEST_DATA) / "cases";

std::vector<fs::path> sorted(const fs::path& folder, auto keep) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (keep(entry)) found.push_back(entry.path().filename());
  std::sort(found.begin(), found.end());
  return found;
}

void bind_to_fabric(const Policy& policy, SourceSet& sources, Diagnostics& diagnostics) {
  const auto source = sources.load("fabric.net");
  ASSERT_TRUE(source) << source.error().message;
  const auto fabric = fabric::read_fabric(sources, *source, diagnostics);
  ASSERT_TRUE(fabric);
  policy::bind(std::make_shared<const Policy>(policy), std::make_shared<const fabric::Fabric>(*fabric),
               diagnostics);
}

std::vector<LintFile> texts_of_case() {
  std::vector<LintFile> texts;
  for (const fs::path& file :
       sorted(".", [](const auto& e) { return e.path().filename() != "expected.txt"; }))
    texts.push_back({file, dialect_named(file.stem().string())});
  return texts;
}

std::string report(const fs::path& folder) {
  const InFolder here(folder);
  SourceSet sources;
  Diagnostics diagnostics;
  std::string outcome = "linted";
  const bool yaml = fs::exists("rch.yaml");
  if (yaml || fs::exists("opensm.conf")) {
    const auto policy =
        yaml ? load_rch_file("rch.yaml", sources, diagnostics) : load("opensm.conf", sources, diagnostics);
    if (policy) regrade(diagnostics, 0, policy->settings);
    outcome = !policy          ? policy.error().message
              : policy->policy ? fmt::format("policy of {} steps", policy->policy->steps.size())
                               : "no policy";
    if (policy && policy->policy && fs::exists("fabric.net"))
      bind_to_fabric(*policy->policy, sources, diagnostics);
  } else {
    auto texts = texts_of_case();
    const auto fabric =
        std::find_if(texts.begin(), texts.end(), [](const LintFile& f) { return f.path == "fabric.net"; });
    const bool on_fabric = fabric != texts.end() && texts.size() > 1;
    if (on_fabric) texts.erase(fabric);
    const auto linted = lint_files(texts, sources, diagnostics);
    if (on_fabric && linted.policy) bind_to_fabric(*linted.policy, sources, diagnostics);
  }
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) text += render(diagnostic, sources);
  return text + fmt::format("{}: {} errors, {} warnings, {} notes\n", outcome,
                            diagnostics.count(Severity::error), diagnostics.count(Severity::warning),
                            diagnostics.count(Severity::note));
}

std::string expectation(const fs::path& folder) {
  const auto text = read_file(folder / "expected.txt");
  return text ? *text : "no expected.txt; set RCH_UPDATE=1 to write it\n";
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const fs::path& name : sorted(kCases, [](const auto& entry) { return entry.is_directory(); }))
    names.push_back(name.string());
  return names;
}

class Cases : public testing::TestWithParam<std::string> {};

TEST_P(Cases, GiveTheExpectedReport) {
  const fs::path folder = kCases / GetParam();
  const std::string seen = report(folder);
  if (std::getenv("RCH_UPDATE") != nullptr) {
    ASSERT_TRUE(write_file(folder / "expected.txt", seen));
  }
  EXPECT_EQ(seen, expectation(folder));
  EXPECT_EQ(GetParam().starts_with("fail_"), seen.find(" 0 errors,") == std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Text, Cases, testing::ValuesIn(case_names()),
                         [](const auto& test) { return test.param; });

TEST(Rules, EachHasACase) {
  std::string all;
  for (const std::string& name : case_names()) all += expectation(kCases / name);
  for (const Rule* rule : rules())
    EXPECT_NE(all.find(fmt::format(" [{}]\n", rule->name)), std::string::npos) << rule->name;
}

/// `undefined-port-group` of `file:1:2: error: … [undefined-port-group]`; empty for other lines.
std::string rule_of_title(std::string_view line) {
  const std::size_t open = line.rfind(" [");
  const bool graded = std::any_of(std::begin(kGrades), std::end(kGrades), [&](std::string_view grade) {
    return line.find(grade) != std::string_view::npos;
  });
  if (!graded || line.starts_with(' ') || !line.ends_with(']') || open == std::string_view::npos) return {};
  return std::string(line.substr(open + 2, line.size() - open - 3));
}

/// The findings of a report, each with its quoted lines, under their rules.
std::map<std::string, std::string, std::less<>> shortest_findings() {
  std::map<std::string, std::string, std::less<>> shortest;
  for (const std::string& name : case_names()) {
    std::string rule, block;
    const auto keep = [&] {
      if (rule.empty()) return;
      const auto [at, fresh] = shortest.emplace(rule, block);
      if (!fresh && block.size() < at->second.size()) at->second = block;
    };
    std::istringstream lines(expectation(kCases / name));
    for (std::string line; std::getline(lines, line);) {
      if (const std::string named = rule_of_title(line); !named.empty()) {
        keep();
        rule = named;
        block.clear();
      }
      if (!lines.eof() && line.find(" errors, ") == std::string::npos) block += line + "\n";
    }
    keep();
  }
  return shortest;
}

/// RCH_UPDATE=1 rewrites examples.txt with the shortest finding of each rule.
TEST(Rules, EachHasAnExampleThatACaseShows) {
  const auto found = shortest_findings();
  if (std::getenv("RCH_UPDATE") != nullptr) {
    std::string text;
    for (const auto& [rule, block] : found) text += fmt::format("=== {}\n{}", rule, block);
    ASSERT_TRUE(write_file(fs::path(RCH_TEST_DATA) / "../../policy/lint/examples.txt", text));
    GTEST_SKIP() << "examples.txt is written; build again";
  }
  std::string all;
  for (const std::string& name : case_names()) all += expectation(kCases / name);
  for (const Rule* rule : all_rules()) {
    if (rule->name.starts_with("dump-") || rule->name.starts_with("guid2lid-") ||
        rule->name.starts_with("neighbors-") || rule->name.starts_with("folder-"))
      continue;  // no configuration
    EXPECT_FALSE(example(*rule).empty()) << rule->name;
    EXPECT_NE(all.find(example(*rule)), std::string::npos) << rule->name;
  }
}

/// Independent mistakes of a file give as many findings, whatever stands before them.
TEST(Recovery, TwentyMistakesAreTwentyFindings) {
  std::size_t dialects = 0;
  for (const std::string& name : case_names()) {
    if (!name.ends_with("_twenty_mistakes")) continue;
    ++dialects;
    std::istringstream lines(expectation(kCases / name));
    std::size_t findings = 0;
    for (std::string line; std::getline(lines, line);)
      if (!rule_of_title(line).empty()) ++findings;
    EXPECT_EQ(findings, 20U) << name;
  }
  EXPECT_EQ(dialects, 12U);
}

TEST(Rules, SayWhatThePeersDoAndHowToMendIt) {
  for (const Rule* rule : rules()) {
    EXPECT_FALSE(rule->opensm.empty()) << rule->name;
    EXPECT_FALSE(rule->nvidia.empty()) << rule->name;
    EXPECT_FALSE(rule->repair.empty()) << rule->name;
  }
}

TEST(Rules, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Rule* rule : rules()) {
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name;
    EXPECT_EQ(rule->name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos)
        << rule->name;
    EXPECT_FALSE(rule->summary.empty()) << rule->name;
  }
}

}  // namespace
}  // namespace rch::policy
