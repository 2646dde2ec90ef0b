#include "base/repair.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rch {
namespace {

constexpr Rule kRepairable{.name = "rule", .severity = Severity::warning, .summary = "something to repair"};

struct Fixture {
  SourceSet sources;
  Diagnostics diagnostics;
  SourceId source = sources.add("file", "abcdefghij");

  void repair_with(std::vector<Edit> edits) {
    diagnostics.add(kRepairable, {source, 0, 0}, "seen").fixes = std::move(edits);
  }
  Edit edit(std::uint32_t begin, std::uint32_t end, std::string text) const {
    return {{source, begin, end}, std::move(text)};
  }
  std::string text() const {
    const auto repaired = repair(diagnostics, sources);
    return repaired.empty() ? "unchanged" : repaired.front().text;
  }
};

TEST(Repair, ReplacesInsertsAndDeletes) {
  Fixture f;
  f.repair_with({f.edit(0, 1, "A"), f.edit(9, 10, "")});
  f.repair_with({f.edit(5, 5, "-")});
  EXPECT_EQ(f.text(), "Abcde-fghi");
  EXPECT_EQ(repair(f.diagnostics, f.sources).front().repairs.size(), 2u);
}

TEST(Repair, NothingToDoLeavesNoText) {
  Fixture f;
  f.diagnostics.add(kRepairable, {f.source, 0, 1}, "no certain repair");
  EXPECT_TRUE(repair(f.diagnostics, f.sources).empty());
}

TEST(Repair, AFixThatMeetsAnEarlierOneIsLeftOutWhole) {
  Fixture f;
  f.repair_with({f.edit(2, 5, "X")});
  f.repair_with({f.edit(0, 1, "never"), f.edit(4, 6, "never")});
  f.repair_with({f.edit(5, 6, "F")});  // begins where the first ends
  EXPECT_EQ(f.text(), "abXFghij");
}

TEST(Repair, TwoInsertionsAtOnePlaceMeet) {
  Fixture f;
  f.repair_with({f.edit(3, 3, "1")});
  f.repair_with({f.edit(3, 3, "2")});
  EXPECT_EQ(f.text(), "abc1defghij");
}

/// What no edit covers stays, byte for byte.
RC_GTEST_PROP(Repair, KeepsEverythingElse, ()) {
  Fixture f;
  std::string expected = "abcdefghij";
  std::vector<bool> covered(10, false);
  for (int i = 0; i < 4; ++i) {
    const auto begin = *rc::gen::inRange<std::uint32_t>(0, 10);
    const auto end = *rc::gen::inRange<std::uint32_t>(begin + 1, 11);
    f.repair_with({f.edit(begin, end, "#")});
    bool free = true;
    for (auto at = begin; at < end; ++at) free = free && !covered[at];
    if (!free) continue;
    for (auto at = begin; at < end; ++at) covered[at] = true;
  }
  std::string left;
  for (char c : f.text())
    if (c != '#') left += c;
  std::string kept;
  for (std::size_t at = 0; at < 10; ++at)
    if (!covered[at]) kept += expected[at];
  RC_ASSERT(left == kept);
}

}  // namespace
}  // namespace rch
