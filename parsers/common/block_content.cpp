// BlockReader: the lines between the begin and the end of a block.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/block_reader.h"
#include "parsers/rules.h"

namespace rch::parsers {
namespace {

std::string listed(const std::vector<std::string_view>& words) {
  return fmt::format("`{}`", fmt::join(words, "`, `"));
}

}  // namespace

Token BlockReader::statement_line(const Token& content) {
  RawBlock& block = open_.back().block;
  block.entries.push_back({&block.spec->keywords.front(), {}, {}});
  value_ = &last_entry().value;
  form_ = Form::statement;
  wrap_reported_ = false;
  return take(content);
}

Token BlockReader::definition_line(const Token& content) {
  if (const auto definition = split_definition(content)) {
    if (const Keyword* keyword = BlockWords::find_keyword(current(), definition->key.text))
      add(*keyword, definition->key, false);
    else
      unknown_keyword(definition->key);
    return take(definition->value);
  }
  const Token key = first_key(content);
  const Keyword* keyword = BlockWords::find_keyword(current(), key.text);
  if (keyword == nullptr) {
    no_definition(content);
    return {};
  }
  Token value = rest_of(content, key.text.size());
  if (value.text.starts_with('=')) value = rest_of(value, 1);
  report_missing_colon(key, value);
  add(*keyword, key, true);
  return take(value);
}

Token BlockReader::join(const Token& content) {
  const bool late_colon = form_ != Form::statement && value_->empty() && content.text.front() == ':';
  const Token text = late_colon ? rest_of(content, 1) : content;
  report_wrap(content);
  return take(text);
}

/// Appends a text to the open value, as far as it belongs to it.
Token BlockReader::take(const Token& text) {
  const std::size_t end = form_ == Form::statement ? words_.end_of_statement(*current(), text.text)
                                                   : words_.end_of_value(form_, text.text);
  const Token own = part(text, 0, trim(std::string_view(text.text).substr(0, end)).size());
  if (!own.text.empty()) value_->append(own.text, own.span);
  const Token rest = part(text, end, text.text.size());
  if (end > 0) report_rest(rest);
  return rest;
}

/// Opens the value of a keyword.
void BlockReader::add(const Keyword& keyword, const Token& word, bool reported) {
  if (!reported) check_case(word, keyword.word);
  stray_reported_ = wrap_reported_ = false;
  form_ = keyword.form;
  if (repeated(keyword, word, reported)) return drop_value();
  open_.back().block.entries.push_back({&keyword, word, {}, reported});
  value_ = &last_entry().value;
}

/// Reports a keyword that stands twice and may not. True if the second one does not count.
bool BlockReader::repeated(const Keyword& keyword, const Token& word, bool reported) {
  auto& entries = open_.back().block.entries;
  const auto first =
      std::find_if(entries.begin(), entries.end(), [&](const RawEntry& e) { return e.keyword == &keyword; });
  if (keyword.occurs == Occurs::freely || first == entries.end()) return false;
  const bool last_wins = keyword.occurs == Occurs::last_wins;
  if (!reported && !first->reported) {
    Diagnostic& d = diagnostics_.add(kRepeatedQualifier, word.span,
                                     fmt::format("`{}` stands twice in this paragraph", keyword.word));
    d.labels.push_back({first->word.span, "first here"});
    if (last_wins) d.severity = Severity::warning;
  }
  if (last_wins) entries.erase(first);
  return !last_wins;
}

void BlockReader::drop_value() {
  dropped_ = {};
  value_ = &dropped_;
}

void BlockReader::unknown_keyword(const Token& word) {
  const BlockSpec& spec = *current();
  form_ = Form::numbers;
  drop_value();
  const auto unsupported =
      std::find_if(dialect_.unsupported.begin(), dialect_.unsupported.end(),
                   [&](const UnsupportedKeyword& u) { return u.word == to_lower(word.text); });
  if (unsupported != dialect_.unsupported.end()) {
    diagnostics_.add(*unsupported->rule, word.span, fmt::format("`{}` {}", word.text, unsupported->what))
        .hint = unsupported->hint;
    open_.back().block.excused = true;
    return;
  }
  Diagnostic& d = diagnostics_.add(kUnknownQualifier, word.span,
                                   fmt::format("unknown qualifier `{}` of `{}`", word.text, spec.begin));
  const auto words = BlockWords::keywords(spec);
  if (const BlockSpec* home = words_.home_of(word.text); home != nullptr) {
    d.hint = fmt::format("it belongs in `{}`", home->begin);
  } else if (const std::string_view meant = nearest(word.text, words); !meant.empty()) {
    d.hint = fmt::format("did you mean `{}`?", meant);
    return add(*BlockWords::find_keyword(&spec, meant), word, true);
  } else {
    d.hint = fmt::format("the qualifiers are {}", listed(words));
  }
  open_.back().block.excused = true;
}

/// A line that no block takes.
void BlockReader::stray(const Token& content) {
  value_ = nullptr;
  if (!open_.empty()) open_.back().block.excused = true;
  if (std::exchange(stray_reported_, true)) return;
  std::vector<std::string_view> expected;
  for (const BlockSpec& spec : dialect_.blocks)
    if (spec.parent == (current() != nullptr ? current()->begin : "")) expected.push_back(spec.begin);
  diagnostics_.add(kTextOutsideParagraph, content.span,
                   fmt::format("expected {}, saw {}", listed(expected),
                               dialect_.nested() ? "other text" : "text outside every paragraph"));
}

/// A line that the open block cannot take.
void BlockReader::no_definition(const Token& content) {
  value_ = nullptr;
  open_.back().block.excused = true;
  if (!std::exchange(stray_reported_, true))
    diagnostics_.add(kMissingColon, content.span, "expected a qualifier with a colon").hint =
        fmt::format("such as `{}: …`, or `{}`", current()->keywords.front().word, end_of(current()->begin));
}

void BlockReader::report_missing_colon(const Token& key, const Token& value) {
  Diagnostic& d = diagnostics_.add(kMissingColon, key.span, fmt::format("expected `:` after `{}`", key.text));
  d.hint = fmt::format("write `{}: …`", to_lower(key.text));
  d.fixes.push_back({{key.span.source, key.span.end, value.span.begin}, value.text.empty() ? ":" : ": "});
}

void BlockReader::report_rest(const Token& rest) {
  if (rest.text.empty() || rest_reported_) return;
  if (!words_.find_bound(to_lower(first_word(rest).text)) && !begins_definition(rest)) return;
  rest_reported_ = true;
  diagnostics_.add(kKeywordNotAlone, rest.span, "a further definition on this line").hint =
      "begin a new line here";
}

void BlockReader::report_wrap(const Token& content) {
  if (value_ == &dropped_) return;
  const RawEntry& entry = last_entry();
  if (by_lines()) {
    diagnostics_
        .add(kContinuedLine, content.span,
             fmt::format("this line continues the value of `{}`", entry.word.text))
        .labels.push_back({entry.word.span, "the qualifier"});
    return;
  }
  const bool bare = value_->empty();
  if (wrap_reported_ || (bare && entry.reported)) return;
  const std::string& before = value_->text();
  const bool numbers = form_ == Form::numbers || form_ == Form::statement;
  if (!bare && numbers && (before.back() == ',' || content.text.front() == ',')) return;
  wrap_reported_ = true;
  Diagnostic& d =
      diagnostics_.add(kWrappedValue, content.span, "this line continues the value of the line above");
  const Span above = bare ? entry.word.span : value_->span();
  // A line of `qos-ulps` whose value is dropped shows neither.
  if (!above.source.is_none()) d.labels.push_back({above, bare ? "the qualifier" : "the value so far"});
  // Behind a list OpenSM finds the colon, behind a bare `default` or `sdp` it wants it on the same line.
  if (content.text.front() == ':' && !bare && before.find(',') == std::string::npos) {
    d.severity = Severity::error;
    d.hint = fmt::format("write `{} :` on one line", before);
  }
}

}  // namespace rch::parsers
