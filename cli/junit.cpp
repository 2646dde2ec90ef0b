#include "cli/junit.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace rch::cli {
namespace {

/// How many bytes the character has with which a text begins; 0 if it is none that XML 1.0 can have.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(text[i])}; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return lead < 0x20 ? 0 : 1;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least || code > 0x10FFFF || is_surrogate || code == 0xFFFE || code == 0xFFFF ? 0 : length;
}

/// Text between quotes of XML 1.0. Bytes that it cannot have become `?`: names come from nodes.
std::string xml(std::string_view text) {
  constexpr std::pair<char, std::string_view> kEscapes[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto escape = std::ranges::find(kEscapes, text.front(), &std::pair<char, std::string_view>::first);
    if (escape != std::end(kEscapes))
      out += escape->second;
    else
      out += length == 0 ? std::string_view("?") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
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
