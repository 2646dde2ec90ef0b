#include "sim/simulated_fabric.h"

#include <algorithm>

#include "sim/asker.h"

namespace rch::sim {
namespace {

using namespace hw;
namespace h = mad_header;
namespace pi = hw::port_info;

/// What a Set(PortInfo) does not write, by offset in the attribute (architecture, volume 1, 14.2.5.6): the
/// capabilities, what is in operation, and the states, which follow rules of their own.
constexpr std::array<Field, 18> kFixedInPortInfo{{{20, 0, 32},
                                                  {24, 0, 16},
                                                  {28, 0, 8},
                                                  {30, 0, 8},
                                                  {31, 0, 8},
                                                  {32, 0, 4},
                                                  pi::kState,
                                                  pi::kPhysState,
                                                  {35, 0, 4},
                                                  {37, 0, 4},
                                                  {39, 0, 16},
                                                  {41, 0, 8},
                                                  {50, 0, 8},
                                                  {52, 0, 8},
                                                  {54, 0, 16},
                                                  {56, 0, 5},
                                                  {57, 0, 40},
                                                  {62, 0, 8}}};
/// Likewise of Set(SwitchInfo), 14.2.5.4.
constexpr std::array<Field, 4> kFixedInSwitchInfo{{{0, 0, 48}, {12, 0, 16}, {14, 0, 16}, {16, 0, 8}}};

/// Notice (architecture, volume 1, 13.4.8.2).
constexpr std::uint16_t kTrapDetails = 10;
constexpr Field kTrapNumber{4, 0, 16};
constexpr Field kTrapGeneric{0, 0, 1};
constexpr Field kTrapIssuer{6, 0, 16};

SmpData make_node_info(const fabric::Node& node) {
  SmpData info{};
  set(info, node_info::kType, static_cast<std::uint8_t>(node.type));
  set(info, node_info::kNumPorts, node.num_ports);
  set(info, node_info::kSystemGuid, node.system_guid.value);
  set(info, node_info::kNodeGuid, node.guid.value);
  set(info, node_info::kDeviceId, node.device_id);
  set(info, node_info::kRevision, node.revision);
  set(info, node_info::kPartitionCap, node.type == fabric::NodeType::sw ? 8 : 64);
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

SimulatedFabric::SimulatedFabric(const fabric::Fabric& fabric, PortId origin) : fabric_(fabric) {
  attach(origin);
  for (const fabric::Node& node : fabric.nodes()) node_info.push_back(make_node_info(node));
  for (const fabric::Port& port : fabric.ports()) port_info.push_back(make_port_info(port));
  counting.resize(fabric.ports().size());
  performance_agents.resize(fabric.nodes().size());
  switch_info.resize(fabric.switch_count());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    set(switch_info[s], switch_info::kLinearCap, 49152);
    set(switch_info[s], switch_info::kMulticastCap, 64);
    set(switch_info[s], switch_info::kPartitionEnforcementCap, 40);
    set(switch_info[s], switch_info::kPortStateChange, 1);
    set(port_info[fabric.port_id(SwitchId(s), PortNum(0)).index()], pi::kState, 4);
  }
}

Result<void> SimulatedFabric::send(const Datagram& datagram, Milliseconds) {
  post(0, datagram);
  return {};
}

void SimulatedFabric::receive(std::vector<Datagram>& arrived, Clock::time_point deadline) {
  collect(0, arrived, deadline);
}

Result<void> SimulatedFabric::set_is_sm() {
  is_sm = true;
  show_sm(0, true);
  return {};
}

std::size_t SimulatedFabric::attach(PortId origin) {
  clients_.push_back({.origin = origin});
  return clients_.size() - 1;
}

void SimulatedFabric::show_sm(std::size_t client, bool shown) {
  clients_[client].is_sm = shown;
  set(port_info[clients_[client].origin.index()], pi::kCapIsSm, shown ? 1 : 0);
}

void SimulatedFabric::collect(std::size_t client, std::vector<Datagram>& arrived,
                              Clock::time_point deadline) {
  std::deque<Datagram>& inbox = clients_[client].inbox;
  land(clients_[client]);
  const Clock::time_point next = std::min(deadline, next_arrival(client));
  if (inbox.empty() && next != Clock::time_point::max()) now_ = std::max(now_, next);
  land(clients_[client]);
  for (Datagram& datagram : inbox) datagram.arrived = now_;
  arrived.insert(arrived.end(), inbox.begin(), inbox.end());
  inbox.clear();
}

/// What was on the way until now has arrived.
void SimulatedFabric::land(Client& client) const {
  const auto end = client.on_the_way.upper_bound(now_);
  for (auto at = client.on_the_way.begin(); at != end; ++at) client.inbox.push_back(at->second);
  client.on_the_way.erase(client.on_the_way.begin(), end);
}

void SimulatedFabric::post(std::size_t client, const Datagram& datagram) {
  if (get(datagram.mad, h::kClass) == static_cast<std::uint8_t>(MadClass::sa))
    return post_message(client, datagram);
  if (get(datagram.mad, h::kClass) == static_cast<std::uint8_t>(MadClass::performance))
    return post_performance(client, datagram);
  if (get(datagram.mad, h::kResponse) != 0) {
    const std::size_t asker = get(datagram.mad, kAsker) - kFirstAsker;
    if (asker >= clients_.size()) return;  // of a request that no process sent
    Datagram back = datagram;
    if (back.lid != 0xFFFF) back.lid = lid_of(client);
    clients_[asker].inbox.push_back(back);
    return;
  }
  if (get(datagram.mad, h::kMethod) == static_cast<std::uint64_t>(Method::trap_repress)) {
    ++repressed;
    return;
  }
  Visit visit;
  Datagram back = datagram;
  set(back.mad, kAsker, kFirstAsker + client);
  if (!walk(clients_[client].origin, back, visit)) return;
  on_visit(client, visit);
  (visit.method == Method::set ? sets : gets).push_back(visit);
  if (lose_request(visit) || deliver_to_manager(client, back, visit)) return;
  const KeyCheck key = check_key(visit, get(back.mad, h::kMKey));
  if (key == KeyCheck::drop) return;
  SmpData data = visit.data;
  const std::uint16_t status = refuse(visit) ? kStatusInvalidValue : answer(visit, data);
  if (key == KeyCheck::hide && visit.attribute == Attribute::port_info) set(data, pi::kMKey, 0);
  if (visit.method == Method::set) after_set(visit);
  if (lose_answer(visit)) return;
  bend(visit, data);
  const bool directed = get(back.mad, h::kClass) == static_cast<std::uint8_t>(MadClass::directed_route);
  set(back.mad, h::kMethod, static_cast<std::uint8_t>(Method::get_resp));
  set(back.mad, h::kStatus, (directed ? 0x8000U : 0U) | status);
  std::copy(data.begin(), data.end(), back.mad.begin() + h::kData);
  const std::vector<Milliseconds> when = delays(visit);
  if (when.empty()) clients_[client].inbox.push_back(back);
  for (const Milliseconds after : when) clients_[client].on_the_way.emplace(now_ + after, back);
}

/// Requests to a subnet manager wait until its process receives.
bool SimulatedFabric::deliver_to_manager(std::size_t sender, const Datagram& datagram, const Visit& visit) {
  if (visit.attribute != Attribute::sm_info || sm_info.contains(visit.arrival)) return false;
  for (Client& client : clients_) {
    if (!client.is_sm || client.origin != visit.arrival) continue;
    Datagram request = datagram;
    if (request.lid != 0xFFFF) request.lid = lid_of(sender);
    client.inbox.push_back(request);
    return true;
  }
  return false;
}

/// Follows the directed route over links that are not down, and notes the way back. None: it is lost.
PortId SimulatedFabric::walk_path(PortId origin, Mad& mad) const {
  PortId at = origin;
  for (std::size_t hop = 1; hop <= get(mad, h::kHopCount); ++hop) {
    const fabric::Node& node = fabric_.node(fabric_.port(at).node);
    const std::uint8_t exit = mad[h::kInitialPath + hop];
    if (exit == 0 || exit > node.num_ports) return PortId::none();
    const PortId out(node.first_port.value + exit);
    if (fabric_.port(out).peer.is_none() || get(port_info[out.index()], pi::kState) < 2)
      return PortId::none();
    at = fabric_.port(out).peer;
    mad[h::kReturnPath + hop] = fabric_.port(at).number.value;
  }
  return at;
}

/// Where a switch sends a LID: its own port 0, or the far end of a link; none if it drops the packet.
PortId SimulatedFabric::next_hop(NodeId sw, std::uint16_t lid) const {
  const PortId port0 = fabric_.port_id(sw, PortNum(0));
  if (get(port_info[port0.index()], pi::kLid) == lid) return port0;
  const auto block = lft_blocks.find({SwitchId(sw.value), lid / 64U});
  if (block == lft_blocks.end() || lid > get(switch_info[sw.index()], switch_info::kLinearTop))
    return PortId::none();
  const std::uint8_t exit = block->second[lid % 64U];
  if (exit == 0 || exit > fabric_.node(sw).num_ports) return PortId::none();
  return over_active_link(fabric_.port_id(sw, PortNum(exit)));
}

/// The far end of a link that is active at both ends.
PortId SimulatedFabric::over_active_link(PortId port) const {
  const PortId peer = fabric_.port(port).peer;
  const auto is_active = [&](PortId end) { return get(port_info[end.index()], pi::kState) == 4; };
  return !peer.is_none() && is_active(port) && is_active(peer) ? peer : PortId::none();
}

/// The end port that a packet to a LID reaches by the tables that switches hold.
PortId SimulatedFabric::walk_tables(PortId origin, std::uint16_t lid) const {
  if (lid != 0 && get(port_info[origin.index()], pi::kLid) == lid) return origin;
  PortId at = over_active_link(origin);
  for (std::size_t hops = 0; !at.is_none() && hops <= fabric_.switch_count(); ++hops) {
    const fabric::Port& port = fabric_.port(at);
    if (get(port_info[at.index()], pi::kLid) == lid &&
        (!fabric_.is_switch(port.node) || port.number == PortNum(0)))
      return at;
    if (!fabric_.is_switch(port.node)) return PortId::none();
    at = next_hop(port.node, lid);
  }
  return PortId::none();
}

/// False: the datagram is lost on the way.
bool SimulatedFabric::walk(PortId origin, Datagram& datagram, Visit& visit) const {
  Mad& mad = datagram.mad;
  const bool directed = get(mad, h::kClass) == static_cast<std::uint8_t>(MadClass::directed_route);
  visit.arrival = directed ? walk_path(origin, mad) : walk_tables(origin, datagram.lid);
  if (visit.arrival.is_none()) return false;
  visit.node = fabric_.port(visit.arrival).node;
  visit.method = Method(static_cast<std::uint8_t>(get(mad, h::kMethod)));
  visit.attribute = Attribute(static_cast<std::uint16_t>(get(mad, h::kAttribute)));
  visit.modifier = static_cast<std::uint32_t>(get(mad, h::kModifier));
  std::copy_n(mad.begin() + h::kData, visit.data.size(), visit.data.begin());
  return true;
}

std::uint16_t SimulatedFabric::answer(const Visit& visit, SmpData& data) {
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
      const SmpData before = stored;
      const bool changed = get(stored, switch_info::kPortStateChange) != 0;
      keep(stored);
      for (const Field field : kFixedInSwitchInfo) set(stored, field, get(before, field));
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
      if (number.value > fabric_.node(visit.node).num_ports) return kStatusInvalidValue;
      const PortId port = is_switch ? fabric_.port_id(visit.node, number) : visit.arrival;
      keep(arbitration[{port, visit.modifier >> 16U}]);
      return 0;
    }
    case Attribute::p_key_table: {
      const PortNum number(static_cast<std::uint8_t>(visit.modifier >> 16U & 0xFFU));
      if (number.value > fabric_.node(visit.node).num_ports) return kStatusInvalidValue;
      keep(
          pkeys[{is_switch ? fabric_.port_id(visit.node, number) : visit.arrival, visit.modifier & 0xFFFFU}]);
      return 0;
    }
    case Attribute::guid_info: {
      const PortId port = is_switch ? fabric_.port_id(visit.node, PortNum(0)) : visit.arrival;
      if (visit.modifier * 8 >= get(port_info[port.index()], pi::kGuidCap)) return kStatusInvalidValue;
      SmpData& stored = guid_info[{port, visit.modifier}];
      keep(stored);
      if (visit.modifier == 0) set(stored, {0, 0, 64}, fabric_.port(port).guid.value);
      data = stored;
      return 0;
    }
    case Attribute::multicast_table:
      if (!is_switch) return kUnsupported;
      keep(multicast[{SwitchId(visit.node.value), visit.modifier}]);
      return 0;
    case Attribute::general_info:
      if (is_switch || visit.method == Method::set || visit.modifier != general_info::kCapabilities)
        return kUnsupported;
      data = {};
      set(data, general_info::kRateLimits, without_rate_limits.contains(visit.node) ? 0 : 1);
      return 0;
    case Attribute::rate_limits:
      if (is_switch || without_rate_limits.contains(visit.node)) return kUnsupported;
      if (visit.modifier != arrival.number.value) return kStatusInvalidValue;
      keep(rate_limits[visit.arrival]);
      return 0;
    case Attribute::extended_port_info: {
      if (visit.modifier > fabric_.node(visit.node).num_ports) return kStatusInvalidValue;
      const PortNum number(static_cast<std::uint8_t>(visit.modifier));
      const auto known = extended_port_info.find(fabric_.port_id(visit.node, number));
      if (known == extended_port_info.end()) return kUnsupported;
      keep(known->second);
      return 0;
    }
    case Attribute::notice:
      return kUnsupported;
    case Attribute::sm_info:
      if (!sm_info.contains(visit.arrival)) return kUnsupported;
      data = sm_info[visit.arrival];
      return 0;
  }
  return kUnsupported;
}

std::uint16_t SimulatedFabric::port_info_answer(const Visit& visit, SmpData& data) {
  const auto number = static_cast<std::uint8_t>(visit.modifier & 0xFFU);
  if (number > fabric_.node(visit.node).num_ports) return kStatusInvalidValue;
  const PortId port = fabric_.port_id(visit.node, PortNum(number));
  SmpData& stored = port_info[port.index()];
  std::uint16_t status = 0;
  if (visit.method == Method::set) {
    // A port of an adapter is written through that port only.
    if (!fabric_.is_switch(visit.node) && number != 0 && port != visit.arrival) return kStatusInvalidValue;
    const SmpData before = stored;
    stored = visit.data;
    for (const Field field : kFixedInPortInfo) set(stored, field, get(before, field));
    // The M_Key of a switch is that of port 0.
    if (fabric_.is_switch(visit.node) && number != 0)
      for (const Field field : {Field(pi::kMKey), Field(pi::kMKeyLease), Field(pi::kMKeyProtect)})
        set(stored, field, get(before, field));
    set(stored, pi::kClientReregister, 0);
    if (get(visit.data, pi::kClientReregister) != 0) on_client_reregister(port);
    status = set_state(port, get(visit.data, pi::kState));
  }
  data = stored;
  return status;
}

/// 0 no change, 1 resets the link, else one step up, at most one step ahead of the other end.
std::uint16_t SimulatedFabric::set_state(PortId port, std::uint64_t state) {
  if (state == 0) return 0;
  if (fabric_.port(port).peer.is_none()) return kStatusInvalidValue;
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

void SimulatedFabric::pull(PortId port, bool traps) { change_link(port, 1, traps); }

void SimulatedFabric::plug(PortId port, bool traps) { change_link(port, 2, traps); }

void SimulatedFabric::change_link(PortId port, std::uint64_t state, bool traps) {
  for (const PortId end : {port, fabric_.port(port).peer}) {
    set(port_info[end.index()], pi::kState, state);
    const NodeId node = fabric_.port(end).node;
    if (!fabric_.is_switch(node)) continue;
    set(switch_info[node.index()], switch_info::kPortStateChange, 1);
    if (traps) send_trap(SwitchId(node.value));
  }
}

void SimulatedFabric::send_trap(SwitchId from) {
  const PortId agent = fabric_.port_id(NodeId(from.value), PortNum(0));
  SmpData notice{};
  set(notice, kTrapGeneric, 1);
  set(notice, kTrapNumber, 128);
  set(notice, {kTrapDetails, 0, 16}, get(port_info[agent.index()], pi::kLid));
  send_notice(agent, notice);
}

void SimulatedFabric::send_notice(PortId from, const SmpData& notice) {
  Datagram trap;
  set(trap.mad, h::kClass, static_cast<std::uint8_t>(MadClass::lid_routed));
  set(trap.mad, h::kMethod, static_cast<std::uint8_t>(Method::trap));
  set(trap.mad, h::kAttribute, static_cast<std::uint16_t>(Attribute::notice));
  std::ranges::copy(notice, trap.mad.begin() + h::kData);
  trap.lid = static_cast<std::uint16_t>(get(port_info[from.index()], pi::kLid));
  for (Client& client : clients_)
    if (client.is_sm) client.inbox.push_back(trap);
}

SimulatedFabric::KeyCheck SimulatedFabric::check_key(const Visit& visit, std::uint64_t offered) {
  const PortId agent =
      fabric_.is_switch(visit.node) ? fabric_.port_id(visit.node, PortNum(0)) : visit.arrival;
  SmpData& info = port_info[agent.index()];
  if (const auto lease = lease_ends_.find(agent); lease != lease_ends_.end() && lease->second <= now_) {
    set(info, pi::kMKeyProtect, 0);
    lease_ends_.erase(lease);
  }
  const std::uint64_t key = get(info, pi::kMKey);
  if (visit.attribute == Attribute::sm_info) return KeyCheck::right;
  if (key == 0 || key == offered) {
    lease_ends_.erase(agent);
    return KeyCheck::right;
  }
  const std::uint64_t level = get(info, pi::kMKeyProtect);
  if (visit.method == Method::get && level < 2) return level == 0 ? KeyCheck::right : KeyCheck::hide;
  ++key_violations;
  if (const std::uint64_t lease = get(info, pi::kMKeyLease); lease != 0)
    lease_ends_.try_emplace(agent, now_ + std::chrono::seconds(lease));
  send_key_violation(agent, visit, offered);
  return KeyCheck::drop;
}

void SimulatedFabric::send_key_violation(PortId agent, const Visit& visit, std::uint64_t offered) {
  SmpData notice{};
  set(notice, kTrapGeneric, 1);
  set(notice, kTrapNumber, 256);
  set(notice, kTrapIssuer, get(port_info[agent.index()], pi::kLid));
  set(notice, {kTrapDetails + 2, 0, 16}, 0xFFFF);
  set(notice, {kTrapDetails + 6, 0, 8}, static_cast<std::uint8_t>(visit.method));
  set(notice, {kTrapDetails + 8, 0, 16}, static_cast<std::uint16_t>(visit.attribute));
  set(notice, {kTrapDetails + 10, 0, 32}, visit.modifier);
  set(notice, {kTrapDetails + 14, 0, 64}, offered);
  send_notice(agent, notice);
}

void SimulatedFabric::reboot(SwitchId sw) {
  std::erase_if(lft_blocks, [&](const auto& block) { return block.first.first == sw; });
  std::erase_if(multicast, [&](const auto& block) { return block.first.first == sw; });
  std::erase_if(pkeys,
                [&](const auto& block) { return fabric_.port(block.first.first).node.value == sw.value; });
  set(switch_info[sw.index()], switch_info::kLinearTop, 0);
  const fabric::Node& node = fabric_.node(NodeId(sw.value));
  for (const Field field :
       {Field(pi::kLid), Field(pi::kMKey), Field(pi::kMKeyLease), Field(pi::kMKeyProtect)})
    set(port_info[node.first_port.index()], field, 0);
  for (std::uint8_t p = 0; p <= node.num_ports; ++p) {
    counting[node.first_port.index() + p] = {};
    set(port_info[node.first_port.index() + p], pi::kPartitionEnforcementIn, 0);
    set(port_info[node.first_port.index() + p], pi::kPartitionEnforcementOut, 0);
  }
  for (std::uint8_t p = 1; p <= node.num_ports; ++p)
    if (const PortId port(node.first_port.value + p); !fabric_.port(port).peer.is_none())
      change_link(port, 2, false);
}

}  // namespace rch::sim
