#include "parsers/ibnl/reader.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/ibnl/rules.h"
#include "parsers/ibnl/words.h"

namespace rch::parsers::ibnl {
namespace {

constexpr NumberKind kPortCount{"a number of ports", 1, 254};
constexpr NumberKind kPort{"a port number", 1, 254};

struct Kind {
  std::string_view word;
  InstanceKind kind;
};
constexpr std::array<Kind, 3> kKinds{
    {{"SW", InstanceKind::sw}, {"CA", InstanceKind::ca}, {"HCA", InstanceKind::ca}}};

InstanceKind read_kind(const Token& word, Diagnostics& diagnostics) {
  for (const Kind& kind : kKinds)
    if (kind.word == word.text) return kind.kind;
  diagnostics.add(kNodeKind, word.span, fmt::format("expected SW, CA or HCA, saw `{}`", word.text)).hint =
      "write SW for a switch, CA or HCA for a channel adapter";
  return InstanceKind::sw;
}

Span from_to(Span from, Span to) { return {from.source, from.begin, to.end}; }

Span span_of(const Line& line) {
  return from_to(line.pieces.front().token.span, line.pieces.back().token.span);
}

bool holds(const Line& line, char mark) {
  return std::any_of(line.pieces.begin(), line.pieces.end(), [&](const Piece& p) { return p.mark == mark; });
}

}  // namespace

/// A line that begins with a keyword.
struct Reader::Heading {
  std::string_view keyword;
  std::size_t words;  ///< behind the keyword; 0: any number, with commas and the like
  std::string_view usage;
  void (Reader::*read)(const Line&, const Heading&);
};

const Reader::Heading Reader::kHeadings[] = {
    {"SYSTEM", 0, "SYSTEM NAME,NAME…", &Reader::system},
    {"TOPSYSTEM", 0, "TOPSYSTEM NAME,NAME…", &Reader::topsystem},
    {"NODE", 4, "NODE SW|CA PORTS DEVICE NAME", &Reader::node},
    {"SUBSYSTEM", 2, "SUBSYSTEM TYPE NAME", &Reader::subsystem},
    {"CFG:", 0, "CFG: BOARD=MODIFIER…", &Reader::cfg},
};

void Reader::line(Line& line) {
  if (line.arrow)
    connection(line);
  else if (!line.pieces.empty())
    phrase(line);
}

void Reader::phrase(Line& line) {
  Token& first = line.pieces.front().token;
  if (const Heading* heading = find_heading(first.text)) return (this->*heading->read)(line, *heading);
  if (split_glued_arrow(line)) return connection(line);
  if (!holds(line, '>') && holds(line, '=')) return attribute(line);
  std::vector<std::string_view> keywords;
  for (const Heading& h : kHeadings) keywords.push_back(h.keyword);
  const std::string_view meant = nearest(first.text, keywords);
  if (meant.empty()) return unknown_line(line);
  Diagnostic& d = diagnostics_.add(kUnknownLine, first.span, fmt::format("unknown keyword `{}`", first.text));
  d.hint = fmt::format("did you mean `{}`?", meant);
  first.text = meant;
  const Heading* heading = find_heading(meant);
  (this->*heading->read)(line, *heading);
}

const Reader::Heading* Reader::find_heading(std::string_view keyword) const {
  const auto found = std::find_if(std::begin(kHeadings), std::end(kHeadings),
                                  [&](const Heading& h) { return h.keyword == keyword; });
  return found == std::end(kHeadings) ? nullptr : found;
}

/// A line of two names is a SUBSYSTEM without its keyword, as in a sample of the manual.
void Reader::unknown_line(const Line& line) {
  const auto& pieces = line.pieces;
  Diagnostic& d = diagnostics_.add(kUnknownLine, span_of(line), "neither a heading nor a connection");
  if (pieces.size() == 2 && is_board_type(pieces[0].token.text)) {
    d.hint = fmt::format("write `SUBSYSTEM {} {}`", pieces[0].token.text, pieces[1].token.text);
    return begin_instance({InstanceKind::board, pieces[1].token, pieces[0].token, 0, {}, {}});
  }
  d.hint = "a heading begins with SYSTEM, TOPSYSTEM, NODE or SUBSYSTEM; a connection is `PORT -> PEER`";
  syntax_.damaged = true;
  if (!syntax_.systems.empty()) syntax_.systems.back().damaged = true;
}

bool Reader::is_board_type(std::string_view word) const {
  for (const System& system : syntax_.systems)
    for (const Token& name : system.names)
      if (name.text == word || name.text.starts_with(std::string(word) + ':')) return true;
  return false;
}

/// The words behind a keyword: as many as it takes, or nothing but the last one, a name, where some are
/// missing.
Reader::Words Reader::words(const Line& line, const Heading& heading) {
  Words words;
  const Piece* wrong = nullptr;
  for (std::size_t i = 1; i < line.pieces.size(); ++i)
    if (line.pieces[i].mark == 0 && words.size() < heading.words)
      words.push_back(line.pieces[i].token);
    else if (wrong == nullptr)
      wrong = &line.pieces[i];
  const Token& keyword = line.pieces.front().token;
  const bool complete = words.size() == heading.words;
  if (wrong != nullptr)
    diagnostics_
        .add(kLineForm, wrong->token.span,
             fmt::format("`{}` does not belong into a {} line", wrong->token.text, keyword.text))
        .hint = fmt::format("write `{}`", heading.usage);
  else if (!complete)
    diagnostics_
        .add(kLineForm, span_of(line),
             fmt::format("`{}` needs {} words, saw {}", keyword.text, heading.words, words.size()))
        .hint = fmt::format("write `{}`", heading.usage);
  const Token nothing{"", keyword.span};
  if (!complete) words.assign(1, words.empty() ? nothing : words.back());
  words.insert(words.begin(), heading.words - words.size(), nothing);
  return words;
}

void Reader::system(const Line& line, const Heading&) { begin_system(false, line); }
void Reader::topsystem(const Line& line, const Heading&) { begin_system(true, line); }

void Reader::begin_system(bool top, const Line& line) {
  const Token& keyword = line.pieces.front().token;
  if (top_.source != SourceId::none())
    diagnostics_.add(kTopSystem, keyword.span, top ? "a second TOPSYSTEM" : "a SYSTEM behind the TOPSYSTEM")
        .labels.push_back({top_, "the TOPSYSTEM"});
  else if (top)
    top_ = keyword.span;
  System system{top, {}, {}, {}};
  bool comma = true;  // a name may follow
  for (std::size_t i = 1; i < line.pieces.size(); ++i) {
    const Piece& piece = line.pieces[i];
    if (comma != (piece.mark == 0) || (piece.mark != 0 && piece.mark != ',')) {
      diagnostics_
          .add(kLineForm, piece.token.span,
               fmt::format("expected {}, saw `{}`", comma ? "a name" : "a comma", piece.token.text))
          .hint = "several names are separated by commas";
      comma = false;
      break;
    }
    comma = piece.mark != 0;
    if (comma) continue;
    if (!check_name(piece.token, diagnostics_)) break;
    system.names.push_back(piece.token);
  }
  if (comma)
    diagnostics_.add(kLineForm, span_of(line), fmt::format("`{}` lacks a name", keyword.text)).hint =
        fmt::format("write `{} NAME`", keyword.text);
  syntax_.systems.push_back(std::move(system));
  in_instance_ = false;
  stray_ = {};
}

void Reader::begin_instance(Instance instance) {
  if (syntax_.systems.empty()) {
    stray(instance.name, "a part", "below SYSTEM or TOPSYSTEM");
    syntax_.systems.push_back({false, {}, {}, {}, true});
  }
  syntax_.systems.back().instances.push_back(std::move(instance));
  in_instance_ = true;
  stray_ = {};
}

Instance* Reader::instance() { return in_instance_ ? &syntax_.systems.back().instances.back() : nullptr; }

void Reader::node(const Line& line, const Heading& heading) {
  const Words words = this->words(line, heading);
  Instance node;
  node.name = words[3];
  node.type = words[2];
  if (!words[0].text.empty()) node.kind = read_kind(words[0], diagnostics_);
  if (!words[1].text.empty()) node.ports = read_count(words[1], kPortCount, diagnostics_).value_or(0);
  for (const std::size_t name : {2U, 3U})
    if (!words[name].text.empty()) check_name(words[name], diagnostics_);
  begin_instance(std::move(node));
}

void Reader::subsystem(const Line& line, const Heading& heading) {
  const Words words = this->words(line, heading);
  for (const Token& word : words)
    if (!word.text.empty()) check_name(word, diagnostics_);
  begin_instance({InstanceKind::board, words[1], words[0], 0, {}, {}});
}

/// `CFG:` and pairs, directly below the SUBSYSTEM line.
void Reader::cfg(const Line& line, const Heading&) {
  const Token& keyword = line.pieces.front().token;
  Instance* board = instance();
  if (board == nullptr || !board->is_board() || !board->connections.empty() || !board->cfg.empty())
    return stray(keyword, "a CFG line", "directly below SUBSYSTEM");
  const auto& pieces = line.pieces;
  for (std::size_t i = 1; i < pieces.size(); i += 3) {
    if (i + 2 >= pieces.size() || pieces[i].mark != 0 || pieces[i + 1].mark != '=' ||
        pieces[i + 2].mark != 0) {
      diagnostics_.add(kLineForm, from_to(pieces[i].token.span, pieces.back().token.span),
                       fmt::format("expected `BOARD=MODIFIER`, saw `{}`", pieces[i].token.text));
      break;
    }
    board->cfg.push_back({pieces[i].token, pieces[i + 2].token});
  }
  diagnostics_.add(kCfgNotApplied, span_of(line), "modifiers in a system definition are never applied").hint =
      "choose boards in the topology file: `TYPE NAME CFG: board=modifier`";
}

/// `PATH=KEY` or `PATH=KEY=VALUE`.
void Reader::attribute(const Line& line) {
  const auto& pieces = line.pieces;
  const bool placed = !syntax_.systems.empty() && syntax_.systems.back().top && !in_instance_;
  if (!placed) return stray(pieces.front().token, "an attribute", "directly below TOPSYSTEM");
  bool good = pieces.size() == 3 || pieces.size() == 5;
  for (std::size_t i = 0; i < pieces.size(); ++i) good = good && pieces[i].mark == (i % 2 == 0 ? 0 : '=');
  if (!good) {
    diagnostics_.add(kLineForm, span_of(line), "an attribute has the form `PATH=KEY` or `PATH=KEY=VALUE`");
    return;
  }
  for (std::size_t i = 0; i < pieces.size(); i += 2) {
    const std::string& text = pieces[i].token.text;
    const bool number = i == 4 && text.find_first_not_of("0123456789") == std::string::npos;
    if (!number && !check_name(pieces[i].token, diagnostics_)) return;
  }
  Attribute attribute{pieces[0].token, pieces[2].token, {}};
  if (pieces.size() == 5) attribute.value = pieces[4].token;
  syntax_.systems.back().attributes.push_back(std::move(attribute));
}

void Reader::connection(const Line& line) {
  if (instance() == nullptr)
    return stray(line.pieces.front().token, "a connection", "below NODE or SUBSYSTEM");
  Connection connection;
  connection.rate = ibdm::read_rate(line.rates, *line.arrow, {&kBadRate}, diagnostics_);
  Words right;
  for (std::size_t i = 1; i < line.pieces.size(); ++i) right.push_back(line.pieces[i].token);
  const bool good = read_own_port(line.pieces.front().token, connection) && read_peer(right, connection);
  stray_ = {};
  if (good)
    instance()->connections.push_back(std::move(connection));
  else
    syntax_.systems.back().damaged = true;
}

bool Reader::read_own_port(const Token& word, Connection& into) {
  into.port = word;
  if (instance()->is_board()) return check_name(word, diagnostics_);
  const auto number = read_count(word, kPort, diagnostics_);
  into.number = number.value_or(0);
  return number.has_value();
}

bool Reader::read_peer(const Words& right, Connection& into) {
  const bool board = instance()->is_board();
  if (right.empty() || right.size() > 2) {
    const Span at = right.empty() ? into.rate.span : from_to(right[2].span, right.back().span);
    diagnostics_
        .add(kLineForm, at,
             right.empty() ? "nothing stands behind the arrow"
                           : fmt::format("`{}` behind the end of the connection", right[2].text))
        .hint =
        fmt::format("write `PORT -> FRONT-PANEL-PORT` or `PORT -> {} PORT`", board ? "BOARD" : "NODE");
    return false;
  }
  into.peer = right[0];
  if (!check_name(right[0], diagnostics_)) return false;
  if (right.size() == 1) return true;
  into.peer_port = right[1];
  if (board) return check_name(right[1], diagnostics_);
  const auto number = read_count(right[1], kPort, diagnostics_);
  into.peer_number = number.value_or(0);
  return number.has_value();
}

/// `P1-4x-> …`: the word ends where the longest arrow in its tail begins. Turns the line into a connection.
bool Reader::split_glued_arrow(Line& line) {
  auto& pieces = line.pieces;
  if (pieces.size() < 2 || pieces[0].mark != 0 || pieces[1].mark != '>') return false;
  Token& word = pieces[0].token;
  if (!word.text.ends_with('-') || word.text.size() == 1) return false;
  std::size_t end = word.text.size() - 1;  // of the name
  while (line.rates.size() < 2) {
    const std::size_t dash = word.text.rfind('-', end - 1);
    if (dash == std::string::npos || dash == 0) break;
    const std::string rate = word.text.substr(dash + 1, end - dash - 1);
    if (!ibdm::is_rate_word(rate)) break;
    const auto begin = word.span.begin + static_cast<std::uint32_t>(dash) + 1;
    line.rates.insert(line.rates.begin(),
                      {rate, {word.span.source, begin, begin + static_cast<std::uint32_t>(rate.size())}});
    end = dash;
  }
  const auto at = word.span.begin + static_cast<std::uint32_t>(end);
  line.arrow = Span{word.span.source, at, pieces[1].token.span.end};
  Diagnostic& d =
      diagnostics_.add(kBlankBeforeArrow, *line.arrow,
                       fmt::format("no blank between `{}` and its arrow", word.text.substr(0, end)));
  d.hint = "put a blank before the arrow";
  // `P4x-4x->` may be a port `P4x-4x`: only a bare arrow has one reading.
  if (line.rates.empty()) d.fixes.push_back({{word.span.source, at, at}, " "});
  word.text.resize(end);
  word.span.end = at;
  pieces.erase(pieces.begin() + 1);
  return true;
}

void Reader::stray(const Token& at, std::string_view what, std::string_view where) {
  if (stray_ != what)
    diagnostics_.add(kStrayLine, at.span, fmt::format("{} stands here that belongs to nothing", what)).hint =
        fmt::format("its place is {}", where);
  stray_ = what;
}

Syntax Reader::finish() {
  if (top_.source == SourceId::none() && !syntax_.damaged)
    diagnostics_.add(kTopSystem, {syntax_.source, 0, 0}, "the file has no TOPSYSTEM").hint =
        "end the file with the system as a whole: `TOPSYSTEM NAME`";
  if (!comments_.empty()) {
    // Not repaired: what a comment says may stand nowhere else.
    diagnostics_
        .add(kComment, comments_.front(),
             comments_.size() == 1 ? "a comment is not portable"
                                   : fmt::format("{} comments are not portable", comments_.size()))
        .hint = "IBDM reads no comments in this kind of file; keep them in another one";
  }
  return std::move(syntax_);
}

}  // namespace rch::parsers::ibnl
