#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/qos_policy/expected.h"
#include "parsers/qos_policy/range_actions.h"
#include "parsers/qos_policy/values.h"

namespace rch::parsers::qos_policy {
namespace {

constexpr std::uint64_t kPkeyBits = 0x7FFF;

/// `OST1`: letters, then digits, and no hexadecimal number.
bool placeholder(std::string_view text) {
  const std::size_t letters =
      std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"), text.size());
  return letters > 0 && text.find_first_not_of("0123456789*", letters) == std::string_view::npos &&
         !parse_hex(text);
}

std::optional<std::uint64_t> convert(const Token& word, const RangeKind& kind, Diagnostics& diagnostics) {
  if (kind.special == RangeKind::guid) {
    const auto guid = read_guid(word, diagnostics);
    return guid ? std::optional(guid->value) : std::nullopt;
  }
  const auto number = read_number(word, kind.number, diagnostics);
  return number ? std::optional(number->value) : std::nullopt;
}

Span span_of(const WrittenRange& range) {
  Span span = range.low.span;
  if (range.high) span.end = std::max(span.end, range.high->span.end);
  return span;
}

void report_swapped(const WrittenRange& written, const Range& read, bool masked, Diagnostics& diagnostics) {
  Diagnostic& d = diagnostics.add(
      kSwappedRange, read.span,
      fmt::format(
          "`{}-{}` runs backwards{}", written.low.text, written.high->text,
          masked ? fmt::format(" without the membership bits; read as {:#06x}-{:#06x}", read.low, read.high)
                 : std::string("; read the other way round")));
  if (masked)
    d.hint = "bit 15 of a P_Key is its membership and does not count";
  else
    d.fixes.push_back({read.span, fmt::format("{}-{}", written.high->text, written.low.text)});
}

std::optional<Range> convert_range(const WrittenRange& written, const RangeKind& kind,
                                   Diagnostics& diagnostics) {
  const auto low = convert(written.low, kind, diagnostics);
  const auto high = !low || !written.high ? low : convert(*written.high, kind, diagnostics);
  if (!low || !high) return std::nullopt;
  const std::uint64_t mask = kind.special == RangeKind::pkey ? kPkeyBits : ~std::uint64_t{0};
  const auto [first, last] = std::minmax({*low & mask, *high & mask});
  const Range range{first, last, span_of(written)};
  const bool masked = (*low & mask) > (*high & mask);
  if (*low > *high || masked) report_swapped(written, range, *low <= *high, diagnostics);
  return range;
}

}  // namespace

std::optional<std::vector<Range>> convert_ranges(std::span<const WrittenRange> written, const RangeKind& kind,
                                                 Diagnostics& diagnostics) {
  if (kind.special == RangeKind::guid) {
    const auto word = std::find_if(written.begin(), written.end(),
                                   [](const WrittenRange& w) { return placeholder(w.low.text); });
    if (word != written.end()) {
      diagnostics
          .add(kPlaceholder, word->low.span,
               fmt::format("expected a port GUID, saw the word `{}`", word->low.text))
          .hint = "manuals write such words where the GUIDs of the ports belong";
      return std::nullopt;
    }
  }
  std::vector<Range> ranges;
  bool good = true;
  for (const WrittenRange& w : written) {
    const auto range = convert_range(w, kind, diagnostics);
    if (range) ranges.push_back(*range);
    good = good && range;
  }
  if (!good) return std::nullopt;
  return ranges;
}

std::optional<std::vector<Range>> read_ranges(const Value& value, const RangeKind& kind,
                                              Diagnostics& diagnostics) {
  RangeActions state{value, {}};
  if (!parse_value<grammar::ranges, RangeAction>(value, state, diagnostics)) return std::nullopt;
  return convert_ranges(state.ranges, kind, diagnostics);
}

std::optional<Number> read_one_number(const Value& value, const NumberKind& kind, Diagnostics& diagnostics) {
  return read_number(value.token(), kind, diagnostics);
}

}  // namespace rch::parsers::qos_policy
