#include "engines/dfsssp/product_detours.h"

#include <algorithm>
#include <deque>
#include <span>
#include <utility>

#include "engines/common/acyclic_cdg.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

class ProductDetours {
 public:
  ProductDetours(const HopMatrix& hops, const DamagedLines& lines, bool one_way,
                 const std::vector<common::DependencyGraph>& dependencies, const VirtualLayers& layers,
                 Routes& routes)
      : hops_(hops),
        lines_(lines),
        one_way_(one_way),
        channels_(routes.channels()),
        routes_(routes),
        is_source_(channels_.switch_count()),
        entering_(dependencies.size()) {
    rule_.dimensions = layers.digits;
    for (const SwitchId s : routes.sources()) is_source_[s.index()] = 1;
    for (const common::DependencyGraph& graph : dependencies) {
      common::AcyclicCdg& cdg = cdgs_.emplace_back(channels_, common::topological_order(graph).channels);
      for (std::uint32_t c = 0; c < channels_.size(); ++c)
        for (std::size_t i = 0; i < graph.degree(ChannelId(c)); ++i) {
          const ChannelId next = graph.successor(ChannelId(c), i);
          if (!next.is_none()) cdg.try_add(ChannelId(c), next);
        }
    }
  }

  bool restore(std::uint32_t tree, std::vector<SwitchId> at) {
    tree_ = tree;
    to_ = routes_.tree(tree).to;
    std::erase_if(at, [&](SwitchId s) { return hops_.at(to_, s) == kNone; });
    // The switches nearest to the destination first: paths of the others may lead to them.
    std::ranges::stable_sort(at, {}, [&](SwitchId s) { return hops_.at(to_, s); });
    const std::span<std::uint8_t> outputs = routes_.outputs(tree);
    const std::vector<std::uint8_t> before(outputs.begin(), outputs.end());
    if (restore_all(at)) return true;
    std::ranges::copy(before, outputs.begin());
    std::erase_if(at, [&](SwitchId s) { return lines_.lead(tree, s, routes_); });
    return restore_all(at);
  }

  /// True if some source has a path that is not minimal.
  bool is_detour(std::uint32_t tree) {
    const SwitchId to = routes_.tree(tree).to;
    taken_.assign(is_source_.size(), kNone);
    taken_[to.index()] = 0;
    std::vector<SwitchId> path;
    return std::ranges::any_of(routes_.sources(), [&](SwitchId from) {
      SwitchId s = from;
      for (path.clear(); taken_[s.index()] == kNone && routes_.sends(tree, s);
           s = channels_.to(routes_.next(tree, s)))
        path.push_back(s);
      std::uint8_t hops = taken_[s.index()];
      if (hops == kNone) return false;
      for (; !path.empty(); path.pop_back()) taken_[path.back().index()] = ++hops;
      return taken_[from.index()] > hops_.at(from, to);
    });
  }

 private:
  static constexpr std::uint8_t kNone = HopMatrix::kUnknown;

  struct Candidate {
    std::size_t hops;
    std::uint64_t place;
    ChannelId channel;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  bool restore_all(const std::vector<SwitchId>& at) {
    return std::ranges::all_of(at, [&](SwitchId s) { return restore(s); });
  }
  bool restore(SwitchId at) {
    find_entering(at);
    std::vector<Candidate> candidates;
    channels_.for_each_leaving(at, [&](ChannelId c) {
      if (const std::size_t hops = path_length(c, at); hops != 0)
        candidates.push_back({one_way_ ? 0 : hops, lines_.place(channels_.to(c)), c});
    });
    std::ranges::sort(candidates);
    return std::ranges::any_of(candidates, [&](const Candidate& candidate) {
      if (!fits(candidate.channel)) return false;
      routes_.set_next(tree_, candidate.channel);
      return true;
    });
  }

  /// Hops to the destination by a channel; 0 if the path ends before or comes back.
  std::size_t path_length(ChannelId c, SwitchId start) const {
    std::size_t hops = 1;
    for (SwitchId s = channels_.to(c); s != to_; s = channels_.to(routes_.next(tree_, s)), ++hops)
      if (s == start || !routes_.sends(tree_, s)) return 0;
    return hops;
  }

  /// By layer, the channels by which packets arrive at a switch; none() for packets that begin there.
  void find_entering(SwitchId at) {
    for (std::vector<ChannelId>& channels : entering_) channels.clear();
    behind_.assign(1, {at, ChannelId::none()});
    for (std::size_t i = 0; i < behind_.size(); ++i) {
      const SwitchId s = behind_[i].first;
      const ChannelId by = behind_[i].second;
      if (is_source_[s.index()] != 0) {
        std::vector<ChannelId>& channels = entering_[rule_.sl(s, to_)];
        if (std::ranges::find(channels, by) == channels.end()) channels.push_back(by);
      }
      channels_.for_each_leaving(s, [&](ChannelId leaving) {
        const SwitchId from = channels_.to(leaving);
        const ChannelId c = channels_.back(leaving);
        if (from != to_ && from != at && routes_.sends(tree_, from) && routes_.next(tree_, from) == c)
          behind_.emplace_back(from, by.is_none() ? c : by);
      });
    }
  }

  /// Adds the dependencies of all packets that would use the channel, or none.
  bool fits(ChannelId first) {
    for (std::size_t layer = 0; layer < cdgs_.size(); ++layer) {
      if (entering_[layer].empty() || add_path(cdgs_[layer], entering_[layer], first)) continue;
      for (std::size_t before = 0; before < layer; ++before)
        if (!entering_[before].empty()) cdgs_[before].roll_back();
      return false;
    }
    return true;
  }
  bool add_path(common::AcyclicCdg& cdg, const std::vector<ChannelId>& entering, ChannelId first) const {
    return cdg.try_add_all([&](auto&& add) {
      for (const ChannelId c : entering)
        if (!c.is_none()) add(c, first);
      ChannelId c = first;
      for (SwitchId s = channels_.to(c); s != to_; s = channels_.to(c)) {
        const ChannelId next = routes_.next(tree_, s);
        add(std::exchange(c, next), next);
      }
    });
  }

  const HopMatrix& hops_;
  const DamagedLines& lines_;
  bool one_way_;
  const common::Channels& channels_;
  Routes& routes_;
  fabric::SlRule rule_;
  std::vector<std::uint8_t> is_source_;  ///< by switch
  std::deque<common::AcyclicCdg> cdgs_;  ///< by layer
  std::uint32_t tree_ = 0;
  SwitchId to_;
  std::vector<std::uint8_t> taken_;                     ///< by switch, the hops of its path
  std::vector<std::vector<ChannelId>> entering_;        ///< by layer
  std::vector<std::pair<SwitchId, ChannelId>> behind_;  ///< a switch, and the channel by which it arrives
};

}  // namespace

bool lead_around(const std::vector<MissingHop>& missing, const HopMatrix& hops, const DamagedLines& lines,
                 bool one_way, const std::vector<common::DependencyGraph>& dependencies,
                 VirtualLayers& layers, Routes& routes) {
  ProductDetours detours(hops, lines, one_way, dependencies, layers, routes);
  layers.around_missing = true;
  layers.detours = 0;
  for (std::size_t begin = 0, end; begin < missing.size(); begin = end) {
    std::vector<SwitchId> at;
    const std::uint32_t tree = missing[begin].tree;
    for (end = begin; end < missing.size() && missing[end].tree == tree; ++end) at.push_back(missing[end].at);
    if (!detours.restore(tree, std::move(at))) return false;
    if (detours.is_detour(tree)) ++layers.detours;
  }
  return true;
}

}  // namespace rch::engines::dfsssp
