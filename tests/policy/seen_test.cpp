// Constructs of files that people really have: files of tests/policy/seen, called NAME.DIALECT. Their first
// comments say where a construct was seen, and what an expert says about it, line by line:
//
//   # expect: GRADE | a piece of the line | a word that the finding has to say
//   # expect: clean
//
// Each error and warning must be expected, and the other way round. Notes need not be. These files are
// written by hand and no variable rewrites what is expected.

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "in_folder.h"
#include "policy/build/front_end.h"
#include "policy/lint/rules.h"

namespace rch::policy {
namespace {

namespace fs = std::filesystem;

const fs::path kSeen = fs::path(RCH_TEST_DATA) / "seen";

struct Expected {
  std::string grade, line, word;
};

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '|');) {
    const std::size_t begin = part.find_first_not_of(' ');
    parts.push_back(begin == std::string::npos ? ""
                                               : part.substr(begin, part.find_last_not_of(' ') + 1 - begin));
  }
  return parts;
}

std::vector<Expected> expected_of(const std::string& text) {
  constexpr std::string_view kMark = "# expect: ";
  std::vector<Expected> expected;
  bool clean = false, seen = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    seen = seen || line.starts_with("# seen: ");
    if (!line.starts_with(kMark)) continue;
    const auto parts = parts_of(line.substr(kMark.size()));
    if (parts.size() == 3)
      expected.push_back({parts[0], parts[1], parts[2]});
    else
      clean = line == "# expect: clean";
  }
  EXPECT_TRUE(seen) << "where was it seen?";
  EXPECT_NE(clean, !expected.empty()) << "either clean or something";
  return expected;
}

/// A finding as users see it, with its grade and the line that it is about.
struct Finding {
  std::string grade, line, text;
};

std::string_view word_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

std::string line_at(const SourceSet& sources, const Span& span) {
  if (span.source.is_none()) return {};
  const auto& source = sources.at(span.source);
  return std::string(source.line(source.position(span.begin).line));
}

std::vector<Finding> findings_of(const std::string& name) {
  const InFolder here(kSeen);
  SourceSet sources;
  Diagnostics diagnostics;
  const LintFile file{name, dialect_named(name.substr(name.rfind('.') + 1))};
  EXPECT_TRUE(file.dialect) << "no dialect is called so";
  lint_files(std::span(&file, 1), sources, diagnostics);
  std::vector<Finding> findings;
  for (const Diagnostic& d : diagnostics.all())
    findings.push_back({std::string(word_of(d.severity)), line_at(sources, d.span), render(d, sources)});
  return findings;
}

std::vector<std::string> seen_files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kSeen)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

class Seen : public testing::TestWithParam<std::string> {};

TEST_P(Seen, IsJudgedAsAnExpertDoes) {
  const auto text = read_file(kSeen / GetParam());
  ASSERT_TRUE(text);
  const std::vector<Expected> expected = expected_of(*text);
  std::vector<bool> met(expected.size());
  for (const Finding& finding : findings_of(GetParam())) {
    bool known = finding.grade == "note";
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Expected& e = expected[i];
      if (e.grade != finding.grade || finding.line.find(e.line) == std::string::npos ||
          finding.text.find(e.word) == std::string::npos)
        continue;
      known = met[i] = true;
    }
    EXPECT_TRUE(known) << "an expert would not say:\n" << finding.text;
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(met[i]) << "an expert would say: " << expected[i].grade << " at `" << expected[i].line
                        << "`: " << expected[i].word;
}

INSTANTIATE_TEST_SUITE_P(Files, Seen, testing::ValuesIn(seen_files()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace_if(
      name, [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
});

TEST(Seen, AreManyFiles) { EXPECT_GE(seen_files().size(), 60U); }

}  // namespace
}  // namespace rch::policy
