#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/whatif_report.h"

namespace rch::cli {
namespace {

using whatif::Outcome;
using whatif::Summary;

/// Lines of cases; those beyond kWhatifLines are counted.
template <class Words>
void list(Output& output, const std::vector<const Outcome*>& outcomes, const Words& words) {
  for (std::size_t i = 0; i < std::min(outcomes.size(), kWhatifLines); ++i)
    output.line(
        fmt::format("  case {}, {}: {}", outcomes[i]->number, outcomes[i]->failure, words(*outcomes[i])));
  if (outcomes.size() > kWhatifLines)
    output.line(fmt::format("  and {} more", outcomes.size() - kWhatifLines));
}

/// What a case comes to, in one line.
std::string in_words(const Outcome& o, std::uint64_t fullest_before) {
  if (o.routing == whatif::Routing::none)
    return fmt::format("no plan{}",
                       o.cut_off > 0 ? fmt::format(", {} cut off", counted(o.cut_off, "host")) : "");
  std::string text = counted(o.entries, "entry");
  const auto add = [&](std::uint64_t value, std::string_view noun, std::string_view what) {
    if (value > 0) text += fmt::format(", {}{}", counted(value, noun), what);
  };
  add(o.cut_off, "host", " cut off");
  add(o.lost_pairs, "pair", " lost");
  add(o.drained, "LID", " drained");
  add(o.sl_hosts, "host", " with other SLs");
  add(o.waiting_groups, "multicast group", " without a tree");
  if (o.fullest != fullest_before)
    text += fmt::format(", {} on the fullest link", counted(o.fullest, "pair"));
  if (o.manager_cut_off) text += ", the subnet manager is cut off";
  return text;
}

void print_counts(Output& output, const Summary& s) {
  output.line(fmt::format("routed   {} as before, {} otherwise, {} not at all; {} forbidden",
                          s.cases - s.otherwise - s.unrouted, s.otherwise, s.unrouted, s.forbidden));
  output.line(fmt::format("hosts    {} of {} cut off hosts, {} change service levels", s.cutting_off,
                          counted(s.cases, "case"), s.with_other_sls));
  output.line(fmt::format("updates  {} drain LIDs, {} have to stop traffic", s.draining, s.stopping));
}

void print_spread(Output& output, const whatif::Spread& spread) {
  if (spread.most == 0) return;
  output.line(fmt::format("         {}: {} at most", spread.what, spread.most));
  for (const whatif::Bin& bin : spread.bins)
    output.line(fmt::format(
        "  {:>21}: {}",
        bin.low == bin.high ? fmt::format("{}", bin.low) : fmt::format("{}-{}", bin.low, bin.high),
        counted(bin.cases, "case")));
}

void print_text(Output& output, const StudyFile& file, const Summary& summary) {
  const whatif::Study& study = file.study;
  output.line(fmt::format("fabric   {}, {}, {} on the fullest link", counted(study.switches, "switch"),
                          counted(study.hosts, "host"), counted(study.fullest, "pair")));
  output.line(fmt::format("steps    {}", study.steps));
  output.line(fmt::format("cases    {}: {}", summary.cases, study.asked));
  print_counts(output, summary);
  output.line(fmt::format("breaks   {} of {}", summary.breaking.size(), counted(summary.cases, "case")));
  list(output, summary.breaking, [](const Outcome& o) { return whatif::what_breaks(o); });
  output.line(fmt::format("single   {} of failure", counted(summary.single.size(), "single point")));
  list(output, summary.single, [](const Outcome& o) { return whatif::what_breaks(o); });
  if (!summary.worst.empty()) output.line("worst    cases that change most");
  list(output, summary.worst, [&](const Outcome& o) { return in_words(o, study.fullest); });
  output.line("spread   cases by figure");
  for (const whatif::Spread& spread : summary.spreads) print_spread(output, spread);
}

}  // namespace

void print_study(Output& output, const StudyFile& file) {
  const Summary summary = whatif::summarize(file.outcomes);
  if (output.format() == Format::json) {
    output.json("findings", file.findings);
    output.json("whatif", whatif_json(file, summary));
  } else {
    print_text(output, file, summary);
  }
}

}  // namespace rch::cli
