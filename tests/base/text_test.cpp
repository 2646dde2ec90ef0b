#include "base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace rch {
namespace {

TEST(Text, IntegersTakeCPrefixesAndNothingElse) {
  EXPECT_EQ(parse_integer("0x0002c90300010001"), 0x0002c90300010001U);
  EXPECT_EQ(parse_integer("010"), 8U);
  EXPECT_EQ(parse_integer("0"), 0U);
  EXPECT_EQ(parse_integer("18446744073709551615"), ~std::uint64_t{0});
  for (const char* bad : {"", "0x", "08", "-1", "+1", "1 ", "12a", "18446744073709551616", "0xg"})
    EXPECT_FALSE(parse_integer(bad)) << bad;
}

TEST(Text, NearestForgivesOneSlipInShortAndTwoInLongWords) {
  constexpr std::array<std::string_view, 4> kKeys{"id", "engine", "fallback-to", "path-bit"};
  EXPECT_EQ(nearest("is", kKeys), "id");
  EXPECT_EQ(nearest("ENGNIE", kKeys), "engine");
  EXPECT_EQ(nearest("path_bit", kKeys), "path-bit");
  EXPECT_EQ(nearest("falback-too", kKeys), "fallback-to");
  EXPECT_EQ(nearest("xyz", kKeys), "");
  EXPECT_EQ(nearest("eng", kKeys), "");
}

TEST(Text, CountedNouns) {
  EXPECT_EQ(counted(1, "table entry"), "1 table entry");
  EXPECT_EQ(counted(2, "table entry"), "2 table entries");
  EXPECT_EQ(counted(0, "key"), "0 keys");
  EXPECT_EQ(counted(3, "switch"), "3 switches");
}

TEST(Text, TrimAndLower) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \r"), "");
  EXPECT_EQ(to_lower("Torus-2QoS"), "torus-2qos");
}

TEST(Elided, LeavesOutTheMiddleOfALongText) {
  EXPECT_EQ(elided("short"), "short");
  const std::string kept(4000, 'a');
  EXPECT_EQ(elided(kept), kept);
  EXPECT_EQ(elided(std::string(5000, 'a')), std::string(1000, 'a') + "…" + std::string(200, 'a'));
}

TEST(Elided, CutsNoCharacter) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "é";
  for (const std::string& shifted : {text, "a" + text}) {
    const std::string shown = elided(shifted);
    EXPECT_LT(shown.size(), 1300u);
    for (std::size_t i = 0; i < shown.size(); ++i)
      if (shown[i] == '\xC3') {
        EXPECT_EQ(shown[i + 1], '\xA9') << i;
      }
  }
}

}  // namespace
}  // namespace rch
