#include "hw/fake_fabric.h"

#include <algorithm>

namespace rch::hw::test {
namespace {

namespace h = mad_header;
namespace pi = port_info;

SmpData make_node_info(const fabric::Node& node) {
  SmpData info{};
  set(info, node_info::kType, static_cast<std::uint8_t>(node.type));
  set(info, node_info::kNumPorts, node.num_ports);
  set(info, node_info::kSystemGuid, node.system_guid.value);
  set(info, node_info::kNodeGuid, node.guid.value);
  set(info, node_info::kDeviceId, node.device_id);
  set(info, node_info::kRevision, node.revision);
  set(info, node_info::kVendorId, node.vendor_id);
  return info;
}

SmpData make_port_info(const fabric::Port& port) {
  SmpData info{};
  for (std::size_t i = 24; i < 28; ++i)
    info[i] = static_cast<std::uint8_t>(0xA0 + i);  // fields that a subnet manager does not own
  for (std::size_t i = 44; i < 51; ++i) info[i] = static_cast<std::uint8_t>(0xB0 + i);
  set(info, pi::kCapSlMapping, 1);
  set(info, pi::kCapExtendedSpeeds, 1);
  set(info, pi::kCapClientReregistration, 1);
  set(info, pi::kWidthActive, 2);
  set(info, pi::kSpeedActive, 4);
  set(info, pi::kState, port.peer.is_none() ? 1 : 2);
  set(info, pi::kPhysState, port.peer.is_none() ? 2 : 5);
  set(info, pi::kMtuCap, 4);
  set(info, pi::kVlCap, 4);
  set(info, pi::kVlArbHighCap, 8);
  set(info, pi::kVlArbLowCap, 8);
  set(info, pi::kNeighborMtu, 1);
  set(info, pi::kOperVls, 1);
  return info;
}

}  // namespace

FakeFabric::FakeFabric(const fabric::Fabric& fabric, PortId origin) : fabric_(fabric), origin_(origin) {
  for (const fabric::Node& node : fabric.nodes()) node_info.push_back(make_node_info(node));
  for (const fabric::Port& port : fabric.ports()) port_info.push_back(make_port_info(port));
  switch_info.resize(fabric.switch_count());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    set(switch_info[s], switch_info::kLinearCap, 49152);
    set(switch_info[s], switch_info::kMulticastCap, 64);
    set(switch_info[s], switch_info::kPortStateChange, 1);
    set(port_info[fabric.port_id(SwitchId(s), PortNum(0)).index()], pi::kState, 4);
  }
}

Result<void> FakeFabric::send(const Datagram& datagram, Milliseconds) {
  Visit visit;
  if (!walk(datagram.mad, visit)) return {};
  (visit.method == Method::set ? sets : gets).push_back(visit);
  if (lose_request(visit)) return {};
  SmpData data = visit.data;
  const std::uint16_t status = answer(visit, data);
  if (lose_answer(visit)) return {};
  bend(visit, data);
  Datagram back = datagram;
  set(back.mad, h::kMethod, static_cast<std::uint8_t>(Method::get_resp));
  set(back.mad, h::kStatus, 0x8000U | status);
  set(back.mad, Field{8, 0, 32}, 0x00010002);  // the half of the transaction id that is not ours
  std::copy(data.begin(), data.end(), back.mad.begin() + h::kData);
  answers_.push_back(back);
  return {};
}

void FakeFabric::receive(std::vector<Datagram>& arrived, Clock::time_point deadline) {
  if (answers_.empty()) now_ = std::max(now_, deadline);
  arrived.insert(arrived.end(), answers_.begin(), answers_.end());
  answers_.clear();
}

Result<void> FakeFabric::set_is_sm() {
  is_sm = true;
  return {};
}

/// Follows the directed route over links that are not down. False: the datagram is lost on the way.
bool FakeFabric::walk(const Mad& mad, Visit& visit) const {
  PortId at = origin_;
  for (std::size_t hop = 1; hop <= get(mad, h::kHopCount); ++hop) {
    const fabric::Node& node = fabric_.node(fabric_.port(at).node);
    const std::uint8_t exit = mad[h::kInitialPath + hop];
    if (exit == 0 || exit > node.num_ports) return false;
    const PortId out(node.first_port.value + exit);
    if (fabric_.port(out).peer.is_none() || get(port_info[out.index()], pi::kState) < 2) return false;
    at = fabric_.port(out).peer;
  }
  visit.node = fabric_.port(at).node;
  visit.arrival = at;
  visit.method = Method(static_cast<std::uint8_t>(get(mad, h::kMethod)));
  visit.attribute = Attribute(static_cast<std::uint16_t>(get(mad, h::kAttribute)));
  visit.modifier = static_cast<std::uint32_t>(get(mad, h::kModifier));
  std::copy_n(mad.begin() + h::kData, visit.data.size(), visit.data.begin());
  return true;
}

std::uint16_t FakeFabric::answer(const Visit& visit, SmpData& data) {
  constexpr std::uint16_t kUnsupported = 0x0C;
  const bool is_switch = fabric_.is_switch(visit.node);
  const fabric::Port& arrival = fabric_.port(visit.arrival);
  const auto keep = [&](SmpData& stored) {
    if (visit.method == Method::set) stored = visit.data;
    data = stored;
  };
  switch (visit.attribute) {
    case Attribute::node_info:
      data = node_info[visit.node.index()];
      set(data, node_info::kPortGuid, arrival.guid.value);
      set(data, node_info::kLocalPort, arrival.number.value);
      return 0;
    case Attribute::node_description: {
      const std::string& text = fabric_.node(visit.node).description;
      data = {};
      std::copy(text.begin(), text.end(), data.begin());
      return 0;
    }
    case Attribute::switch_info: {
      if (!is_switch) return kUnsupported;
      SmpData& stored = switch_info[visit.node.index()];
      const bool changed = get(stored, switch_info::kPortStateChange) != 0;
      keep(stored);
      if (visit.method == Method::set) {
        const bool clears = get(visit.data, switch_info::kPortStateChange) != 0;
        set(stored, switch_info::kPortStateChange, changed && !clears ? 1 : 0);
        data = stored;
      }
      return 0;
    }
    case Attribute::port_info:
      return port_info_answer(visit, data);
    case Attribute::linear_table:
      if (!is_switch) return kUnsupported;
      if (!lft_blocks.contains({SwitchId(visit.node.value), visit.modifier})) {
        lft_blocks[{SwitchId(visit.node.value), visit.modifier}].fill(kNoPath);
      }
      keep(lft_blocks[{SwitchId(visit.node.value), visit.modifier}]);
      return 0;
    case Attribute::sl2vl:
      keep(sl2vl[{visit.node, is_switch ? PortId::none() : visit.arrival, visit.modifier}]);
      return 0;
    case Attribute::vl_arbitration: {
      const PortNum number(static_cast<std::uint8_t>(visit.modifier & 0xFFU));
      const PortId port = is_switch ? fabric_.port_id(visit.node, number) : visit.arrival;
      keep(arbitration[{port, visit.modifier >> 16U}]);
      return 0;
    }
    case Attribute::multicast_table:
      if (!is_switch) return kUnsupported;
      keep(multicast[{SwitchId(visit.node.value), visit.modifier}]);
      return 0;
    case Attribute::sm_info:
      if (!sm_info.contains(visit.arrival)) return kUnsupported;
      data = sm_info[visit.arrival];
      return 0;
  }
  return kUnsupported;
}

std::uint16_t FakeFabric::port_info_answer(const Visit& visit, SmpData& data) {
  const auto number = static_cast<std::uint8_t>(visit.modifier & 0xFFU);
  if (number > fabric_.node(visit.node).num_ports) return kStatusInvalidValue;
  const PortId port = fabric_.port_id(visit.node, PortNum(number));
  SmpData& stored = port_info[port.index()];
  std::uint16_t status = 0;
  if (visit.method == Method::set) {
    const SmpData before = stored;
    stored = visit.data;
    for (Field field : std::array<Field, 2>{pi::kState, pi::kPhysState})
      set(stored, field, get(before, field));
    set(stored, pi::kClientReregister, 0);
    status = set_state(port, get(visit.data, pi::kState));
  }
  data = stored;
  return status;
}

/// 0 no change, 1 resets the link, else one step up, at most one step ahead of the other end.
std::uint16_t FakeFabric::set_state(PortId port, std::uint64_t state) {
  if (state == 0) return 0;
  SmpData& near = port_info[port.index()];
  SmpData& far = port_info[fabric_.port(port).peer.index()];
  if (state == 1) {
    set(near, pi::kState, 2);
    set(far, pi::kState, 2);
    return 0;
  }
  if (state != get(near, pi::kState) + 1 || state > get(far, pi::kState) + 1) return kStatusInvalidValue;
  set(near, pi::kState, state);
  return 0;
}

}  // namespace rch::hw::test
