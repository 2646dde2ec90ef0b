#include "chains/option_maps.h"

#include <algorithm>
#include <vector>

#include "chains/compose.h"
#include "policy/model/vl_tables.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::Sl2VlMap;
using policy::qos::PortClass;

/// Code of the data VLs of a link. A port that does not say what it is capable of is taken to have 8.
std::uint8_t vl_code(const Fabric& fabric, const fabric::Port& port, std::uint8_t max_op_vls) {
  constexpr std::uint8_t kUnknown = 4, kMost = 5;
  const auto code = [&](std::uint8_t cap) { return cap == 0 ? kUnknown : std::min(cap, kMost); };
  const std::uint8_t own = std::min(code(port.vl_cap), code(max_op_vls));
  return port.peer.is_none() ? own : std::min(own, code(fabric.port(port.peer).vl_cap));
}

class OptionMaps {
 public:
  explicit OptionMaps(const policy::BoundPolicy& bound)
      : fabric_(*bound.fabric), options_(bound.policy->options) {}

  fabric::Sl2VlTables make() const {
    fabric::Sl2VlTables tables = uniform(fabric_, fabric::kIdentitySl2Vl);
    std::vector<fabric::Sl2VlTables::MapId> own(fabric_.ports().size(), fabric::Sl2VlTables::kNoMap);
    for (const fabric::EndPort& end : fabric_.end_ports())
      own[end.port.index()] = tables.intern(end_port_map(end.port));
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const SwitchId sw(s);
      const fabric::Node& node = fabric_.node(sw);
      const PortId port0 = fabric_.port_id(sw, PortNum(0));
      if (node.enhanced_port0)
        own[port0.index()] =
            tables.intern(map_of(PortClass::switch_port0, vl_code(fabric_, fabric_.port(port0), limit())));
      for (unsigned out = 1; out <= node.num_ports; ++out) {
        const PortNum to(static_cast<std::uint8_t>(out));
        const auto id = tables.intern(switch_map(fabric_.port(fabric_.port_id(sw, to))));
        for (unsigned in = 0; in <= node.num_ports; ++in)
          tables.set(sw, PortNum(static_cast<std::uint8_t>(in)), to, id);
      }
    }
    tables.set_own(std::move(own));
    return tables;
  }

 private:
  Sl2VlMap map_of(PortClass port_class, std::uint8_t code) const {
    Sl2VlMap map = policy::qos::vl_tables(options_, port_class).sl2vl;
    for (std::uint8_t& vl : map) vl = policy::qos::masked_vl(vl, code);
    return map;
  }

  Sl2VlMap switch_map(const fabric::Port& out) const {
    const bool between = !out.peer.is_none() && fabric_.is_switch(fabric_.port(out.peer).node);
    return map_of(between ? PortClass::switch_to_switch : PortClass::switch_external,
                  vl_code(fabric_, out, limit()));
  }

  Sl2VlMap end_port_map(PortId id) const {
    const fabric::Port& port = fabric_.port(id);
    const bool router = fabric_.node(port.node).type == fabric::NodeType::router;
    return map_of(router ? PortClass::router : PortClass::ca, vl_code(fabric_, port, limit()));
  }

  std::uint8_t limit() const { return options_.qos.max_op_vls; }

  const Fabric& fabric_;
  const policy::Options& options_;
};

}  // namespace

fabric::Sl2VlTables option_maps(const policy::BoundPolicy& bound) {
  if (!bound.policy->options.qos.enabled) return fabric::Sl2VlTables{};
  return OptionMaps(bound).make();
}

}  // namespace rch::chains
