#include "base/line_diff.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rch {
namespace {

TEST(LineDiff, IsWhatDiffPrints) {
  EXPECT_EQ(line_diff("f", "a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(line_diff("f", "a\nb\nc\n", "a\nB\nc\n"), "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  EXPECT_EQ(line_diff("f", "", "a"), "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n");
  EXPECT_EQ(line_diff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n"),
            "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n");
}

/// Does what patch(1) does.
std::string patched(const std::string& before, const std::string& diff) {
  const auto take = [](std::istringstream& from) {
    std::string line;
    std::getline(from, line);
    return line + (from.eof() ? "" : "\n");
  };
  std::istringstream old(before),
      edits(diff.substr(std::min(diff.size(), std::string("--- f\n+++ f\n").size())));
  std::string out;
  std::size_t passed = 0;
  char mark = ' ';  // of the edit before
  for (std::string edit; edits.peek() != EOF;) {
    edit = take(edits);
    if (edit.starts_with("@@")) {
      std::size_t digits = 0;
      const std::size_t first = std::stoul(edit.substr(4), &digits);
      const std::size_t none = edit.substr(4 + digits).starts_with(",0 ") ? 1 : 0;
      for (; passed + 1 < first + none; ++passed) out += take(old);
    } else if (edit.starts_with('\\')) {
      if (mark == '+') out.pop_back();  // an old line is taken as it is
    } else if (edit.starts_with('+')) {
      out += edit.substr(1);
    } else {
      const std::string line = take(old);
      ++passed;
      RC_ASSERT(line == edit.substr(1) || line + '\n' == edit.substr(1));
      if (edit.starts_with(' ')) out += line;
    }
    mark = edit.front();
  }
  while (old.peek() != EOF) out += take(old);
  return out;
}

RC_GTEST_PROP(LineDiff, LeadsFromOneTextToTheOther, ()) {
  const auto text = rc::gen::container<std::string>(rc::gen::element('a', 'b', '\n', '\n'));
  const std::string before = *text, after = *text;
  RC_ASSERT(patched(before, line_diff("f", before, after)) == after);
}

TEST(LineDiff, ReplacesAllOfTextsThatHaveLittleInCommon) {
  std::string before, after;
  for (int i = 0; i < 5000; ++i) before += "a\n", after += "b\n";
  EXPECT_EQ(patched(before, line_diff("f", before, after)), after);
}

}  // namespace
}  // namespace rch
