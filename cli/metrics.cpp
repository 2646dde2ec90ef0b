#include "cli/metrics.h"

#include <fmt/format.h>

namespace rch::cli {
namespace {

using verify::Metrics;

Json to_json(const verify::Histogram& histogram) {
  auto bins = Json::array();
  for (const auto& bin : histogram.bins) bins.push_back({{"value", bin.value}, {"count", bin.count}});
  return bins;
}

Json to_json(const std::vector<Metrics::Overlap>& overlaps) {
  auto out = Json::array();
  for (const Metrics::Overlap& o : overlaps)
    out.push_back({{"depth", o.depth}, {"common", o.common}, {"pairs", o.pairs}});
  return out;
}

std::string row(const verify::Histogram& histogram) {
  std::string text;
  for (const auto& bin : histogram.bins)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", bin.value, bin.count);
  return text;
}

std::string row(const std::vector<Metrics::Overlap>& overlaps) {
  std::string text;
  for (const Metrics::Overlap& o : overlaps)
    text += fmt::format("{}{} of {}: {}", text.empty() ? "" : ", ", o.common, o.depth, o.pairs);
  return text;
}

void print_lines(Output& output, const Metrics& m) {
  const auto line = [&](std::string_view what, const std::string& figures) {
    output.line(fmt::format("metrics  {:<22} {}", what, figures));
  };
  line("pairs",
       fmt::format(
           "{} with a path, {} without{}", m.pairs, m.missing,
           m.disconnected == 0 ? "" : fmt::format(", {} in parts that no cable joins", m.disconnected)));
  line("hops", fmt::format("{:.3f} on average ({})", m.hops.mean(), row(m.hops)));
  line("destinations per link", row(m.destinations));
  line("all to all",
       fmt::format("at most {} flows on a link, at least {}; {} of {} links in use", m.all_to_all.most,
                   m.all_to_all.least, m.all_to_all.used, m.all_to_all.links));
  line("shifts", fmt::format("{:.3f} flows on the fullest link on average, {} at worst ({} shifts)",
                             m.shifts.mean, m.shifts.worst, m.shifts.count));
  line("random permutations", fmt::format("{:.3f} flows on the fullest link on average ({} samples, seed {})",
                                          m.samples.permutation, m.samples.count, m.samples.seed));
  line("effective bisection", fmt::format("{:.4f} of a link's bandwidth ({} samples, seed {})",
                                          m.samples.bisection, m.samples.count, m.samples.seed));
  if (m.common_switches.empty()) return;
  line("common switches", row(m.common_switches) + " pairs of paths");
  line("common systems", row(m.common_systems) + " pairs of paths");
}

}  // namespace

Json metrics_json(const Metrics& m) {
  return {{"pairs", m.pairs},
          {"missing", m.missing},
          {"disconnected", m.disconnected},
          {"mean_hops", m.hops.mean()},
          {"hops", to_json(m.hops)},
          {"destinations_per_link", to_json(m.destinations)},
          {"all_to_all",
           {{"most", m.all_to_all.most},
            {"least", m.all_to_all.least},
            {"used", m.all_to_all.used},
            {"links", m.all_to_all.links}}},
          {"shifts", {{"count", m.shifts.count}, {"mean", m.shifts.mean}, {"worst", m.shifts.worst}}},
          {"random",
           {{"samples", m.samples.count},
            {"seed", m.samples.seed},
            {"permutation", m.samples.permutation},
            {"bisection", m.samples.bisection}}},
          {"common_switches", to_json(m.common_switches)},
          {"common_systems", to_json(m.common_systems)}};
}

void print_metrics(Output& output, const Metrics& metrics) {
  if (output.format() == Format::json)
    output.json("metrics", metrics_json(metrics));
  else
    print_lines(output, metrics);
}

}  // namespace rch::cli
