#include "engines/torus_2qos/qos.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "engines/common/data_vls.h"

namespace rch::engines::torus_2qos {
namespace {

constexpr std::uint8_t kQosBit = 8;

/// Class of a port (torus-2QoS(8)): the dimension of its placed torus link, or local. A local port has two
/// data VLs, or one if its link has no more.
using PortClass = std::uint8_t;
constexpr PortClass kLocal = kDimensions, kLocalOneVl = kLocal + 1;
constexpr std::size_t kClasses = kLocalOneVl + 1;

/// VL bit 0: the SL bit of the output dimension, for its dateline. Bit 1: the hop after an illegal turn,
/// which is one against the order x, y, z. Bit 2: QoS level. Fewer VLs drop the upper bits.
fabric::Sl2VlMap torus_map(std::size_t dimension, bool illegal_turn, std::uint8_t vls) {
  const unsigned mask = vls >= 8 ? 7 : vls >= 4 ? 3 : vls >= 2 ? 1 : 0;
  fabric::Sl2VlMap map{};
  for (unsigned sl = 0; sl < map.size(); ++sl)
    map[sl] =
        static_cast<std::uint8_t>(((sl >> dimension & 1) | (illegal_turn ? 2U : 0U) | (sl >> 3) << 2) & mask);
  return map;
}

/// Towards hosts only the QoS level counts.
fabric::Sl2VlMap local_map(std::uint8_t vls) {
  fabric::Sl2VlMap map{};
  for (unsigned sl = kQosBit; sl < map.size(); ++sl) map[sl] = vls >= 2 ? 1 : 0;
  return map;
}

/// True when either end of the link has a single data VL.
bool has_one_vl(const fabric::Fabric& fabric, const fabric::Port& port, const Options& options) {
  if (port.peer.is_none()) return false;
  return std::min(common::data_vls(port, options.max_op_vls),
                  common::data_vls(fabric.port(port.peer), options.max_op_vls)) < 2;
}

using PortClasses = std::array<PortClass, 256>;  ///< by port number

PortClasses port_classes(const fabric::SubFabric& view, const Torus& torus, SwitchId sw,
                         const Options& options) {
  const auto ports = view.fabric().ports().subspan(view.node(sw).first_port.index(),
                                                   view.node(sw).num_ports + std::size_t{1});
  PortClasses classes;
  classes.fill(kLocal);
  const Position at = torus.position_of(sw);
  for (const Direction direction : kAllDirections)
    for (PortNum port : torus.ports(at, direction))
      classes[port.index()] = static_cast<PortClass>(dimension_of(direction));
  for (std::size_t p = 1; p < ports.size(); ++p)
    if (classes[p] == kLocal && has_one_vl(view.fabric(), ports[p], options)) classes[p] = kLocalOneVl;
  return classes;
}

}  // namespace

fabric::SlRule sl_rule(const Torus& torus) {
  const Geometry& geometry = torus.geometry();
  fabric::SlRule rule;
  rule.border = kQosBit;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (!geometry.wraps(d)) continue;
    fabric::SlRule::Dimension dimension;
    dimension.bit = static_cast<std::uint8_t>(d);
    dimension.radix = geometry.radix(d);
    for (Position p : torus.placement().position_of)
      dimension.coordinate.push_back(geometry.coordinates(p)[d]);
    for (std::uint32_t from = 0; from < dimension.radix; ++from)
      for (std::uint32_t to = 0; to < dimension.radix; ++to)
        dimension.crosses.push_back(geometry.crosses_dateline(d, from, to) ? 1 : 0);
    rule.dimensions.push_back(std::move(dimension));
  }
  return rule;
}

fabric::Sl2VlTables sl2vl_tables(const fabric::SubFabric& view, const Torus& torus, const VlCounts& vls,
                                 const Options& options) {
  std::vector<std::uint8_t> num_ports;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    num_ports.push_back(view.node(SwitchId(s)).num_ports);
  fabric::Sl2VlTables tables(num_ports, local_map(vls.between_switches));
  tables.set_end_port(tables.intern(local_map(vls.end_ports)));
  std::array<std::array<fabric::Sl2VlTables::MapId, kClasses>, kClasses> maps{};  // by class in, class out
  for (auto& out : maps) out[kLocalOneVl] = tables.intern(local_map(1));
  for (PortClass out = 0; out < kDimensions; ++out)
    for (PortClass in = 0; in < kClasses; ++in)
      maps[in][out] = tables.intern(torus_map(out, in < kDimensions && in > out, vls.between_switches));

  parallel_ranges(view.switch_count(), 1024, [&](std::size_t begin, std::size_t end) {
    PortClasses last{};
    std::span<const fabric::Sl2VlTables::MapId> made;  // for `last`; most switches are like the one before
    for (std::size_t s = begin; s < end; ++s) {
      const SwitchId sw(static_cast<std::uint32_t>(s));
      const PortClasses classes = port_classes(view, torus, sw, options);
      const auto ids = tables.ids(sw);
      if (made.size() == ids.size() && classes == last) {
        std::ranges::copy(made, ids.begin());
        continue;
      }
      const std::size_t ports = num_ports[s] + std::size_t{1};
      for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = maps[classes[i / ports]][classes[i % ports]];
      made = ids;
      last = classes;
    }
  });
  return tables;
}

std::vector<PortId> two_level_ports(const fabric::SubFabric& view) {
  std::vector<PortId> ports;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    for (const fabric::EndPort& host : view.fabric().end_ports_of(view.fabric_switch(SwitchId(s))))
      ports.push_back(view.fabric().port(host.port).peer);
  return ports;
}

}  // namespace rch::engines::torus_2qos
