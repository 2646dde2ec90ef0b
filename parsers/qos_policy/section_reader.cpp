#include "parsers/qos_policy/section_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/qos_policy/cuts.h"
#include "parsers/qos_policy/rules.h"
#include "parsers/qos_policy/ulps.h"
#include "parsers/rules.h"

namespace rch::parsers::qos_policy {
namespace {

/// OpenSM needs no line ends; nobody writes a policy in one line.
constexpr std::size_t kPieces = 16;

std::vector<std::string_view> words_of(const SectionSpec& section) {
  std::vector<std::string_view> words;
  for (const KeySpec& key : section.keys) words.push_back(key.word);
  return words;
}

const SectionSpec* find_section(std::string_view keyword) {
  const auto known = sections();
  const auto at = std::find_if(known.begin(), known.end(), [&](const SectionSpec& section) {
    return section.begin == keyword || section.end == keyword;
  });
  return at == known.end() ? nullptr : &*at;
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
  rest_reported_ = false;
  Token rest = content;
  for (std::size_t pieces = 0; !rest.text.empty() && pieces < kPieces; ++pieces) rest = piece(rest);
  if (!rest.text.empty())
    diagnostics_.add(kBadValue, rest.span, fmt::format("more than {} definitions on one line", kPieces));
}

Token SectionReader::piece(const Token& content) {
  if (auto rest = keyword_line(content)) return *rest;
  if (continues(content)) return join(content);
  if (const std::string_view meant = keyword_meant(content); !meant.empty())
    misspelt_keyword(content, meant);
  else if (current() == SectionId::qos_ulps)
    return ulp_line(content);
  else if (current() == SectionId::none || spec(current()).keys.empty())
    stray(content);
  else
    return entry_line(content);
  return {};
}

std::vector<Section> SectionReader::finish() {
  while (!open_.empty()) close_unended();
  return std::move(done_);
}

/// A line of its own, wherever it stands. `9:127` goes on with a list of pairs.
bool SectionReader::begins_definition(const Token& content) const {
  if (current() == SectionId::qos_ulps) return starts_ulp(content.text);
  const auto qualifier = split_qualifier(content);
  return qualifier && !parse_integer(qualifier->key.text);
}

/// Lists go on next to a comma, numbers next to a dash too, and a value that has not begun on any line that
/// cannot begin anything.
bool SectionReader::continues(const Token& content) {
  if (target_ == Target::nothing || begins_definition(content)) return false;
  const std::string_view text = content.text, before = value().text();
  if (before.empty()) return text.front() == ':' || keyword_meant(content).empty();
  const std::string_view joints = target_ == Target::ulp   ? ",-:"
                                  : form_ == Form::numbers ? ",-"
                                  : form_ == Form::names   ? ","
                                                           : "";
  return joints.find(text.front()) != std::string_view::npos ||
         joints.find(before.back()) != std::string_view::npos;
}

Token SectionReader::join(const Token& content) {
  const bool late_colon = target_ != Target::ulp && value().empty() && content.text.front() == ':';
  const Token text = late_colon ? rest_of(content, 1) : content;
  report_wrap(content);
  return take(text);
}

/// Appends a text to the open value, as far as it belongs to it.
Token SectionReader::take(const Token& text) {
  const std::size_t end = target_ == Target::ulp ? end_of_ulp(text.text) : end_of_value(form_, text.text);
  const Token own = part(text, 0, trim(std::string_view(text.text).substr(0, end)).size());
  if (!own.text.empty()) value().append(own.text, own.span);
  const Token rest = part(text, end, text.text.size());
  if (end > 0) report_rest(rest);
  return rest;
}

void SectionReader::report_rest(const Token& rest) {
  const bool keyword = find_section(to_lower(first_word(rest).text)) != nullptr;
  if (rest_reported_ || !(keyword || begins_definition(rest))) return;
  rest_reported_ = true;
  diagnostics_.add(kKeywordNotAlone, rest.span, "a further definition on this line").hint =
      "begin a new line here";
}

void SectionReader::report_wrap(const Token& content) {
  if (wrap_reported_ || target_ == Target::dropped) return;
  const Value& open = value();
  const bool bare = open.empty();
  if (bare && open_.back().section.entries.back().reported) return;
  const bool at_comma = !bare && (open.text().back() == ',' || content.text.front() == ',');
  if (at_comma && form_ == Form::numbers) return;
  wrap_reported_ = true;
  Diagnostic& d =
      diagnostics_.add(kWrappedValue, content.span, "this line continues the value of the line above");
  d.labels.push_back({bare ? open_.back().section.entries.back().word.span : open.span(),
                      bare ? "the qualifier" : "the value so far"});
  // Behind a list OpenSM finds the colon, behind a bare `default` or `sdp` it wants it on the same line.
  if (content.text.front() == ':' && !bare && open.text().find(',') == std::string::npos) {
    d.severity = Severity::error;
    d.hint = fmt::format("write `{} :` on one line", open.text());
  }
}

std::optional<Token> SectionReader::keyword_line(const Token& content) {
  const Token word = first_word(content);
  const std::string lower = to_lower(word.text);
  const SectionSpec* section = find_section(lower);
  if (section == nullptr) return std::nullopt;
  Token rest = rest_of(content, word.text.size());
  // A name that begins so, behind the comma of the line above.
  const bool begins = section->begin == lower, alone = rest.text.empty() || rest.text.front() == ':';
  if (begins && !alone && form_ == Form::names && continues(content)) return std::nullopt;
  check_case(word, lower);
  if (rest.text.starts_with(':')) {
    diagnostics_.add(kKeywordWithColon, word.span, fmt::format("`{}` takes no colon", word.text));
    rest = rest_of(rest, 1);
  }
  keyword(*section, begins, word);
  if (!rest.text.empty()) report_rest(rest);
  return rest;
}

/// What a line of one word resembles that is no keyword; empty if it may be something else.
std::string_view SectionReader::keyword_meant(const Token& content) const {
  if (content.text.find_first_of(" \t:,") != std::string::npos || find_key(current(), content.text) ||
      starts_ulp(content.text))
    return {};
  std::vector<std::string_view> words;
  for (const SectionSpec& section : sections()) words.insert(words.end(), {section.begin, section.end});
  const std::string_view meant = nearest(content.text, words);
  const bool end_of_something = !open_.empty() && to_lower(content.text).starts_with("end-");
  return meant.empty() && end_of_something ? spec(current()).end : meant;
}

void SectionReader::misspelt_keyword(const Token& content, std::string_view meant) {
  diagnostics_.add(kUnknownKeyword, content.span, fmt::format("unknown keyword `{}`", content.text)).hint =
      fmt::format("did you mean `{}`?", meant);
  const SectionSpec& section = *find_section(meant);
  keyword(section, section.begin == meant, content);
  if (!open_.empty() && open_.back().section.keyword.span == content.span) open_.back().guessed = true;
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

Token SectionReader::ulp_line(const Token& content) {
  open_.back().section.lines.emplace_back();
  target_ = Target::ulp;
  form_ = Form::numbers;
  wrap_reported_ = false;
  return take(content);
}

Token SectionReader::entry_line(const Token& content) {
  if (const auto split = split_qualifier(content)) {
    if (const auto key = find_key(current(), split->key.text))
      add(*key, split->key, false);
    else
      unknown_key(split->key);
    return take(split->value);
  }
  const Token word = first_word(content);
  if (const auto key = find_key(current(), word.text)) {
    diagnostics_.add(kMissingColon, word.span, fmt::format("expected `:` after `{}`", word.text)).hint =
        fmt::format("write `{}: …`", to_lower(word.text));
    add(*key, word, true);
    return take(rest_of(content, word.text.size()));
  }
  target_ = Target::nothing;
  open_.back().section.excused = true;
  if (!stray_reported_)
    diagnostics_.add(kMissingColon, content.span, "expected a qualifier with a colon").hint =
        fmt::format("such as `{}: …`, or `{}`", spec(current()).keys.front().word, spec(current()).end);
  stray_reported_ = true;
  return {};
}

/// Opens the value of a qualifier.
void SectionReader::add(std::size_t key, const Token& word, bool reported) {
  const KeySpec& known = spec(current()).keys[key];
  if (!reported) check_case(word, known.word);
  stray_reported_ = wrap_reported_ = false;
  form_ = known.form;
  auto& entries = open_.back().section.entries;
  const auto first =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  if (!known.once || first == entries.end()) {
    entries.push_back({key, word, {}, reported});
    target_ = Target::entry;
    return;
  }
  drop_value();
  if (!reported && !first->reported)
    diagnostics_
        .add(kRepeatedQualifier, word.span, fmt::format("`{}` stands twice in this paragraph", known.word))
        .labels.push_back({first->word.span, "first here"});
}

void SectionReader::drop_value() {
  target_ = Target::dropped;
  dropped_ = {};
}

void SectionReader::unknown_key(const Token& word) {
  const SectionSpec& section = spec(current());
  form_ = Form::numbers;
  drop_value();
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
    return add(*find_key(section.id, meant), word, true);
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
