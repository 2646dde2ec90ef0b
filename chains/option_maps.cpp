#include "chains/option_maps.h"

#include <algorithm>
#include <array>
#include <optional>

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

  Result<fabric::Sl2VlTables> make() const {
    const auto end_ports = end_port_map();
    if (!end_ports) return tl::unexpected(end_ports.error());
    fabric::Sl2VlTables tables = uniform(fabric_, *end_ports);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const std::uint8_t ports = fabric_.node(SwitchId(s)).num_ports;
      for (unsigned out = 0; out <= ports; ++out) {
        const PortNum to(static_cast<std::uint8_t>(out));
        const auto id = tables.intern(switch_map(fabric_.port(fabric_.port_id(SwitchId(s), to))));
        for (unsigned in = 0; in <= ports; ++in)
          tables.set(SwitchId(s), PortNum(static_cast<std::uint8_t>(in)), to, id);
      }
    }
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
                  vl_code(fabric_, out, options_.qos.max_op_vls));
  }

  Result<Sl2VlMap> end_port_map() const {
    std::uint8_t code = 5;
    std::array<bool, 2> present{};  // CAs, routers
    for (const fabric::EndPort& end : fabric_.end_ports()) {
      const fabric::Port& port = fabric_.port(end.port);
      code = std::min(code, vl_code(fabric_, port, options_.qos.max_op_vls));
      present[fabric_.node(port.node).type == fabric::NodeType::router ? 1 : 0] = true;
    }
    const Sl2VlMap of_cas = map_of(PortClass::ca, code), of_routers = map_of(PortClass::router, code);
    if (present[0] && present[1] && of_cas != of_routers)
      return fail(ErrorKind::invalid,
                  "`qos_ca_sl2vl` and `qos_rtr_sl2vl` differ: CA and router ports get one SL2VL map");
    return present[1] && !present[0] ? of_routers : of_cas;
  }

  const Fabric& fabric_;
  const policy::Options& options_;
};

}  // namespace

Result<fabric::Sl2VlTables> option_maps(const policy::BoundPolicy& bound) {
  if (!bound.policy->options.qos.enabled) return fabric::Sl2VlTables{};
  return OptionMaps(bound).make();
}

}  // namespace rch::chains
