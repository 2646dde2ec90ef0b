#include "cli/junit.h"

#include <algorithm>

#include <fmt/format.h>

namespace rch::cli {
namespace {

/// Text between quotes of XML 1.0, which has no control characters.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

}  // namespace

std::string junit_report(std::string_view suite, std::span<const assertions::Outcome> outcomes) {
  const auto failures =
      std::ranges::count_if(outcomes, [](const assertions::Outcome& one) { return !one.failure.empty(); });
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n",
      xml(suite), outcomes.size(), failures);
  for (const assertions::Outcome& one : outcomes) {
    out += fmt::format("  <testcase name=\"{}\" classname=\"{}\"", xml(one.test->name),
                       parsers::assertions::name_of(one.test->what));
    out += one.failure.empty()
               ? "/>\n"
               : fmt::format(">\n    <failure message=\"{}\"/>\n  </testcase>\n", xml(one.failure));
  }
  return out + "</testsuite>\n";
}

}  // namespace rch::cli
