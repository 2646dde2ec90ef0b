#include "engines/updn/pairs.h"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

#include "fabric/parts.h"

namespace rch::engines::updn {
namespace {

constexpr std::size_t kExamples = 2;

std::string pair_text(const fabric::SubFabric& view, SwitchId from, SwitchId to) {
  const auto host = [&](SwitchId s) -> const fabric::Node& {
    return view.fabric().node(view.fabric().port(view.end_ports_of(s).front().port).node);
  };
  return fmt::format("`{}` to `{}`", host(from).name(), host(to).name());
}

}  // namespace

std::vector<std::string> remarks_on_pairs(const fabric::SubFabric& view, const HopMatrix& hops, bool joined) {
  const fabric::Parts parts = fabric::parts(view.graph());
  std::size_t lost = 0;
  std::vector<std::string> examples;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId from(s);
    const std::size_t sources = view.end_ports_of(from).size();
    if (sources == 0 || std::ranges::count(hops.row(from), HopMatrix::kUnknown) == 0) continue;
    for (std::uint32_t d = 0; d < view.switch_count(); ++d) {
      const SwitchId to(d);
      const std::size_t targets = view.end_ports_of(to).size();
      if (targets == 0 || hops.at(from, to) != HopMatrix::kUnknown || parts.of[s] != parts.of[d]) continue;
      lost += sources * targets;
      if (examples.size() < kExamples) examples.push_back(pair_text(view, from, to));
    }
  }
  if (lost == 0) return {};
  const std::size_t ports = view.end_ports().size();
  return {fmt::format("{} of {} pairs of end ports have no up-down path{}: {}{}", lost, ports * (ports - 1),
                      joined ? "; `connect_roots` routes those that any link joins" : "",
                      fmt::join(examples, ", "), lost > examples.size() ? "…" : "")};
}

}  // namespace rch::engines::updn
