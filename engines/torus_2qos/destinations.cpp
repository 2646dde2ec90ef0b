#include "engines/torus_2qos/destinations.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace rch::engines::torus_2qos {
namespace {

/// Place of each port number when ports are used in `port_order`, the unnamed ones after it in ascending
/// order.
std::array<std::uint16_t, 256> port_ranks(const std::vector<std::uint8_t>& port_order) {
  constexpr std::uint16_t kUnranked = 0xFFFF;
  std::array<std::uint16_t, 256> rank;
  rank.fill(kUnranked);
  std::uint16_t next = 0;
  for (std::uint8_t port : port_order)
    if (rank[port] == kUnranked) rank[port] = next++;
  for (std::uint16_t& r : rank)
    if (r == kUnranked) r = next++;
  return rank;
}

/// Smallest number that all cable counts divide, or `limit` when that is smaller.
std::size_t common_period(const Torus& torus, std::size_t limit) {
  std::size_t period = 1;
  for (std::size_t p = 0; p < torus.lattice().size() && period < limit; ++p)
    for (std::uint8_t way = 0; way < kDirections; ++way)
      period = std::lcm(period,
                        std::max<std::size_t>(
                            1, torus.ports(Position(static_cast<std::uint16_t>(p)), Direction(way)).size()));
  return std::min(period, limit);
}

class Lister {
 public:
  Lister(const fabric::SubFabric& view, const Torus& torus, std::size_t stride)
      : view_(view), routed_(view.routed_lids()) {
    const std::size_t positions = torus.lattice().size();
    list_.nowhere = static_cast<std::uint16_t>(positions);
    list_.position.assign(stride, list_.nowhere);
    list_.period = common_period(torus, std::max(view.end_ports().size(), positions));
    if (list_.period > 1) list_.turn.assign(stride, 0);
  }

  void add_switch(SwitchId sw, Position at) {
    const fabric::Fabric& fabric = view_.fabric();
    const fabric::Port& port0 = fabric.port(fabric.port_id(view_.fabric_switch(sw), PortNum(0)));
    add(view_.switch_lid(sw), port0.lmc, at, at.index());
  }

  void add_end_ports(SwitchId sw, Position at, const std::array<std::uint16_t, 256>& rank) {
    const auto listed = view_.end_ports_of(sw);
    std::vector<fabric::EndPort> ends(listed.begin(), listed.end());
    std::sort(ends.begin(), ends.end(), [&](const fabric::EndPort& a, const fabric::EndPort& b) {
      return rank[a.attach.index()] < rank[b.attach.index()];
    });
    for (const fabric::EndPort& end : ends) add(end.lid, end.lmc, at, next_number_++);
  }

  Destinations take() && { return std::move(list_); }

 private:
  /// All LIDs of a port get the same number, so the same cables (torus-2qos 7.1).
  void add(Lid base, std::uint8_t lmc, Position at, std::size_t number) {
    if (base == kUnassignedLid) return;
    for (std::size_t lid = base.index(); lid < base.index() + (std::size_t{1} << lmc); ++lid) {
      if (!routed_.contains(Lid(static_cast<std::uint16_t>(lid)))) continue;
      list_.position[lid] = at.value;
      if (list_.period > 1) list_.turn[lid] = static_cast<std::uint16_t>(number % list_.period);
    }
  }

  const fabric::SubFabric& view_;
  IdSet<Lid> routed_;
  std::size_t next_number_ = 0;
  Destinations list_;
};

}  // namespace

Destinations list_destinations(const fabric::SubFabric& view, const Torus& torus, const Options& options,
                               std::size_t stride) {
  const auto rank = port_ranks(options.port_order);
  Lister lister(view, torus, stride);
  for (std::size_t i = 0; i < torus.lattice().size(); ++i) {
    const Position at(static_cast<std::uint16_t>(i));
    if (!torus.present(at)) continue;
    const SwitchId sw = torus.placement().switch_at[i];
    lister.add_switch(sw, at);
    lister.add_end_ports(sw, at, rank);
  }
  return std::move(lister).take();
}

}  // namespace rch::engines::torus_2qos
