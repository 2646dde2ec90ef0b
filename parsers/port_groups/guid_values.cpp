#include <fmt/format.h>

#include "parsers/common/bounded.h"
#include "parsers/common/numbers.h"
#include "parsers/port_groups/expected.h"
#include "parsers/port_groups/values.h"

namespace rch::parsers::port_groups {
namespace {

struct GuidReader {
  const Value& value;
  Bounded report;  ///< a list may be as long as its line
  PortGuid rule;
  bool good = true;
  std::vector<Token> ports;  ///< of the range being read: one or two

  void begin_item(const Token& word) {
    const auto guid = read_guid(word, report.next());
    good = good && guid.has_value();
    rule.items.push_back({guid.value_or(Guid{}), {}, word.span});
  }

  void end_range() {
    const auto low = read_port(ports.front(), report.next());
    const auto high = !low || ports.size() < 2 ? low : read_port(ports.back(), report.next());
    GuidItem& item = rule.items.back();
    item.span.end = std::max(item.span.end, ports.back().span.end);
    if (low && high && high->value < low->value)
      report.next().add(kReversedRange, {low->span.source, low->span.begin, high->span.end},
                        fmt::format("the port range `{}-{}` runs backwards", low->value, high->value));
    good = good && low && high && low->value <= high->value;
    if (good)
      item.ports.push_back({static_cast<std::uint8_t>(low->value), static_cast<std::uint8_t>(high->value)});
    ports.clear();
  }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<grammar::guid> {
  template <class In>
  static void apply(const In& in, GuidReader& reader) {
    reader.begin_item(token_of(in, reader.value));
  }
};
template <>
struct Action<grammar::slash> {
  template <class In>
  static void apply(const In& in, GuidReader& reader) {
    const Span span = token_of(in, reader.value).span;
    reader.report.next()
        .add(kSlashBeforePorts, span, "`/` is read as `@` before a port list")
        .fixes.push_back({span, "@"});
  }
};
template <>
struct Action<grammar::first_port> {
  template <class In>
  static void apply(const In& in, GuidReader& reader) {
    reader.ports.push_back(token_of(in, reader.value));
  }
};
template <>
struct Action<grammar::last_port> : Action<grammar::first_port> {};
template <>
struct Action<grammar::port_item> {
  static void apply0(GuidReader& reader) { reader.end_range(); }
};

struct RangeReader {
  const Value& value;
  std::vector<Token> ends;
};

template <class GrammarRule>
struct RangeAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct RangeAction<grammar::guid> {
  template <class In>
  static void apply(const In& in, RangeReader& reader) {
    reader.ends.push_back(token_of(in, reader.value));
  }
};

constexpr std::size_t kLongestPort = 3;  ///< characters NVIDIA SM takes (config-files 2)

}  // namespace

std::optional<Number> read_port(const Token& token, Diagnostics& diagnostics) {
  const auto port = read_number(token, {"a port number", 0, 254}, diagnostics);
  if (port && token.text.size() > kLongestPort)
    diagnostics.add(
        kValueTooLong, token.span,
        fmt::format("a port number of {} characters; NVIDIA SM takes {}", token.text.size(), kLongestPort));
  return port;
}

std::optional<PortGuid> read_port_guid(const Value& value, Diagnostics& diagnostics) {
  if (const std::size_t mask = value.text().find("pmask="); mask != std::string::npos) {
    diagnostics
        .add(kUnsupportedGroupSyntax, value.span(mask, mask + 5),
             "`pmask` is not part of the documented group syntax")
        .hint = "list the ports with `port-guid: GUID@PORT/PORT`";
    return std::nullopt;
  }
  GuidReader reader{value, Bounded(diagnostics), {}, true, {}};
  const bool whole = parse_value<grammar::guid_list, Action>(value, reader, reader.report.next());
  reader.report.finish(value.span().source);
  if (!whole || !reader.good) return std::nullopt;
  return std::move(reader.rule);
}

std::optional<PortGuidRange> read_port_guid_range(const Value& value, Diagnostics& diagnostics) {
  RangeReader reader{value, {}};
  if (!parse_value<grammar::guid_range, RangeAction>(value, reader, diagnostics)) return std::nullopt;
  const auto low = read_guid(reader.ends[0], diagnostics);
  const auto high = low ? read_guid(reader.ends[1], diagnostics) : low;
  if (!low || !high) return std::nullopt;
  if (*high < *low) {
    diagnostics.add(kReversedRange, value.span(),
                    fmt::format("the range {} to {} runs backwards", *low, *high));
    return std::nullopt;
  }
  return PortGuidRange{*low, *high};
}

}  // namespace rch::parsers::port_groups
