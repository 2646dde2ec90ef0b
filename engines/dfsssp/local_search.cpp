#include "engines/dfsssp/local_search.h"

#include <algorithm>
#include <optional>

#include "engines/common/path_loads.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;
using common::HostId;

/// Hosts times channels, at most: a k=8 fat tree has 65,536, a k=10 one 250,000.
constexpr std::size_t kMostCounters = 200'000;
constexpr std::size_t kMostRounds = 12;

/// A host and the tree to its first LID.
struct Host {
  SwitchId sw;
  std::uint32_t tree;
};

/// In the order of common::hosts_by_guid().
std::vector<Host> hosts_of(const Routes& routes) {
  std::vector<Host> hosts;
  std::vector<SwitchId> switches;
  for (std::uint32_t s = 0; s < routes.channels().switch_count(); ++s) switches.push_back(SwitchId(s));
  std::ranges::sort(switches, {}, [&](SwitchId sw) { return routes.view().node(sw).guid; });
  for (SwitchId sw : switches) {
    const auto [begin, end] = routes.trees_to(sw);
    for (std::uint32_t t = begin; t < end; ++t) {
      const bool first = t == begin || routes.tree(t).host != routes.tree(t - 1).host;
      if (first && !routes.tree(t).host.is_none()) hosts.push_back({sw, t});
    }
  }
  return hosts;
}

class LocalSearch {
 public:
  LocalSearch(const HopMatrix& hops, LayerCdgs* cdgs, Routes& routes)
      : hops_(hops),
        channels_(routes.channels()),
        cdgs_(cdgs),
        routes_(routes),
        hosts_(hosts_of(routes)),
        loads_(channels_.size(), hosts_.size()),
        passing_(channels_.switch_count()) {}

  common::PathDistribution run() {
    for (std::uint32_t host = 0; host < hosts_.size(); ++host) {
      select_destination(HostId(host));
      for (std::uint32_t s = 0; s < passing_.size(); ++s)
        if (is_passed(SwitchId(s))) {
          const common::PathLoads::Hop hop{routes_.next(tree_, SwitchId(s)), true};
          loads_.add({to_host_, passing_[s]}, {&hop, 1});
        }
    }
    for (std::size_t round = 0; round < kMostRounds && improve();) ++round;
    return loads_.distribution();
  }

 private:
  bool improve() {
    loads_.normalise();
    bool better = false;
    for (std::uint32_t host = 0; host < hosts_.size(); ++host) {
      select_destination(HostId(host));
      for (std::uint32_t s = 0; s < passing_.size(); ++s)
        if (is_passed(SwitchId(s)) && improve_at(SwitchId(s))) {
          better = true;
          select_destination(HostId(host));
        }
    }
    return better;
  }

  /// Lists the hosts whose paths to this one pass each switch.
  void select_destination(HostId host) {
    to_host_ = host;
    tree_ = hosts_[host.index()].tree;
    to_ = hosts_[host.index()].sw;
    for (std::vector<HostId>& hosts : passing_) hosts.clear();
    for (std::uint32_t from = 0; from < hosts_.size(); ++from)
      for (SwitchId at = hosts_[from].sw; at != to_ && routes_.sends(tree_, at); at = next(at))
        passing_[at.index()].push_back(HostId(from));
  }

  bool is_passed(SwitchId sw) const { return sw != to_ && !passing_[sw.index()].empty(); }
  SwitchId next(SwitchId sw) const { return channels_.to(routes_.next(tree_, sw)); }
  bool is_minimal(ChannelId c) const {
    return hops_.at(to_, channels_.to(c)) + 1 == hops_.at(to_, channels_.from(c));
  }

  bool improve_at(SwitchId sw) {
    const ChannelId used = routes_.next(tree_, sw);
    const common::PathLoads::Flow flow{to_host_, passing_[sw.index()]};
    bool found = false;
    channels_.for_each_leaving(sw, [&](ChannelId c) {
      if (found || c == used || !is_minimal(c) || !is_minimal(used)) return;
      if (!find_hops(sw, used, c) || !loads_.improves(flow, old_hops_, new_hops_)) return;
      if (cdgs_ != nullptr && !cdgs_->try_move(tree_, c, [&](SwitchId at) { return is_passed(at); })) return;
      loads_.remove(flow, old_hops_);
      loads_.add(flow, new_hops_);
      routes_.set_next(tree_, c);
      found = true;
    });
    return found;
  }

  /// Lists the hops by `used` and by `other`, down to where the paths join. False if the latter returns or is
  /// longer: switches without hosts may have detours.
  bool find_hops(SwitchId sw, ChannelId used, ChannelId other) {
    path_.assign(1, sw);
    for (SwitchId at = channels_.to(used); at != to_; at = next(at)) path_.push_back(at);
    path_.push_back(to_);
    new_hops_.assign(1, {other, true});
    SwitchId at = channels_.to(other);
    for (; std::ranges::find(path_, at) == path_.end() && routes_.sends(tree_, at); at = next(at))
      new_hops_.push_back({routes_.next(tree_, at), passing_[at.index()].empty()});
    if (at == sw || (at != to_ && !routes_.sends(tree_, at))) return false;
    old_hops_.assign(1, {used, true});
    for (std::size_t i = 1; path_[i] != at; ++i)
      old_hops_.push_back(
          {routes_.next(tree_, path_[i]), passing_[path_[i].index()].size() == passing_[sw.index()].size()});
    return new_hops_.size() <= old_hops_.size();
  }

  const HopMatrix& hops_;
  const common::Channels& channels_;
  LayerCdgs* cdgs_;  ///< null: credit loops do not matter
  Routes& routes_;
  const std::vector<Host> hosts_;
  common::PathLoads loads_;
  // The tree to one host.
  HostId to_host_;
  std::size_t tree_ = 0;
  SwitchId to_;
  std::vector<std::vector<HostId>> passing_;  ///< by switch
  // The path from one switch, and the hops that a change replaces and adds.
  std::vector<SwitchId> path_;
  std::vector<common::PathLoads::Hop> old_hops_, new_hops_;
};

}  // namespace

bool can_search(const Routes& routes) {
  const auto hosts = routes.view().end_ports();
  const auto has_one_lid = [](const fabric::EndPort& host) { return host.lmc == 0; };
  return hosts.size() * routes.channels().size() <= kMostCounters && std::ranges::all_of(hosts, has_one_lid);
}

void route_by_host_number(const HopMatrix& hops, std::size_t step, Routes& routes) {
  const common::Channels& channels = routes.channels();
  const std::vector<Host> hosts = hosts_of(routes);
  std::vector<ChannelId> minimal;
  for (std::size_t h = 0; h < hosts.size(); ++h)
    for (std::uint32_t s = 0; s < channels.switch_count(); ++s) {
      if (!routes.sends(hosts[h].tree, SwitchId(s))) continue;
      minimal.clear();
      channels.for_each_leaving(SwitchId(s), [&](ChannelId c) {
        if (hops.at(hosts[h].sw, channels.to(c)) + 1 == hops.at(hosts[h].sw, SwitchId(s)))
          minimal.push_back(c);
      });
      if (!minimal.empty()) routes.set_next(hosts[h].tree, minimal[h * step % minimal.size()]);
    }
}

common::PathDistribution search_locally(const HopMatrix& hops, const LayersInUse* layers, Routes& routes) {
  std::optional<LayerCdgs> cdgs;
  if (layers != nullptr) cdgs.emplace(*layers, routes);
  return LocalSearch(hops, cdgs ? &*cdgs : nullptr, routes).run();
}

}  // namespace rch::engines::dfsssp
