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

using Words = std::vector<Token>;  ///< of one line, keyword first
using Meaning = decltype(Statement::what);

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

Meaning read_size(const Words& words, Diagnostics& diagnostics) {
  const bool torus = words[0].text == "torus";
  Size size{{}, {torus, torus, torus}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto radix = read_radix(words[axis + 1], size.wraps[axis], diagnostics);
    if (!radix) return {};
    size.radix[axis] = *radix;
  }
  return size;
}

std::uint8_t axis_of(const Words& words) { return static_cast<std::uint8_t>(words[0].text[0] - 'x'); }

Meaning read_link(const Words& words, Diagnostics& diagnostics) {
  const auto from = read_guid(words[1], diagnostics);
  if (!from) return {};
  const auto to = read_guid(words[2], diagnostics);
  if (!to) return {};
  return Link{axis_of(words), words[0].text[1] == 'p', *from, *to, words[1].span, words[2].span};
}

Meaning read_dateline(const Words& words, Diagnostics& diagnostics) {
  Token digits = words[1];
  const bool signed_word = digits.text.size() > 1 && (digits.text[0] == '-' || digits.text[0] == '+');
  const bool negative = signed_word && digits.text[0] == '-';
  if (signed_word) digits.text.erase(0, 1);
  const auto value = read_number(digits, {"a dateline position", 0, kLargestDateline}, diagnostics);
  if (!value) return {};
  const auto position = static_cast<std::int32_t>(value->value);
  return Dateline{axis_of(words), negative ? -position : position, words[1].span};
}

Meaning read_next_seed(const Words&, Diagnostics&) { return NextSeed{}; }

Meaning read_max_ports(const Words& words, Diagnostics& diagnostics) {
  const auto count = read_number(words[1], kPortCount, diagnostics);
  return count ? Meaning(PortgroupMaxPorts{*count}) : Meaning();
}

Meaning read_max_changes(const Words& words, Diagnostics& diagnostics) {
  const auto count = read_number(words[1], kChanges, diagnostics);
  return count ? Meaning(MaxChanges{*count}) : Meaning();
}

Meaning read_port_order(const Words& words, Diagnostics& diagnostics) {
  PortOrder order;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto port = read_number(words[i], kPort, diagnostics);
    if (!port) return {};
    order.ports.push_back(*port);
  }
  return order;
}

constexpr std::size_t kAnyNumber = SIZE_MAX;

struct Keyword {
  std::string_view word;
  std::size_t least, most;  ///< arguments
  std::string_view usage;
  Meaning (*read)(const Words&, Diagnostics&);
};

constexpr Keyword kKeywords[] = {
    {"torus", 3, 3, "X Y Z", read_size},
    {"mesh", 3, 3, "X Y Z", read_size},
    {"xp_link", 2, 2, "FROM-GUID TO-GUID", read_link},
    {"xm_link", 2, 2, "FROM-GUID TO-GUID", read_link},
    {"yp_link", 2, 2, "FROM-GUID TO-GUID", read_link},
    {"ym_link", 2, 2, "FROM-GUID TO-GUID", read_link},
    {"zp_link", 2, 2, "FROM-GUID TO-GUID", read_link},
    {"zm_link", 2, 2, "FROM-GUID TO-GUID", read_link},
    {"x_dateline", 1, 1, "POSITION", read_dateline},
    {"y_dateline", 1, 1, "POSITION", read_dateline},
    {"z_dateline", 1, 1, "POSITION", read_dateline},
    {"next_seed", 0, 0, "", read_next_seed},
    {"portgroup_max_ports", 1, 1, "COUNT", read_max_ports},
    {"max_changes", 1, 1, "COUNT", read_max_changes},
    {"port_order", 1, kAnyNumber, "PORT…", read_port_order},
};

const Keyword* find_keyword(std::string_view word) {
  for (const Keyword& keyword : kKeywords)
    if (keyword.word == word) return &keyword;
  return nullptr;
}

struct Reader {
  const char* base;
  SourceId source;
  Diagnostics& diagnostics;
  Syntax syntax;
  Words words;

  void finish_line() {
    if (words.empty()) return;
    Meaning meaning = read(words);
    syntax.statements.push_back({std::move(words[0]), std::move(meaning)});
    words.clear();
  }

 private:
  Meaning read(Words& line) {
    const Keyword* keyword = find_keyword(line[0].text);
    if (keyword == nullptr) keyword = report_unknown(line[0]);
    if (keyword == nullptr) return {};
    const std::size_t arguments = line.size() - 1;
    if (arguments < keyword->least) {
      diagnostics
          .add(kMissingArgument, line.back().span,
               fmt::format("`{}` needs {} argument{}, saw {}", keyword->word, keyword->least,
                           keyword->least == 1 ? "" : "s", arguments))
          .hint = fmt::format("write `{} {}`", keyword->word, keyword->usage);
      return {};
    }
    if (arguments > keyword->most) {
      const Token& extra = line[keyword->most + 1];
      diagnostics
          .add(kExtraArgument, extra.span,
               fmt::format("`{}` behind the last argument of `{}`", extra.text, keyword->word))
          .hint = "put `#` before a comment";
      line.resize(keyword->most + 1);
    }
    return keyword->read(line, diagnostics);
  }

  /// What a misspelt keyword is read as; null if that is not certain: `zz_link` may be one link or the other,
  /// only a size has one meaning.
  const Keyword* report_unknown(Token& word) {
    std::vector<std::string_view> known;
    for (const Keyword& keyword : kKeywords) known.push_back(keyword.word);
    Diagnostic& d =
        diagnostics.add(kUnknownKeyword, word.span, fmt::format("unknown keyword `{}`", word.text));
    const std::string_view meant = nearest(word.text, known);
    if (meant.empty()) return nullptr;
    d.hint = fmt::format("did you mean `{}`?", meant);
    const Keyword* keyword = find_keyword(meant);
    if (keyword->read != read_size) return nullptr;
    word.text = meant;
    return keyword;
  }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<grammar::word> {
  template <class In>
  static void apply(const In& in, Reader& reader) {
    const auto begin = static_cast<std::uint32_t>(in.begin() - reader.base);
    reader.words.push_back(
        {in.string(), {reader.source, begin, begin + static_cast<std::uint32_t>(in.size())}});
  }
};
template <>
struct Action<grammar::line> {
  static void apply0(Reader& reader) { reader.finish_line(); }
};

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {}, diagnostics);
  Reader reader{text.data(), source, diagnostics, {}, {}};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text, "");
  tao::pegtl::parse<grammar::file, Action>(in, reader);
  return std::move(reader.syntax);
}

}  // namespace rch::parsers::torus_conf
