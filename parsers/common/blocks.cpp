#include "parsers/common/blocks.h"

#include <fmt/format.h>

#include "parsers/common/block_grammar.h"
#include "parsers/common/block_reader.h"
#include "parsers/common/text_rules.h"
#include "parsers/rules.h"

namespace rch::parsers {
namespace {

constexpr std::size_t kLongestValue = 256;  ///< characters NVIDIA SM takes (docs/keywords.md)

struct Lines : TextState {
  BlockReader& reader;
  Span comment = {};  ///< the last one

  void line(const Token& content) { reader.line(content); }
  void note(const Token& text) { comment = text.span; }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<block_grammar::bare_words> : Tell<&Lines::line> {};
template <>
struct Action<block_grammar::quoted_words> : Tell<&Lines::line> {};
template <>
struct Action<line_grammar::comment> : Tell<&Lines::note> {};

void report_open_comment(Span comment, Diagnostics& diagnostics) {
  Diagnostic& d = diagnostics.add(kCommentAtEnd, comment, "the file ends inside this comment");
  d.hint = "end the last line";
  d.fixes.push_back({{comment.source, comment.end, comment.end}, "\n"});
}

std::vector<RawBlock> read_lines(const std::string& text, SourceId source, const BlockDialect& dialect,
                                 Diagnostics& diagnostics) {
  BlockReader reader(dialect, diagnostics);
  Lines lines{{text.data(), source}, reader};
  if (dialect.scanner == Scanner::lines) {
    parse_text<line_grammar::file<block_grammar::bare_words>, Action>(text, lines);
  } else {
    parse_text<line_grammar::file<block_grammar::quoted_words>, Action>(text, lines);
    if (!lines.comment.source.is_none() && lines.comment.end == text.size())
      report_open_comment(lines.comment, diagnostics);
  }
  return reader.finish();
}

/// False, reported, for a value that must not be read.
bool check_value(const RawEntry& entry, Scanner scanner, Diagnostics& diagnostics) {
  const Keyword& keyword = *entry.keyword;
  const std::string& text = entry.value.text();
  if (text.empty() && !keyword.may_be_empty) {
    if (!entry.reported)
      diagnostics.add(kEmptyValue, entry.word.span, fmt::format("`{}` has no value", keyword.word)).hint =
          "write its value on this line, or take the line out";
    return false;
  }
  if (scanner == Scanner::words) return true;
  if (text.size() > kLongestValue)
    diagnostics.add(kValueTooLong, entry.value.span(),
                    fmt::format("a value of {} characters; NVIDIA SM takes {}", text.size(), kLongestValue));
  const std::size_t colon = text.find(':');
  if (keyword.own_colons || colon == std::string::npos) return true;
  diagnostics.add(kColonInValue, entry.value.span(colon, colon + 1),
                  fmt::format("a colon inside the value of `{}`", keyword.word));
  return false;
}

}  // namespace

void read_blocks(const SourceSet& sources, SourceId source, const BlockDialect& dialect, void* syntax,
                 Diagnostics& diagnostics) {
  const bool hash_anywhere = dialect.scanner == Scanner::words;
  const std::string text =
      prepare_text(sources, source,
                   {.hash_anywhere = hash_anywhere, .quotes = hash_anywhere, .returns_matter = hash_anywhere},
                   diagnostics);
  for (const RawBlock& raw : read_lines(text, source, dialect, diagnostics)) {
    if (raw.spec->add == nullptr) continue;
    Block& block = raw.spec->add(syntax);
    block.span = raw.keyword.span;
    block.lines_read = !raw.excused;
    for (const RawEntry& entry : raw.entries) {
      const bool read = check_value(entry, dialect.scanner, diagnostics) &&
                        entry.keyword->store(block, entry.value, entry.keyword->limits, diagnostics);
      block.values_read = block.values_read && read;
    }
  }
}

}  // namespace rch::parsers
