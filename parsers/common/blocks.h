#pragma once

#include <span>

#include "parsers/common/keyword.h"

namespace rch::parsers {

/// The files of blocks (docs/keywords.md and OpenSM's doc/QoS_management_in_OpenSM.txt): `BLOCK`, lines
/// `KEYWORD: VALUE`, `end-BLOCK`. A dialect is a table; one reader serves all of them.

/// A kind of block.
struct BlockSpec {
  std::string_view begin;                  ///< it ends at the same word behind `end-`
  std::span<const Keyword> keywords = {};  ///< none: it holds other blocks
  std::string_view parent = {};            ///< begin word of the block around it; empty: the file itself
  bool may_be_empty = true;
  /// Set where lines are statements without a keyword, which `keywords[0]` reads: true for the start of one.
  bool (*starts_statement)(std::string_view line) = nullptr;
  /// Appends a block to the syntax tree; null: the block leaves nothing there.
  Block& (*add)(void* syntax) = nullptr;
};

namespace detail {

template <class Syntax, class T>
T block_of(std::vector<T> Syntax::*);
template <class Syntax, class Field>
Syntax syntax_of(Field Syntax::*);

template <auto field>
Block& add(void* syntax) {
  return (static_cast<decltype(syntax_of(field))*>(syntax)->*field).emplace_back();
}

}  // namespace detail

/// A block that goes to a list of the syntax tree: `block<&Syntax::topologies>("topology", kKeywords)`. Does
/// not compile if a keyword fills a field of another type of block.
template <auto field>
constexpr BlockSpec block(std::string_view begin, std::span<const Keyword> keywords,
                          std::string_view parent = {}) {
  for (const Keyword& keyword : keywords)
    if (keyword.owner != nullptr && keyword.owner != &kTypeTag<decltype(detail::block_of(field))>)
      throw "a keyword of another type of block";
  return {begin, keywords, parent, true, nullptr, &detail::add<field>};
}

/// A keyword that others know and rch refuses.
struct UnsupportedKeyword {
  std::string_view word;
  const Rule* rule;
  std::string_view what;  ///< completes "`word` …"
  std::string_view hint = {};
};

enum class Scanner : std::uint8_t {
  /// One definition a line. A line that defines nothing continues the value above it. NVIDIA SM's files.
  lines,
  /// Line ends count for little: definitions may share a line, lists go on at a comma. OpenSM's QoS policy.
  words,
};

struct BlockDialect {
  std::string_view name;  ///< `port group policy`
  Scanner scanner;
  std::span<const BlockSpec> blocks;  ///< parents before children
  std::span<const UnsupportedKeyword> unsupported = {};

  /// Blocks of several kinds, one inside the other.
  bool nested() const { return blocks.size() > 1; }
};

/// Appends the blocks of a file to `syntax`, the type that `dialect.blocks` fill. A mistake costs its own
/// line or value, a missing end nothing. Misspelt words are reported and read as the words they resemble.
void read_blocks(const SourceSet& sources, SourceId source, const BlockDialect& dialect, void* syntax,
                 Diagnostics& diagnostics);

template <class Syntax>
Syntax parse_blocks(const SourceSet& sources, SourceId source, const BlockDialect& dialect,
                    Diagnostics& diagnostics) {
  Syntax syntax;
  read_blocks(sources, source, dialect, &syntax, diagnostics);
  return syntax;
}

/// All dialects of blocks.
std::span<const BlockDialect* const> block_dialects();

}  // namespace rch::parsers
