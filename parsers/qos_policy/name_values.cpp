#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/expect.h"
#include "parsers/qos_policy/grammar.h"
#include "parsers/qos_policy/rules.h"
#include "parsers/qos_policy/values.h"
#include "parsers/rules.h"

namespace rch::parsers {

RCH_EXPECTED(qos_policy, name, &kBadValue, "a name");
RCH_EXPECTED(qos_policy, open_end, &qos_policy::kOpenQuote, "a closing quote");
RCH_EXPECTED(qos_policy, names_end, &kBadValue, "`,` and a further name");
RCH_EXPECTED(qos_policy, name_end, &kBadValue, "one name", "put a name that holds a comma in quotes");

}  // namespace rch::parsers

namespace rch::parsers::qos_policy {
namespace {

constexpr NumberKind kPort{"a port number", 1, 254};

bool blank(char c) { return c == ' ' || c == '\t'; }

/// A name while it is put together from quoted and bare parts.
struct Draft {
  std::size_t begin = 0, end = 0;  ///< of the value
  std::string text;                ///< as meant
  std::string folded;              ///< as OpenSM sees it, but for case
  std::string bare;                ///< the unquoted parts
  bool quoted = false;
  std::uint32_t quote_end = 0;         ///< behind the last quoted part, in the file
  std::optional<std::uint32_t> joint;  ///< where a quoted part ends and another one follows
};

struct NameState : ValueState {
  std::vector<Draft> names = {};
  Draft open = {};

  void quoted(const Token& part) {
    open.text += part.text;
    open.folded += part.text;
    if (open.quoted && trim(open.bare).empty()) open.joint = open.quote_end;
    open.quoted = true;
    open.quote_end = part.span.end + 1;
  }

  void bare(const Token& part) {
    open.text += part.text;
    open.bare += part.text;
    for (const char c : part.text)
      if (!blank(c)) open.folded += c;
  }
};

// clang-format off
template <class GrammarRule> struct NameAction : tao::pegtl::nothing<GrammarRule> {};
template <> struct NameAction<grammar::quoted_text> : Tell<&NameState::quoted> {};
template <> struct NameAction<grammar::bare_part>   : Tell<&NameState::bare> {};
// clang-format on
template <>
struct NameAction<grammar::name> {
  template <class In>
  static void apply(const In& in, NameState& state) {
    Draft name = std::exchange(state.open, {});
    const std::string_view written = in.string_view();
    name.begin = static_cast<std::size_t>(written.data() - state.value.text().data());
    name.end = name.begin + written.find_last_not_of(" \t") + 1;
    name.text = trim(name.text);
    name.folded = trim(name.folded);
    name.bare = trim(name.bare);
    state.names.push_back(std::move(name));
  }
};

/// The first section keyword in a text; OpenSM's scanner finds it wherever it stands.
std::string_view keyword_in(std::string_view text) {
  for (const BlockSpec& block : dialect().blocks)
    if (text.find(block.begin) != std::string_view::npos) return block.begin;
  return {};
}

/// One name list with its value: what is reported about a name points into it.
class NameReader {
 public:
  NameReader(const Value& value, Diagnostics& diagnostics) : value_(value), diagnostics_(diagnostics) {}

  template <class Grammar>
  bool parse() {
    NameState state{{value_}};
    if (!parse_value<Grammar, NameAction>(value_, state, diagnostics_)) return false;
    names_ = std::move(state.names);
    return std::all_of(names_.begin(), names_.end(), [&](const Draft& name) { return check(name); });
  }

  const std::vector<Draft>& names() const { return names_; }
  Span span(const Draft& name) const { return value_.span(name.begin, name.end); }
  Name name(const Draft& draft) const { return {{draft.text, span(draft)}, to_lower(draft.folded)}; }

  /// For names that something outside the file has.
  void check_blanks(const Draft& name) {
    if (name.bare.find_first_of(" \t") == std::string::npos) return;
    Diagnostic& d = diagnostics_.add(
        kUnquotedBlank, span(name),
        fmt::format("a blank in the unquoted name `{}`, which OpenSM reads as `{}`", name.text, name.folded));
    d.hint = fmt::format("write `\"{}\"`", name.text);
    quote(name, d);
  }

 private:
  bool check(const Draft& name) {
    if (name.text.empty()) {
      diagnostics_.add(kBadValue, span(name), "expected a name, saw an empty one");
      return false;
    }
    if (name.joint) {
      Diagnostic& d =
          diagnostics_.add(kJoinedNames, span(name), "two quoted names without a comma are one name");
      d.hint = "write a comma between them";
      d.fixes.push_back({{span(name).source, *name.joint, *name.joint}, ","});
      return false;
    }
    if (const std::string_view word = keyword_in(name.bare); !word.empty()) {
      Diagnostic& d =
          diagnostics_.add(kKeywordInName, span(name),
                           fmt::format("the keyword `{}` in the unquoted name `{}`", word, name.text));
      d.hint = fmt::format("write `\"{}\"`", name.text);
      quote(name, d);
    }
    return true;
  }

  void quote(const Draft& name, Diagnostic& d) const {
    if (name.quoted) return;
    const Span whole = span(name);
    d.fixes = {{{whole.source, whole.begin, whole.begin}, "\""},
               {{whole.source, whole.end, whole.end}, "\""}};
  }

  const Value& value_;
  Diagnostics& diagnostics_;
  std::vector<Draft> names_;
};

/// True if a quoted text is a list of port names: `a/P1, b/P1`.
bool is_list(const Draft& name) {
  const std::size_t comma = name.text.find(',');
  const std::string_view first =
      trim(std::string_view(name.text).substr(0, std::min(comma, name.text.size())));
  const std::size_t slash = first.rfind('/');
  return comma != std::string::npos && slash != std::string_view::npos && slash + 2 < first.size() &&
         (first[slash + 1] == 'P' || first[slash + 1] == 'p') &&
         first.find_first_not_of("0123456789", slash + 2) == std::string_view::npos;
}

std::optional<PortName> split_port_name(const Draft& name, Span span, Diagnostics& diagnostics) {
  const std::string& text = name.text;
  const std::size_t slash = text.rfind('/');
  const bool has_port = slash != std::string::npos && slash + 2 < text.size() &&
                        (text[slash + 1] == 'P' || text[slash + 1] == 'p');
  if (!has_port || slash == 0) {
    diagnostics.add(kBadValue, span, fmt::format("expected `NODE/Pn`, saw `{}`", text)).hint =
        "the node description, a slash, `P` and the port number";
    return std::nullopt;
  }
  const auto port = read_number({text.substr(slash + 2), span}, kPort, diagnostics);
  if (!port) return std::nullopt;
  return PortName{std::string(trim(text.substr(0, slash))), *port, span};
}

struct NodeTypeWord {
  std::string_view word;
  NodeType type;
};
constexpr NodeTypeWord kNodeTypeWords[] = {{"CA", NodeType::ca},
                                           {"SWITCH", NodeType::sw},
                                           {"ROUTER", NodeType::router},
                                           {"ALL", NodeType::all},
                                           {"SELF", NodeType::self}};

std::optional<NodeType> node_type(const Name& name, Diagnostics& diagnostics) {
  std::array<std::string_view, std::size(kNodeTypeWords)> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = kNodeTypeWords[i].word;
    if (to_lower(words[i]) == name.key) return kNodeTypeWords[i].type;
  }
  const std::string_view meant = nearest(name.token.text, words);
  diagnostics.add(kBadValue, name.token.span, fmt::format("expected a node type, saw `{}`", name.token.text))
      .hint = meant.empty() ? fmt::format("the types are `{}`", fmt::join(words, "`, `"))
                            : fmt::format("did you mean `{}`?", meant);
  return std::nullopt;
}

}  // namespace

/// A free text takes the rest of its line, and with it what was meant as the next qualifier.
std::optional<Token> read_use(const Value& value, Diagnostics& diagnostics) {
  const std::string_view text = value.text();
  for (const BlockSpec& block : dialect().blocks)
    for (const Keyword& keyword : block.keywords) {
      const std::size_t at = text.find(keyword.word);
      if (at == std::string_view::npos || keyword.form == Form::statement) continue;
      const bool alone = at == 0 || blank(text[at - 1]);
      if (!alone || !trim(text.substr(at + keyword.word.size())).starts_with(':')) continue;
      diagnostics
          .add(kSwallowedQualifier, value.span(at, text.size()),
               fmt::format("`{}:` is part of the text of `use`", keyword.word))
          .hint = "begin a new line with it if it is a qualifier";
      return value.token();
    }
  return value.token();
}

std::optional<Name> read_one_name(const Value& value, Diagnostics& diagnostics) {
  NameReader reader(value, diagnostics);
  if (!reader.parse<grammar::one_name>()) return std::nullopt;
  return reader.name(reader.names().front());
}

std::optional<std::vector<Name>> read_names(const Value& value, Diagnostics& diagnostics) {
  NameReader reader(value, diagnostics);
  if (!reader.parse<grammar::names>()) return std::nullopt;
  std::vector<Name> names;
  for (const Draft& draft : reader.names()) names.push_back(reader.name(draft));
  return names;
}

std::optional<std::vector<Token>> read_partitions(const Value& value, Diagnostics& diagnostics) {
  NameReader reader(value, diagnostics);
  if (!reader.parse<grammar::names>()) return std::nullopt;
  std::vector<Token> names;
  for (const Draft& draft : reader.names()) {
    reader.check_blanks(draft);
    names.push_back(reader.name(draft).token);
  }
  return names;
}

std::optional<std::vector<PortName>> read_port_names(const Value& value, Diagnostics& diagnostics) {
  NameReader reader(value, diagnostics);
  if (!reader.parse<grammar::names>()) return std::nullopt;
  std::vector<PortName> names;
  for (const Draft& draft : reader.names()) {
    if (draft.quoted && is_list(draft)) {
      diagnostics
          .add(kQuotedList, reader.span(draft), "several port names inside one pair of quotes are one name")
          .hint = "quote each name by itself";
      return std::nullopt;
    }
    const auto name = split_port_name(draft, reader.span(draft), diagnostics);
    if (!name) return std::nullopt;
    reader.check_blanks(draft);
    names.push_back(*name);
  }
  return names;
}

std::optional<std::vector<NodeType>> read_node_types(const Value& value, Diagnostics& diagnostics) {
  const auto names = read_names(value, diagnostics);
  if (!names) return std::nullopt;
  std::vector<NodeType> types;
  for (const Name& name : *names) {
    const auto type = node_type(name, diagnostics);
    if (!type) return std::nullopt;
    types.push_back(*type);
  }
  return types;
}

}  // namespace rch::parsers::qos_policy
