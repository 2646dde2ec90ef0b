#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/numbers.h"
#include "parsers/port_groups/expected.h"
#include "parsers/port_groups/values.h"

namespace rch::parsers::port_groups {
namespace {

constexpr std::string_view kFields[] = {"hostname", "port", "hca_idx"};
constexpr NumberKind kCard{"a card number", 0, 0xFFFF};

struct HostReader {
  const Value& value;
  Separators& separators;
  Diagnostics& diagnostics;
  PortName rule;
  bool good = true;
  std::vector<std::pair<Token, Token>> fields;  ///< of the host being read

  void end_host() {
    Host host;
    std::vector<std::string_view> seen;
    const std::size_t mistakes = diagnostics.all().size();
    for (const auto& [name, text] : fields) {
      if (std::find(seen.begin(), seen.end(), name.text) != seen.end())
        diagnostics
            .add(kRepeatedQualifier, name.span, fmt::format("`{}` stands twice for one host", name.text))
            .hint = "separate hosts by `,`";
      else
        set(host, name, text);
      seen.push_back(name.text);
    }
    good = good && diagnostics.all().size() == mistakes;
    if (good && host.hostname.text.empty()) {
      diagnostics.add(kMissingHostname, fields.front().first.span, "a host without `hostname=`");
      good = false;
    }
    fields.clear();
    rule.hosts.push_back(std::move(host));
  }

 private:
  void set(Host& host, const Token& name, const Token& text) {
    if (name.text == "hostname") {
      host.hostname = text;
    } else if (name.text == "port") {
      host.port = read_port(text, diagnostics);
    } else if (name.text == "hca_idx") {
      host.hca_idx = read_number(text, kCard, diagnostics);
    } else {
      Diagnostic& d =
          diagnostics.add(kUnknownHostField, name.span, fmt::format("unknown host field `{}`", name.text));
      // S001 prints `hca_idx` cut off as `hca_id`.
      const std::string_view meant = nearest(name.text, kFields);
      d.hint = meant.empty() ? std::string("the fields are `hostname`, `port` and `hca_idx`")
                             : fmt::format("did you mean `{}`?", meant);
    }
  }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<grammar::field_name> {
  template <class In>
  static void apply(const In& in, HostReader& reader) {
    reader.fields.push_back({token_of(in, reader.value), {}});
  }
};
template <>
struct Action<grammar::field_value> {
  template <class In>
  static void apply(const In& in, HostReader& reader) {
    reader.fields.back().second = token_of(in, reader.value);
  }
};
template <>
struct Action<grammar::semicolon> {
  template <class In>
  static void apply(const In& in, HostReader& reader) {
    reader.separators.semicolon = token_of(in, reader.value).span;
  }
};
template <>
struct Action<grammar::by_blanks> {
  template <class In>
  static void apply(const In& in, HostReader& reader) {
    reader.separators.blank = token_of(in, reader.value).span;
  }
};
template <>
struct Action<grammar::host> {
  static void apply0(HostReader& reader) { reader.end_host(); }
};

struct RegexpReader {
  const Value& value;
  Token regexp;
  std::optional<Token> port;
};

template <class GrammarRule>
struct RegexpAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct RegexpAction<grammar::regexp> {
  template <class In>
  static void apply(const In& in, RegexpReader& reader) {
    reader.regexp = token_of(in, reader.value);
  }
};
template <>
struct RegexpAction<grammar::regexp_port> {
  template <class In>
  static void apply(const In& in, RegexpReader& reader) {
    reader.port = token_of(in, reader.value);
  }
};

struct PairReader {
  const Value& value;
  std::vector<Token> names;
};

template <class GrammarRule>
struct PairAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct PairAction<grammar::name> {
  template <class In>
  static void apply(const In& in, PairReader& reader) {
    reader.names.push_back(token_of(in, reader.value));
  }
};

}  // namespace

std::optional<PortName> read_port_name(const Value& value, Separators& separators, Diagnostics& diagnostics) {
  HostReader reader{value, separators, diagnostics, {}, true, {}};
  if (!parse_value<grammar::host_list, Action>(value, reader, diagnostics) || !reader.good)
    return std::nullopt;
  return std::move(reader.rule);
}

std::optional<PortRegexp> read_port_regexp(const Value& value, Diagnostics& diagnostics) {
  RegexpReader reader{value, {}, {}};
  if (!parse_value<grammar::regexp_rule, RegexpAction>(value, reader, diagnostics)) return std::nullopt;
  PortRegexp rule;
  rule.regexp = {std::string(trim(reader.regexp.text)), reader.regexp.span};
  if (!reader.port) return rule;
  rule.port = read_port(*reader.port, diagnostics);
  if (!rule.port) return std::nullopt;
  return rule;
}

std::optional<SetRule> read_set_rule(const Value& value, bool is_union, Diagnostics& diagnostics) {
  PairReader reader{value, {}};
  if (!parse_value<grammar::name_pair, PairAction>(value, reader, diagnostics)) return std::nullopt;
  return SetRule{is_union, reader.names[0], reader.names[1]};
}

}  // namespace rch::parsers::port_groups
