#include "compare/comparison.h"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/parallel.h"

namespace rch::compare {
namespace {

constexpr std::array<std::string_view, kPartCount> kPartNames{"nodes, cables and LIDs",
                                                              "service levels of paths",
                                                              "SL2VL tables",
                                                              "VL arbitration",
                                                              "rate limits",
                                                              "multicast tables",
                                                              "multicast members",
                                                              "P_Keys",
                                                              "groups of ports for adaptive routing"};

/// Port capabilities do not matter: no path is looked at by VL.
constexpr std::uint8_t kAllVls = 5;

std::string reason(const Side& side, Part part) {
  const Knowledge& knowledge = side.of(part);
  return knowledge.kind == Knowledge::Kind::known ? "" : fmt::format("`{}` {}", side.name, knowledge.why);
}

/// What one side leaves as it is, and the other one too, is no difference that anybody can tell.
std::vector<NotCompared> not_compared(const Side& before, const Side& after) {
  std::vector<NotCompared> out;
  for (std::size_t p = 0; p < kPartCount; ++p) {
    const auto part = static_cast<Part>(p);
    const auto kind_before = before.of(part).kind, kind_after = after.of(part).kind;
    if (kind_before == Knowledge::Kind::left && kind_after == Knowledge::Kind::left) continue;
    const bool says_why = part == Part::adaptive_groups;  // both sides have them
    if (kind_before == Knowledge::Kind::unknown && kind_after == Knowledge::Kind::unknown && !says_why) {
      out.push_back({part, "neither side tells them"});
      continue;
    }
    const std::string why = reason(before, part), why_after = reason(after, part);
    if (why.empty() && why_after.empty()) continue;
    out.push_back({part, why + (why.empty() || why_after.empty() ? "" : ", and ") + why_after});
  }
  return out;
}

}  // namespace

std::string_view to_string(Part part) { return kPartNames[static_cast<std::size_t>(part)]; }

bool Comparison::equal() const {
  return parts.empty() && changed_nodes.empty() && ports.empty() && forwarding.entries.total() == 0 &&
         forwarding.changed + forwarding.lost + forwarding.gained == 0 && sls.changed == 0 &&
         settings.empty() && groups.empty();
}

Comparison compare(const Side& before, const Side& after) {
  const auto knows = [&](Part part) {
    return before.of(part).kind == Knowledge::Kind::known && after.of(part).kind == Knowledge::Kind::known;
  };
  std::optional<verify::Wiring> was, is;
  parallel_tasks([&] { was.emplace(*before.fabric, kAllVls); }, [&] { is.emplace(*after.fabric, kAllVls); });
  const verify::Wiring &wiring_before = *was, &wiring_after = *is;
  Comparison result;
  result.not_compared = not_compared(before, after);
  if (knows(Part::fabric)) {
    if (before.fabric->fingerprint() != after.fabric->fingerprint()) {
      result.parts = fabric::changes(*before.fabric, *after.fabric);
      result.changed_nodes = fabric::changed_nodes(*before.fabric, *after.fabric);
    }
    result.ports = fabric::port_changes(*before.fabric, *after.fabric);
  }
  result.matching = match(before, wiring_before, after, wiring_after);
  result.forwarding = compare_forwarding(before, wiring_before, after, wiring_after, result.matching);
  if (knows(Part::sls))
    result.sls = compare_service_levels(before, wiring_before, after, wiring_after, result.matching);
  result.settings = compare_settings(before, after, result.matching);
  if (knows(Part::groups)) result.groups = compare_groups(before, after);
  return result;
}

}  // namespace rch::compare
