#include "parsers/torus_conf/torus_conf.h"

#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/numbers.h"
#include "parsers/common/text_rules.h"
#include "parsers/rules.h"
#include "parsers/torus_conf/grammar.h"

namespace rch::parsers::torus_conf {
namespace {

using Words = std::span<const Token>;

constexpr NumberKind kRadix{"a radix", 1, 0xFFFF};
constexpr NumberKind kPortCount{"a number of ports", 1, 255};
constexpr NumberKind kPort{"a port number", 0, 254};
constexpr NumberKind kChanges{"a number of changes", 0, 0xFFFFFFFF};
constexpr std::uint64_t kLargestDateline = 0xFFFF;

/// `6`, `6t`, `6M`: the radix without its suffix; `wraps` follows the suffix.
std::optional<Number> read_radix(const Token& word, bool& wraps, Diagnostics& diagnostics) {
  Token digits = word;
  const char last = word.text.back();
  if (last == 'm' || last == 'M' || last == 't' || last == 'T') {
    wraps = last == 't' || last == 'T';
    digits.text.pop_back();
    --digits.span.end;
  }
  if (digits.text.empty()) digits = word;
  return read_number(digits, kRadix, diagnostics);
}

template <bool torus>
Meaning read_size(Words words, Diagnostics& diagnostics) {
  Size size{{}, {torus, torus, torus}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto radix = read_radix(words[axis], size.wraps[axis], diagnostics);
    if (!radix) return {};
    size.radix[axis] = *radix;
  }
  return size;
}

template <std::uint8_t axis, bool plus>
Meaning read_link(Words words, Diagnostics& diagnostics) {
  const auto from = read_guid(words[0], diagnostics);
  if (!from) return {};
  const auto to = read_guid(words[1], diagnostics);
  if (!to) return {};
  return Link{axis, plus, *from, *to, words[0].span, words[1].span};
}

template <std::uint8_t axis>
Meaning read_dateline(Words words, Diagnostics& diagnostics) {
  Token digits = words[0];
  const bool signed_word = digits.text.size() > 1 && (digits.text[0] == '-' || digits.text[0] == '+');
  const bool negative = signed_word && digits.text[0] == '-';
  if (signed_word) digits.text.erase(0, 1);
  const auto value = read_number(digits, {"a dateline position", 0, kLargestDateline}, diagnostics);
  if (!value) return {};
  const auto position = static_cast<std::int32_t>(value->value);
  return Dateline{axis, negative ? -position : position, words[0].span};
}

Meaning read_next_seed(Words, Diagnostics&) { return NextSeed{}; }

Meaning read_max_ports(Words words, Diagnostics& diagnostics) {
  const auto count = read_number(words[0], kPortCount, diagnostics);
  return count ? Meaning(PortgroupMaxPorts{*count}) : Meaning();
}

Meaning read_max_changes(Words words, Diagnostics& diagnostics) {
  const auto count = read_number(words[0], kChanges, diagnostics);
  return count ? Meaning(MaxChanges{*count}) : Meaning();
}

Meaning read_port_order(Words words, Diagnostics& diagnostics) {
  PortOrder order;
  for (const Token& word : words) {
    const auto port = read_number(word, kPort, diagnostics);
    if (!port) return {};
    order.ports.push_back(*port);
  }
  return order;
}

constexpr std::size_t kAnyNumber = SIZE_MAX;

constexpr std::string_view kEnds = "FROM-GUID TO-GUID";

constexpr Keyword kKeywords[] = {
    {"torus", Kind::size, 3, 3, "X Y Z", read_size<true>},
    {"mesh", Kind::size, 3, 3, "X Y Z", read_size<false>},
    {"xp_link", Kind::link, 2, 2, kEnds, read_link<0, true>},
    {"xm_link", Kind::link, 2, 2, kEnds, read_link<0, false>},
    {"yp_link", Kind::link, 2, 2, kEnds, read_link<1, true>},
    {"ym_link", Kind::link, 2, 2, kEnds, read_link<1, false>},
    {"zp_link", Kind::link, 2, 2, kEnds, read_link<2, true>},
    {"zm_link", Kind::link, 2, 2, kEnds, read_link<2, false>},
    {"x_dateline", Kind::dateline, 1, 1, "POSITION", read_dateline<0>},
    {"y_dateline", Kind::dateline, 1, 1, "POSITION", read_dateline<1>},
    {"z_dateline", Kind::dateline, 1, 1, "POSITION", read_dateline<2>},
    {"next_seed", Kind::next_seed, 0, 0, "", read_next_seed},
    {"portgroup_max_ports", Kind::setting, 1, 1, "COUNT", read_max_ports},
    {"max_changes", Kind::setting, 1, 1, "COUNT", read_max_changes},
    {"port_order", Kind::setting, 1, kAnyNumber, "PORT…", read_port_order},
};

const Keyword* find_keyword(std::string_view word) {
  for (const Keyword& keyword : kKeywords)
    if (keyword.word == word) return &keyword;
  return nullptr;
}

struct Reader : TextState {
  Diagnostics& diagnostics;
  Syntax syntax = {};
  std::vector<Token> words = {};  ///< of one line, keyword first

  void finish_line() {
    if (words.empty()) return;
    Statement& statement = syntax.statements.emplace_back();
    if (const Keyword* keyword = find_keyword(words[0].text)) {
      statement.kind = keyword->kind;
      statement.what = read(*keyword, words);
    } else {
      statement = read_unknown();
    }
    statement.keyword = std::move(words[0]);
    words.clear();
  }

 private:
  Meaning read(const Keyword& keyword, std::vector<Token>& line) {
    const std::size_t arguments = line.size() - 1;
    if (arguments < keyword.least) {
      diagnostics
          .add(kMissingArgument, line.back().span,
               fmt::format("`{}` needs {}, saw {}", keyword.word, counted(keyword.least, "argument"),
                           arguments))
          .hint = fmt::format("write `{} {}`", keyword.word, keyword.usage);
      return {};
    }
    if (arguments > keyword.most) {
      const Token& extra = line[keyword.most + 1];
      diagnostics
          .add(kExtraArgument, extra.span,
               fmt::format("`{}` behind the last argument of `{}`", extra.text, keyword.word))
          .hint = "put `#` before a comment";
      line.resize(keyword.most + 1);
    }
    return keyword.read(Words(line).subspan(1), diagnostics);
  }

  /// A misspelt keyword is of no use if it is not certain which one is meant: `zz_link` may be one link or
  /// the other, only a size has one meaning.
  Statement read_unknown() {
    std::vector<std::string_view> known;
    for (const Keyword& keyword : kKeywords) known.push_back(keyword.word);
    Token& word = words[0];
    Diagnostic& d =
        diagnostics.add(kUnknownKeyword, word.span, fmt::format("unknown keyword `{}`", word.text));
    const std::string_view meant = nearest(word.text, known);
    if (meant.empty()) return {};
    d.hint = fmt::format("did you mean `{}`?", meant);
    const Keyword& keyword = *find_keyword(meant);
    if (keyword.kind != Kind::size) return {{}, keyword.kind, {}};
    word.text = meant;
    return {{}, keyword.kind, read(keyword, words)};
  }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<grammar::word> : Append<&Reader::words> {};
template <>
struct Action<line_grammar::line<grammar::words>> : Call<&Reader::finish_line> {};

}  // namespace

std::span<const Keyword> keywords() { return kKeywords; }

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {}, diagnostics);
  Reader reader{{text.data(), source}, diagnostics};
  parse_text<line_grammar::file<grammar::words>, Action>(text, reader);
  return std::move(reader.syntax);
}

}  // namespace rch::parsers::torus_conf
