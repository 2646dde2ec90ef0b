#include "sim/traffic.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "hw/attributes.h"

namespace rch::sim::test {
namespace {

namespace pi = hw::port_info;

constexpr std::uint64_t kDown = 1, kActive = 4;

/// Vertices of a cycle of the edges, in order; empty if there is none. What has no edge left to go on with is
/// removed until nothing changes; from what remains every edge to what remains leads around.
std::vector<std::uint32_t> cycle_of(const std::vector<std::set<std::uint32_t>>& next) {
  std::vector<std::size_t> open(next.size());
  std::vector<std::vector<std::uint32_t>> before(next.size());
  std::vector<std::uint32_t> ended;
  for (std::uint32_t v = 0; v < next.size(); ++v) {
    open[v] = next[v].size();
    if (open[v] == 0) ended.push_back(v);
    for (const std::uint32_t w : next[v]) before[w].push_back(v);
  }
  for (; !ended.empty();) {
    const std::uint32_t v = ended.back();
    ended.pop_back();
    for (const std::uint32_t u : before[v])
      if (--open[u] == 0) ended.push_back(u);
  }
  const auto remains = [&](std::uint32_t v) { return open[v] > 0; };
  std::vector<std::uint32_t> way;
  const auto first = std::ranges::find_if(open, [](std::size_t left) { return left > 0; });
  if (first == open.end()) return way;
  for (auto at = static_cast<std::uint32_t>(first - open.begin());;
       at = *std::ranges::find_if(next[at], remains)) {
    const auto met = std::ranges::find(way, at);
    if (met != way.end()) return {met, way.end()};
    way.push_back(at);
  }
}

}  // namespace

Traffic::Traffic(const fabric::Fabric& fabric, const SimulatedFabric& simulated,
                 std::vector<ServiceLevels> levels)
    : fabric_(fabric), simulated_(simulated), levels_(std::move(levels)) {}

/// That packets of a host may have. None: the host was told of no path.
std::set<std::uint8_t> Traffic::levels(PortId from, PortId to) const {
  if (levels_.empty()) return {0};
  std::set<std::uint8_t> levels;
  const auto lid = static_cast<std::uint16_t>(get(simulated_.port_info[to.index()], pi::kLid));
  for (const ServiceLevels& told : levels_)
    if (const auto level = told.find({fabric_.port(from).guid, lid}); level != told.end())
      levels.insert(level->second);
  if (levels.contains(kUnproven)) levels.clear();
  return levels;
}

/// The channels of a walk with their VLs: 16 times the port, and the VL. A node without a map has all on VL
/// 0.
std::vector<std::uint32_t> Traffic::lanes(const std::vector<PortId>& channels, std::uint8_t level) const {
  std::vector<std::uint32_t> lanes;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const fabric::Port& out = fabric_.port(channels[c]);
    const PortNum in = c == 0 ? PortNum(0) : fabric_.port(fabric_.port(channels[c - 1]).peer).number;
    const auto map = c == 0 ? simulated_.sl2vl.find({out.node, channels[c], 0})
                            : simulated_.sl2vl.find({out.node, PortId::none(),
                                                     std::uint32_t{in.value} << 8U | out.number.value});
    unsigned vl = 0;
    if (map != simulated_.sl2vl.end()) vl = map->second[level / 2U] >> (level % 2 == 0 ? 4U : 0U) & 0xFU;
    lanes.push_back(16 * channels[c].value + vl);
  }
  return lanes;
}

bool Traffic::is_active(PortId port) const {
  const PortId peer = fabric_.port(port).peer;
  return !peer.is_none() && get(simulated_.port_info[port.index()], pi::kState) == kActive &&
         get(simulated_.port_info[peer.index()], pi::kState) == kActive;
}

std::vector<PortId> Traffic::hosts() const {
  std::vector<PortId> hosts;
  for (const auto& end : fabric_.end_ports())
    if (!fabric_.is_switch(fabric_.port(end.port).node)) hosts.push_back(end.port);
  return hosts;
}

/// Where a switch sends a LID: its port; none if it drops the packet.
PortId Traffic::next_hop(NodeId sw, std::uint16_t lid) const {
  if (lid > get(simulated_.switch_info[sw.index()], hw::switch_info::kLinearTop)) return PortId::none();
  const auto block = simulated_.lft_blocks.find({SwitchId(sw.value), lid / 64U});
  if (block == simulated_.lft_blocks.end()) return PortId::none();
  const std::uint8_t exit = block->second[lid % 64U];
  if (exit == 0 || exit > fabric_.node(sw).num_ports) return PortId::none();
  const PortId out = fabric_.port_id(sw, PortNum(exit));
  return is_active(out) ? out : PortId::none();
}

/// The channels that a packet uses, the one of its host included.
Traffic::End Traffic::walk(PortId from, PortId to, std::vector<PortId>& channels) const {
  const auto lid = static_cast<std::uint16_t>(get(simulated_.port_info[to.index()], pi::kLid));
  return walk(from, lid, to, channels);
}

Traffic::End Traffic::walk(PortId from, std::uint16_t lid, PortId to, std::vector<PortId>& channels) const {
  channels.clear();
  PortId out = from;
  if (lid == 0 || !is_active(from)) return End::dropped;
  for (std::size_t hops = 0; hops <= fabric_.switch_count() + 1; ++hops) {
    channels.push_back(out);
    const PortId in = fabric_.port(out).peer;
    if (in == to) return End::arrives;
    const NodeId node = fabric_.port(in).node;
    if (!fabric_.is_switch(node)) return End::dropped;
    out = next_hop(node, lid);
    if (out.is_none()) return End::dropped;
  }
  return End::loops;
}

/// A path from a host to itself needs no link.
bool Traffic::leads(PortId from, Lid lid, PortId to) const {
  std::vector<PortId> channels;
  const hw::SmpData& info = simulated_.port_info[to.index()];
  const std::uint64_t first = get(info, pi::kLid), count = std::uint64_t{1} << get(info, pi::kLmc);
  if (lid.value < first || lid.value >= first + count) return false;
  return from == to || walk(from, lid.value, to, channels) == End::arrives;
}

/// "switch 1 port 2, ...", the switches that a packet leaves.
std::string Traffic::describe(const std::vector<PortId>& channels) const {
  std::string text;
  for (const PortId channel : channels) {
    const fabric::Port& port = fabric_.port(channel);
    text += fmt::format("{}`{}` port {}", text.empty() ? "" : ", ", fabric_.node(port.node).description,
                        port.number);
  }
  return text;
}

/// By node: the number of the piece of the fabric that it is in.
/// Nodes that are joined with `origin` by links that `joins` says so of, of one end each.
template <class Joins>
std::vector<bool> Traffic::joined_with(PortId origin, const Joins& joins) const {
  std::vector<bool> joined(fabric_.nodes().size());
  std::vector<NodeId> open{fabric_.port(origin).node};
  joined[open.back().index()] = true;
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (std::uint8_t p = 1; p <= fabric_.node(node).num_ports; ++p) {
      const PortId port = fabric_.port_id(node, PortNum(p)), peer = fabric_.port(port).peer;
      if (peer.is_none() || !joins(port)) continue;
      const NodeId far = fabric_.port(peer).node;
      if (joined[far.index()]) continue;
      joined[far.index()] = true;
      if (fabric_.is_switch(far)) open.push_back(far);
    }
  }
  return joined;
}

std::vector<bool> Traffic::piece_of(PortId origin) const {
  return joined_with(
      origin, [&](PortId port) { return get(simulated_.port_info[port.index()], pi::kState) != kDown; });
}

std::vector<bool> Traffic::active_piece_of(PortId origin) const {
  return joined_with(origin, [&](PortId port) { return is_active(port); });
}

std::vector<std::size_t> Traffic::pieces() const {
  std::vector<std::size_t> number(fabric_.nodes().size());
  std::size_t count = 0;
  for (const PortId host : hosts()) {
    if (number[fabric_.port(host).node.index()] != 0) continue;
    const std::vector<bool> joined = piece_of(host);
    ++count;
    for (std::size_t node = 0; node < joined.size(); ++node)
      if (joined[node]) number[node] = count;
  }
  return number;
}

/// Calls `visit` with each pair of hosts in one piece of the fabric that may exchange packets. A manager that
/// lost its files may give the LID of a host that is silent to a switch: packets to that LID are packets to a
/// switch then, which an update does not judge (docs/pipeline.md).
template <class Visit>
void Traffic::for_pairs(const Visit& visit) const {
  std::set<std::uint64_t> of_switches;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
    of_switches.insert(get(simulated_.port_info[fabric_.port_id(SwitchId(s), PortNum(0)).index()], pi::kLid));
  const std::vector<PortId> all = hosts();
  const std::vector<std::size_t> piece = pieces();
  for (const PortId from : all)
    for (const PortId to : all)
      if (from != to && is_active(to) &&
          !of_switches.contains(get(simulated_.port_info[to.index()], pi::kLid)) &&
          piece[fabric_.port(from).node.index()] == piece[fabric_.port(to).node.index()])
        visit(from, to);
}

std::string Traffic::fault() const {
  std::vector<std::set<std::uint32_t>> next(16 * fabric_.ports().size());
  std::vector<PortId> channels;
  std::string loop;
  for_pairs([&](PortId from, PortId to) {
    if (walk(from, to, channels) == End::loops && loop.empty())
      loop = fmt::format("packets from {} to {} are caught in a forwarding loop: {}", fabric_.port(from).guid,
                         fabric_.port(to).guid, describe(channels));
    for (const std::uint8_t level : levels(from, to)) {
      const std::vector<std::uint32_t> on = lanes(channels, level);
      for (std::size_t c = 1; c < on.size(); ++c) next[on[c - 1]].insert(on[c]);
    }
  });
  if (!loop.empty()) return loop;
  const std::vector<std::uint32_t> cycle = cycle_of(next);
  if (cycle.empty()) return "";
  std::string text = "packets between hosts close a credit loop: ";
  for (std::size_t c = 0; c < cycle.size(); ++c)
    text += fmt::format("{}{} on VL {} ({})", c == 0 ? "" : ", ", describe({PortId(cycle[c] / 16)}),
                        cycle[c] % 16, who_goes_on(cycle[c], cycle[(c + 1) % cycle.size()]));
  return text;
}

/// Whose packets go from one channel to the next.
std::string Traffic::who_goes_on(std::uint32_t lane, std::uint32_t next) const {
  std::string who;
  std::vector<PortId> channels;
  for_pairs([&](PortId from, PortId to) {
    if (!who.empty() || walk(from, to, channels) == End::loops) return;
    for (const std::uint8_t level : levels(from, to)) {
      const std::vector<std::uint32_t> on = lanes(channels, level), both{lane, next};
      if (std::search(on.begin(), on.end(), both.begin(), both.end()) != on.end())
        who = fmt::format("{} to {}", fabric_.port(from).guid, fabric_.port(to).guid);
    }
  });
  return who;
}

std::vector<std::string> Traffic::unreachable(PortId origin) const {
  const std::vector<bool> joined = piece_of(origin);
  std::vector<std::string> pairs;
  std::vector<PortId> channels;
  for (const PortId from : hosts())
    for (const PortId to : hosts()) {
      if (from == to || !joined[fabric_.port(from).node.index()] || !joined[fabric_.port(to).node.index()])
        continue;
      if (walk(from, to, channels) != End::arrives)
        pairs.push_back(fmt::format("{} to {}", fabric_.port(from).guid, fabric_.port(to).guid));
    }
  return pairs;
}

}  // namespace rch::sim::test
