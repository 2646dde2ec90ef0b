#include "hw/discovery.h"

#include <algorithm>
#include <tuple>

#include "fabric/fabric_builder.h"
#include "hw/sweep.h"

namespace rch::hw {
namespace {

using fabric::FabricBuilder;
using fabric::LinkSpeed;
using fabric::LinkWidth;
using fabric::NodeSpec;
using fabric::NodeType;
using fabric::PortSpec;
using fabric::PortState;

/// The newest generation that is active counts (sm-sa 1.8). FDR10 is shown as the QDR it pretends to be.
LinkSpeed speed_of(const SmpData& info) {
  if (get(info, port_info::kSpeedExtActive2) != 0) return LinkSpeed::xdr;
  switch (get(info, port_info::kSpeedExtActive)) {
    case 1:
      return LinkSpeed::fdr;
    case 2:
      return LinkSpeed::edr;
    case 4:
      return LinkSpeed::hdr;
    case 8:
      return LinkSpeed::ndr;
    default:
      break;
  }
  switch (get(info, port_info::kSpeedActive)) {
    case 1:
      return LinkSpeed::sdr;
    case 2:
      return LinkSpeed::ddr;
    case 4:
      return LinkSpeed::qdr;
    default:
      return LinkSpeed::unknown;
  }
}

bool owns_lids(const SweepNode& node, std::size_t port) {
  return (get(node.info, node_info::kType) == static_cast<std::uint8_t>(NodeType::sw)) == (port == 0);
}

PortSpec port_spec(const SweepNode& node, std::size_t number) {
  const SweepPort& seen = node.ports[number];
  PortSpec spec;
  spec.guid = seen.guid;
  if (!seen.seen) return spec;
  const auto field = [&](Field f) { return static_cast<std::uint8_t>(get(seen.info, f)); };
  spec.mtu_cap = field(port_info::kMtuCap);
  spec.vl_cap = field(port_info::kVlCap);
  spec.state = std::max(PortState(field(port_info::kState)), PortState::down);
  if (number != 0 && spec.state > PortState::down) {
    spec.width = LinkWidth(field(port_info::kWidthActive));
    spec.speed = speed_of(seen.info);
  }
  const Lid lid(static_cast<std::uint16_t>(get(seen.info, port_info::kLid)));
  const std::uint8_t lmc = field(port_info::kLmc);
  if (owns_lids(node, number) && lid != kUnassignedLid &&
      lid.value + (1U << lmc) <= kMaxUnicastLid.value + 1U) {
    spec.lid = lid;
    spec.lmc = lmc;
  }
  return spec;
}

NodeSpec node_spec(const SweepNode& node) {
  const auto field = [&](Field f) { return static_cast<std::uint32_t>(get(node.info, f)); };
  NodeSpec spec;
  spec.guid = node.guid;
  spec.system_guid = Guid(get(node.info, node_info::kSystemGuid));
  spec.type = NodeType(static_cast<std::uint8_t>(field(node_info::kType)));
  spec.enhanced_port0 = get(node.switch_info, switch_info::kEnhancedPort0) != 0;
  spec.multicast_cap = static_cast<std::uint16_t>(get(node.switch_info, switch_info::kMulticastCap));
  spec.vendor_id = field(node_info::kVendorId);
  spec.device_id = field(node_info::kDeviceId);
  spec.revision = field(node_info::kRevision);
  spec.description = node.description;
  for (std::size_t port = 0; port < node.ports.size(); ++port) spec.ports.push_back(port_spec(node, port));
  return spec;
}

/// Takes the LID from every end port whose range meets that of a port with a better claim: active before
/// init, then the lower GUID (sm-sa 3.1).
void settle_lid_conflicts(std::vector<NodeSpec>& nodes) {
  std::vector<PortSpec*> claims;
  for (NodeSpec& node : nodes) {
    for (PortSpec& port : node.ports) {
      if (port.lid != kUnassignedLid) claims.push_back(&port);
    }
  }
  std::sort(claims.begin(), claims.end(), [](const PortSpec* a, const PortSpec* b) {
    return std::tuple(b->state, a->guid) < std::tuple(a->state, b->guid);
  });
  std::vector<bool> taken(std::size_t{kMaxUnicastLid.value} + 1);
  for (PortSpec* port : claims) {
    const auto first = taken.begin() + port->lid.value;
    const auto last = first + (1 << port->lmc);
    if (std::find(first, last, true) == last)
      std::fill(first, last, true);
    else
      port->lid = kUnassignedLid, port->lmc = 0;
  }
}

Result<fabric::Fabric> build_fabric(const Sweep& sweep) {
  std::vector<NodeSpec> specs;
  for (const SweepNode& node : sweep.nodes()) specs.push_back(node_spec(node));
  settle_lid_conflicts(specs);
  FabricBuilder builder;
  for (NodeSpec& spec : specs) builder.add(std::move(spec));
  const auto handle = [](SweepNodeId id) {
    return FabricBuilder::Handle(id);
  };  // nodes are added in sweep order
  for (SweepNodeId id = 0; id < sweep.nodes().size(); ++id) {
    const auto& ports = sweep.nodes()[id].ports;
    for (std::size_t p = 1; p < ports.size(); ++p) {
      if (!ports[p].peer) continue;
      auto connected = builder.connect(handle(id), PortNum(static_cast<std::uint8_t>(p)),
                                       handle(ports[p].peer->first), PortNum(ports[p].peer->second));
      if (!connected) return tl::unexpected(connected.error());
    }
  }
  builder.set_origin(handle(0), PortNum(sweep.local_port()));
  return std::move(builder).build();
}

LiveFabric assemble(fabric::Fabric fabric, const Sweep& sweep) {
  LiveFabric live{std::move(fabric), {}, {}, {}, {}, {}};
  live.local = *live.fabric.origin();
  live.routes.resize(live.fabric.ports().size());
  live.port_info.resize(live.fabric.ports().size());
  live.switch_info.resize(live.fabric.switch_count());
  for (const SweepNode& node : sweep.nodes()) {
    const NodeId id = *live.fabric.find_node(node.guid);
    for (std::size_t p = 0; p < node.ports.size(); ++p) {
      const PortId port = live.fabric.port_id(id, PortNum(static_cast<std::uint8_t>(p)));
      live.routes[port.index()] = node.ports[p].route;
      live.port_info[port.index()] = node.ports[p].info;
    }
    if (live.fabric.is_switch(id)) live.switch_info[id.index()] = node.switch_info;
  }
  return live;
}

Result<void> ask_other_sms(SmpClient& client, LiveFabric& live) {
  for (std::uint32_t p = 0; p < live.fabric.ports().size(); ++p) {
    if (get(live.port_info[p], port_info::kCapIsSm) == 0) continue;
    OtherSm sm;
    sm.port = PortId(p);
    sm.guid = live.fabric.port(sm.port).guid;
    live.other_sms.push_back(sm);
  }
  for (OtherSm& sm : live.other_sms) {
    client.submit({.route = live.routes[sm.port.index()], .attribute = Attribute::sm_info},
                  [&sm](const SmpAnswer& answer) { read_sm_info(answer, sm); });
  }
  return client.wait_all();
}

}  // namespace

void read_sm_info(const SmpAnswer& answer, OtherSm& sm) {
  sm.answered = answer.good();
  if (!sm.answered) return;
  sm.key = get(answer.data, sm_info::kKey);
  sm.priority = static_cast<std::uint8_t>(get(answer.data, sm_info::kPriority));
  sm.state = SmState(static_cast<std::uint8_t>(get(answer.data, sm_info::kState)));
}

Result<LiveFabric> discover(SmpClient& client) {
  Sweep sweep(client);
  if (auto swept = sweep.run(); !swept) return tl::unexpected(swept.error());
  auto fabric = build_fabric(sweep);
  if (!fabric) return fail(ErrorKind::fabric, "the fabric is inconsistent: " + fabric.error().message);
  LiveFabric live = assemble(std::move(*fabric), sweep);
  if (auto asked = ask_other_sms(client, live); !asked) return tl::unexpected(asked.error());
  return live;
}

}  // namespace rch::hw
