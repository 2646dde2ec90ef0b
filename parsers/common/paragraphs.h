#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"
#include "parsers/common/value.h"

namespace rch::parsers {

/// How often a qualifier may stand in one paragraph.
enum class Repeat {
  never,      ///< a second one is an error
  last_wins,  ///< a second one is a warning
  freely,
};

struct QualifierSpec {
  std::string_view word;
  bool required = false;
  Repeat repeat = Repeat::never;
  bool may_be_empty = false;
  bool own_colons = false;  ///< the value's own grammar deals with colons
};

/// One kind of paragraph.
struct ParagraphSpec {
  std::string_view begin;
  std::string_view end;
  std::span<const QualifierSpec> qualifiers;
};

struct Qualifier {
  std::size_t spec = 0;  ///< index into ParagraphSpec::qualifiers
  Token key;
  Value value;
  bool guessed = false;  ///< the key was misspelt or lacks its colon; reported already
  bool broken = false;   ///< reported already; its value must not be used
};

struct Paragraph {
  Token keyword;
  std::vector<Qualifier> qualifiers;  ///< at most one each where Repeat says so

  /// Nothing if absent or broken.
  const Value* find(std::size_t spec) const;
};

/// Reads a file of one kind of paragraph. Recovers at each line: a mistake costs its own line (or value), a
/// missing end keyword nothing. Misspelt words are reported and then read as the word they resemble, so that
/// no mistake follows from another.
std::vector<Paragraph> parse_paragraphs(const SourceSet& sources, SourceId source, const ParagraphSpec& spec,
                                        Diagnostics& diagnostics);

/// All paragraph keywords of the three dialects: `port-group`, `topology`, `unicast-step`.
inline constexpr std::string_view kParagraphKeywords[] = {"port-group", "topology", "unicast-step"};

}  // namespace rch::parsers
