#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/qos_policy/range_grammar.h"
#include "parsers/qos_policy/rules.h"

namespace rch::parsers {

RCH_EXPECTED(qos_policy, ranges_end, &kBadValue, "`,` or `-` behind a number");
RCH_EXPECTED(qos_policy, pair, &kBadValue, "`VL:WEIGHT`");
RCH_EXPECTED(qos_policy, pair_colon, &kBadValue, "`:` and a weight behind the VL");
RCH_EXPECTED(qos_policy, weight, &kBadValue, "a weight");
RCH_EXPECTED(qos_policy, pairs_end, &kBadValue, "`,` and a further `VL:WEIGHT`");
RCH_EXPECTED(qos_policy, item, &kBadValue, "a VL");
RCH_EXPECTED(qos_policy, items_end, &kBadValue, "`,` and a further VL");

}  // namespace rch::parsers

namespace rch::parsers::qos_policy {
namespace {

constexpr std::uint64_t kPkeyBits = 0x7FFF;  ///< without the membership
constexpr NumberKind kPkey{"a P_Key", 0, 0xFFFF};
constexpr NumberKind kArbitratedVl{"a VL", 0, 14};
constexpr NumberKind kWeight{"a weight", 0, 255};
constexpr std::size_t kServiceLevels = 16;

/// `OST1`: letters, then digits, and no hexadecimal number.
bool placeholder(std::string_view text) {
  const std::size_t letters =
      std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"), text.size());
  return letters > 0 && text.find_first_not_of("0123456789*", letters) == std::string_view::npos &&
         !parse_hex(text);
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

/// `read` gives the number of a word, of which the bits of `mask` count.
std::optional<Range> convert_range(const WrittenRange& written, auto read, std::uint64_t mask,
                                   Diagnostics& diagnostics) {
  const std::optional<std::uint64_t> low = read(written.low);
  const std::optional<std::uint64_t> high = !low || !written.high ? low : read(*written.high);
  if (!low || !high) return std::nullopt;
  const auto [first, last] = std::minmax({*low & mask, *high & mask});
  const Range range{first, last, span_of(written)};
  const bool masked = (*low & mask) > (*high & mask);
  if (*low > *high || masked) report_swapped(written, range, *low <= *high, diagnostics);
  return range;
}

Ranges convert_all(std::span<const WrittenRange> written, auto read, std::uint64_t mask,
                   Diagnostics& diagnostics) {
  std::vector<Range> ranges;
  bool good = true;
  for (const WrittenRange& w : written) {
    const auto range = convert_range(w, read, mask, diagnostics);
    if (range) ranges.push_back(*range);
    good = good && range;
  }
  if (!good) return std::nullopt;
  return ranges;
}

auto number_reader(const NumberKind& kind, Diagnostics& diagnostics) {
  return [&](const Token& word) -> std::optional<std::uint64_t> {
    const auto number = read_number(word, kind, diagnostics);
    return number ? std::optional(number->value) : std::nullopt;
  };
}

Ranges read_with(const Value& value, const NumberKind& kind, decltype(convert_ranges)* convert,
                 Diagnostics& diagnostics) {
  RangeState state{{value}};
  if (!parse_value<grammar::ranges, RangeAction>(value, state, diagnostics)) return std::nullopt;
  return convert(state.ranges, kind, diagnostics);
}

struct Numbers : ValueState {
  std::vector<Token> vls = {}, weights = {};
};

template <class GrammarRule>
struct NumberAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct NumberAction<grammar::vl> : Append<&Numbers::vls> {};
template <>
struct NumberAction<grammar::weight> : Append<&Numbers::weights> {};
template <>
struct NumberAction<grammar::atom> : Append<&Numbers::vls> {};

/// True if all words are numbers of the kind; each that is none is reported.
bool all_numbers(const std::vector<Token>& words, const NumberKind& kind, Diagnostics& diagnostics) {
  return std::count_if(words.begin(), words.end(),
                       [&](const Token& word) { return !read_number(word, kind, diagnostics); }) == 0;
}

}  // namespace

Ranges convert_ranges(std::span<const WrittenRange> written, const NumberKind& kind,
                      Diagnostics& diagnostics) {
  return convert_all(written, number_reader(kind, diagnostics), ~std::uint64_t{0}, diagnostics);
}

Ranges convert_pkeys(std::span<const WrittenRange> written, const NumberKind&, Diagnostics& diagnostics) {
  return convert_all(written, number_reader(kPkey, diagnostics), kPkeyBits, diagnostics);
}

Ranges convert_guids(std::span<const WrittenRange> written, const NumberKind&, Diagnostics& diagnostics) {
  const auto word = std::find_if(written.begin(), written.end(),
                                 [](const WrittenRange& w) { return placeholder(w.low.text); });
  if (word != written.end()) {
    diagnostics
        .add(kPlaceholder, word->low.span,
             fmt::format("expected a port GUID, saw the word `{}`", word->low.text))
        .hint = "manuals write such words where the GUIDs of the ports belong";
    return std::nullopt;
  }
  const auto read = [&](const Token& guid) -> std::optional<std::uint64_t> {
    const auto value = read_guid(guid, diagnostics);
    return value ? std::optional(value->value) : std::nullopt;
  };
  return convert_all(written, read, ~std::uint64_t{0}, diagnostics);
}

Ranges read_ranges(const Value& value, const NumberKind& kind, Diagnostics& diagnostics) {
  return read_with(value, kind, convert_ranges, diagnostics);
}

Ranges read_guid_ranges(const Value& value, Diagnostics& diagnostics) {
  return read_with(value, {}, convert_guids, diagnostics);
}

Ranges read_pkey_ranges(const Value& value, Diagnostics& diagnostics) {
  return read_with(value, {}, convert_pkeys, diagnostics);
}

bool check_weights(const Value& value, Diagnostics& diagnostics) {
  Numbers numbers{{value}};
  if (!parse_value<grammar::pairs, NumberAction>(value, numbers, diagnostics)) return false;
  const bool vls = all_numbers(numbers.vls, kArbitratedVl, diagnostics);
  return all_numbers(numbers.weights, kWeight, diagnostics) && vls;
}

bool check_sl2vl(const Value& value, const NumberKind& kind, Diagnostics& diagnostics) {
  Numbers numbers{{value}};
  if (!parse_value<grammar::items, NumberAction>(value, numbers, diagnostics)) return false;
  const bool good = all_numbers(numbers.vls, kind, diagnostics);
  if (numbers.vls.size() == kServiceLevels) return good;
  diagnostics.add(kBadValue, value.span(),
                  fmt::format("expected 16 VLs, one for each SL, saw {}", numbers.vls.size()));
  return false;
}

bool check_ports(const Value& value, const NumberKind& kind, Diagnostics& diagnostics) {
  return value.text() == "*" || read_ranges(value, kind, diagnostics);
}

}  // namespace rch::parsers::qos_policy
