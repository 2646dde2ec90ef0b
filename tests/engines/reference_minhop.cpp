#include "reference_minhop.h"

#include <algorithm>
#include <deque>
#include <map>

namespace rch::test {
namespace {

using fabric::Fabric;
using fabric::Port;

struct Target {
  Lid base;
  std::uint8_t lmc;
  SwitchId sw;
  PortNum attach;  ///< 0: the switch itself
};

std::vector<Target> targets(const Fabric& fabric) {
  std::vector<SwitchId> order;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) order.push_back(SwitchId(s));
  const auto key = [&](SwitchId s) { return fabric::opensm_order(fabric.node(s).guid); };
  std::sort(order.begin(), order.end(), [&](SwitchId a, SwitchId b) { return key(a) < key(b); });
  const std::vector<SwitchId> by_guid = order;
  std::stable_sort(order.begin(), order.end(), [&](SwitchId a, SwitchId b) {
    return fabric.end_ports_of(a).size() > fabric.end_ports_of(b).size();
  });
  std::vector<Target> list;
  for (SwitchId s : order)
    for (const fabric::EndPort& host : fabric.end_ports_of(s))
      list.push_back({host.lid, host.lmc, s, host.attach});
  for (SwitchId s : by_guid) {
    const Port& port0 = fabric.port(fabric.port_id(s, PortNum(0)));
    list.push_back({port0.lid, port0.lmc, s, PortNum(0)});
  }
  return list;
}

/// Neighbour switches that earlier LIDs of a destination left by, with how many did.
using Past = std::map<std::uint32_t, int>;

class Row {
 public:
  Row(const Fabric& fabric, const engines::HopMatrix& hops, SwitchId sw, std::span<const std::uint32_t> loads,
      std::span<std::uint8_t> row)
      : fabric_(fabric), hops_(hops), sw_(sw), row_(row), load_(256) {
    for (std::uint32_t p = 0; p <= fabric.node(sw).num_ports && !loads.empty(); ++p)
      load_[p] = loads[fabric.port_id(sw, PortNum(static_cast<std::uint8_t>(p))).index()];
  }

  void fill(const std::vector<Target>& list) {
    std::vector<Past> past(list.size());
    for (std::uint32_t bit = 0; bit < 128; ++bit)
      for (std::size_t t = 0; t < list.size(); ++t)
        if (bit < 1U << list[t].lmc) put(list[t], bit, past[t]);
  }

 private:
  std::uint32_t neighbor(PortNum port) const {
    return fabric_.port(fabric_.port(fabric_.port_id(sw_, port)).peer).node.value;
  }

  void put(const Target& t, std::uint32_t bit, Past& past) {
    const std::size_t lid = t.base.index() + bit;
    if (t.sw == sw_) {
      row_[lid] = t.attach.value;
      return;
    }
    const std::uint8_t port = choose(t, bit == 0 ? 0U : row_[lid - 1] + 1U, past);
    row_[lid] = port;
    if (port == kNoPath || t.attach == PortNum(0)) return;
    ++load_[port];
    ++past[neighbor(PortNum(port))];
  }

  std::uint8_t choose(const Target& t, std::uint32_t start, const Past& past) const {
    const std::uint32_t ports = fabric_.node(sw_).num_ports + 1U;
    const std::uint8_t least = hops_.at(sw_, t.sw);
    // One candidate per preference: A, B, C of OpenSM's osm_switch.c. `least_use` is what OpenSM breaks ties
    // of C by: the least use met among the cables that were best at their time.
    std::array<std::uint8_t, 3> best{kNoPath, kNoPath, kNoPath};
    int least_use = 1 << 20;
    for (std::uint32_t i = start; i < start + ports; ++i) {
      const auto port = static_cast<std::uint8_t>(i % ports);
      if (port == 0 || least == 255 || hops_by_port(fabric_, hops_, sw_, t.sw, PortNum(port)) != least)
        continue;
      const int grade = preference(port, past);
      std::uint8_t& chosen = best[static_cast<std::size_t>(grade)];
      const bool lighter = chosen == kNoPath || load_[port] < load_[chosen];
      if (grade < 2) {
        if (lighter) chosen = port;
        continue;
      }
      const int use = past.at(neighbor(PortNum(port)));
      if (!lighter && (load_[port] > load_[chosen] || use >= least_use)) continue;
      chosen = port;
      least_use = std::min(least_use, use);
    }
    return best[0] != kNoPath ? best[0] : best[1] != kNoPath ? best[1] : best[2];
  }

  int preference(std::uint8_t port, const Past& past) const {
    const Guid system = fabric_.node(NodeId(neighbor(PortNum(port)))).system_guid;
    const bool same_system = std::any_of(past.begin(), past.end(), [&](const auto& p) {
      return fabric_.node(NodeId(p.first)).system_guid == system;
    });
    return !same_system ? 0 : past.contains(neighbor(PortNum(port))) ? 2 : 1;
  }

  const Fabric& fabric_;
  const engines::HopMatrix& hops_;
  SwitchId sw_;
  std::span<std::uint8_t> row_;
  std::vector<std::uint32_t> load_;
};

}  // namespace

engines::HopMatrix reference_distances(const fabric::SwitchGraph& graph) {
  const std::size_t n = graph.switch_count();
  engines::HopMatrix matrix{n, std::vector<std::uint8_t>(n * n, engines::HopMatrix::kUnknown)};
  for (std::uint32_t from = 0; from < n; ++from) {
    std::uint8_t* row = matrix.hops.data() + from * n;
    row[from] = 0;
    std::deque<SwitchId> queue{SwitchId(from)};
    for (; !queue.empty(); queue.pop_front())
      for (const fabric::Neighbor& next : graph.neighbors(queue.front())) {
        if (row[next.sw.index()] != engines::HopMatrix::kUnknown) continue;
        row[next.sw.index()] = static_cast<std::uint8_t>(row[queue.front().index()] + 1);
        queue.push_back(next.sw);
      }
  }
  return matrix;
}

fabric::ForwardingTables reference_minhop(const Fabric& fabric, std::span<const std::uint32_t> loads) {
  const engines::HopMatrix hops = reference_distances(fabric.graph());
  const std::vector<Target> list = targets(fabric);
  fabric::ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    Row(fabric, hops, SwitchId(s), loads, tables.row(SwitchId(s))).fill(list);
  return tables;
}

std::uint8_t hops_by_port(const Fabric& fabric, const engines::HopMatrix& hops, SwitchId sw, SwitchId to,
                          PortNum port) {
  const Port& out = fabric.port(fabric.port_id(sw, port));
  if (port.value == 0 || out.peer.is_none()) return engines::HopMatrix::kUnknown;
  const auto next = fabric.switch_id(fabric.port(out.peer).node);
  if (!next || *next == sw) return engines::HopMatrix::kUnknown;
  const std::uint8_t rest = hops.at(*next, to);
  return rest == engines::HopMatrix::kUnknown ? rest : static_cast<std::uint8_t>(rest + 1);
}

}  // namespace rch::test
