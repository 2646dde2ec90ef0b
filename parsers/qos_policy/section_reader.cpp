#include "parsers/qos_policy/section_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <tao/pegtl.hpp>

#include "base/text.h"
#include "parsers/qos_policy/grammar.h"
#include "parsers/qos_policy/rules.h"
#include "parsers/qos_policy/ulps.h"
#include "parsers/rules.h"

namespace rch::parsers::qos_policy {
namespace {

/// OpenSM needs no line ends; nobody writes a policy in one line.
constexpr std::size_t kPieces = 64;

/// Bytes [begin, end) of a token on one line.
Token part(const Token& token, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t offset) { return token.span.begin + static_cast<std::uint32_t>(offset); };
  return {token.text.substr(begin, end - begin), {token.span.source, at(begin), at(end)}};
}

/// Without its first `skip` bytes and the blanks behind them.
Token rest_of(const Token& token, std::size_t skip) {
  const std::size_t at = token.text.find_first_not_of(" \t", skip);
  return part(token, std::min(at, token.text.size()), token.text.size());
}

Token first_word(const Token& content) {
  return part(content, 0, std::min(content.text.find_first_of(" \t:"), content.text.size()));
}

bool ends_with_any(std::string_view text, std::string_view characters) {
  return !text.empty() && characters.find(text.back()) != std::string_view::npos;
}
bool starts_with_any(std::string_view text, std::string_view characters) {
  return !text.empty() && characters.find(text.front()) != std::string_view::npos;
}

struct Split {
  const Token& content;
  Token key, value;
};
template <class GrammarRule>
struct SplitAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct SplitAction<grammar::key> {
  template <class In>
  static void apply(const In& in, Split& split) {
    split.key = part(split.content, 0, in.size());
  }
};
template <>
struct SplitAction<grammar::value> {
  template <class In>
  static void apply(const In& in, Split& split) {
    split.value = part(split.content, split.content.text.size() - in.size(), split.content.text.size());
  }
};

/// `key : value`; nothing if the line has another form. An absent value stands behind the line.
std::optional<Split> split_qualifier(const Token& content) {
  Split split{content, {}, part(content, content.text.size(), content.text.size())};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(content.text, "");
  if (!tao::pegtl::parse<grammar::qualifier, SplitAction>(in, split)) return std::nullopt;
  return split;
}

std::optional<std::size_t> find_key(SectionId id, std::string_view word) {
  if (id == SectionId::none) return std::nullopt;
  const auto keys = spec(id).keys;
  const std::string lower = to_lower(word);
  const auto at = std::find_if(keys.begin(), keys.end(), [&](const KeySpec& k) { return k.word == lower; });
  if (at == keys.end()) return std::nullopt;
  return static_cast<std::size_t>(at - keys.begin());
}

std::vector<std::string_view> words_of(const SectionSpec& section) {
  std::vector<std::string_view> words;
  for (const KeySpec& key : section.keys) words.push_back(key.word);
  return words;
}

bool blank(char c) { return c == ' ' || c == '\t'; }

/// A further `key:` of any paragraph outside quotes, where it begins; the end if there is none.
std::size_t find_second_key(std::string_view text) {
  bool quoted = false;
  for (std::size_t colon = 0; colon < text.size(); ++colon) {
    quoted = quoted != (text[colon] == '"');
    if (quoted || text[colon] != ':') continue;
    const std::size_t end = text.find_last_not_of(" \t", colon > 0 ? colon - 1 : 0) + 1;
    const std::string_view before = text.substr(0, end);
    for (const SectionSpec& section : sections())
      for (const KeySpec& key : section.keys)
        if (before.ends_with(key.word) && end > key.word.size() && blank(before[end - key.word.size() - 1]))
          return end - key.word.size();
  }
  return text.size();
}

/// Where a further ULP or a keyword begins behind the SL of a line; the end if none does.
std::size_t find_second_ulp(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::size_t sl = colon == std::string_view::npos ? colon : text.find_first_not_of(" \t", colon + 1);
  const std::size_t gap = sl == std::string_view::npos ? sl : text.find_first_of(" \t", sl);
  const std::size_t next = gap == std::string_view::npos ? gap : text.find_first_not_of(" \t", gap);
  if (next == std::string_view::npos) return text.size();
  const std::string_view rest = text.substr(next);
  const bool keyword = std::any_of(sections().begin(), sections().end(), [&](const SectionSpec& section) {
    return rest.starts_with(section.begin) || rest.starts_with(section.end);
  });
  return keyword || starts_ulp(rest) ? next : text.size();
}

/// A paragraph that knows the key, for a hint; empty if none does.
std::string_view home_of(std::string_view word) {
  for (const SectionSpec& section : sections())
    if (find_key(section.id, word)) return section.begin;
  return {};
}

}  // namespace

bool SectionReader::is_open(SectionId id) const {
  return std::any_of(open_.begin(), open_.end(), [&](const Open& o) { return o.section.id == id; });
}

Value& SectionReader::value() {
  switch (target_) {
    case Target::entry:
      return open_.back().section.entries.back().value;
    case Target::ulp:
      return open_.back().section.lines.back();
    default:
      return dropped_;
  }
}

void SectionReader::line(const Token& content) {
  pieces_ = 0;
  piece(content);
}

void SectionReader::piece(const Token& content) {
  if (++pieces_ > kPieces) {
    if (pieces_ == kPieces + 1)
      diagnostics_.add(kBadValue, content.span, fmt::format("more than {} definitions on one line", kPieces));
    return;
  }
  if (keyword_line(content)) return;
  if (joins(content)) return join(content);
  if (misspelt_keyword(content)) return;
  if (current() == SectionId::qos_ulps) return ulp_line(content);
  if (current() == SectionId::none || spec(current()).keys.empty()) return stray(content);
  entry_line(content);
}

std::vector<Section> SectionReader::finish() {
  while (!open_.empty()) close_unended();
  return std::move(done_);
}

/// Lists go on next to a comma. Other values do so by mistake, told by a line that cannot begin anything.
bool SectionReader::joins(const Token& content) {
  if (target_ == Target::nothing) return false;
  const std::string_view text = content.text, before = value().text();
  const bool colon = text.front() == ':' && (target_ == Target::ulp || before.empty());
  if (form_ == Form::names) return colon || text.front() == ',' || ends_with_any(before, ",");
  if (form_ != Form::numbers) return colon;
  if (starts_with_any(text, ",-") || colon) return true;
  if (target_ == Target::ulp && starts_ulp(text)) return false;
  // `9:127` goes on with a list, `sl: 3` does not.
  if (target_ != Target::ulp && split_qualifier(content) &&
      parse_integer(first_word(content).text) == std::nullopt)
    return false;
  return ends_with_any(before, ",-") || (target_ == Target::ulp && ends_with_any(before, ":"));
}

void SectionReader::join(const Token& content) {
  Value& open = value();
  const bool at_comma = ends_with_any(open.text(), ",") || content.text.front() == ',';
  const bool colon_reported = target_ != Target::ulp && open.empty();
  const bool allowed = at_comma && form_ == Form::numbers;
  if (target_ != Target::dropped && !colon_reported && !allowed && !wrap_reported_) {
    wrap_reported_ = true;
    Diagnostic& d =
        diagnostics_.add(kWrappedValue, content.span, "this line continues the value of the line above");
    d.labels.push_back({open.span(), "the value so far"});
    // Behind a list OpenSM finds the colon, behind a bare `default` or `sdp` it wants it on the same line.
    if (content.text.front() == ':' && open.text().find(',') == std::string::npos) {
      d.severity = Severity::error;
      d.hint = fmt::format("write `{} :` on one line", open.text());
    }
  }
  const Token rest = colon_reported && content.text.front() == ':' ? rest_of(content, 1) : content;
  if (!rest.text.empty()) open.append(rest.text, rest.span);
}

bool SectionReader::keyword_line(const Token& content) {
  const Token word = first_word(content);
  const std::string lower = to_lower(word.text);
  const auto known = sections();
  const auto section = std::find_if(known.begin(), known.end(),
                                    [&](const SectionSpec& s) { return s.begin == lower || s.end == lower; });
  if (section == known.end()) return false;
  const Token rest = rest_of(content, word.text.size());
  if (rest.text.size() > 1 && rest.text.front() == ':') return false;
  // A name that begins so, behind the comma of the line above.
  if (!rest.text.empty() && rest.text != ":" && form_ == Form::names && joins(content)) return false;
  check_case(word, lower);
  if (rest.text == ":")
    diagnostics_.add(kKeywordWithColon, word.span, fmt::format("`{}` takes no colon", word.text));
  keyword(*section, section->begin == lower, word);
  if (rest.text.empty() || rest.text == ":") return true;
  diagnostics_.add(kKeywordNotAlone, rest.span, fmt::format("text behind `{}` on its line", lower)).hint =
      "begin a new line here";
  piece(rest);
  return true;
}

bool SectionReader::misspelt_keyword(const Token& content) {
  if (content.text.find_first_of(" \t:,") != std::string::npos || find_key(current(), content.text) ||
      starts_ulp(content.text))
    return false;
  std::vector<std::string_view> words;
  for (const SectionSpec& section : sections()) words.insert(words.end(), {section.begin, section.end});
  std::string_view meant = nearest(content.text, words);
  if (meant.empty() && !open_.empty() && to_lower(content.text).starts_with("end-"))
    meant = spec(current()).end;
  if (meant.empty()) return false;
  diagnostics_.add(kUnknownKeyword, content.span, fmt::format("unknown keyword `{}`", content.text)).hint =
      fmt::format("did you mean `{}`?", meant);
  for (const SectionSpec& section : sections())
    if (section.begin == meant || section.end == meant) keyword(section, section.begin == meant, content);
  if (!open_.empty() && open_.back().section.keyword.span == content.span) open_.back().guessed = true;
  return true;
}

void SectionReader::keyword(const SectionSpec& section, bool begins, const Token& word) {
  target_ = Target::nothing;
  if (begins)
    begin(section, word);
  else
    end(section, word);
  stray_reported_ = false;
}

void SectionReader::begin(const SectionSpec& section, const Token& word) {
  const SectionId parent = section.parent;
  while (parent == SectionId::none ? !open_.empty() : is_open(parent) && current() != parent) close_unended();
  if (parent != SectionId::none && !is_open(parent)) {
    // The section round the misplaced paragraph stays open: what follows may belong to it.
    while (!open_.empty() && !spec(current()).keys.empty()) close_unended();
    diagnostics_
        .add(kMisplacedSection, word.span,
             fmt::format("`{}` outside `{}`", section.begin, spec(parent).begin))
        .hint = fmt::format("put it between `{}` and `{}`", spec(parent).begin, spec(parent).end);
    push(spec(parent), word, true);
  }
  push(section, word, false);
}

void SectionReader::push(const SectionSpec& section, const Token& word, bool implied) {
  if (!open_.empty()) ++open_.back().children;
  open_.push_back({Section{section.id, word, {}, {}, false}, implied, false, false, 0});
}

void SectionReader::end(const SectionSpec& section, const Token& word) {
  if (!is_open(section.id)) {
    // `end-port-group` for `end-port-groups`: whether it closes the section shows in what follows.
    const std::string_view wanted[] = {open_.empty() ? std::string_view() : spec(current()).end};
    if (!open_.empty() && !nearest(section.end, wanted).empty()) open_.back().end_reported = true;
    if (!stray_reported_)
      diagnostics_.add(kStrayEnd, word.span, fmt::format("`{}` without a `{}`", section.end, section.begin));
    return;
  }
  while (current() != section.id) close_unended();
  close();
}

/// Closes a section whose end keyword never came.
void SectionReader::close_unended() {
  const Open& open = open_.back();
  if (open.guessed && open.section.entries.empty() && open.children == 0) {
    open_.pop_back();
    return;
  }
  if (!open.implied && !open.end_reported)
    diagnostics_.add(kMissingEnd, open.section.keyword.span,
                     fmt::format("`{}` has no `{}`", spec(current()).begin, spec(current()).end));
  close();
}

void SectionReader::close() {
  target_ = Target::nothing;
  Open open = std::move(open_.back());
  open_.pop_back();
  const SectionSpec& section = spec(open.section.id);
  const bool empty = open.children == 0 && open.section.lines.empty();
  if (!section.may_be_empty && empty && !open.section.excused)
    diagnostics_.add(kEmptySection, open.section.keyword.span, fmt::format("`{}` is empty", section.begin));
  if (!section.keys.empty() && !open.section.excused) check_required(open.section);
  if (!section.keys.empty() || section.id == SectionId::qos_ulps || section.id == SectionId::qos_setup)
    done_.push_back(std::move(open.section));
}

void SectionReader::check_required(const Section& section) {
  const SectionSpec& known = spec(section.id);
  for (std::size_t key = 0; key < known.keys.size(); ++key) {
    if (!known.keys[key].required) continue;
    const bool present = std::any_of(section.entries.begin(), section.entries.end(),
                                     [&](const Entry& e) { return e.key == key; });
    if (!present)
      diagnostics_.add(kMissingQualifier, section.keyword.span,
                       fmt::format("this `{}` has no `{}`", known.begin, known.keys[key].word));
  }
}

void SectionReader::ulp_line(const Token& content) {
  const std::size_t second = find_second_ulp(content.text);
  const Token first = part(content, 0, content.text.find_last_not_of(" \t", second - 1) + 1);
  Value& line = open_.back().section.lines.emplace_back();
  line.append(first.text, first.span);
  target_ = Target::ulp;
  wrap_reported_ = false;
  form_ = Form::numbers;
  if (second < content.text.size()) split_line(part(content, second, content.text.size()));
}

/// What stands behind a complete definition is read as a line of its own.
void SectionReader::split_line(const Token& rest) {
  diagnostics_.add(kKeywordNotAlone, rest.span, "a further definition on this line").hint =
      "begin a new line here";
  piece(rest);
}

void SectionReader::entry_line(const Token& content) {
  if (const auto split = split_qualifier(content)) {
    const auto key = find_key(current(), split->key.text);
    if (key) return entry(*key, split->key, split->value);
    return unknown_key(split->key, split->value);
  }
  const Token word = first_word(content);
  const auto key = find_key(current(), word.text);
  if (key) {
    diagnostics_.add(kMissingColon, word.span, fmt::format("expected `:` after `{}`", word.text)).hint =
        fmt::format("write `{}: …`", to_lower(word.text));
    return add(*key, word, rest_of(content, word.text.size()), true);
  }
  open_.back().section.excused = true;
  if (!stray_reported_)
    diagnostics_.add(kMissingColon, content.span, "expected a qualifier with a colon").hint =
        fmt::format("such as `{}: …`, or `{}`", spec(current()).keys.front().word, spec(current()).end);
  stray_reported_ = true;
}

/// OpenSM takes a second qualifier behind numbers, and makes it part of a name.
void SectionReader::entry(std::size_t key, const Token& word, const Token& value) {
  const Form form = spec(current()).keys[key].form;
  const std::size_t second = form == Form::text ? value.text.size() : find_second_key(value.text);
  if (second == value.text.size()) return add(key, word, value, false);
  const Token rest = part(value, second, value.text.size());
  add(key, word, part(value, 0, value.text.find_last_not_of(" \t", second - 1) + 1), false);
  if (form == Form::numbers) return split_line(rest);
  diagnostics_
      .add(kBadValue, rest.span, fmt::format("a second qualifier behind a name on its line: `{}`", rest.text))
      .hint = "give each qualifier a line of its own";
  piece(rest);
}

void SectionReader::add(std::size_t key, const Token& word, const Token& value, bool reported) {
  const KeySpec& known = spec(current()).keys[key];
  if (!reported) check_case(word, known.word);
  stray_reported_ = false;
  auto& entries = open_.back().section.entries;
  form_ = known.form;
  const auto first =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  if (known.once && first != entries.end()) {
    if (!reported && !first->reported)
      diagnostics_
          .add(kRepeatedQualifier, word.span, fmt::format("`{}` stands twice in this paragraph", known.word))
          .labels.push_back({first->word.span, "first here"});
    target_ = Target::dropped;
    return;
  }
  entries.push_back({key, word, {}, reported});
  if (!value.text.empty()) entries.back().value.append(value.text, value.span);
  target_ = Target::entry;
  wrap_reported_ = false;
}

void SectionReader::unknown_key(const Token& word, const Token& value) {
  const SectionSpec& section = spec(current());
  target_ = Target::dropped;
  form_ = Form::numbers;
  const std::string lower = to_lower(word.text);
  if (lower == "port-gid" || lower == "subnet-prefix") {
    diagnostics_.add(kUnsupportedCriterion, word.span,
                     fmt::format("`{}` is not supported: its syntax is not published", word.text));
    open_.back().section.excused = true;
    return;
  }
  Diagnostic& d = diagnostics_.add(kUnknownQualifier, word.span,
                                   fmt::format("unknown qualifier `{}` of `{}`", word.text, section.begin));
  const auto words = words_of(section);
  if (const std::string_view home = home_of(word.text); !home.empty()) {
    d.hint = fmt::format("it belongs in `{}`", home);
  } else if (const std::string_view meant = nearest(word.text, words); !meant.empty()) {
    d.hint = fmt::format("did you mean `{}`?", meant);
    return add(*find_key(section.id, meant), word, value, true);
  } else {
    d.hint = fmt::format("the qualifiers are `{}`", fmt::join(words, "`, `"));
  }
  open_.back().section.excused = true;
}

void SectionReader::stray(const Token& content) {
  target_ = Target::nothing;
  if (!open_.empty()) open_.back().section.excused = true;
  if (stray_reported_) return;
  stray_reported_ = true;
  const auto known = sections();
  std::vector<std::string_view> words;
  for (const SectionSpec& section : known)
    if (section.parent == current()) words.push_back(section.begin);
  diagnostics_.add(kTextOutsideParagraph, content.span,
                   fmt::format("expected `{}`, saw other text", fmt::join(words, "`, `")));
}

void SectionReader::check_case(const Token& word, std::string_view right) {
  if (word.text != right)
    diagnostics_.add(kKeywordCase, word.span, fmt::format("`{}` is read as `{}`", word.text, right));
}

}  // namespace rch::parsers::qos_policy
