// docs/keywords.md is the tables of the parsers as a page. RCH_UPDATE=1 rewrites it.

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "parsers/common/block_words.h"
#include "parsers/torus_conf/torus_conf.h"

namespace rch::parsers {
namespace {

constexpr std::string_view kHead = R"(# Keywords

The keywords of the block dialects and of `torus-2QoS.conf`. The tables of the parsers generate this page; a test compares
it. A keyword is one row in its dialect's `.cpp` file. The row names the keyword, its type, its limits, how often it may
stand in a block, and the field of the syntax tree that it fills.
)";

std::string_view text(Occurs occurs) {
  switch (occurs) {
    case Occurs::once:
      return "at most once";
    case Occurs::required:
      return "once";
    case Occurs::last_wins:
      return "the last one counts";
    default:
      return "any number";
  }
}

std::string limits(const NumberKind& kind) {
  if (kind.what.empty()) return "";
  const bool bounded = kind.high != std::numeric_limits<std::uint64_t>::max();
  return bounded ? fmt::format("{}, {} to {}", kind.what, kind.low, kind.high) : std::string(kind.what);
}

std::string page() {
  std::string text(kHead);
  for (const BlockDialect* dialect : block_dialects()) {
    text += fmt::format("\n## {}\n\n| block | keyword | value | number | occurs |\n|---|---|---|---|---|\n",
                        dialect->name);
    for (const BlockSpec& block : dialect->blocks) {
      if (block.keywords.empty()) text += fmt::format("| `{}` | | | | |\n", block.begin);
      for (const Keyword& keyword : block.keywords)
        text += fmt::format("| `{}` | `{}` | {} | {} | {} |\n", block.begin, keyword.word, keyword.type,
                            limits(keyword.limits), parsers::text(keyword.occurs));
    }
  }
  text += "\n## torus-2QoS.conf\n\n| keyword | arguments |\n|---|---|\n";
  for (const torus_conf::Keyword& keyword : torus_conf::keywords())
    text += fmt::format("| `{}` | {} |\n", keyword.word, keyword.usage);
  return text;
}

TEST(Keywords, ThePageIsTheTables) {
  const std::string path = RCH_TEST_DATA "/../../docs/keywords.md";
  if (std::getenv("RCH_UPDATE") != nullptr) std::ofstream(path) << page();
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), page());
}

/// The reader finds a keyword by its lower-case word, and a parent before its children.
TEST(Keywords, CanBeFound) {
  for (const BlockDialect* dialect : block_dialects()) {
    std::set<std::string_view> begins;
    for (const BlockSpec& block : dialect->blocks) {
      EXPECT_TRUE(begins.insert(block.begin).second) << block.begin;
      EXPECT_TRUE(block.parent.empty() || begins.contains(block.parent)) << block.begin;
      if (block.starts_statement != nullptr) continue;
      for (const Keyword& keyword : block.keywords)
        EXPECT_EQ(BlockWords::find_keyword(&block, keyword.word), &keyword) << keyword.word;
    }
  }
}

}  // namespace
}  // namespace rch::parsers
