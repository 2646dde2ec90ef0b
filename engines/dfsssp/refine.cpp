#include "engines/dfsssp/refine.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "engines/common/acyclic_dependencies.h"
#include "engines/dfsssp/dependency_order.h"

namespace rch::engines::dfsssp {
namespace {

/// Fabrics with more hosts times channels are left alone: a k=8 fat tree has 65,536, a k=10 one 250,000.
constexpr std::size_t kMostCounters = 200'000;
constexpr std::size_t kMostRounds = 12;

/// What may follow what, lane by lane.
class Permission {
 public:
  Permission(const LanesInUse& lanes, const Routes& routes) : lanes_(lanes), routes_(routes) {
    const common::Channels& channels = routes.channels();
    const std::vector<common::ChannelId> order = order_by_dependencies(routes).channels;
    for (std::size_t l = 0; l < lanes.count; ++l) in_.emplace_back(channels, order);
    std::vector<std::uint8_t> seen;
    for (std::size_t t = 0; t < routes.tree_count(); ++t)
      routes.for_each_dependency(
          t, seen, [&](common::ChannelId c, common::ChannelId next) { lane_of(t).admit(c, next); });
    for (const SpanningTree& tree : lanes.multicast) admit(tree);
  }

  common::AcyclicDependencies& lane_of(std::size_t tree) {
    return in_[lanes_.of.empty() ? 0 : lanes_.of[routes_.tree(tree).to.index()]];
  }

 private:
  /// By whichever of parallel cables.
  void admit(const SpanningTree& tree) {
    const common::Channels& channels = routes_.channels();
    const auto has = [&](common::ChannelId c) {
      const SwitchId from = channels.from(c), to = channels.to(c);
      return tree.parent[from.index()] == to || tree.parent[to.index()] == from;
    };
    for (std::uint32_t i = 0; i < channels.size(); ++i) {
      const common::ChannelId c(i);
      if (!has(c)) continue;
      channels.for_each_leaving(channels.to(c), [&](common::ChannelId next) {
        if (has(next) && channels.to(next) != channels.from(c)) in_.front().admit(c, next);
      });
    }
  }

  const LanesInUse& lanes_;
  const Routes& routes_;
  std::deque<common::AcyclicDependencies> in_;
};

class Refinement {
 public:
  Refinement(const HopMatrix& hops, Permission* permission, Routes& routes)
      : hops_(hops),
        channels_(routes.channels()),
        permission_(permission),
        routes_(routes),
        spread_(routes) {}

  Spread::Peaks run() {
    for (std::size_t host = 0; host < spread_.host_count(); ++host) {
      aim_at(host);
      for (std::uint32_t s = 0; s < passing_.size(); ++s)
        if (!passing_[s].empty() && SwitchId(s) != to_) {
          const Spread::Step step{routes_.next(tree_, SwitchId(s)), true};
          spread_.add({host_, passing_[s]}, {&step, 1});
        }
    }
    for (std::size_t round = 0; round < kMostRounds && improve();) ++round;
    return spread_.peaks();
  }

 private:
  bool improve() {
    spread_.weigh();
    bool better = false;
    for (std::size_t host = 0; host < spread_.host_count(); ++host) {
      aim_at(host);
      for (std::uint32_t s = 0; s < passing_.size(); ++s)
        if (!passing_[s].empty() && SwitchId(s) != to_ && improve_at(SwitchId(s))) {
          better = true;
          aim_at(host);
        }
    }
    return better;
  }

  /// Which hosts' paths to this one pass by each switch.
  void aim_at(std::size_t host) {
    host_ = host;
    tree_ = spread_.tree(host);
    to_ = routes_.tree(tree_).to;
    passing_.resize(channels_.switch_count());
    for (std::vector<std::uint32_t>& hosts : passing_) hosts.clear();
    for (std::uint32_t from = 0; from < spread_.host_count(); ++from)
      for (SwitchId at = spread_.switch_of(from); at != to_ && sends(at); at = next(at))
        passing_[at.index()].push_back(from);
  }

  bool sends(SwitchId sw) const { return routes_.places(tree_)[sw.index()] != Routes::kNoChannel; }
  SwitchId next(SwitchId sw) const { return channels_.to(routes_.next(tree_, sw)); }
  bool leads_nearer(common::ChannelId c) const {
    return hops_.at(to_, channels_.to(c)) + 1 == hops_.at(to_, channels_.from(c));
  }

  bool improve_at(SwitchId sw) {
    const common::ChannelId used = routes_.next(tree_, sw);
    const Spread::Flow flow{host_, passing_[sw.index()]};
    bool found = false;
    channels_.for_each_leaving(sw, [&](common::ChannelId c) {
      if (found || c == used || !leads_nearer(c) || !leads_nearer(used)) return;
      if (!compare(sw, used, c) || !spread_.is_better(flow, without_, with_)) return;
      if (permission_ != nullptr && !admit(sw, c)) return;
      spread_.take_away(flow, without_);
      spread_.add(flow, with_);
      routes_.places(tree_)[sw.index()] = static_cast<std::uint8_t>(c.value - channels_.first(sw).value);
      found = true;
    });
    return found;
  }

  /// Lists the channels of the path as it is and as it would be, down to where they meet. False if the latter
  /// comes back, or is longer: switches without hosts may take detours that hosts were spared.
  bool compare(SwitchId sw, common::ChannelId used, common::ChannelId other) {
    path_.assign(1, sw);
    for (SwitchId at = channels_.to(used); at != to_; at = next(at)) path_.push_back(at);
    path_.push_back(to_);
    with_.assign(1, {other, true});
    SwitchId at = channels_.to(other);
    for (; std::ranges::find(path_, at) == path_.end() && sends(at); at = next(at))
      with_.push_back({routes_.next(tree_, at), passing_[at.index()].empty()});
    if (at == sw || (at != to_ && !sends(at))) return false;
    without_.assign(1, {used, true});
    for (std::size_t i = 1; path_[i] != at; ++i)
      without_.push_back(
          {routes_.next(tree_, path_[i]), passing_[path_[i].index()].size() == passing_[sw.index()].size()});
    return with_.size() <= without_.size();
  }

  /// All that packets would ask for by the channel, or nothing of it.
  bool admit(SwitchId sw, common::ChannelId c) {
    common::AcyclicDependencies& lane = permission_->lane_of(tree_);
    lane.mark();
    bool all = true;
    channels_.for_each_leaving(sw, [&](common::ChannelId leaving) {
      const SwitchId before = channels_.to(leaving);
      const bool comes = before != to_ && !passing_[before.index()].empty() &&
                         routes_.next(tree_, before) == channels_.back(leaving);
      all = all && (!comes || lane.admit(channels_.back(leaving), c));
    });
    for (SwitchId at = channels_.to(c); all && at != to_; at = channels_.to(c)) {
      const common::ChannelId after = routes_.next(tree_, at);
      all = lane.admit(c, after);
      c = after;
    }
    if (!all) lane.take_back([](std::size_t) { return false; });
    return all;
  }

  const HopMatrix& hops_;
  const common::Channels& channels_;
  Permission* permission_;  ///< null: circles do not matter
  Routes& routes_;
  Spread spread_;
  // The tree to one host.
  std::size_t host_ = 0, tree_ = 0;
  SwitchId to_;
  std::vector<std::vector<std::uint32_t>> passing_;  ///< by switch, hosts
  // Of the path from one switch, and of another.
  std::vector<SwitchId> path_;
  std::vector<Spread::Step> without_, with_;
};

}  // namespace

bool can_refine(const Routes& routes) {
  const auto hosts = routes.view().end_ports();
  const auto has_one_lid = [](const fabric::EndPort& host) { return host.lmc == 0; };
  return hosts.size() * routes.channels().size() <= kMostCounters && std::ranges::all_of(hosts, has_one_lid);
}

void rotate(const HopMatrix& hops, std::size_t step, Routes& routes) {
  const Spread spread(routes);
  const common::Channels& channels = routes.channels();
  for (std::size_t host = 0; host < spread.host_count(); ++host) {
    const SwitchId to = spread.switch_of(host);
    const std::span<std::uint8_t> places = routes.places(spread.tree(host));
    for (std::uint32_t s = 0; s < places.size(); ++s) {
      std::vector<std::uint8_t> near;
      for (std::size_t place = 0; place < channels.degree(SwitchId(s)); ++place) {
        const common::ChannelId c(channels.first(SwitchId(s)).value + static_cast<std::uint32_t>(place));
        if (places[s] != Routes::kNoChannel && hops.at(to, channels.to(c)) + 1 == hops.at(to, SwitchId(s)))
          near.push_back(static_cast<std::uint8_t>(place));
      }
      if (!near.empty()) places[s] = near[host * step % near.size()];
    }
  }
}

Spread::Peaks refine(const HopMatrix& hops, const LanesInUse* lanes, Routes& routes) {
  std::optional<Permission> permission;
  if (lanes != nullptr) permission.emplace(*lanes, routes);
  return Refinement(hops, permission ? &*permission : nullptr, routes).run();
}

}  // namespace rch::engines::dfsssp
