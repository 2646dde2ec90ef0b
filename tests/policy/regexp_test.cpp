// Expressions matched together against the C library one by one.

#include <regex.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "policy/model/regexp_set.h"
#include "support/property.h"

namespace rch::policy {
namespace {

std::vector<std::size_t> sorted(std::span<const std::size_t> indices) {
  std::vector<std::size_t> copy(indices.begin(), indices.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

std::vector<std::size_t> one_by_one(const std::vector<std::string>& expressions, const std::string& text) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < expressions.size(); ++i)
    if (Regexp::create(expressions[i])->matches(text)) found.push_back(i);
  return found;
}

/// Texts of pieces that mean something to expressions, and of what node descriptions are made of.
rc::Gen<std::string> gen_expression() {
  const auto piece = rc::gen::element<std::string>(
      "a", "b", "c", "1", ".", "*", "+", "?", "|", "(", ")", "^", "$", "[ab]", "[^a]", "[]a]", "[a-c]",
      "[a\\]", "[[:alpha:]]", "[[.a.]]", "{2}", "{1,2}", "{,2}", "{2,}", "{", "}", "\\.", "\\w", "\\<", "\\b",
      "\\1", "\\d", "\\", "-", " ", "/", "\xe9");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const auto& pieces) {
    std::string text;
    for (std::size_t i = 0; i < pieces.size() && i < 8; ++i) text += pieces[i];
    return text;
  });
}

TEST(RegexpSet, FindsWhatTheCLibraryFinds) {
  EXPECT_TRUE(test::check([] {
    std::vector<std::string> expressions;
    for (const std::string& e : *rc::gen::container<std::vector<std::string>>(gen_expression()))
      if (Regexp::create(e)) expressions.push_back(e);
    RegexpSet set(expressions);
    for (int i = 0; i < 20; ++i) {
      const auto text = *rc::gen::container<std::string>(
          rc::gen::element('a', 'b', 'c', '1', '*', '{', '}', ',', '.', '-', '\\', ']', '\n', '\xe9'));
      RC_ASSERT(sorted(set.matching(text)) == one_by_one(expressions, text));
    }
  }));
}

/// What people write is filtered: thousands of them must not be tried on each text.
TEST(RegexpSet, FiltersWhatPeopleWrite) {
  for (const char* expression : {"^na1[0-9] HCA-1", "SW*", "rack12-.*", "^(leaf|spine)-0[1-4]$",
                                 "MF0;sw\\.a:.*/U1", "node0{3}[^0-4]+ HCA-[12]$", "a{0}", "a{10,20}"})
    EXPECT_TRUE(RegexpSet::is_common(expression)) << expression;
  for (const char* expression :
       {"^*a", "\\<node", "[\\.]", "a{,3}", "a{02}", "a{2,03}", "[[:digit:]]", "(a)\\1"})
    EXPECT_FALSE(RegexpSet::is_common(expression)) << expression;
}

/// True if the C library compiles the expression: a refused one just beyond a bound costs it little.
bool compiles(const std::string& expression) {
  regex_t compiled;
  if (regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  regfree(&compiled);
  return true;
}

TEST(Regexp, RefusesWhatIsBeyondTheBounds) {
  for (const char* expression :
       {"((a{9}){48}){48}", "((a{18,20}){18,20}){45,51}", "(a|b{99}c{99}){102}", "(((a{9}){9}){9}){28}",
        // each `+` doubles what stands before it
        "^n+++++++++++++++a1", "a{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}", "[+*]{05001}{4}",
        "[[:alpha:](]{5001}{4}",
        // 2^11 ways from one item to the next without a character between them
        "(((a*)?){11})*", "((|){11})*", "((a*|b*){10})*",
        // what follows an anchor is written out again, on each way to it
        "((a|^){4}\\b^|.)+{2}"}) {
    EXPECT_FALSE(Regexp::create(expression)) << expression;
    EXPECT_TRUE(compiles(expression)) << expression;
  }
  for (const char* expression :
       {"a{255}", "[a-z]{1,64}", "((a+)+)+", "^((leaf|spine)-?[0-9]+)+ (port )?[0-9]*$", "[(+*{]{9999}",
        "a\\+\\+\\(+", "(ab{1,3}){9}", "[a-z]{1,16}-[0-9]{4}", "a{,3}", "a)b{2}", "\\{9999}"})
    EXPECT_TRUE(Regexp::create(expression)) << expression;
}

/// Many repetitions and alternatives, groups and repetitions inside each other: the C library takes time that
/// grows with the square of the ones and the cube of the others, and recurses.
TEST(Regexp, RefusesWhatIsTooLong) {
  const auto times = [](std::size_t count, const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += text;
    return out;
  };
  for (const std::string& expression :
       {times(4'001, "a?"), times(51, "(") + times(51, ")"), "a" + times(51, "*")}) {
    EXPECT_FALSE(Regexp::create(expression)) << expression.substr(0, 60);
    EXPECT_TRUE(compiles(expression)) << expression.substr(0, 60);
  }
  EXPECT_FALSE(Regexp::create(times(51, "{")));
  EXPECT_TRUE(Regexp::create("^(" + times(900, "node-123 |") + "x)$"));
}

TEST(Regexp, RefusesBackReferences) {
  for (const char* expression : {"(a)(b)\\1\\2", "\\9"})
    EXPECT_FALSE(Regexp::create(expression)) << expression;
  EXPECT_TRUE(Regexp::create("a\\\\1[\\1]"));
}

TEST(RegexpSet, EndsTextsAtANul) {
  RegexpSet set(std::vector<std::string>{"b", "a$"});
  EXPECT_EQ(sorted(set.matching(std::string("a\0b", 3))), std::vector<std::size_t>{1});
}

}  // namespace
}  // namespace rch::policy
