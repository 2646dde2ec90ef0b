#include "parsers/common/block_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/rules.h"

namespace rch::parsers {
namespace {

/// OpenSM needs no line ends; nobody writes a policy in one line.
constexpr std::size_t kPieces = 16;

/// Characters at which a value goes on in the next line.
std::string_view joints(Form form) {
  switch (form) {
    case Form::statement:
      return ",-:";
    case Form::numbers:
      return ",-";
    case Form::names:
      return ",";
    default:
      return "";
  }
}

}  // namespace

void BlockReader::line(const Token& content) {
  rest_reported_ = false;
  Token rest = content;
  for (std::size_t pieces = 0; !rest.text.empty() && pieces < kPieces; ++pieces) rest = piece(rest);
  if (!rest.text.empty())
    diagnostics_.add(kBadValue, rest.span, fmt::format("more than {} definitions on one line", kPieces));
}

/// What is open at the end of the text was cut off: its end is missing, and perhaps more.
std::vector<RawBlock> BlockReader::finish() {
  for (Open& open : open_) open.block.excused = true;
  while (!open_.empty()) close_unended();
  return std::move(done_);
}

Token BlockReader::piece(const Token& content) {
  if (auto rest = bound_line(content)) return *rest;
  if (continues(content)) return join(content);
  if (const std::string meant = bound_meant(content); !meant.empty())
    misspelt_bound(lone_word(content), meant);
  else if (foreign_)
    return {};
  else if (in_statements())
    return statement_line(content);
  else if (current() == nullptr || current()->keywords.empty())
    stray(content);
  else
    return definition_line(content);
  return {};
}

// What a line is.

bool BlockReader::is_open(std::string_view begin) const {
  return std::any_of(open_.begin(), open_.end(), [&](const Open& o) { return o.block.spec->begin == begin; });
}

/// A line of its own, wherever it stands.
bool BlockReader::begins_definition(const Token& content) const {
  if (in_statements()) return current()->starts_statement(content.text);
  return split_definition(content).has_value();
}

/// `name=H-1/U1 pmask=0x2`: part of the value of an unsupported keyword.
bool BlockReader::is_assignment(const Token& content) const {
  const Token key = first_key(content);
  const std::size_t end = key.span.end - content.span.begin;
  return end < content.text.size() && content.text[end] == '=';
}

/// By words, lists go on at a comma, numbers at a dash too, and a value that has not begun on any line that
/// cannot begin anything. By lines, every value does the latter.
bool BlockReader::continues(const Token& content) const {
  if (value_ == &dropped_ && by_lines() && is_assignment(content)) return true;
  if (value_ == nullptr || begins_definition(content)) return false;
  const std::string_view text = content.text, before = value_->text();
  if (by_lines())
    return bound_meant(content).empty() &&
           BlockWords::find_keyword(current(), first_key(content).text) == nullptr;
  if (before.empty()) return text.front() == ':' || bound_meant(content).empty();
  const std::string_view at = joints(form_);
  return at.find(text.front()) != std::string_view::npos || at.find(before.back()) != std::string_view::npos;
}

/// The only word of a line, which a colon may follow; else empty.
Token BlockReader::lone_word(const Token& content) const {
  const auto definition = split_definition(content);
  if (definition) return definition->value.text.empty() ? definition->key : Token{};
  return content.text.find_first_of(" \t") == std::string::npos ? content : Token{};
}

/// The bound that a line of one word resembles; empty if it may be something else.
std::string BlockReader::bound_meant(const Token& content) const {
  const Token word = lone_word(content);
  if (word.text.empty() || BlockWords::find_keyword(current(), word.text) != nullptr) return {};
  if (in_statements() && current()->starts_statement(word.text)) return {};
  const std::string_view meant = words_.nearest_bound(word.text, current());
  const bool end_of_something = !open_.empty() && to_lower(word.text).starts_with("end-");
  return meant.empty() && end_of_something ? end_of(current()->begin) : std::string(meant);
}

// Begin and end of blocks.

std::optional<Token> BlockReader::bound_line(const Token& content) {
  const Token word = first_word(content);
  const std::string lower = to_lower(word.text);
  if (BlockWords::find_keyword(current(), lower) != nullptr) return std::nullopt;
  Token rest = rest_of(content, word.text.size());
  const bool colon = rest.text.starts_with(':');
  const Span up_to_colon{word.span.source, word.span.end, rest.span.begin + 1};
  if (colon) rest = rest_of(rest, 1);
  if (by_lines() && !rest.text.empty()) return std::nullopt;
  const auto found = words_.find_bound(lower);
  if (!found) {
    if (!words_.is_foreign(lower)) return std::nullopt;
    foreign(word, lower.starts_with("end-"));
    return rest;
  }
  // A name that begins so, behind the comma of the line above.
  if (found->begins && !colon && !rest.text.empty() && form_ == Form::names && continues(content))
    return std::nullopt;
  check_case(word, lower);
  if (colon)
    diagnostics_.add(kKeywordWithColon, word.span, fmt::format("`{}` takes no colon", word.text))
        .fixes.push_back({up_to_colon, ""});
  bound(*found, word);
  report_rest(rest);
  return rest;
}

void BlockReader::misspelt_bound(const Token& word, const std::string& meant) {
  diagnostics_.add(kUnknownKeyword, word.span, fmt::format("unknown keyword `{}`", word.text)).hint =
      fmt::format("did you mean `{}`?", meant);
  const auto found = words_.find_bound(meant);
  bound(*found, word);
  if (found->begins) open_.back().guessed = true;
}

void BlockReader::bound(const BlockWords::Bound& bound, const Token& word) {
  value_ = nullptr;
  if (bound.begins)
    begin(*bound.block, word);
  else if (!std::exchange(foreign_, false))
    end(*bound.block, word);
  foreign_ = stray_reported_ = false;
}

void BlockReader::begin(const BlockSpec& spec, const Token& word) {
  const std::string_view parent = spec.parent;
  while (!open_.empty() && (parent.empty() || (is_open(parent) && current()->begin != parent)))
    close_unended(&word);
  if (!parent.empty() && !is_open(parent)) {
    // The block round the misplaced one stays open: what follows may belong to it.
    while (!open_.empty() && !current()->keywords.empty() && !in_statements()) close_unended();
    diagnostics_.add(kMisplacedSection, word.span, fmt::format("`{}` outside `{}`", spec.begin, parent))
        .hint = fmt::format("put it between `{}` and `{}`", parent, end_of(parent));
    push(*words_.find_bound(parent)->block, word, true);
  }
  push(spec, word, false);
}

void BlockReader::push(const BlockSpec& spec, const Token& word, bool implied) {
  if (!open_.empty()) ++open_.back().children;
  open_.push_back({{&spec, word, {}, false}, implied, false, false, 0});
}

void BlockReader::end(const BlockSpec& spec, const Token& word) {
  const std::string written = end_of(spec.begin);
  if (!is_open(spec.begin)) {
    // `end-port-group` for `end-port-groups`: whether it closes the section shows in what follows.
    const std::string expected = open_.empty() ? std::string() : end_of(current()->begin);
    const std::string_view candidates[] = {expected};
    if (!open_.empty() && !nearest(written, candidates).empty()) open_.back().end_reported = true;
    if (!stray_reported_)
      diagnostics_.add(kStrayEnd, word.span, fmt::format("`{}` without a `{}`", written, spec.begin));
    return;
  }
  while (current() != &spec) close_unended();
  close();
}

/// The begin or end of a block of another dialect; what stands between them is skipped.
void BlockReader::foreign(const Token& word, bool ends) {
  if (!foreign_) {
    diagnostics_.add(kForeignParagraph, word.span,
                     fmt::format("`{}` does not belong in a file of `{}` paragraphs", word.text,
                                 dialect_.blocks.front().begin));
    while (!open_.empty()) close();
  }
  foreign_ = !ends;
}

/// Closes a block whose end keyword never came. `next` is the begin of the block that took its place.
void BlockReader::close_unended(const Token* next) {
  const Open& open = open_.back();
  if (open.guessed && open.block.entries.empty() && open.children == 0) {
    open_.pop_back();
    return;
  }
  if (!open.implied && !open.end_reported) report_unended(next);
  close();
}

void BlockReader::report_unended(const Token* next) {
  const RawBlock& block = open_.back().block;
  const std::string_view begin = block.spec->begin;
  if (next == nullptr || dialect_.nested())
    diagnostics_.add(kMissingEnd, block.keyword.span, fmt::format("`{}` has no `{}`", begin, end_of(begin)));
  else
    diagnostics_
        .add(kMissingEnd, next->span, fmt::format("`{}` inside a paragraph that is still open", begin))
        .labels.push_back({block.keyword.span, "the paragraph begins here"});
}

void BlockReader::close() {
  value_ = nullptr;
  Open open = std::move(open_.back());
  open_.pop_back();
  RawBlock& block = open.block;
  const bool empty = open.children == 0 && block.entries.empty();
  if (!block.excused && !block.spec->may_be_empty && empty)
    diagnostics_.add(kEmptySection, block.keyword.span, fmt::format("`{}` is empty", block.spec->begin));
  if (!block.excused) check_required(block);
  done_.push_back(std::move(block));
}

void BlockReader::check_required(const RawBlock& block) {
  for (const Keyword& keyword : block.spec->keywords) {
    if (keyword.occurs != Occurs::required) continue;
    const bool present = std::any_of(block.entries.begin(), block.entries.end(),
                                     [&](const RawEntry& e) { return e.keyword == &keyword; });
    if (!present)
      diagnostics_.add(kMissingQualifier, block.keyword.span,
                       fmt::format("this `{}` has no `{}`", block.spec->begin, keyword.word));
  }
}

void BlockReader::check_case(const Token& word, std::string_view right) {
  if (word.text != right)
    diagnostics_.add(kKeywordCase, word.span, fmt::format("`{}` is read as `{}`", word.text, right))
        .fixes.push_back({word.span, std::string(right)});
}

}  // namespace rch::parsers
