#include "hw/causes.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include <fmt/format.h>

namespace rch::hw {
namespace {

const std::filesystem::path kSources = std::filesystem::path(RCH_TEST_DATA) / "../..";

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What `pattern` captures in the text, in order.
std::vector<std::string> captures(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

std::string section(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  return text.substr(begin, text.find(to, begin) - begin);
}

TEST(Causes, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Cause& cause : all_causes()) {
    EXPECT_TRUE(std::regex_match(std::string(cause.name), std::regex("[a-z]+(-[a-z]+)*"))) << cause.name;
    EXPECT_TRUE(names.insert(cause.name).second) << cause.name;
  }
  const auto declared =
      captures(text_of(kSources / "hw/causes.h"), R"re(constexpr Cause k\w+\{\s*"([^"]+)")re");
  EXPECT_EQ(declared.size(), names.size());
}

TEST(Causes, AreDocumented) {
  std::vector<std::string> rows, entries;
  for (const Cause& cause : all_causes()) {
    rows.push_back(fmt::format("| `{}` | {} |", cause.name, cause.summary));
    entries.push_back(fmt::format(
        "{}\n{}", std::regex_replace(std::string(cause.name), std::regex("-"), "\\-"), cause.summary));
  }
  const std::string page = text_of(kSources / "docs/diagnostics.md");
  EXPECT_EQ(captures(section(page, "## Causes of exit 5", "<!--"), "(\\| `.*)\n"), rows);
  const std::string man = text_of(kSources / "docs/man/rch.1");
  EXPECT_EQ(captures(section(man, "Causes:", ".SH EXAMPLES"), "\\.B (.*\n.*)\n"), entries);
}

TEST(Causes, NoErrorOfALiveFabricIsWithoutOne) {
  for (const char* folder : {"hw", "sm", "chains", "cli"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kSources / folder)) {
      const std::string name = entry.path().filename().string();
      if (!entry.is_regular_file() || name == "causes.h" || name == "exit.h") continue;
      EXPECT_THAT(text_of(entry.path()), testing::Not(testing::HasSubstr("ErrorKind::fabric")))
          << entry.path();
    }
}

}  // namespace
}  // namespace rch::hw
