#include "parsers/common/block_words.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace rch::parsers {
namespace {

constexpr std::string_view kEnd = "end-";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_alpha(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

bool is_key_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; }

std::optional<BlockWords::Bound> find(const BlockDialect& dialect, std::string_view lower) {
  const bool ends = lower.starts_with(kEnd);
  const std::string_view begin = ends ? lower.substr(kEnd.size()) : lower;
  for (const BlockSpec& block : dialect.blocks)
    if (block.begin == begin) return BlockWords::Bound{&block, !ends};
  return std::nullopt;
}

}  // namespace

std::string end_of(std::string_view begin) { return std::string(kEnd).append(begin); }

std::optional<Definition> split_definition(const Token& content) {
  const std::string& text = content.text;
  if (!is_alpha(text.front())) return std::nullopt;
  const auto size =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_key_char) - text.begin());
  const std::size_t colon = text.find_first_not_of(" \t", size);
  if (colon == std::string::npos || text[colon] != ':') return std::nullopt;
  return Definition{part(content, 0, size), rest_of(content, colon + 1)};
}

BlockWords::BlockWords(const BlockDialect& dialect) : dialect_(dialect) {
  for (const BlockSpec& block : dialect.blocks) ends_.push_back(end_of(block.begin));
  for (std::size_t i = 0; i < ends_.size(); ++i)
    bounds_.insert(bounds_.end(), {dialect.blocks[i].begin, ends_[i]});
}

std::optional<BlockWords::Bound> BlockWords::find_bound(std::string_view lower) const {
  return find(dialect_, lower);
}

bool BlockWords::is_foreign(std::string_view lower) const {
  const auto all = block_dialects();
  return dialect_.scanner == Scanner::lines &&
         std::any_of(all.begin(), all.end(), [&](const BlockDialect* d) {
           return d != &dialect_ && d->scanner == Scanner::lines && find(*d, lower);
         });
}

std::string_view BlockWords::nearest_bound(std::string_view word, const BlockSpec* block) const {
  const std::string_view around = block != nullptr ? block->begin : std::string_view();
  const auto may_stand = [&](std::string_view bound) {
    const auto found = find_bound(bound);
    return found->begins ? found->block->parent == around : found->block == block;
  };
  std::vector<std::string_view> candidates = bounds_;
  std::stable_partition(candidates.begin(), candidates.end(), may_stand);
  return nearest(word, candidates);
}

const Keyword* BlockWords::find_keyword(const BlockSpec* block, std::string_view word) {
  if (block == nullptr) return nullptr;
  const std::string lower = to_lower(word);
  const auto at = std::find_if(block->keywords.begin(), block->keywords.end(),
                               [&](const Keyword& k) { return k.word == lower; });
  return at == block->keywords.end() ? nullptr : &*at;
}

std::vector<std::string_view> BlockWords::keywords(const BlockSpec& block) {
  std::vector<std::string_view> words;
  for (const Keyword& keyword : block.keywords) words.push_back(keyword.word);
  return words;
}

const BlockSpec* BlockWords::home_of(std::string_view word) const {
  for (const BlockSpec& block : dialect_.blocks)
    if (find_keyword(&block, word) != nullptr) return &block;
  return nullptr;
}

bool BlockWords::is_keyword(std::string_view word) const {
  return std::any_of(dialect_.blocks.begin(), dialect_.blocks.end(), [&](const BlockSpec& block) {
    return std::any_of(block.keywords.begin(), block.keywords.end(),
                       [&](const Keyword& keyword) { return keyword.word == word; });
  });
}

/// True if a whole word at the beginning of the text is a bound.
bool BlockWords::starts_bound(std::string_view text, bool ends_only) const {
  const auto bound = find_bound(text.substr(0, text.find_first_of(" \t:")));
  return bound && (!ends_only || !bound->begins);
}

std::size_t BlockWords::end_of_value(Form form, std::string_view text) const {
  if (form == Form::text || dialect_.scanner == Scanner::lines) return text.size();
  bool quoted = false;
  std::size_t word = 0;  // where the word before a colon begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    quoted = quoted != (text[i] == '"');
    if (quoted || is_blank(text[i])) continue;
    if (text[i] == ':' && is_keyword(trim(text.substr(word, i - word)))) return word;
    if (text[i] == ':' || (i > 0 && !is_blank(text[i - 1]))) continue;
    word = i;
    if (starts_bound(text.substr(i), true)) return i;
  }
  return text.size();
}

std::size_t BlockWords::end_of_statement(const BlockSpec& block, std::string_view text) const {
  constexpr std::size_t npos = std::string_view::npos;
  const std::size_t colon = text.find(':');
  const std::size_t last = colon == npos ? npos : text.find_first_not_of(" \t", colon + 1);
  const std::size_t gap = last == npos ? npos : text.find_first_of(" \t", last);
  const std::size_t next = gap == npos ? npos : text.find_first_not_of(" \t", gap);
  if (next == npos) return text.size();
  const std::string_view rest = text.substr(next);
  return starts_bound(rest, false) || block.starts_statement(rest) ? next : text.size();
}

}  // namespace rch::parsers
