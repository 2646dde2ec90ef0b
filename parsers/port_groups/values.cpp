#include "parsers/port_groups/values.h"

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/bounded.h"
#include "parsers/common/expect.h"
#include "parsers/port_groups/grammar.h"
#include "parsers/rules.h"

namespace rch::parsers {

RCH_EXPECTED(port_groups, guid_item, &kBadValue, "a GUID");
RCH_EXPECTED(port_groups, guid, &kBadValue, "a GUID");
RCH_EXPECTED(port_groups, port_item, &kBadValue, "a port number");
RCH_EXPECTED(port_groups, last_port, &kBadValue, "the last port of the range");
RCH_EXPECTED(port_groups, list_end, &kBadValue, "`,` or a port list behind the GUID",
             "`port-guid: GUID@PORT/PORT-PORT, …`; ranges of GUIDs belong in `port-guid-range`");
RCH_EXPECTED(port_groups, range_dash, &kBadValue, "`-` and the last GUID of the range");
RCH_EXPECTED(port_groups, range_end, &kGuidRangeList, "one range alone",
             "write one `port-guid-range` line per range");
RCH_EXPECTED(port_groups, host, &kBadValue, "`hostname=NAME`");
RCH_EXPECTED(port_groups, field, &kBadValue, "`hostname=`, `port=` or `hca_idx=`");
RCH_EXPECTED(port_groups, field_equal, &kBadValue, "`=` behind the field name");
RCH_EXPECTED(port_groups, field_value, &kBadValue, "a value behind `=`");
RCH_EXPECTED(port_groups, host_end, &kBadValue, "`,` and a further host");
RCH_EXPECTED(port_groups, regexp, &kBadValue, "a regular expression");
RCH_EXPECTED(port_groups, regexp_port, &kBadValue, "a port number behind the colon");
RCH_EXPECTED(port_groups, regexp_end, &kBadValue, "one port number behind the expression",
             "`port-regexp` takes one port; write a further rule for another");
RCH_EXPECTED(port_groups, name, &kBadValue, "a group name");
RCH_EXPECTED(port_groups, comma, &kTooManyGroups, "`,` and a second group name");
RCH_EXPECTED(port_groups, no_third, &kTooManyGroups, "two group names",
             "nest: make the union of two in a group of its own");
RCH_EXPECTED(port_groups, pair_end, &kBadValue, "two group names");

}  // namespace rch::parsers

namespace rch::parsers::port_groups {
namespace {

constexpr NumberKind kPort{"a port number", 0, 254};  ///< what nodes have is for the fabric to say
constexpr NumberKind kCard{"a card number", 0, 0xFFFF};
constexpr std::size_t kLongestPort = 3;  ///< characters NVIDIA SM takes (docs/keywords.md)

std::optional<Number> read_port(const Token& token, Diagnostics& diagnostics) {
  const auto port = read_number(token, kPort, diagnostics);
  if (port && token.text.size() > kLongestPort)
    diagnostics.add(
        kValueTooLong, token.span,
        fmt::format("a port number of {} characters; NVIDIA SM takes {}", token.text.size(), kLongestPort));
  return port;
}

/// `0x11@2-5/7, …`.
struct GuidReader : ValueState {
  Bounded report;  ///< a list may be as long as its line
  PortGuid rule = {};
  bool good = true;
  std::vector<Token> ports = {};  ///< of the range being read: one or two

  void begin_item(const Token& word) {
    const auto guid = read_guid(word, report.next());
    good = good && guid.has_value();
    rule.items.push_back({guid.value_or(Guid{}), {}, word.span});
  }

  void slash(const Token& word) {
    report.next()
        .add(kSlashBeforePorts, word.span, "`/` is read as `@` before a port list")
        .fixes.push_back({word.span, "@"});
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

// clang-format off
template <class GrammarRule> struct GuidAction : tao::pegtl::nothing<GrammarRule> {};
template <> struct GuidAction<grammar::guid>       : Tell<&GuidReader::begin_item> {};
template <> struct GuidAction<grammar::slash>      : Tell<&GuidReader::slash> {};
template <> struct GuidAction<grammar::first_port> : Append<&GuidReader::ports> {};
template <> struct GuidAction<grammar::last_port>  : Append<&GuidReader::ports> {};
template <> struct GuidAction<grammar::port_item>  : Call<&GuidReader::end_range> {};
// clang-format on

/// A field of a host and what reads its value.
struct HostField {
  std::string_view word;
  void (*read)(Host& host, const Token& text, Diagnostics& diagnostics);
};
constexpr HostField kFields[] = {
    {"hostname", [](Host& host, const Token& text, Diagnostics&) { host.hostname = text; }},
    {"port", [](Host& host, const Token& text, Diagnostics& d) { host.port = read_port(text, d); }},
    {"hca_idx",
     [](Host& host, const Token& text, Diagnostics& d) { host.hca_idx = read_number(text, kCard, d); }},
};

/// `hostname=h1; port=2, hostname=h2 port=1`.
struct HostReader : ValueState {
  Diagnostics& diagnostics;
  PortName rule = {};
  bool good = true;
  std::vector<Token> names = {}, texts = {};  ///< of the fields of the host being read

  void semicolon(const Token& word) { rule.semicolon = word.span; }
  void blank(const Token& word) { rule.blank = word.span; }

  void end_host() {
    Host host;
    const std::size_t mistakes = diagnostics.all().size();
    for (std::size_t i = 0; i < names.size(); ++i) read_field(i, host);
    good = good && diagnostics.all().size() == mistakes;
    if (good && host.hostname.text.empty()) {
      diagnostics.add(kMissingHostname, names.front().span, "a host without `hostname=`");
      good = false;
    }
    names.clear();
    texts.clear();
    rule.hosts.push_back(std::move(host));
  }

 private:
  void read_field(std::size_t i, Host& host) {
    const Token& name = names[i];
    const auto same = [&](const auto& other) { return other.text == name.text; };
    if (std::any_of(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      diagnostics.add(kRepeatedQualifier, name.span, fmt::format("`{}` stands twice for one host", name.text))
          .hint = "separate hosts by `,`";
      return;
    }
    const auto field = std::find_if(std::begin(kFields), std::end(kFields),
                                    [&](const HostField& f) { return f.word == name.text; });
    if (field != std::end(kFields)) return field->read(host, texts[i], diagnostics);
    std::vector<std::string_view> words;
    for (const HostField& known : kFields) words.push_back(known.word);
    // S001 prints `hca_idx` cut off as `hca_id`.
    const std::string_view meant = nearest(name.text, words);
    diagnostics.add(kUnknownHostField, name.span, fmt::format("unknown host field `{}`", name.text)).hint =
        meant.empty() ? fmt::format("the fields are `{}`, `{}` and `{}`", words[0], words[1], words[2])
                      : fmt::format("did you mean `{}`?", meant);
  }
};

// clang-format off
template <class GrammarRule> struct HostAction : tao::pegtl::nothing<GrammarRule> {};
template <> struct HostAction<grammar::field_name>  : Append<&HostReader::names> {};
template <> struct HostAction<grammar::field_value> : Append<&HostReader::texts> {};
template <> struct HostAction<grammar::semicolon>   : Tell<&HostReader::semicolon> {};
template <> struct HostAction<grammar::by_blanks>   : Tell<&HostReader::blank> {};
template <> struct HostAction<grammar::host>        : Call<&HostReader::end_host> {};

/// What is done with the values that are a few words.
template <class GrammarRule> struct WordAction : tao::pegtl::nothing<GrammarRule> {};
template <> struct WordAction<grammar::guid>        : Append<&Tokens::list> {};
template <> struct WordAction<grammar::regexp>      : Append<&Tokens::list> {};
template <> struct WordAction<grammar::regexp_port> : Append<&Tokens::list> {};
template <> struct WordAction<grammar::name>        : Append<&Tokens::list> {};
// clang-format on

/// The words of a value; none, reported, if it does not fit.
template <class Grammar>
std::vector<Token> read_words(const Value& value, Diagnostics& diagnostics) {
  Tokens words{{value}};
  if (!parse_value<Grammar, WordAction>(value, words, diagnostics)) return {};
  return std::move(words.list);
}

std::optional<SetRule> read_set_rule(const Value& value, bool is_union, Diagnostics& diagnostics) {
  const auto names = read_words<grammar::name_pair>(value, diagnostics);
  if (names.empty()) return std::nullopt;
  return SetRule{is_union, names[0], names[1]};
}

}  // namespace

std::optional<PortGuid> read_port_guid(const Value& value, Diagnostics& diagnostics) {
  if (const std::size_t mask = value.text().find("pmask="); mask != std::string::npos) {
    diagnostics
        .add(kUnsupportedGroupSyntax, value.span(mask, mask + 5),
             "`pmask` is not part of the documented group syntax")
        .hint = kListPorts;
    return std::nullopt;
  }
  GuidReader reader{{value}, Bounded(diagnostics)};
  const bool whole = parse_value<grammar::guid_list, GuidAction>(value, reader, reader.report.next());
  reader.report.finish(value.span().source);
  if (!whole || !reader.good) return std::nullopt;
  return std::move(reader.rule);
}

std::optional<PortGuidRange> read_port_guid_range(const Value& value, Diagnostics& diagnostics) {
  const auto ends = read_words<grammar::guid_range>(value, diagnostics);
  if (ends.empty()) return std::nullopt;
  const auto low = read_guid(ends[0], diagnostics);
  const auto high = low ? read_guid(ends[1], diagnostics) : low;
  if (!low || !high) return std::nullopt;
  if (*high < *low) {
    diagnostics.add(kReversedRange, value.span(),
                    fmt::format("the range {} to {} runs backwards", *low, *high));
    return std::nullopt;
  }
  return PortGuidRange{*low, *high};
}

std::optional<PortName> read_port_name(const Value& value, Diagnostics& diagnostics) {
  HostReader reader{{value}, diagnostics};
  if (!parse_value<grammar::host_list, HostAction>(value, reader, diagnostics) || !reader.good)
    reader.rule.hosts.clear();
  return std::move(reader.rule);
}

std::optional<PortRegexp> read_port_regexp(const Value& value, Diagnostics& diagnostics) {
  const auto words = read_words<grammar::regexp_rule>(value, diagnostics);
  if (words.empty()) return std::nullopt;
  PortRegexp rule{{std::string(trim(words[0].text)), words[0].span}, std::nullopt};
  if (words.size() < 2) return rule;
  rule.port = read_port(words[1], diagnostics);
  if (!rule.port) return std::nullopt;
  return rule;
}

std::optional<SetRule> read_union(const Value& value, Diagnostics& diagnostics) {
  return read_set_rule(value, true, diagnostics);
}

std::optional<SetRule> read_difference(const Value& value, Diagnostics& diagnostics) {
  return read_set_rule(value, false, diagnostics);
}

}  // namespace rch::parsers::port_groups
