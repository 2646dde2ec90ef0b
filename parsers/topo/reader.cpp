#include "parsers/topo/reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/bounded.h"
#include "parsers/topo/rules.h"

namespace rch::parsers::topo {
namespace {

constexpr std::string_view kCfg = "CFG:";
constexpr std::size_t kLongestModifier = 63;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

Span span_of(const Line& line) {
  return {line.pieces.front().token.span.source, line.pieces.front().token.span.begin,
          line.pieces.back().token.span.end};
}

}  // namespace

Reader::Reader(std::string_view text, std::string_view original, SourceId source, Diagnostics& diagnostics)
    : text_(text), original_(original), diagnostics_(diagnostics) {
  syntax_.source = source;
}

void Reader::line(Line& line) {
  strip_comment(line);
  const auto arrow =
      std::find_if(line.pieces.begin(), line.pieces.end(), [](const Piece& p) { return p.arrow; });
  if (arrow == line.pieces.end())
    system(line);
  else
    cable(line, static_cast<std::size_t>(arrow - line.pieces.begin()));
}

/// IBDM knows comments on lines of their own only.
void Reader::strip_comment(Line& line) {
  auto& pieces = line.pieces;
  const auto comment = std::find_if(pieces.begin() + 1, pieces.end(),
                                    [](const Piece& p) { return p.token.text.starts_with('#'); });
  if (comment == pieces.end()) return;
  diagnostics_
      .add(kTrailingComment, span(comment->token.span.begin, pieces.back().token.span.end),
           "a comment behind other text makes IBDM ignore the whole line")
      .hint = "put it on a line of its own";
  pieces.erase(comment, pieces.end());
}

void Reader::cable(const Line& line, std::size_t arrow) {
  const auto& pieces = line.pieces;
  const bool form =
      arrow == 1 && pieces.size() == 5 && !pieces[2].arrow && !pieces[3].arrow && !pieces[4].arrow;
  if (!form) return unknown_line(line);
  check_blanks(line, arrow);
  Cable cable{pieces[0].token,
              ibdm::read_rate(pieces[1].rates, pieces[1].token.span, {&kBadRate, true}, diagnostics_),
              pieces[2].token, pieces[3].token, pieces[4].token};
  Section& section = section_of_cable(cable.port);
  if (check_system_name(cable.type) && check_system_name(cable.name))
    section.cables.push_back(std::move(cable));
}

void Reader::check_blanks(const Line& line, std::size_t arrow) {
  const Span first = line.pieces.front().token.span;
  const Span at = line.pieces[arrow].token.span;
  if (!line.indented) {
    Diagnostic& d = diagnostics_.add(kNotIndented, first, "a cable line begins with a blank");
    d.hint = "indent the line";
    d.fixes.push_back({span(first.begin, first.begin), "   "});
  }
  const std::string_view inside = original_.substr(at.begin, at.end - at.begin);
  if (inside.find_first_of(" \t") != std::string_view::npos) {
    Diagnostic& d = diagnostics_.add(kBlankRoundArrow, at, "blanks inside the arrow");
    d.hint = "write the arrow as one word";
  }
  const bool before = line.pieces[arrow - 1].token.span.end == at.begin;
  const bool behind = line.pieces[arrow + 1].token.span.begin == at.end;
  if (!before && !behind) return;
  Diagnostic& d = diagnostics_.add(kBlankRoundArrow, at,
                                   fmt::format("no blank {} the arrow", before && behind ? "round"
                                                                        : before         ? "before"
                                                                                         : "behind"));
  d.hint = "put blanks round the arrow";
  if (before) d.fixes.push_back({span(at.begin, at.begin), " "});
  if (behind) d.fixes.push_back({span(at.end, at.end), " "});
}

/// The section a cable line belongs to. An empty line too many costs one diagnostic, not one a cable.
Section& Reader::section_of_cable(const Token& at) {
  if (open_) return syntax_.sections.back();
  Diagnostic& d = diagnostics_.add(kStrayCable, at.span, "this cable belongs to no system");
  if (syntax_.sections.empty() || syntax_.sections.back().damaged) {
    d.hint = "put the system's line above it: `TYPE NAME`";
    begin({});
    syntax_.sections.back().damaged = true;
  } else {
    d.labels.push_back({syntax_.sections.back().name.span, "an empty line ended this system"});
    d.hint = "take out the empty line above, or name the system again";
  }
  open_ = true;
  return syntax_.sections.back();
}

void Reader::system(const Line& line) {
  const auto& pieces = line.pieces;
  const bool cfg = pieces.size() > 2 && pieces[2].token.text.starts_with(kCfg);
  if (pieces.size() != 2 && !cfg) {
    unknown_line(line);
    return;
  }
  Section section;
  section.type = pieces[0].token;
  section.name = pieces[1].token;
  if (cfg) read_cfg(section, pieces[2].token, pieces.back().token.span.end);
  if (!check_system_name(section.type) || !check_system_name(section.name)) section.damaged = true;
  begin(std::move(section));
}

void Reader::begin(Section section) {
  syntax_.sections.push_back(std::move(section));
  open_ = true;
}

bool Reader::check_system_name(const Token& word) {
  const std::size_t slash = word.text.find('/');
  if (slash == std::string::npos) return true;
  diagnostics_.add(kSlashInName, word.span, fmt::format("`{}` holds a `/`", word.text)).hint =
      "`/` separates a system from its boards and ports";
  return false;
}

/// Cables below what may have been a system line belong to a system that is not known.
void Reader::unknown_line(const Line& line) {
  Diagnostic& d = diagnostics_.add(kUnknownLine, span_of(line), "neither a system nor a cable");
  const auto& pieces = line.pieces;
  const bool arrow = std::any_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.arrow; });
  const std::string_view third = pieces.size() > 2 ? std::string_view(pieces[2].token.text) : "";
  const bool cfg = to_lower(third).starts_with("cfg");
  const bool modifiers = third.find('=') != std::string_view::npos;
  d.hint = arrow       ? "a cable line is `PORT -> TYPE NAME PORT`"
           : cfg       ? "write `CFG:` in capitals, with its colon"
           : modifiers ? "put `CFG:` before the modifiers"
                       : "a system line is `TYPE NAME` or `TYPE NAME CFG: board=modifier`";
  if (arrow || (line.indented && !cfg)) return;
  begin({});
  syntax_.sections.back().damaged = true;
}

void Reader::read_cfg(Section& section, const Token& mark, std::uint32_t end) {
  section.cfg_span = span(mark.span.begin, end);
  if (text_[mark.span.begin - 1] == '\t') {
    Diagnostic& d =
        diagnostics_.add(kTabBeforeCfg, mark.span, "a tab before `CFG:` makes IBDM ignore the line");
    d.hint = "put a blank there";
    d.fixes.push_back({span(mark.span.begin - 1, mark.span.begin), " "});
  }
  auto begin = mark.span.begin + static_cast<std::uint32_t>(kCfg.size());
  while (begin < end && is_blank(text_[begin])) ++begin;
  std::vector<Edit> blanks;
  for (auto i = begin; i < end; ++i)
    if (is_blank(text_[i])) blanks.push_back({span(i, i + 1), ""});
  if (!blanks.empty()) {
    Diagnostic& d = diagnostics_.add(kBlankInCfg, blanks.front().span, "blanks inside `CFG:` are skipped");
    d.hint = "take them out: in IBDM they are part of the names";
    d.fixes = std::move(blanks);
  }
  const std::string_view line = std::string_view(text_).substr(0, end);
  Bounded report(diagnostics_);
  while (begin < end) {
    const auto comma = static_cast<std::uint32_t>(std::min<std::size_t>(line.find(',', begin), end));
    read_modifier(section, begin, comma, comma == end, report.next());
    begin = comma + 1;
  }
  report.finish(mark.span.source);
}

/// One item between commas.
void Reader::read_modifier(Section& section, std::uint32_t begin, std::uint32_t end, bool last,
                           Diagnostics& diagnostics) {
  while (begin < end && is_blank(text_[begin])) ++begin;
  while (begin < end && is_blank(text_[end - 1])) --end;
  if (begin == end && last) return;
  const Token item = token(begin, end);
  const std::size_t equals = item.text.find('=');
  const auto at = begin + static_cast<std::uint32_t>(std::min(equals, item.text.size()));
  const auto trimmed = [&](std::uint32_t from, std::uint32_t to) {
    while (from < to && is_blank(text_[from])) ++from;
    while (from < to && is_blank(text_[to - 1])) --to;
    return token(from, to);
  };
  Modifier modifier{trimmed(begin, at), trimmed(std::min(at + 1, end), end)};
  if (modifier.board.text.empty() || modifier.value.text.empty()) {
    diagnostics.add(kBadModifier, item.span, fmt::format("expected `board=modifier`, saw `{}`", item.text))
        .hint = "R for a modifier says that the board is absent";
    return;
  }
  if (item.text.size() > kLongestModifier)
    diagnostics.add(
        kLongModifier, item.span,
        fmt::format("an item of {} characters; IBDM has room for {}", item.text.size(), kLongestModifier));
  section.cfg.push_back(std::move(modifier));
}

}  // namespace rch::parsers::topo
