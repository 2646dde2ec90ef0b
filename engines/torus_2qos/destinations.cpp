#include "engines/torus_2qos/destinations.h"

#include <algorithm>
#include <array>

namespace rch::engines::torus_2qos {
namespace {

/// Rank of each port number: by place in `port_order`, then the other ports in ascending order.
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

class Lister {
 public:
  Lister(const fabric::SubFabric& view, const Torus& torus)
      : view_(view), numbered_(torus.has_parallel_links()) {
    list_.unrouted = static_cast<std::uint16_t>(torus.geometry().size());
    const std::size_t lids = fabric::ForwardingTables::row_length(view.fabric().max_lid());
    list_.position.assign(lids, list_.unrouted);
    if (numbered_) list_.number.assign(lids, kUnnumbered);
  }

  void add_end_ports(SwitchId sw, Position at, const std::array<std::uint16_t, 256>& rank) {
    const auto listed = view_.end_ports_of(sw);
    ends_.assign(listed.begin(), listed.end());
    std::sort(ends_.begin(), ends_.end(), [&](const fabric::EndPort& a, const fabric::EndPort& b) {
      return rank[a.attach.index()] < rank[b.attach.index()];
    });
    for (const fabric::EndPort& end : ends_) add(end.lid, end.lmc, at);
  }

  void begin_switches() { list_.first_switch = list_.position_of.size(); }

  void add_switch(SwitchId sw, Position at) {
    const fabric::Fabric& fabric = view_.fabric();
    const fabric::Port& port0 = fabric.port(fabric.port_id(view_.fabric_switch(sw), PortNum(0)));
    add(view_.switch_lid(sw), view_.path_bit() ? std::uint8_t{0} : port0.lmc, at);
  }

  Destinations take() && {
    const auto unnumbered = static_cast<std::uint16_t>(list_.position_of.size());
    std::replace(list_.number.begin(), list_.number.end(), kUnnumbered, unnumbered);
    return std::move(list_);
  }

 private:
  static constexpr std::uint16_t kUnnumbered = 0xFFFF;

  /// All LIDs of a port get the same number, so the same links (docs/torus.md).
  void add(Lid base, std::uint8_t lmc, Position at) {
    if (base == kUnassignedLid) return;
    const auto number = static_cast<std::uint16_t>(list_.position_of.size());
    if (numbered_) list_.position_of.push_back(at.value);
    for (std::size_t lid = base.index(); lid < base.index() + (std::size_t{1} << lmc); ++lid) {
      list_.position[lid] = at.value;
      if (numbered_) list_.number[lid] = number;
    }
  }

  const fabric::SubFabric& view_;
  bool numbered_;
  std::vector<fabric::EndPort> ends_;  ///< of one switch, in the order of their ranks
  Destinations list_;
};

}  // namespace

Destinations list_destinations(const fabric::SubFabric& view, const Torus& torus, const Options& options) {
  const auto rank = port_ranks(options.port_order);
  Lister lister(view, torus);
  const auto for_switches = [&](auto&& body) {
    for (const Position p : torus.geometry().positions())
      if (torus.present(p)) body(torus.switch_at(p), p);
  };
  for_switches([&](SwitchId sw, Position at) { lister.add_end_ports(sw, at, rank); });
  lister.begin_switches();
  for_switches([&](SwitchId sw, Position at) { lister.add_switch(sw, at); });
  return std::move(lister).take();
}

}  // namespace rch::engines::torus_2qos
