#include "whatif/summary.h"

#include <algorithm>
#include <bit>

namespace rch::whatif {
namespace {

constexpr std::size_t kWorst = 10;

struct Figure {
  std::string_view name, what;
  std::uint64_t Outcome::*value;
};
constexpr Figure kFigures[] = {
    {"cut_off", "hosts cut off", &Outcome::cut_off},
    {"entries", "table entries that change", &Outcome::entries},
    {"drained", "LIDs drained in the update", &Outcome::drained},
    {"sl_hosts", "hosts whose service levels change", &Outcome::sl_hosts},
    {"fullest", "pairs on the fullest link", &Outcome::fullest},
};

/// Bins end before powers of two; 0 has its own.
Spread spread(const Figure& figure, std::span<const Outcome> outcomes) {
  Spread result{figure.name, figure.what, 0, 0, {}};
  std::vector<std::uint64_t> cases(65);
  for (const Outcome& outcome : outcomes) {
    if (outcome.routing == Routing::none) continue;
    const std::uint64_t value = outcome.*figure.value;
    result.most = std::max(result.most, value);
    result.total += value;
    ++cases[static_cast<std::size_t>(std::bit_width(value))];
  }
  for (std::size_t width = 0; width < cases.size(); ++width) {
    if (cases[width] == 0) continue;
    const std::uint64_t low = width == 0 ? 0 : std::uint64_t{1} << (width - 1);
    result.bins.push_back({low, width == 0 ? 0 : 2 * (low - 1) + 1, cases[width]});
  }
  return result;
}

bool changes_nothing(const Outcome& o) { return !breaks(o) && o.entries == 0 && o.cut_off == 0; }

}  // namespace

Summary summarize(std::span<const Outcome> outcomes) {
  Summary summary{.cases = outcomes.size()};
  for (const Outcome& outcome : outcomes) {
    summary.otherwise += outcome.routing == Routing::otherwise;
    summary.unrouted += outcome.routing == Routing::none;
    summary.forbidden += !outcome.findings.empty();
    summary.draining += outcome.drained > 0;
    summary.stopping += outcome.stops_traffic;
    summary.with_other_sls += outcome.sl_pairs > 0;
    summary.cutting_off += outcome.cut_off > 0;
    if (breaks(outcome)) summary.breaking.push_back(&outcome);
    if (is_single_point(outcome)) summary.single.push_back(&outcome);
    if (!changes_nothing(outcome)) summary.worst.push_back(&outcome);
  }
  const auto kept = std::min(kWorst, summary.worst.size());
  std::ranges::partial_sort(summary.worst, summary.worst.begin() + static_cast<std::ptrdiff_t>(kept),
                            [](const Outcome* a, const Outcome* b) { return is_worse(*a, *b); });
  summary.worst.resize(kept);
  for (const Figure& figure : kFigures) summary.spreads.push_back(spread(figure, outcomes));
  return summary;
}

}  // namespace rch::whatif
