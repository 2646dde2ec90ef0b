#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace rch {
namespace {

constexpr Rule kRule{"duplicate-name", Severity::error, "a name is defined twice"};

Span find(const SourceSet& sources, SourceId id, std::string_view needle, std::size_t from = 0) {
  const auto at = static_cast<std::uint32_t>(sources.at(id).text().find(needle, from));
  return {id, at, at + static_cast<std::uint32_t>(needle.size())};
}

TEST(Diagnostic, ShowsTheLineTheCaretTheOtherPlaceAndTheHint) {
  SourceSet sources;
  const SourceId id = sources.add("groups.conf", "port-group\n  name: row\nend-port-group\n\tname: row\n");
  Diagnostics diagnostics;
  auto& d = diagnostics.add(kRule, find(sources, id, "row", 30), "port group `row` is defined twice");
  d.labels.push_back({find(sources, id, "row"), "first defined here"});
  d.hint = "rename one of them";
  EXPECT_EQ(render(d, sources),
            "groups.conf:4:8: error: port group `row` is defined twice [duplicate-name]\n"
            "    4 | \tname: row\n"
            "      | \t      ^~~\n"
            "groups.conf:2:9: first defined here\n"
            "    2 |   name: row\n"
            "      |         ^~~\n"
            "      = hint: rename one of them\n");
}

TEST(Diagnostic, KeepsTheCaretInsideAVeryLongLine) {
  SourceSet sources;
  const SourceId id = sources.add("x", std::string(100000, 'a') + "!" + std::string(1000, 'b'));
  Diagnostics diagnostics;
  const auto& d = diagnostics.add(kRule, {id, 100000, 100001}, "here");
  const std::string text = render(d, sources);
  EXPECT_LT(text.size(), 500U);
  const auto quoted = text.find('!'), caret = text.find('^');
  const auto line_start = text.rfind('\n', quoted) + 1, caret_start = text.rfind('\n', caret) + 1;
  EXPECT_EQ(quoted - line_start, caret - caret_start);
}

TEST(Diagnostic, PointsPastTheLastByte) {
  SourceSet sources;
  const SourceId id = sources.add("x", "torus 3");
  Diagnostics diagnostics;
  EXPECT_EQ(render(diagnostics.add(kRule, {id, 7, 7}, "a radix is missing"), sources),
            "x:1:8: error: a radix is missing [duplicate-name]\n    1 | torus 3\n      |        ^\n");
}

TEST(Diagnostics, SortByPlaceIsStableAndCountsGrades) {
  SourceSet sources;
  const SourceId id = sources.add("x", "abc");
  Diagnostics diagnostics;
  diagnostics.add(kRule, {id, 2, 3}, "last");
  diagnostics.add(kRule, {id, 0, 1}, "first");
  diagnostics.add(kRule, {id, 0, 1}, "second");
  diagnostics.sort_by_place();
  EXPECT_EQ(diagnostics.all()[0].message, "first");
  EXPECT_EQ(diagnostics.all()[1].message, "second");
  EXPECT_EQ(diagnostics.all()[2].message, "last");
  EXPECT_EQ(diagnostics.count(Severity::error), 3U);
}

}  // namespace
}  // namespace rch
