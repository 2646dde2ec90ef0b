#include "brute_force.h"

#include <deque>
#include <set>

#include "verify/given_sls.h"

namespace rch::test {
namespace {

using verify::FindingKind;

constexpr unsigned kVls[] = {0, 1, 2, 4, 8, 15};

class PairWalk {
 public:
  PairWalk(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, const verify::Options& options)
      : fabric_(fabric), tables_(tables), options_(options) {}

  /// What stops the packet, if anything does; `used` gets the channels it takes.
  std::optional<FindingKind> walk(PortId source, PortId owner, Lid lid, std::uint8_t sl,
                                  std::vector<Channel>& used) const {
    const PortId attach = fabric_.port(source).peer;
    const auto& own_map = tables_.sl2vl.empty() ? fabric::kIdentitySl2Vl : tables_.sl2vl.end_port(source);
    if (!fits(own_map[sl], source)) return FindingKind::dropped_by_vl;
    PortId in = attach;
    for (;;) {
      const SwitchId sw(fabric_.port(in).node.value);
      if (loops(sw, lid)) return FindingKind::loop;
      if (owner == fabric_.port_id(sw, PortNum(0)) && tables_.lfts.at(sw, lid) == 0) return std::nullopt;
      const auto out = exit(sw, lid);
      if (!out) return FindingKind::unreachable;
      const PortId peer = fabric_.port(*out).peer;
      const bool more = fabric_.is_switch(fabric_.port(peer).node);
      if (!more && peer != owner) return FindingKind::unreachable;
      const unsigned vl = tables_.vl(sw, fabric_.port(in).number, fabric_.port(*out).number, sl);
      if (!fits(vl, *out)) return FindingKind::dropped_by_vl;
      if (!more) return std::nullopt;
      used.push_back({sw.value, fabric_.port(*out).number.value, vl});
      in = peer;
    }
  }

  const verify::Options& options() const { return options_; }

  /// The entries lead from `sw` back to it.
  bool loops(SwitchId sw, Lid lid) const {
    SwitchId at = sw;
    for (std::size_t i = 0; i < fabric_.switch_count(); ++i) {
      const auto out = exit(at, lid);
      if (!out) return false;
      const NodeId next = fabric_.port(fabric_.port(*out).peer).node;
      if (!fabric_.is_switch(next)) return false;
      at = SwitchId(next.value);
      if (at == sw) return true;
    }
    return false;
  }

 private:
  bool fits(unsigned vl, PortId port) const {
    unsigned count = kVls[options_.max_op_vls];
    for (const PortId end : {port, fabric_.port(port).peer})
      if (fabric_.port(end).vl_cap != 0) count = std::min(count, kVls[fabric_.port(end).vl_cap]);
    return vl < count;
  }

  /// Linked port that a switch sends a LID to.
  std::optional<PortId> exit(SwitchId sw, Lid lid) const {
    const unsigned entry = tables_.lfts.at(sw, lid);
    if (entry == 0 || entry > fabric_.node(sw).num_ports) return std::nullopt;
    const PortId port = fabric_.port_id(sw, PortNum(static_cast<std::uint8_t>(entry)));
    return fabric_.port(port).peer.is_none() ? std::nullopt : std::optional(port);
  }

  const fabric::Fabric& fabric_;
  const fabric::RoutingTables& tables_;
  const verify::Options& options_;
};

void add_pair(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, const PairWalk& walk,
              const fabric::EndPort& from, PortId to, Lid lid, BruteForce& result) {
  std::vector<Channel> used;
  const verify::GivenSls* const given = walk.options().given;
  const std::uint8_t sl =
      given != nullptr ? given->at(from.port, lid) : fabric::path_sl(fabric, tables, from.sw, lid);
  ++result.pairs;
  const NodeId owner = fabric.port(to).node;
  const SwitchId at(fabric.is_switch(owner) ? owner.value : fabric.port(fabric.port(to).peer).node.value);
  if (const auto lost = walk.walk(from.port, to, lid, sl, used))
    ++result.lost[joined(fabric, from.sw, at) ? *lost : FindingKind::disconnected];
  result.channels.insert(used.begin(), used.end());
  for (std::size_t i = 1; i < used.size(); ++i) result.dependents[used[i - 1]].insert(used[i]);
}

}  // namespace

bool joined(const fabric::Fabric& fabric, SwitchId from, SwitchId to) {
  std::deque<SwitchId> queue{from};
  std::set<std::uint32_t> met{from.value};
  for (; !queue.empty(); queue.pop_front())
    for (const fabric::Neighbor& n : fabric.graph().neighbors(queue.front()))
      if (met.insert(n.sw.value).second) queue.push_back(n.sw);
  return met.contains(to.value);
}

BruteForce brute_force(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                       const verify::Options& options) {
  BruteForce result;
  const PairWalk walk(fabric, tables, options);
  for (const fabric::EndPort& to : fabric.end_ports())
    for (const fabric::EndPort& from : fabric.end_ports())
      for (unsigned k = 0; k < 1U << to.lmc && from.port != to.port; ++k)
        add_pair(fabric, tables, walk, from, to.port, Lid(static_cast<std::uint16_t>(to.lid.value + k)),
                 result);
  return result;
}

void brute_force_to_switches(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                             const verify::Options& options, BruteForce& result) {
  const PairWalk walk(fabric, tables, options);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (const fabric::EndPort& from : fabric.end_ports()) {
      const PortId to = fabric.port_id(SwitchId(s), PortNum(0));
      add_pair(fabric, tables, walk, from, to, fabric.port(to).lid, result);
    }
}

std::vector<Lid> looping_lids(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  const PairWalk walk(fabric, tables, {});
  std::vector<Lid> looping;
  for (std::size_t l = 1; l < tables.lfts.stride(); ++l) {
    const Lid lid(static_cast<std::uint16_t>(l));
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      if (walk.loops(SwitchId(s), lid)) {
        looping.push_back(lid);
        break;
      }
  }
  return looping;
}

std::vector<Channel> channels_of(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                                 const verify::Options& options, PortId source, Lid lid, std::uint8_t sl) {
  std::vector<Channel> used;
  PairWalk(fabric, tables, options).walk(source, *fabric.lid_owner(lid), lid, sl, used);
  return used;
}

std::uint64_t BruteForce::dependencies() const {
  std::uint64_t count = 0;
  for (const auto& [from, to] : dependents) count += to.size();
  return count;
}

std::size_t BruteForce::shortest_cycle(const Channel& through) const {
  std::map<Channel, std::size_t> distance{{through, 0}};
  for (std::deque<Channel> reached{through}; !reached.empty(); reached.pop_front()) {
    const auto next = dependents.find(reached.front());
    if (next == dependents.end()) continue;
    for (const Channel& c : next->second) {
      if (c == through) return distance[reached.front()] + 1;
      if (distance.emplace(c, distance[reached.front()] + 1).second) reached.push_back(c);
    }
  }
  return 0;
}

}  // namespace rch::test
