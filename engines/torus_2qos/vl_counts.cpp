#include "engines/torus_2qos/vl_counts.h"

#include <fmt/format.h>

#include "base/text.h"
#include "engines/common/data_vls.h"

namespace rch::engines::torus_2qos {
namespace {

bool has_datelines(const Geometry& geometry) {
  for (std::size_t d = 0; d < kDimensions; ++d)
    if (geometry.wraps(d)) return true;
  return false;
}

}  // namespace

Attempt<VlCounts> count_vls(const fabric::SubFabric& view, const Torus& torus, const Options& options) {
  const fabric::Fabric& fabric = view.fabric();
  VlCounts vls;
  const auto count = [&](PortId id, std::uint8_t& minimum) {
    vls.assumed += fabric.port(id).vl_cap == 0 ? 1 : 0;
    const std::uint8_t n = common::data_vls(fabric.port(id), options.max_op_vls);
    if (n >= minimum) return false;
    minimum = n;
    return true;
  };
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const Position at = torus.position_of(SwitchId(s));
    const PortId port0 = view.node(SwitchId(s)).first_port;
    for (const Direction direction : kAllDirections)
      for (PortNum port : torus.ports(at, direction))
        if (const PortId id(port0.value + port.value); count(id, vls.between_switches)) vls.poorest = id;
  }
  for (const fabric::EndPort& end : view.end_ports()) count(end.port, vls.end_ports);

  if (vls.between_switches < 2 && has_datelines(torus.geometry()))
    return refuse_few_vls(view, vls, options, 2);
  return vls;
}

tl::unexpected<EngineFailure> refuse_few_vls(const fabric::SubFabric& view, const VlCounts& vls,
                                             const Options& options, std::uint8_t needed) {
  const fabric::Port& port = view.fabric().port(vls.poorest);
  const fabric::Node& node = view.fabric().node(port.node);
  return refuse(
      "too-few-vls",
      fmt::format("port {} of `{}` ({}) can use {} and `max_op_vls` is {}; links between switches "
                  "need {}{}",
                  port.number, node.name(), node.guid, counted(vls.between_switches, "data VL"),
                  options.max_op_vls, needed, needed > 2 ? " to route around these missing switches" : ""),
      {node.guid});
}

std::vector<std::string> vl_remarks(const VlCounts& vls) {
  std::vector<std::string> remarks;
  if (vls.assumed > 0)
    remarks.push_back(fmt::format("VLCap unknown on {}: 8 data VLs assumed", counted(vls.assumed, "port")));
  if (vls.between_switches < 8)
    remarks.push_back(fmt::format(
        "links between switches have {}: SL 8-15 share the VLs of SL 0-7, there is no second QoS level",
        counted(vls.between_switches, "data VL")));
  if (vls.between_switches < 4)
    remarks.push_back("with fewer than 4 data VLs hardly any missing switch can be routed around");
  if (vls.end_ports < 2)
    remarks.push_back("some end port has 1 data VL: end ports do not separate the QoS levels");
  return remarks;
}

}  // namespace rch::engines::torus_2qos
