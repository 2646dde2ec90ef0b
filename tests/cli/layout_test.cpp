#include "cli/layout.h"

#include <gtest/gtest.h>

#include <sstream>

namespace rch::cli {
namespace {

TEST(Layout, ShortLinesStayAsTheyAre) {
  EXPECT_EQ(wrapped("verdict  proven", 20), "verdict  proven");
  EXPECT_EQ(wrapped("", 20), "");
  EXPECT_EQ(wrapped("verdict  proven", 0), "verdict  proven");
}

TEST(Layout, LongLinesAreCutAtBlanksAndIndented) {
  EXPECT_EQ(wrapped("finding  one two three four five", 20),
            "finding  one two\n           three\n           four five");
  EXPECT_EQ(wrapped("  one two three four", 12), "  one two\n    three\n    four");
}

TEST(Layout, NamesInBackticksStayWhole) {
  EXPECT_EQ(wrapped("sl       of `host000 HCA-1 of rack 7` only", 24),
            "sl       of\n           `host000 HCA-1 of rack 7`\n           only");
  EXPECT_EQ(wrapped("a backtick ` alone is one of many characters", 20),
            "a backtick ` alone\n           is one of\n           many\n           characters");
}

TEST(Layout, NothingIsLostAndLinesFit) {
  const std::string line =
      "hint     a text of many words, none of which is long, so that every line of it has to fit";
  for (std::size_t columns = 24; columns < 100; ++columns) {
    std::istringstream lines(wrapped(line, columns));
    std::string whole;
    for (std::string one; std::getline(lines, one);) {
      EXPECT_LE(one.size(), columns);
      whole += whole.empty() ? one : one.substr(one.find_first_not_of(' ') - 1);
    }
    EXPECT_EQ(whole, line);
  }
}

TEST(Layout, CharactersAreCountedNotBytes) { EXPECT_EQ(wrapped("äöü äöü", 7), "äöü äöü"); }

TEST(Layout, ColorsHaveAMeaning) {
  EXPECT_EQ(painted("proven", Meaning::good, true), "\033[1;32mproven\033[0m");
  EXPECT_EQ(painted("proven", Meaning::good, false), "proven");
  EXPECT_EQ(painted("proven", Meaning::plain, true), "proven");
}

}  // namespace
}  // namespace rch::cli
