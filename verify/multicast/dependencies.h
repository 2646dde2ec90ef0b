#pragma once

#include <vector>

#include "verify/dependencies.h"
#include "verify/multicast/rows.h"
#include "verify/survey.h"

namespace rch::verify {

/// Adds the channel dependencies of multicast packets. A packet that came in by a port requests a lane of
/// every other port in the row of its group, all at once (Dally and Seitz 1987). Packets may come in by every
/// such port.
template <std::size_t N>
class MulticastDependencies {
 public:
  MulticastDependencies(const Context& context, Dependencies<N>& dependencies)
      : context_(context), dependencies_(dependencies), leaving_(context.wiring.slot_count()) {}

  void add(const fabric::MulticastGroup& group) {
    const std::vector<GroupRow> all = rows(context_.fabric, group);
    std::ranges::fill(leaving_, std::uint16_t{0});
    for (const GroupRow& row : all) leave(row, senders_at(row.sw, group), sl_bit(group.sl));
    for (const GroupRow& row : all) depend(row, sl_bit(group.sl));
  }

 private:
  /// Lanes, one bit each, by which packets of an SL leave.
  std::uint16_t lanes(SwitchId sw, std::uint8_t in, std::uint8_t out, SlSet sl) const {
    const LaneMap& map = context_.lanes.at(sw.index(), in, out);
    std::uint16_t result = 0;
    for (std::size_t lane = 0; lane < N; ++lane)
      if ((map.on_lane[lane] & sl) != 0) result = static_cast<std::uint16_t>(result | 1U << lane);
    return result;
  }

  const Exit& exit(SwitchId sw, std::uint8_t port) const { return context_.wiring.exit(sw.index(), port); }
  std::uint8_t number(PortId port) const { return context_.fabric.port(port).number.value; }

  /// Ports by which packets of senders come in.
  std::vector<PortId> senders_at(SwitchId sw, const fabric::MulticastGroup& group) const {
    std::vector<PortId> at;
    for (const PortId sender : group.senders)
      if (const PortId peer = context_.fabric.port(sender).peer;
          !peer.is_none() && context_.fabric.port(peer).node == fabric::Fabric::node_id(sw))
        at.push_back(peer);
    return at;
  }

  void leave(const GroupRow& row, std::span<const PortId> senders, SlSet sl) {
    for (PortId to : row.ports) {
      const std::uint8_t out = number(to);
      if (exit(row.sw, out).kind != Exit::Kind::to_switch) continue;
      std::uint16_t& used = leaving_[context_.wiring.slot(row.sw.index(), out)];
      for (PortId from : row.ports)
        if (from != to) used = static_cast<std::uint16_t>(used | lanes(row.sw, number(from), out, sl));
      for (PortId from : senders)
        used = static_cast<std::uint16_t>(used | lanes(row.sw, number(from), out, sl));
      dependencies_.use(context_.wiring.slot(row.sw.index(), out), used);
    }
  }

  void depend(const GroupRow& row, SlSet sl) {
    for (PortId from : row.ports) {
      const std::uint8_t in = number(from);
      const Exit& back = exit(row.sw, in);
      if (back.kind != Exit::Kind::to_switch) continue;
      const std::uint16_t entering = leaving_[context_.wiring.slot(back.to, back.in)];
      for (PortId to : row.ports)
        if (from != to && exit(row.sw, number(to)).kind == Exit::Kind::to_switch)
          add_each_with_each(context_.wiring.cell(row.sw.index(), in, number(to)), entering,
                             lanes(row.sw, in, number(to), sl));
    }
  }

  void add_each_with_each(std::size_t cell, std::uint16_t entering, std::uint16_t leaving) {
    for (std::size_t a = 0; a < N; ++a)
      for (std::size_t b = 0; b < N; ++b)
        if ((entering >> a & 1U) != 0 && (leaving >> b & 1U) != 0) dependencies_.add(cell, a, b);
  }

  const Context& context_;
  Dependencies<N>& dependencies_;
  std::vector<std::uint16_t> leaving_;  ///< lanes by slot, of the group at hand
};

}  // namespace rch::verify
