#include "report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page_texts.h"

namespace rch::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Page, NamesAreNotTakenForMarkup) {
  const std::string plain = page({.title = "t", .data = "{}", .drawing = {}, .tables = {}});
  const std::string hostile = page({.title = "</title><script>alert(1)</script>\"&\x01",
                                    .data = R"({"a":"</script><script>alert(1)</script><!--"})",
                                    .drawing = {},
                                    .tables = {}});
  EXPECT_EQ(count_of(hostile, "<script"), count_of(plain, "<script"));
  EXPECT_EQ(count_of(hostile, "</script"), count_of(plain, "</script"));
  EXPECT_EQ(count_of(hostile, "<!--"), count_of(plain, "<!--"));
  EXPECT_THAT(hostile,
              HasSubstr("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp; </title>"));
}

TEST(Page, NamesNoOtherFileAndForbidsRequests) {
  const std::string text = page({.title = "t", .data = "{}", .drawing = {}, .tables = {}});
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  for (const char* request : {"//cdn", "url(", "src=", "@import", "fetch(", "XMLHttpRequest", "import("})
    EXPECT_THAT(text, Not(HasSubstr(request)));
  // The name space of SVG is a name; nothing is loaded from there.
  EXPECT_EQ(count_of(text, "http:") + count_of(text, "https:"), count_of(text, "http://www.w3.org/2000/svg"));
  EXPECT_EQ(count_of(text, "<!--"), 0U);
}

TEST(Page, HasAllItsParts) {
  for (const char* name : {"page.html", "style.css", "data.js", "map.js", "paths.js", "panels.js", "main.js"})
    EXPECT_FALSE(page_text(name).empty()) << name;
  EXPECT_TRUE(page_text("other").empty());
}

}  // namespace
}  // namespace rch::report
