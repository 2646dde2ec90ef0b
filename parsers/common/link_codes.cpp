#include "parsers/common/link_codes.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/rules.h"

namespace rch::parsers {
namespace {

struct LinkCode {
  std::uint64_t figure;
  unsigned code;
};
/// Bytes, and Gb/s (OpenSM's doc/partition-config.txt). Figures that are codes of another rate, such as 10,
/// cannot be told.
constexpr LinkCode kMtuCodes[] = {{256, 1}, {512, 2}, {1024, 3}, {2048, 4}, {4096, 5}};
constexpr LinkCode kRateCodes[] = {{28, 19},  {30, 4},   {40, 7},   {50, 20},  {56, 12},   {60, 8},
                                   {80, 9},   {100, 16}, {112, 13}, {120, 10}, {168, 14},  {200, 17},
                                   {300, 18}, {400, 21}, {600, 22}, {800, 23}, {1200, 24}, {1600, 25}};

}  // namespace

bool report_figure(const Token& word, CodeOf kind, Diagnostics& diagnostics) {
  const bool mtu = kind == CodeOf::mtu;
  const auto codes = mtu ? std::span<const LinkCode>(kMtuCodes) : std::span<const LinkCode>(kRateCodes);
  const auto value = parse_integer(word.text);
  const auto meant = std::ranges::find_if(codes, [&](const LinkCode& c) { return c.figure == value; });
  if (meant == codes.end()) return false;
  const std::string_view unit = mtu ? "bytes" : "Gb/s";
  Diagnostic& d = diagnostics.add(kFigureForCode, word.span,
                                  fmt::format("{} is a number of {}; {} is written as a code", word.text,
                                              unit, mtu ? "an MTU" : "a rate"));
  d.hint = fmt::format("write {}, the code of {} {}", meant->code, word.text, unit);
  d.fixes.push_back({word.span, fmt::format("{}", meant->code)});
  return true;
}

}  // namespace rch::parsers
