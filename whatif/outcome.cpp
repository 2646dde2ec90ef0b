#include "whatif/outcome.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tuple>

#include "base/text.h"

namespace rch::whatif {
namespace {

/// The greater, the worse.
auto severity(const Outcome& o) {
  return std::tuple(breaks(o), o.routing == Routing::none, !o.findings.empty(), o.lost_pairs,
                    o.cut_off_beyond, o.stops_traffic, o.routing == Routing::otherwise, o.cut_off, o.drained,
                    o.sl_pairs, o.fullest, o.entries);
}

}  // namespace

bool breaks(const Outcome& o) {
  return o.routing != Routing::as_before || !o.findings.empty() || o.lost_pairs > 0 || o.cut_off_beyond > 0 ||
         o.stops_traffic;
}

bool is_single_point(const Outcome& o) { return o.parts == 1 && (o.cut_off_beyond > 0 || o.lost_pairs > 0); }

bool is_worse(const Outcome& a, const Outcome& b) {
  const auto of_a = severity(a), of_b = severity(b);
  return of_a != of_b ? of_a > of_b : a.number < b.number;
}

std::string what_breaks(const Outcome& o) {
  std::vector<std::string> what;
  if (o.routing == Routing::none)
    what.push_back("no plan: " + o.reason);
  else if (o.routing == Routing::otherwise)
    what.push_back(fmt::format("routed by {}{}{}", o.steps, o.reason.empty() ? "" : ": ", o.reason));
  if (!o.findings.empty())
    what.push_back(fmt::format("forbidden: {} [{}]", o.finding, fmt::join(o.findings, ", ")));
  if (o.cut_off_beyond > 0)
    what.push_back(fmt::format("{} cut off that hang{} on no failed part", counted(o.cut_off_beyond, "host"),
                               o.cut_off_beyond == 1 ? "s" : ""));
  if (o.lost_pairs > 0)
    what.push_back(fmt::format("{} of hosts without a path", counted(o.lost_pairs, "pair")));
  if (o.stops_traffic) what.emplace_back("the update has to stop traffic");
  return fmt::format("{}", fmt::join(what, "; "));
}

}  // namespace rch::whatif
