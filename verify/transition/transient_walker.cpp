#include "verify/transition/transient_walker.h"

namespace rch::verify {

template <std::size_t N>
bool TransientWalker<N>::walk(const Move& move, Stage stage, bool repaired, std::span<const SlSet> sls,
                              const Lanes& lanes, const Injection& injection, Dependencies<N>& dependencies) {
  if (!order(move, stage, repaired)) return false;
  if (!move.depends) return true;
  for (const std::uint32_t node : order_) spread(node, sls, lanes, injection, dependencies);
  return true;
}

template <std::size_t N>
void TransientWalker<N>::build(const Move& move, Stage stage, bool repaired) {
  const std::size_t nodes = switches() * (stage == Stage::downstream ? 2 : 1);
  hops_.assign(nodes, {});
  load_.assign(nodes, {});
  for (std::size_t s = 0; s < switches(); ++s) {
    const std::uint8_t target = move.target[s];
    std::uint8_t installed = move.installed[s];
    if (repaired) {
      const Exit::Kind kind = wiring_.exit(s, installed).kind;
      if (kind == Exit::Kind::no_link || kind == Exit::Kind::no_such_port) installed = target;
    }
    if (stage == Stage::drained && installed != target) continue;
    set_hop(s, 0, stage == Stage::target ? target : installed, 0);
    if (stage == Stage::downstream) set_hop(switches() + s, 0, target, 1);
    if (stage == Stage::installed || stage == Stage::target || installed == target) continue;
    set_hop(s, 1, target, stage == Stage::downstream ? 1 : 0);
  }
}

template <std::size_t N>
void TransientWalker<N>::set_hop(std::size_t node, std::size_t which, std::uint8_t entry, std::size_t layer) {
  const Exit& exit = wiring_.exit(sw_of(node), entry);
  if (exit.kind != Exit::Kind::to_switch) return;
  hops_[node][which] = {static_cast<std::uint32_t>(exit.to + layer * switches()), entry, exit.in};
}

/// Nodes that packets reach, each after all that send to it. False if some lie on or behind a cycle.
template <std::size_t N>
bool TransientWalker<N>::order(const Move& move, Stage stage, bool repaired) {
  build(move, stage, repaired);
  to_switch_ = move.to_switch;
  pending_.assign(hops_.size(), 0);
  live_.assign(hops_.size(), false);
  reached_.clear();
  const auto reach = [&](std::uint32_t node) {
    if (live_[node]) return;
    live_[node] = true;
    reached_.push_back(node);
  };
  for (std::uint32_t s = 0; s < switches(); ++s)
    if (sends(s)) reach(s);
  for (std::size_t head = 0; head < reached_.size(); ++head)
    for (const Hop& hop : hops_[reached_[head]]) {
      if (hop.to == kNowhere) continue;
      ++pending_[hop.to];
      reach(hop.to);
    }
  order_.clear();
  for (const std::uint32_t node : reached_)
    if (pending_[node] == 0) order_.push_back(node);
  for (std::size_t head = 0; head < order_.size(); ++head)
    for (const Hop& hop : hops_[order_[head]])
      if (hop.to != kNowhere && --pending_[hop.to] == 0) order_.push_back(hop.to);
  return order_.size() == reached_.size();
}

/// Takes all packets that leave a node one switch further; they are all there, as nodes come in order.
template <std::size_t N>
void TransientWalker<N>::spread(std::uint32_t node, std::span<const SlSet> sls, const Lanes& lanes,
                                const Injection& injection, Dependencies<N>& dependencies) {
  const std::size_t sw = sw_of(node);
  for (std::size_t h = 0; h < 2; ++h) {
    const Hop& hop = hops_[node][h];
    if (hop.to == kNowhere) continue;
    LaneLoad<N>& load = load_[node][h];
    if (node < switches() && sends(sw))
      for (const Injection::Entry& entry : injection.at(wiring_.slot(sw, hop.out)))
        add_load(load, lanes.map(entry.map), sls[sw]);
    const SlSet moving = all_sls(load);
    if (moving == 0) continue;
    dependencies.use(wiring_.slot(sw, hop.out), lanes_in(load));
    for (std::size_t n = 0; n < 2; ++n) {
      const Hop& next = hops_[hop.to][n];
      if (next.to == kNowhere) continue;
      const LaneMap& map = lanes.at(sw_of(hop.to), hop.in, next.out);
      add_load(load_[hop.to][n], map, moving);
      dependencies.add_crossing(wiring_.cell(sw_of(hop.to), hop.in, next.out), load, map);
    }
  }
}

template <std::size_t N>
bool TransientWalker<N>::crosses(const ChannelDependencyGraph::Channel& from,
                                 const ChannelDependencyGraph::Channel& to, const Lanes& lanes) const {
  for (std::size_t node = from.sw.index(); node < hops_.size(); node += switches())
    for (std::size_t h = 0; h < 2; ++h) {
      const Hop& hop = hops_[node][h];
      if (hop.to == kNowhere || hop.out != from.out.value) continue;
      for (const Hop& next : hops_[hop.to]) {
        if (next.to == kNowhere || next.out != to.out.value) continue;
        const LaneMap& map = lanes.at(to.sw.index(), hop.in, next.out);
        if ((load_[node][h][from.lane] & map.on_lane[to.lane]) != 0) return true;
      }
    }
  return false;
}

/// Pending nodes are on cycles or behind them: going backwards ends on one.
template <std::size_t N>
std::vector<SwitchId> TransientWalker<N>::cycle() const {
  std::vector<std::uint32_t> before(hops_.size(), kNowhere);
  std::uint32_t at = kNowhere;
  for (const std::uint32_t node : reached_) {
    if (pending_[node] == 0) continue;
    for (const Hop& hop : hops_[node])
      if (hop.to != kNowhere) before[hop.to] = node;
    at = node;
  }
  std::vector<std::size_t> met(hops_.size(), hops_.size());
  std::vector<std::uint32_t> way;
  for (; met[at] == hops_.size(); at = before[at]) {
    met[at] = way.size();
    way.push_back(at);
  }
  std::vector<SwitchId> out;
  for (std::size_t i = way.size(); i-- > met[at];)
    out.push_back(SwitchId(static_cast<std::uint32_t>(sw_of(way[i]))));
  return out;
}

template class TransientWalker<1>;
template class TransientWalker<2>;
template class TransientWalker<4>;
template class TransientWalker<8>;
template class TransientWalker<16>;

}  // namespace rch::verify
