#include <optional>

#include "certificate/walk.h"

namespace rch::certificate {
namespace {

/// The channel dependency graph of tables, and what their packets do not reach.
struct Graph {
  explicit Graph(std::size_t channels) : next(channels) {}

  std::vector<std::vector<std::uint32_t>> next;  ///< channels that are taken behind one; each once
  std::uint64_t lost_pairs = 0, lost_members = 0;

  void add(std::size_t a, std::size_t b) {
    const auto to = static_cast<std::uint32_t>(b);
    if (std::ranges::find(next[a], to) == next[a].end()) next[a].push_back(to);
  }
};

/// Channels in use so that each stands before those that are taken behind it; nothing if there is a cycle.
std::optional<std::vector<Channel>> ordered(const Walk& walk, const Graph& graph) {
  std::vector<std::uint32_t> before(graph.next.size());
  std::vector<std::uint8_t> used(graph.next.size());
  for (std::size_t a = 0; a < graph.next.size(); ++a)
    for (const std::uint32_t b : graph.next[a]) ++before[b], used[a] = used[b] = 1;
  std::vector<std::uint32_t> order;
  std::size_t in_use = 0;
  for (std::uint32_t c = 0; c < used.size(); ++c) {
    in_use += used[c];
    if (used[c] != 0 && before[c] == 0) order.push_back(c);
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::uint32_t b : graph.next[order[i]])
      if (--before[b] == 0) order.push_back(b);
  if (order.size() < in_use) return std::nullopt;
  std::vector<Channel> channels;
  channels.reserve(order.size());
  for (const std::uint32_t c : order) channels.push_back(walk.channel(c));
  return channels;
}

class Making {
 public:
  Making(const Tables& of, Packets packets)
      : of_(of), packets_(packets), walk_(of, packets), graph_(walk_.channel_count()) {}

  /// Nothing if there is no order.
  Result<std::optional<Certificate>> run() {
    add_lids(false);
    if (auto added = add_groups(); !added) return tl::unexpected(added.error());
    auto order = ordered(walk_, graph_);
    if (!order) return std::nullopt;
    Certificate made{of_.fabric.fingerprint(), packets_,         false, graph_.lost_pairs,
                     graph_.lost_members,      std::move(*order)};
    if (!knows_sls_to_switches(of_, packets_)) return made;
    add_lids(true);
    if (auto with_switches = ordered(walk_, graph_)) {
      made.to_switches = true;
      made.order = std::move(*with_switches);
    }
    return made;
  }

 private:
  void add_lids(bool of_switches) {
    const fabric::Fabric& fabric = of_.fabric;
    for (std::size_t l = 1; l <= fabric.max_lid().index(); ++l) {
      const Lid lid(static_cast<std::uint16_t>(l));
      const auto owner = fabric.lid_owner(lid);
      if (!owner || fabric.is_switch(fabric.port(*owner).node) != of_switches) continue;
      const std::uint64_t lost = walk_.to_lid(lid, [&](std::size_t a, std::size_t b) { graph_.add(a, b); });
      if (!of_switches) graph_.lost_pairs += lost;
    }
  }

  Result<void> add_groups() {
    for (const fabric::MulticastGroup& group : of_.tables.groups) {
      const auto lost = walk_.to_group(group, [&](std::size_t a, std::size_t b) { graph_.add(a, b); });
      if (!lost) return tl::unexpected(lost.error());
      graph_.lost_members += *lost;
    }
    return {};
  }

  const Tables& of_;
  Packets packets_;
  Walk walk_;
  Graph graph_;
};

}  // namespace

Result<Certificate> make(const Tables& tables) {
  for (const Packets packets : {Packets::any_sl, Packets::path_sls}) {
    auto made = Making(tables, packets).run();
    if (!made) return tl::unexpected(made.error());
    if (*made) return std::move(**made);
    if (!tables.knows_lanes)
      return fail(ErrorKind::forbidden,
                  "there is no certificate for any service level: links lie on cycles, and service levels of "
                  "paths, or SL2VL maps, are not known");
  }
  return fail(ErrorKind::forbidden,
              "there is no certificate: channels lie on cycles, so that packets can deadlock");
}

}  // namespace rch::certificate
