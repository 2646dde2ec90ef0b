#include "base/diagnostic.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"

namespace rch {
namespace {

/// Longest piece of a source line that is quoted.
constexpr std::size_t kQuoteWidth = 160;

struct Palette {
  std::string_view severity, caret, bold, reset;
};

Palette palette(Severity severity, bool color) {
  if (!color) return {};
  const std::string_view grade = severity == Severity::error     ? "\033[1;31m"
                                 : severity == Severity::warning ? "\033[1;35m"
                                                                 : "\033[1;36m";
  return {grade, "\033[1;32m", "\033[1m", "\033[0m"};
}

std::string place(const SourceText& source, Position at) {
  return fmt::format("{}:{}:{}", source.name(), at.line, at.column);
}

/// Blanks (and the line's own tabs) up to the caret, so that it lands under its character.
std::string indentation(std::string_view before) {
  std::string blanks;
  for (char c : before) blanks += c == '\t' ? '\t' : ' ';
  return blanks;
}

/// The line of `span` and a caret line below it.
std::string quote(const SourceText& source, Span span, const Palette& colors) {
  const Position at = source.position(span.begin);
  std::string_view line = source.line(at.line);
  std::size_t column = std::min<std::size_t>(at.column - 1, line.size());
  const std::size_t room = line.size() - column;
  std::size_t width = std::clamp<std::size_t>(span.end - span.begin, 1, std::max<std::size_t>(room, 1));
  if (line.size() > kQuoteWidth) {
    const std::size_t from = column > kQuoteWidth / 2 ? column - kQuoteWidth / 2 : 0;
    line = line.substr(from, kQuoteWidth);
    column -= from;
    width = std::min(width, std::max<std::size_t>(line.size() - column, 1));
  }
  std::string carets(width, '~');
  carets.front() = '^';
  return fmt::format("{:>5} | {}\n      | {}{}{}{}\n", at.line, printable(line),
                     indentation(line.substr(0, column)), colors.caret, carets, colors.reset);
}

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

std::string_view to_string(Peer peer) { return peer == Peer::opensm ? "OpenSM" : "NVIDIA SM"; }

std::string peer_behaviour(const Rule& rule, Peer peer) {
  const std::string_view does = peer == Peer::opensm ? rule.opensm : rule.nvidia;
  return does.empty() ? std::string() : fmt::format("{} {}", to_string(peer), does);
}

Diagnostic& Diagnostics::add(const Rule& rule, Span span, std::string message) {
  return all_.emplace_back(Diagnostic{&rule, rule.severity, span, elided(std::move(message)), {}, {}, {}});
}

std::size_t Diagnostics::count(Severity severity) const {
  return static_cast<std::size_t>(
      std::count_if(all_.begin(), all_.end(), [&](const Diagnostic& d) { return d.severity == severity; }));
}

void Diagnostics::sort_by_place() {
  std::stable_sort(all_.begin(), all_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.span.source, a.span.begin) < std::tie(b.span.source, b.span.begin);
  });
}

std::string render(const Diagnostic& d, const SourceSet& sources, const RenderOptions& options) {
  const Palette colors = palette(d.severity, options.color);
  const bool placed = !d.span.source.is_none();
  std::string where;
  if (placed) {
    const SourceText& source = sources.at(d.span.source);
    where = place(source, source.position(d.span.begin)) + ": ";
  }
  std::string out = fmt::format("{}{}{}:{} {}{}{} [{}]\n", where, colors.severity, to_string(d.severity),
                                colors.reset, colors.bold, printable(d.message), colors.reset, d.rule->name);
  if (placed) out += quote(sources.at(d.span.source), d.span, colors);
  for (const Label& label : d.labels) {
    const SourceText& source = sources.at(label.span.source);
    out +=
        fmt::format("{}: {}\n", place(source, source.position(label.span.begin)), printable(label.message));
    out += quote(source, label.span, colors);
  }
  if (const std::string does = options.compat ? peer_behaviour(*d.rule, *options.compat) : ""; !does.empty())
    out += fmt::format("      = {}\n", does);
  if (!d.hint.empty()) out += fmt::format("      = hint: {}\n", printable(elided(d.hint)));
  return out;
}

}  // namespace rch
