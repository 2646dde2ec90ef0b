#include "parsers/common/paragraph_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/rules.h"

namespace rch::parsers {
namespace {

constexpr std::size_t kLongestValue = 256;  ///< characters NVIDIA SM takes (config-files 2)

std::string_view first_word(std::string_view line) { return line.substr(0, line.find_first_of(" \t=")); }

bool one_word(std::string_view line) { return line.find_first_of(" \t") == std::string_view::npos; }

/// The part of a line token behind its first `skip` bytes, blanks and one `=` dropped.
Token rest_of(const Token& line, std::size_t skip) {
  std::size_t at = line.text.find_first_not_of(" \t", skip);
  if (at != std::string::npos && line.text[at] == '=') at = line.text.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos) at = line.text.size();
  return {line.text.substr(at),
          {line.span.source, line.span.begin + static_cast<std::uint32_t>(at), line.span.end}};
}

Token head_of(const Token& line, std::size_t length) {
  return {line.text.substr(0, length),
          {line.span.source, line.span.begin, line.span.begin + static_cast<std::uint32_t>(length)}};
}

}  // namespace

ParagraphReader::ParagraphReader(const ParagraphSpec& spec, Diagnostics& diagnostics)
    : spec_(spec), diagnostics_(diagnostics) {
  for (const QualifierSpec& qualifier : spec.qualifiers) words_.push_back(qualifier.word);
}

void ParagraphReader::qualifier(const Token& key, const Token& value) {
  if (value.text.empty() && (keyword(key, value.span.begin) || misspelt_keyword(key))) return;
  if (where_ == Where::foreign) return;
  if (where_ == Where::outside) {
    stray({key.text + ":", {key.span.source, key.span.begin, std::max(key.span.end, value.span.end)}});
    return;
  }
  if (const auto spec = find_qualifier(key.text))
    add(*spec, key, value, false);
  else
    unknown_qualifier(key, value);
}

void ParagraphReader::text(const Token& line) {
  if (one_word(line.text) && (keyword(line, {}) || misspelt_keyword(line))) return;
  if (where_ == Where::foreign) return;
  if (where_ == Where::outside) {
    stray(line);
    return;
  }
  const std::string_view word = first_word(line.text);
  if (const auto spec = find_qualifier(word)) {
    const Token key = head_of(line, word.size()), value = rest_of(line, word.size());
    Diagnostic& d =
        diagnostics_.add(kMissingColon, key.span, fmt::format("expected `:` after `{}`", key.text));
    d.hint = fmt::format("write `{}: …`", spec_.qualifiers[*spec].word);
    d.fixes.push_back({{key.span.source, key.span.end, value.span.begin}, value.text.empty() ? ":" : ": "});
    add(*spec, key, value, true);
    return;
  }
  continuation(line);
}

std::vector<Paragraph> ParagraphReader::finish() {
  if (where_ == Where::inside) {
    diagnostics_.add(kMissingEnd, open_.keyword.span,
                     fmt::format("`{}` has no `{}`", spec_.begin, spec_.end));
    close();
  }
  return std::move(done_);
}

bool ParagraphReader::keyword(const Token& word, std::optional<std::uint32_t> behind_colon) {
  const std::string lower = to_lower(word.text);
  const bool begins = lower == spec_.begin, ends = lower == spec_.end;
  const std::string_view bare =
      std::string_view(lower).starts_with("end-") ? std::string_view(lower).substr(4) : lower;
  // Inside a routing chain `topology` is a qualifier, not a paragraph of another file.
  const bool qualifier = where_ == Where::inside && find_qualifier(lower);
  const bool known = std::find(std::begin(kParagraphKeywords), std::end(kParagraphKeywords), bare) !=
                     std::end(kParagraphKeywords);
  if (!known || qualifier) return false;
  if (!begins && !ends) {
    foreign(word);
    return true;
  }
  check_case(word);
  if (behind_colon)
    diagnostics_.add(kKeywordWithColon, word.span, fmt::format("`{}` takes no colon", word.text))
        .fixes.push_back({{word.span.source, word.span.end, *behind_colon}, ""});
  if (begins)
    begin(word);
  else
    end(word);
  return true;
}

bool ParagraphReader::misspelt_keyword(const Token& word) {
  if (find_qualifier(word.text)) return false;
  const std::string_view words[] = {spec_.begin, spec_.end};
  std::string_view meant = nearest(word.text, words);
  if (meant.empty() && where_ == Where::inside && to_lower(word.text).starts_with("end-")) meant = spec_.end;
  if (meant.empty()) return false;
  diagnostics_.add(kUnknownKeyword, word.span, fmt::format("unknown keyword `{}`", word.text)).hint =
      fmt::format("did you mean `{}`?", meant);
  if (meant == spec_.begin)
    begin(word);
  else
    end(word);
  return true;
}

void ParagraphReader::begin(const Token& word) {
  if (where_ == Where::inside) {
    diagnostics_
        .add(kMissingEnd, word.span, fmt::format("`{}` inside a paragraph that is still open", spec_.begin))
        .labels.push_back({open_.keyword.span, "the paragraph begins here"});
    close();
  }
  where_ = Where::inside;
  stray_reported_ = false;
  open_ = Paragraph{word, {}};
  value_open_ = value_ignored_ = excused_ = false;
}

void ParagraphReader::end(const Token& word) {
  if (where_ == Where::inside)
    close();
  else if (where_ == Where::outside && !stray_reported_)
    diagnostics_.add(kStrayEnd, word.span, fmt::format("`{}` without a `{}`", spec_.end, spec_.begin));
  where_ = Where::outside;
  stray_reported_ = false;
}

void ParagraphReader::foreign(const Token& word) {
  const bool ends = to_lower(word.text).starts_with("end-");
  if (where_ == Where::foreign) {
    if (ends) where_ = Where::outside;
    return;
  }
  diagnostics_.add(kForeignParagraph, word.span,
                   fmt::format("`{}` does not belong in a file of `{}` paragraphs", word.text, spec_.begin));
  if (where_ == Where::inside) close();
  where_ = ends ? Where::outside : Where::foreign;
}

void ParagraphReader::close() {
  if (!excused_) check_counts();
  for (Qualifier& qualifier : open_.qualifiers) check_value(qualifier);
  done_.push_back(std::move(open_));
  open_ = {};
  where_ = Where::outside;
}

void ParagraphReader::stray(const Token& line) {
  if (stray_reported_) return;
  stray_reported_ = true;
  diagnostics_.add(kTextOutsideParagraph, line.span,
                   fmt::format("expected `{}`, saw text outside every paragraph", spec_.begin));
}

void ParagraphReader::add(std::size_t spec, const Token& key, const Token& value, bool guessed) {
  const QualifierSpec& kind = spec_.qualifiers[spec];
  if (!guessed) check_case(key);
  value_open_ = true;
  value_ignored_ = false;
  const auto first = std::find_if(open_.qualifiers.begin(), open_.qualifiers.end(),
                                  [&](const Qualifier& q) { return q.spec == spec; });
  if (kind.repeat != Repeat::freely && first != open_.qualifiers.end()) {
    if (!guessed && !first->guessed) {
      Diagnostic& d = diagnostics_.add(kRepeatedQualifier, key.span,
                                       fmt::format("`{}` stands twice in this paragraph", kind.word));
      d.labels.push_back({first->key.span, "first here"});
      if (kind.repeat == Repeat::last_wins) d.severity = Severity::warning;
    }
    if (kind.repeat == Repeat::last_wins) {
      open_.qualifiers.erase(first);
    } else {
      value_ignored_ = true;
      return;
    }
  }
  Qualifier qualifier{spec, key, {}, guessed, false};
  if (!value.text.empty()) qualifier.value.append(value.text, value.span);
  open_.qualifiers.push_back(std::move(qualifier));
}

void ParagraphReader::continuation(const Token& line) {
  if (value_ignored_) return;
  if (!value_open_) {
    diagnostics_.add(kMissingColon, line.span, "expected a qualifier with a colon").hint =
        fmt::format("such as `{}: …`, or `{}`", words_.front(), spec_.end);
    value_ignored_ = excused_ = true;
    return;
  }
  Qualifier& last = open_.qualifiers.back();
  diagnostics_
      .add(kContinuedLine, line.span, fmt::format("this line continues the value of `{}`", last.key.text))
      .labels.push_back({last.key.span, "the qualifier"});
  last.value.append(line.text, line.span);
}

std::optional<std::size_t> ParagraphReader::find_qualifier(std::string_view word) const {
  const auto at = std::find(words_.begin(), words_.end(), to_lower(word));
  if (at == words_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - words_.begin());
}

void ParagraphReader::unknown_qualifier(const Token& key, const Token& value) {
  const std::string_view meant = nearest(key.text, words_);
  value_open_ = value_ignored_ = true;
  excused_ = excused_ || meant.empty();
  if (key.text == "obj_list" || key.text == "pmask") {
    diagnostics_
        .add(kUnsupportedGroupSyntax, key.span,
             fmt::format("`{}` is not part of the documented group syntax", key.text))
        .hint = "list the ports with `port-guid: GUID@PORT/PORT`";
    return;
  }
  Diagnostic& d = diagnostics_.add(kUnknownQualifier, key.span,
                                   fmt::format("unknown qualifier `{}` of `{}`", key.text, spec_.begin));
  if (meant.empty()) {
    d.hint = fmt::format("the qualifiers are `{}`", fmt::join(words_, "`, `"));
    return;
  }
  d.hint = fmt::format("did you mean `{}`?", meant);
  add(*find_qualifier(meant), key, value, true);
}

void ParagraphReader::check_counts() {
  for (std::size_t spec = 0; spec < spec_.qualifiers.size(); ++spec) {
    if (!spec_.qualifiers[spec].required) continue;
    const bool present = std::any_of(open_.qualifiers.begin(), open_.qualifiers.end(),
                                     [&](const Qualifier& q) { return q.spec == spec; });
    if (!present)
      diagnostics_.add(kMissingQualifier, open_.keyword.span,
                       fmt::format("this `{}` has no `{}`", spec_.begin, spec_.qualifiers[spec].word));
  }
}

void ParagraphReader::check_value(Qualifier& qualifier) {
  const QualifierSpec& kind = spec_.qualifiers[qualifier.spec];
  const std::string& text = qualifier.value.text();
  if (text.empty() && !kind.may_be_empty) {
    qualifier.broken = true;
    if (!qualifier.guessed)
      diagnostics_.add(kEmptyValue, qualifier.key.span, fmt::format("`{}` has no value", kind.word));
  }
  if (text.size() > kLongestValue)
    diagnostics_.add(kValueTooLong, qualifier.value.span(),
                     fmt::format("a value of {} characters; NVIDIA SM takes {}", text.size(), kLongestValue));
  const std::size_t colon = text.find(':');
  if (kind.own_colons || colon == std::string::npos) return;
  diagnostics_.add(kColonInValue, qualifier.value.span(colon, colon + 1),
                   fmt::format("a colon inside the value of `{}`", kind.word));
  qualifier.broken = true;
}

void ParagraphReader::check_case(const Token& word) {
  const std::string lower = to_lower(word.text);
  if (lower != word.text)
    diagnostics_.add(kKeywordCase, word.span, fmt::format("`{}` is read as `{}`", word.text, lower))
        .fixes.push_back({word.span, lower});
}

}  // namespace rch::parsers
