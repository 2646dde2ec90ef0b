#include "parsers/qos_policy/cuts.h"

#include <algorithm>

#include <tao/pegtl.hpp>

#include "base/text.h"
#include "parsers/qos_policy/grammar.h"
#include "parsers/qos_policy/ulps.h"

namespace rch::parsers::qos_policy {
namespace {

struct Split {
  const Token& content;
  Qualifier parts;
};
template <class GrammarRule>
struct SplitAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct SplitAction<grammar::key> {
  template <class In>
  static void apply(const In& in, Split& split) {
    split.parts.key = part(split.content, 0, in.size());
  }
};
template <>
struct SplitAction<grammar::value> {
  template <class In>
  static void apply(const In& in, Split& split) {
    const std::size_t size = split.content.text.size();
    split.parts.value = part(split.content, size - in.size(), size);
  }
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_key(std::string_view word) {
  return std::any_of(sections().begin(), sections().end(), [&](const SectionSpec& section) {
    return std::any_of(section.keys.begin(), section.keys.end(),
                       [&](const KeySpec& key) { return key.word == word; });
  });
}

/// True if a whole word at the beginning of the text is a keyword.
bool starts_keyword(std::string_view text, bool ends_only) {
  const std::string_view word = text.substr(0, text.find_first_of(" \t:"));
  return std::any_of(sections().begin(), sections().end(), [&](const SectionSpec& section) {
    return word == section.end || (!ends_only && word == section.begin);
  });
}

}  // namespace

Token part(const Token& token, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t offset) { return token.span.begin + static_cast<std::uint32_t>(offset); };
  return {token.text.substr(begin, end - begin), {token.span.source, at(begin), at(end)}};
}

Token rest_of(const Token& token, std::size_t skip) {
  const std::size_t at = token.text.find_first_not_of(" \t", skip);
  return part(token, std::min(at, token.text.size()), token.text.size());
}

Token first_word(const Token& content) {
  return part(content, 0, std::min(content.text.find_first_of(" \t:"), content.text.size()));
}

std::optional<Qualifier> split_qualifier(const Token& content) {
  Split split{content, {{}, part(content, content.text.size(), content.text.size())}};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(content.text, "");
  if (!tao::pegtl::parse<grammar::qualifier, SplitAction>(in, split)) return std::nullopt;
  return split.parts;
}

std::optional<std::size_t> find_key(SectionId id, std::string_view word) {
  if (id == SectionId::none) return std::nullopt;
  const auto keys = spec(id).keys;
  const std::string lower = to_lower(word);
  const auto at = std::find_if(keys.begin(), keys.end(), [&](const KeySpec& k) { return k.word == lower; });
  if (at == keys.end()) return std::nullopt;
  return static_cast<std::size_t>(at - keys.begin());
}

std::size_t end_of_value(Form form, std::string_view text) {
  if (form == Form::text) return text.size();
  bool quoted = false;
  std::size_t word = 0;  // where the word before a colon begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    quoted = quoted != (text[i] == '"');
    if (quoted || is_blank(text[i])) continue;
    if (text[i] == ':' && is_key(trim(text.substr(word, i - word)))) return word;
    if (text[i] == ':' || (i > 0 && !is_blank(text[i - 1]))) continue;
    word = i;
    if (starts_keyword(text.substr(i), true)) return i;
  }
  return text.size();
}

std::size_t end_of_ulp(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::size_t sl = colon == std::string_view::npos ? colon : text.find_first_not_of(" \t", colon + 1);
  const std::size_t gap = sl == std::string_view::npos ? sl : text.find_first_of(" \t", sl);
  const std::size_t next = gap == std::string_view::npos ? gap : text.find_first_not_of(" \t", gap);
  if (next == std::string_view::npos) return text.size();
  const std::string_view rest = text.substr(next);
  return starts_keyword(rest, false) || starts_ulp(rest) ? next : text.size();
}

}  // namespace rch::parsers::qos_policy
