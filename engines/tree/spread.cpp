#include "engines/tree/spread.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "engines/common/channels.h"

namespace rch::engines::tree {
namespace {

constexpr std::size_t kPorts = 256;
constexpr std::uint32_t kNone = ~0U;

/// The channel that leaves a switch by a port.
class Exits {
 public:
  explicit Exits(const common::Channels& channels) : number_(channels.switch_count() * kPorts, kNone) {
    for (std::uint32_t s = 0; s < channels.switch_count(); ++s)
      channels.for_each_leaving(SwitchId(s), [&](common::ChannelId c) {
        number_[s * kPorts + channels.port(c).index()] = c.value;
      });
  }

  std::uint32_t at(SwitchId sw, std::uint8_t port) const { return number_[sw.index() * kPorts + port]; }

 private:
  std::vector<std::uint32_t> number_;  ///< by switch and port
};

/// The links from every switch that has hosts to every host.
class Paths {
 public:
  Paths(const Tree& tree, const fabric::ForwardingTables& lfts)
      : channels_(tree.view().graph()), exits_(channels_), longest_(2 * std::size_t{tree.lowest_rank()}) {
    const fabric::SubFabric& view = tree.view();
    for (const fabric::EndPort& end : view.end_ports()) {
      if (sources_.empty() || hosts_.back().sw != end.sw) sources_.push_back(end.sw);
      hosts_.push_back({end.sw, end.lid, sources_.size() - 1});
    }
    hops_.assign(sources_.size() * hosts_.size() * longest_, kNone);
    for (std::size_t s = 0; s < sources_.size(); ++s)
      for (std::size_t h = 0; h < hosts_.size(); ++h)
        if (hosts_[h].lid != kUnassignedLid) lay(sources_[s], hosts_[h], lfts, begin(s, h));
  }

  std::size_t link_count() const { return channels_.size(); }
  std::size_t host_count() const { return hosts_.size(); }
  std::size_t source_count() const { return sources_.size(); }
  std::size_t source_of(std::size_t host) const { return hosts_[host].source; }
  /// Calls on_link(link) for every link from a source to a host.
  template <class OnLink>
  void for_links(std::size_t source, std::size_t host, OnLink&& on_link) const {
    const std::uint32_t* const path = hops_.data() + begin(source, host);
    for (std::size_t i = 0; i < longest_ && path[i] != kNone; ++i) on_link(path[i]);
  }

 private:
  struct Host {
    SwitchId sw;
    Lid lid;
    std::size_t source;
  };

  std::size_t begin(std::size_t source, std::size_t host) const {
    return (source * hosts_.size() + host) * longest_;
  }
  void lay(SwitchId from, const Host& to, const fabric::ForwardingTables& lfts, std::size_t at) {
    for (const std::size_t end = at + longest_; from != to.sw && at != end; ++at) {
      const std::uint32_t link = exits_.at(from, lfts.at(from, to.lid));
      if (link == kNone) return;
      hops_[at] = link;
      from = channels_.to(common::ChannelId(link));
    }
  }

  common::Channels channels_;
  Exits exits_;
  std::size_t longest_;
  std::vector<SwitchId> sources_;
  std::vector<Host> hosts_;          ///< by switch and port
  std::vector<std::uint32_t> hops_;  ///< links by source, host and hop
};

std::uint32_t most_destinations(const Paths& paths) {
  std::uint32_t most = 0;
  std::vector<std::uint32_t> last(paths.link_count(), kNone), count(paths.link_count());
  for (std::uint32_t host = 0; host < paths.host_count(); ++host)
    for (std::size_t source = 0; source < paths.source_count(); ++source)
      paths.for_links(source, host, [&](std::uint32_t link) {
        if (std::exchange(last[link], host) != host) most = std::max(most, ++count[link]);
      });
  return most;
}

/// `order`: hosts of the paths.
std::uint32_t worst_shift(const Paths& paths, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> fullest(order.size());
  parallel_ranges(order.size(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> load(paths.link_count());
    for (std::size_t shift = begin; shift < end; ++shift) {
      std::ranges::fill(load, 0U);
      for (std::size_t i = 0; i < order.size(); ++i)
        paths.for_links(paths.source_of(order[i]), order[(i + shift) % order.size()],
                        [&](std::uint32_t link) { ++load[link]; });
      if (!load.empty()) fullest[shift] = *std::ranges::max_element(load);
    }
  });
  return fullest.empty() ? 0 : *std::ranges::max_element(fullest);
}

}  // namespace

Spread spread_of(const Tree& tree, const fabric::ForwardingTables& lfts) {
  const fabric::SubFabric& view = tree.view();
  const Paths paths(tree, lfts);
  std::vector<std::uint32_t> by_switch, by_leaf;
  for (std::uint32_t h = 0; h < view.end_ports().size(); ++h)
    if (view.end_ports()[h].lid != kUnassignedLid) by_switch.push_back(h);
  for (std::uint32_t h : by_switch)
    if (tree.role(view.end_ports()[h]) == Role::compute) by_leaf.push_back(h);
  std::ranges::stable_sort(by_leaf, {}, [&](std::uint32_t h) { return tree.column(view.end_ports()[h].sw); });
  const std::uint32_t worst = worst_shift(paths, by_switch);
  return {.destinations = most_destinations(paths),
          .worst_shift = worst,
          .worst_shift_in_tree = by_leaf == by_switch ? worst : worst_shift(paths, by_leaf)};
}

}  // namespace rch::engines::tree
