// Myers, "An O(ND) Difference Algorithm and Its Variations", 1986: the furthest that 0, 1, 2 … edits reach on
// each diagonal. Every step is kept, so that the way back is known.

#include "base/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace rch {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::ptrdiff_t kContext = 3;
constexpr std::ptrdiff_t kMostEdits = 2000;
/// Place in `a` of a diagonal that no way reaches; stays below all places however many edits are added.
constexpr std::ptrdiff_t kUnreached = -2 * kMostEdits;

/// Lines with their ends, the last one perhaps without.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// One line of the result: of both texts, of the first or of the second.
struct Step {
  char mark;
  std::string_view line;
};

struct Comparison {
  Lines a, b;
  std::vector<std::vector<std::ptrdiff_t>> reached = {};  ///< by number of edits, then diagonal: place in `a`

  std::ptrdiff_t size_a() const { return static_cast<std::ptrdiff_t>(a.size()); }
  std::ptrdiff_t size_b() const { return static_cast<std::ptrdiff_t>(b.size()); }
  std::string_view line_a(std::ptrdiff_t x) const { return a[static_cast<std::size_t>(x)]; }
  std::string_view line_b(std::ptrdiff_t y) const { return b[static_cast<std::size_t>(y)]; }

  std::ptrdiff_t at(std::ptrdiff_t edits, std::ptrdiff_t diagonal) const {
    if (diagonal < -edits || diagonal > edits) return kUnreached;
    return reached[static_cast<std::size_t>(edits)][static_cast<std::size_t>(diagonal + edits)];
  }
  /// The last edit on the way to the diagonal took a line of `b`.
  bool inserts(std::ptrdiff_t edits, std::ptrdiff_t diagonal) const {
    return diagonal == -edits ||
           (diagonal != edits && at(edits - 1, diagonal - 1) < at(edits - 1, diagonal + 1));
  }
  std::ptrdiff_t begin_of(std::ptrdiff_t edits, std::ptrdiff_t diagonal) const {
    if (edits == 0) return 0;
    return inserts(edits, diagonal) ? at(edits - 1, diagonal + 1) : at(edits - 1, diagonal - 1) + 1;
  }
  std::ptrdiff_t slide(std::ptrdiff_t x, std::ptrdiff_t diagonal) const {
    while (x < size_a() && x - diagonal < size_b() && line_a(x) == line_b(x - diagonal)) ++x;
    return x;
  }

  /// The number of edits; kMostEdits if there are as many.
  std::ptrdiff_t search() {
    for (std::ptrdiff_t edits = 0; edits < kMostEdits; ++edits) {
      std::vector<std::ptrdiff_t> row(static_cast<std::size_t>(2 * edits + 1), kUnreached);
      for (std::ptrdiff_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const std::ptrdiff_t x = begin_of(edits, diagonal);
        if (x < 0 || x > size_a() || x - diagonal > size_b()) continue;
        row[static_cast<std::size_t>(diagonal + edits)] = slide(x, diagonal);
      }
      reached.push_back(std::move(row));
      if (at(edits, size_a() - size_b()) == size_a()) return edits;
    }
    return kMostEdits;
  }

  std::vector<Step> everything() const {
    std::vector<Step> steps;
    for (const std::string_view line : a) steps.push_back({'-', line});
    for (const std::string_view line : b) steps.push_back({'+', line});
    return steps;
  }

  std::vector<Step> steps() {
    std::ptrdiff_t edits = search();
    if (edits == kMostEdits) return everything();
    std::vector<Step> back;
    std::ptrdiff_t x = size_a(), diagonal = size_a() - size_b();
    for (; edits >= 0; --edits) {
      for (const std::ptrdiff_t begin = begin_of(edits, diagonal); x > begin;)
        back.push_back({' ', line_a(--x)});
      if (edits == 0) break;
      if (inserts(edits, diagonal)) {
        ++diagonal;
        back.push_back({'+', line_b(x - diagonal)});
      } else {
        --diagonal;
        back.push_back({'-', line_a(--x)});
      }
    }
    std::reverse(back.begin(), back.end());
    return back;
  }
};

/// `12,3`: where lines stand, and how many. Of none, the line before.
std::string range(std::size_t before, std::size_t count) {
  const std::size_t begin = count == 0 ? before : before + 1;
  return count == 1 ? fmt::format("{}", begin) : fmt::format("{},{}", begin, count);
}

/// Steps [begin, end) behind lines that were passed in both texts.
std::string hunk(const std::vector<Step>& steps, std::size_t begin, std::size_t end) {
  std::size_t before_a = 0, before_b = 0, in_a = 0, in_b = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (steps[i].mark != '+') ++(i < begin ? before_a : in_a);
    if (steps[i].mark != '-') ++(i < begin ? before_b : in_b);
  }
  std::string out = fmt::format("@@ -{} +{} @@\n", range(before_a, in_a), range(before_b, in_b));
  for (std::size_t i = begin; i < end; ++i) {
    out += steps[i].mark;
    out += steps[i].line;
    if (!steps[i].line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
  return out;
}

}  // namespace

std::string line_diff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const std::vector<Step> steps = Comparison{lines_of(before), lines_of(after)}.steps();
  std::string out = fmt::format("--- {}\n+++ {}\n", name, name);
  constexpr auto kBetween = static_cast<std::size_t>(2 * kContext);
  std::size_t begin = 0;
  const auto changed = [&](std::size_t i) { return steps[i].mark != ' '; };
  for (std::size_t i = 0; i < steps.size();) {
    while (i < steps.size() && !changed(i)) ++i;
    if (i == steps.size()) break;
    begin = i - std::min(i, kBetween / 2);
    std::size_t last = i;
    for (; i < steps.size() && i - last <= kBetween; ++i)
      if (changed(i)) last = i;
    i = std::min(steps.size(), last + 1 + kBetween / 2);
    out += hunk(steps, begin, i);
  }
  return out;
}

}  // namespace rch
