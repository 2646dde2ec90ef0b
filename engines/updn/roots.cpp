#include "engines/updn/roots.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "base/parallel.h"
#include "base/text.h"
#include "fabric/aggregation_nodes.h"

namespace rch::engines::updn {
namespace {

constexpr std::size_t kNamedRoots = 3;
constexpr std::size_t kBins = 64;  ///< farther end ports are not counted

std::string label(const fabric::Node& node) { return fmt::format("`{}` ({})", node.name(), node.guid); }

/// The first few, and how many more there are.
std::string list(std::span<const std::string> names) {
  const auto shown = names.first(std::min(names.size(), kNamedRoots));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (shown.size() < names.size()) text += fmt::format(" and {} more", names.size() - shown.size());
  return text;
}

std::string list(const fabric::SubFabric& view, std::span<const SwitchId> switches) {
  std::vector<std::string> names;
  for (SwitchId s : switches.first(std::min(switches.size(), kNamedRoots + 1)))
    names.push_back(label(view.node(s)));
  names.resize(switches.size());
  return list(names);
}

/// Switches of the view that a CA or router is connected to, by one port or by all.
std::vector<SwitchId> switches_of(const fabric::SubFabric& view, std::optional<NodeId> node,
                                  std::optional<PortId> port) {
  std::vector<SwitchId> found;
  for (const fabric::EndPort& end : view.end_ports())
    if (port ? end.port == *port : node && view.fabric().port(end.port).node == *node)
      found.push_back(end.sw);
  return found;
}

class RootNames {
 public:
  explicit RootNames(const fabric::SubFabric& view) : view_(view) {}

  void add(const Root& root) {
    const Guid guid = root.guid;
    const fabric::Fabric& fabric = view_.fabric();
    const auto node = fabric.find_node(guid);
    const auto port = node ? std::nullopt : fabric.find_port(guid);
    const auto owner = port ? std::optional(fabric.port(*port).node) : node;
    std::vector<SwitchId> found;
    if (owner && fabric.is_switch(*owner)) {
      if (const auto sw = view_.view_switch(SwitchId(owner->value))) found.push_back(*sw);
    } else if (owner) {
      found = switches_of(view_, node, port);
      if (!found.empty())
        starts_.remarks.push_back(fmt::format("root {} is no switch: {} stands for it",
                                              label(fabric.node(*owner)), list(view_, found)));
    }
    if (found.empty()) absent_.push_back(fmt::format("{}", guid));
    for (SwitchId sw : found) starts_.switches.push_back({sw, root.rank});
  }

  Starts finish() && {
    if (!absent_.empty())
      starts_.remarks.push_back(
          fmt::format("{} root GUIDs name nothing here: {}", absent_.size(), list(absent_)));
    std::vector<Start>& found = starts_.switches;
    std::ranges::sort(found, {}, [](const Start& start) { return std::pair(start.sw, start.rank); });
    const auto same = [](const Start& a, const Start& b) { return a.sw == b.sw; };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    return std::move(starts_);
  }

 private:
  const fabric::SubFabric& view_;
  Starts starts_;
  std::vector<std::string> absent_;
};

/// CA and router ports by switch; without aggregation nodes if there are others, unless `as_opensm`.
std::vector<std::uint32_t> count_hosts(const fabric::SubFabric& view, bool as_opensm) {
  std::vector<std::uint32_t> counts(view.switch_count());
  for (const bool with_all : {as_opensm, true}) {
    bool some = false;
    for (const fabric::EndPort& end : view.end_ports()) {
      const fabric::Node& node = view.fabric().node(view.fabric().port(end.port).node);
      if (!with_all && fabric::is_aggregation_node(node)) continue;
      ++counts[end.sw.index()];
      some = true;
    }
    if (some || with_all) break;
  }
  return counts;
}

/// Whose end ports a Histogram counts. A few hosts on spines can hide the roots of a small fabric.
enum class Counted : std::uint8_t { all, of_full_switches };

/// End ports by their distance from one switch.
class Histogram {
 public:
  Histogram(const fabric::SubFabric& view, bool as_opensm, Counted counted) {
    const std::vector<std::uint32_t> counts = count_hosts(view, as_opensm);
    const std::uint32_t most = counts.empty() ? 0 : *std::ranges::max_element(counts);
    for (const std::uint32_t count : counts) {
      if (count == 0) continue;
      hosts_.push_back(counted == Counted::all || 2 * count >= most ? count : 0);
      total_ += hosts_.back();
    }
  }

  /// The one distance at which a root sees the end ports; nothing if the switch does not look like one. `row`
  /// has its hops to the switches with hosts.
  std::optional<std::size_t> root_distance(std::span<const std::uint8_t> row) const {
    // Two bins in turn for each distance: most hosts are at the same one, and raising one bin twice in a row
    // would stall.
    std::array<std::array<std::size_t, HopMatrix::kUnknown + 1>, 2> sums{};
    for (std::size_t i = 0; i < hosts_.size(); ++i) sums[i % 2][row[i]] += hosts_[i];
    std::array<std::size_t, kBins> bins{};
    for (std::size_t h = 0; h < kBins; ++h) bins[h] = sums[0][h] + sums[1][h];
    const auto main = std::ranges::max_element(bins);
    const auto notable = std::ranges::count_if(bins, [&](std::size_t n) { return 20 * n > total_; });
    if (10 * *main <= 9 * total_ || notable != 1) return std::nullopt;
    return static_cast<std::size_t>(main - bins.begin());
  }

 private:
  std::size_t total_ = 0;
  std::vector<std::uint32_t> hosts_;  ///< by switch that has any
};

struct Candidate {
  SwitchId sw;
  std::size_t distance;
};

std::vector<Candidate> root_candidates(const fabric::SubFabric& view, const HopMatrix& hops, bool as_opensm,
                                       Counted counted) {
  const Histogram histogram(view, as_opensm, counted);
  std::vector<std::optional<std::size_t>> distances(view.switch_count());
  parallel_ranges(distances.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s)
      distances[s] = histogram.root_distance(hops.row(SwitchId(static_cast<std::uint32_t>(s))));
  });
  std::vector<Candidate> found;
  for (std::uint32_t s = 0; s < distances.size(); ++s)
    if (distances[s]) found.push_back({SwitchId(s), *distances[s]});
  return found;
}

}  // namespace

StartsResult named_roots(const fabric::SubFabric& view, std::span<const Root> roots) {
  RootNames names(view);
  for (const Root& root : roots) names.add(root);
  Starts starts = std::move(names).finish();
  if (!starts.switches.empty()) return starts;
  std::vector<Guid> guids;
  for (const Root& root : roots) guids.push_back(root.guid);
  return tl::unexpected(EngineFailure{
      .rule = "no-roots",
      .message =
          fmt::format("none of the {} root GUIDs names a switch here: {} first", guids.size(), guids.front()),
      .guids = std::move(guids)});
}

StartsResult detected_roots(const fabric::SubFabric& view, const HopMatrix& hops, bool as_opensm) {
  std::vector<Candidate> candidates = root_candidates(view, hops, as_opensm, Counted::all);
  if (candidates.empty() && !as_opensm)
    candidates = root_candidates(view, hops, as_opensm, Counted::of_full_switches);
  if (candidates.empty())
    return tl::unexpected(EngineFailure{
        .rule = "no-roots",
        .message = fmt::format("no root switches found: none of {} switches sees 90 % of the {} end ports at "
                               "one distance and less than 5 % at every other; name them in `root_guid_file`",
                               view.switch_count(), view.end_ports().size()),
        .guids = {}});
  const std::size_t nearest = std::ranges::min_element(candidates, {}, &Candidate::distance)->distance;
  std::vector<SwitchId> roots;
  for (const Candidate& c : candidates)
    if (as_opensm || c.distance == nearest) roots.push_back(c.sw);
  Starts starts;
  for (SwitchId sw : roots) starts.switches.push_back({sw});
  starts.remarks.push_back(fmt::format("{} roots found: {}", roots.size(), list(view, roots)));
  if (2 * candidates.size() > view.switch_count())
    starts.remarks.push_back(
        fmt::format("{} of {} switches look like roots, {} taken; better name them in "
                    "`root_guid_file`",
                    candidates.size(), view.switch_count(), roots.size()));
  return starts;
}

std::vector<SwitchId> present_roots(const fabric::SubFabric& view, std::span<const Guid> roots) {
  std::vector<SwitchId> present;
  for (const Guid guid : roots)
    if (const auto sw = view.fabric().find_switch(guid))
      if (const auto own = view.view_switch(*sw)) present.push_back(*own);
  std::ranges::sort(present);
  return present;
}

Starts kept_roots(const fabric::SubFabric& view, std::vector<SwitchId> kept, const StartsResult& detected,
                  const fabric::SubFabric& before) {
  std::vector<SwitchId> added;
  if (detected)
    for (const Start& start : detected->switches)
      if (!std::ranges::binary_search(kept, start.sw)) added.push_back(start.sw);
  if (detected && detected->switches.size() == kept.size() + added.size()) return *detected;
  std::erase_if(added, [&](SwitchId sw) {
    const auto was = before.fabric().find_switch(view.node(sw).guid);
    return was && before.view_switch(*was);
  });
  Starts starts;
  starts.remarks.push_back(fmt::format("{} kept: {}", counted(kept.size(), "root"), list(view, kept)));
  kept.insert(kept.end(), added.begin(), added.end());
  std::ranges::sort(kept);
  for (const SwitchId sw : kept) starts.switches.push_back({sw});
  return starts;
}

std::vector<SwitchId> switches_with_hosts(const fabric::SubFabric& view, bool as_opensm) {
  const std::vector<std::uint32_t> hosts = count_hosts(view, as_opensm);
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < hosts.size(); ++s)
    if (hosts[s] != 0) found.push_back(SwitchId(s));
  return found;
}

StartsResult leaves(const fabric::SubFabric& view, bool as_opensm) {
  Starts starts;
  for (SwitchId sw : switches_with_hosts(view, as_opensm)) starts.switches.push_back({sw});
  if (!starts.switches.empty()) return starts;
  return tl::unexpected(EngineFailure{
      .rule = "no-leaves",
      .message = fmt::format("no leaves: none of {} switches has a CA or router", view.switch_count()),
      .guids = {}});
}

}  // namespace rch::engines::updn
