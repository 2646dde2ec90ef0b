#include "hw/port_plan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <utility>

#include "base/parallel.h"

namespace rch::hw {
namespace {

namespace pi = port_info;

/// Fields that make a port differ and are compared with the answer.
constexpr std::array<Field, 4> kComparedOfPort0{pi::kGidPrefix, pi::kLid, pi::kMasterSmLid, pi::kLmc};
constexpr std::array<Field, 6> kComparedOfAdapter{pi::kGidPrefix, pi::kLid,         pi::kMasterSmLid,
                                                  pi::kLmc,       pi::kNeighborMtu, pi::kOperVls};
constexpr std::array<Field, 5> kComparedOfSwitchPort{
    pi::kNeighborMtu, pi::kOperVls, pi::kHoqLife, pi::kPartitionEnforcementIn, pi::kPartitionEnforcementOut};
/// The same of a port that becomes ARMED with its parameters.
constexpr std::array<Field, 6> kComparedOfArmed{pi::kState,
                                                pi::kNeighborMtu,
                                                pi::kOperVls,
                                                pi::kHoqLife,
                                                pi::kPartitionEnforcementIn,
                                                pi::kPartitionEnforcementOut};
constexpr std::array<Field, 1> kState{pi::kState};

bool agree(const PortInfo& a, const PortInfo& b, std::span<const Field> fields) {
  const SmpData x = encode(a), y = encode(b);
  return std::ranges::all_of(fields, [&](Field f) { return get(x, f) == get(y, f); });
}

/// Fields of which an agent shows whether it keeps them: ibsim forgets SubnetTimeout and shows all zeros or
/// all ones, which no manager writes.
bool forgets_timeout(const PortInfo& info) { return info.subnet_timeout == 0 || info.subnet_timeout == 31; }

bool same_timers(const PortInfo& target, const PortInfo& now) {
  return target.vl_stall == now.vl_stall && target.vl_high_limit == now.vl_high_limit &&
         target.multicast_trap_suppression == now.multicast_trap_suppression &&
         (target.subnet_timeout == now.subnet_timeout || forgets_timeout(now));
}

/// A key that nobody asked for is taken away. Without a key, lease and protection mean nothing (IBA 14.2.4).
bool same_keys(const PortInfo& target, const PortInfo& now) {
  if (target.m_key != now.m_key) return false;
  return target.m_key == 0 ||
         (target.m_key_lease == now.m_key_lease && target.m_key_protect == now.m_key_protect);
}

/// Bits of speeds or widths that a port may use and does not.
bool is_forced(std::uint8_t target, std::uint8_t now, std::uint8_t supported) {
  return target != now && (target & ~supported) == 0;
}

bool is_forced_ext(const PortInfo& target, const PortInfo& now) {
  if (target.speed_ext_enabled != LinkOptions::kNoSpeedExt)
    return is_forced(target.speed_ext_enabled, now.speed_ext_enabled, now.speed_ext_supported);
  return now.speed_ext_supported != 0 && now.speed_ext_enabled != LinkOptions::kNoSpeedExt;
}

bool is_forced_ext2(const PortInfo& target, const PortInfo& now) {
  if (target.speed_ext_enabled2 != LinkOptions::kNoSpeedExt2)
    return is_forced(target.speed_ext_enabled2, now.speed_ext_enabled2, now.speed_ext_supported2);
  return now.speed_ext_supported2 != 0 && now.speed_ext_enabled2 != LinkOptions::kNoSpeedExt2;
}

/// Speeds and widths that were asked for. "What is supported" is no difference: agents show it in two ways.
bool same_link(const PortInfo& target, const PortInfo& now) {
  return !is_forced(target.speed_enabled, now.speed_enabled, now.speed_supported) &&
         !is_forced(target.width_enabled, now.width_enabled, now.width_supported) &&
         !is_forced_ext(target, now) && !is_forced_ext2(target, now);
}

/// What is written to bits of speeds or widths, of which `all` stands for what is supported.
std::uint8_t enabled(std::uint8_t option, std::uint8_t all, std::uint8_t now, std::uint8_t supported) {
  if (option == 0 || (option == all && now == supported)) return now;
  return option;
}

PortInfo with_state(PortInfo data, PortState state) {
  data.client_reregister = false;
  data.phys_state = PhysState::unchanged;
  data.link_down_default = PhysState::polling;
  data.state = state;
  return data;
}

/// PortInfo that shows what the agent of a port can do: of a switch, that of port 0.
const PortInfo& agent_info(const LiveFabric& live, PortId id) {
  return live.info(live.is_switch_port(id) ? live.fabric.port_id(live.fabric.port(id).node, PortNum(0)) : id);
}

Image port_image(const LiveFabric& live, PortId id, const PortInfo& data, std::span<const Field> compared) {
  const std::uint32_t extended = agent_info(live, id).has_extended_speeds ? kExtendedSpeeds : 0U;
  return {id, Attribute::port_info, live.fabric.port(id).number.value | extended, encode(data), compared};
}

class Planner {
 public:
  Planner(const LiveFabric& live, const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
          std::span<const fabric::PartitionEnforcement> enforcement, const SubnetOptions& options, bool whole)
      : live_(live),
        fabric_(fabric),
        arbitration_(tables.arbitration),
        enforcement_(enforcement),
        options_(options),
        whole_(whole),
        sm_lid_(fabric.port(live.local).lid),
        needs_reset_(fabric.ports().size()) {
    if (sm_lid_ != kUnassignedLid) find_sls_to_sm(tables);
  }

  PortPlan run() {
    constexpr std::size_t kPortsOfPart = 4096;
    const std::size_t ports = fabric_.ports().size();
    std::vector<Part> parts((ports + kPortsOfPart - 1) / kPortsOfPart);
    const auto for_ports = [&](auto body) {
      parallel_ranges(parts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin * kPortsOfPart; p < std::min(end * kPortsOfPart, ports); ++p)
          body(parts[p / kPortsOfPart], PortId(static_cast<std::uint32_t>(p)));
      });
    };
    for_ports([this](Part&, PortId id) { needs_reset_[id.index()] = differs_in_use(id); });
    // What a link needs depends on both its ends.
    for_ports([this](Part& part, PortId id) { plan_port(part, id); });
    return join(parts);
  }

 private:
  /// The plan of ports that follow each other.
  struct Part {
    PortPlan plan;
    std::vector<Image> armed;  ///< what only has to become ACTIVE
  };

  PortPlan join(std::vector<Part>& parts) {
    PortPlan plan;
    for (Part& part : parts) {
      append(part.plan.end_ports, plan.end_ports);
      append(part.plan.switch_ports, plan.switch_ports);
      append(part.plan.resets, plan.resets);
      append(part.plan.activate, plan.activate);
      plan.armed_with_parameters += part.plan.armed_with_parameters;
    }
    // The SM's own port comes first, so that answers to what the others send find their way.
    if (const auto own = std::ranges::find(plan.end_ports, live_.local, &Image::port);
        own != plan.end_ports.end())
      std::rotate(plan.end_ports.begin(), own, own + 1);
    plan.arm_count = plan.activate.size();
    for (Part& part : parts) append(part.armed, plan.activate);
    std::ranges::stable_sort(plan.resets, std::ranges::greater(),
                             [&](const Image& down) { return live_.routes[down.port.index()].hops; });
    return plan;
  }

  static void append(std::vector<Image>& from, std::vector<Image>& to) {
    std::ranges::move(from, std::back_inserter(to));
  }

  /// MTU or VLs of a link that is up.
  bool differs_in_use(PortId id) const {
    return !fabric_.port(id).peer.is_none() && info(id).state > PortState::init && has_other_link_fields(id);
  }

  /// Its parameters, and the states on the way to ACTIVE.
  void plan_port(Part& part, PortId id) const {
    const bool reset = must_reset(id);
    if (reset && id == nearer_end(id)) part.plan.resets.push_back(link_down(live_, id));
    const PortState now = reset ? PortState::init : info(id).state;
    PortInfo data = info(id);
    bool arms = now < PortState::armed;
    if (is_external(id))
      arms = !plan_switch_port(part, id, data, arms) && arms;
    else
      plan_end_port(part, id, data);
    if (fabric_.port(id).peer.is_none() || now >= PortState::active) return;
    push(arms ? part.plan.activate : part.armed, id, with_state(data, PortState::active), kState);
  }

  bool on_switch(PortId port) const { return live_.is_switch_port(port); }
  /// A switch port other than port 0.
  bool is_external(PortId port) const { return on_switch(port) && fabric_.port(port).number != PortNum(0); }
  const PortInfo& info(PortId port) const { return live_.info(port); }

  /// The bits of `sm_sl` that the routing leaves free are used (fabric::path_sl_for).
  void find_sls_to_sm(const fabric::RoutingTables& tables) {
    fabric::path_sls_to(fabric_, tables, sm_lid_, sl_to_sm_);
    if (options_.sm_sl == 0) return;
    for (std::uint32_t s = 0; s < sl_to_sm_.size(); ++s)
      sl_to_sm_[s] =
          fabric::path_sl_for(fabric_, tables, SwitchId(s), sm_lid_, options_.sm_sl).value_or(sl_to_sm_[s]);
  }

  /// MTU and VLs are the best both ends can do; a change needs the link to come up anew.
  void set_link_fields(PortId id, PortInfo& data) const {
    const fabric::Port& near = fabric_.port(id);
    const fabric::Port& far = fabric_.port(near.peer);
    data.neighbor_mtu = std::min(near.mtu_cap, far.mtu_cap);
    if (options_.max_neighbor_mtu != 0)
      data.neighbor_mtu = std::min(data.neighbor_mtu, options_.max_neighbor_mtu);
    data.oper_vls = std::min({near.vl_cap, far.vl_cap, options_.max_op_vls});
    if (options_.later_resets == nullptr || !options_.later_resets->contains(id)) return;
    data.neighbor_mtu = info(id).neighbor_mtu;
    data.oper_vls = info(id).oper_vls;
  }

  PortId nearer_end(PortId id) const {
    const PortId peer = fabric_.port(id).peer;
    const auto distance = [this](PortId end) { return std::pair(live_.routes[end.index()].hops, end); };
    return std::min(id, peer, [&](PortId a, PortId b) { return distance(a) < distance(b); });
  }

  bool has_other_link_fields(PortId id) const {
    PortInfo target;
    set_link_fields(id, target);
    return target.neighbor_mtu != info(id).neighbor_mtu || target.oper_vls != info(id).oper_vls;
  }

  /// What holds from the next training of the link on, and when the port tells of errors.
  void set_quality_fields(PortId id, PortInfo& data) const {
    const LinkOptions& link = options_.link;
    data.speed_enabled =
        enabled(link.speed, LinkOptions::kSupportedSpeed, data.speed_enabled, data.speed_supported);
    // A switch port keeps what somebody allowed it, as with OpenSM.
    if (!on_switch(id) || link.width != LinkOptions::kSupportedWidth)
      data.width_enabled =
          enabled(link.width, LinkOptions::kSupportedWidth, data.width_enabled, data.width_supported);
    if (agent_info(live_, id).has_extended_speeds)
      data.speed_ext_enabled = enabled(link.speed_ext, LinkOptions::kSupportedSpeedExt,
                                       data.speed_ext_enabled, data.speed_ext_supported);
    // Reserved bits of agents that know no such speeds.
    if (data.speed_ext_supported2 != 0)
      data.speed_ext_enabled2 = enabled(link.speed_ext2, LinkOptions::kSupportedSpeedExt2,
                                        data.speed_ext_enabled2, data.speed_ext_supported2);
    data.local_phy_errors = options_.local_phy_errors_threshold;
    data.overrun_errors = options_.overrun_errors_threshold;
  }

  bool is_enhanced_port0(PortId id) const {
    return on_switch(id) && live_.switch_info[fabric_.port(id).node.index()].enhanced_port0;
  }

  bool must_reset(PortId id) const {
    const PortId peer = fabric_.port(id).peer;
    return !peer.is_none() && (needs_reset_[id.index()] || needs_reset_[peer.index()]);
  }

  SwitchId switch_of(PortId end_port) const {
    const PortId at = on_switch(end_port) ? end_port : fabric_.port(end_port).peer;
    return SwitchId(fabric_.port(at).node.value);
  }

  /// `data`: what the port shows; then what it holds when all is written.
  void plan_end_port(Part& part, PortId id, PortInfo& data) const {
    const fabric::Port& port = fabric_.port(id);
    const bool adapter = !on_switch(id);
    if (port.lid == kUnassignedLid || (adapter && port.peer.is_none())) return;
    const PortInfo& now = info(id);
    data = base(id);
    data.gid_prefix = options_.subnet_prefix;
    data.lid = port.lid;
    data.lmc = port.lmc;
    data.master_sm_lid = sm_lid_;
    data.master_sm_sl = sl_to_sm(id);
    data.subnet_timeout = options_.subnet_timeout;
    if (options_.suppresses_multicast_traps && now.suppresses_multicast_traps)
      data.multicast_trap_suppression = *options_.suppresses_multicast_traps ? 1 : 0;
    data.m_key = key_of(options_.keys, adapter ? port.guid : fabric_.node(port.node).guid);
    data.m_key_lease = data.m_key != 0 ? options_.m_key_lease_period : std::uint16_t{0};
    data.m_key_protect = data.m_key != 0 ? options_.m_key_protection_level : std::uint8_t{0};
    if (adapter) {
      set_link_fields(id, data);
      set_quality_fields(id, data);
    } else {
      data.neighbor_mtu = port.mtu_cap;
    }
    if (is_enhanced_port0(id)) data.oper_vls = std::min(port.vl_cap, options_.max_op_vls);
    const bool is_known = now.master_sm_lid == sm_lid_ || (options_.followed_sm != kUnassignedLid &&
                                                           now.master_sm_lid == options_.followed_sm);
    const bool is_new = is_asked(id) || !is_known || (adapter && now.state == PortState::init);
    data.client_reregister = options_.reregister_clients && now.reregisters_clients && is_new;
    const std::span<const Field> compared =
        adapter ? std::span<const Field>(kComparedOfAdapter) : kComparedOfPort0;
    if (differs(id, data, compared)) push(part.plan.end_ports, id, data, compared);
  }

  /// To register again, whatever else is written.
  bool is_asked(PortId id) const {
    return options_.asks_all_clients ||
           (options_.known_clients != nullptr &&
            !options_.known_clients->find_port(fabric_.port(id).guid).has_value());
  }

  std::uint8_t sl_to_sm(PortId id) const {
    const SwitchId at = switch_of(id);
    return at.index() < sl_to_sm_.size() ? sl_to_sm_[at.index()] : std::uint8_t{0};
  }

  /// `data`: as of plan_end_port(). `arms`: the port is to become ARMED. True: parameters are written.
  bool plan_switch_port(Part& part, PortId id, PortInfo& data, bool arms) const {
    const fabric::Port& port = fabric_.port(id);
    if (port.peer.is_none()) return false;
    const bool leaf = !on_switch(port.peer);
    data = base(id);
    set_link_fields(id, data);
    set_quality_fields(id, data);
    data.hoq_life = leaf ? options_.leaf_head_of_queue_lifetime : options_.head_of_queue_lifetime;
    data.vl_stall = leaf ? options_.leaf_vl_stall_count : options_.vl_stall_count;
    if (!enforcement_.empty()) {
      using enum fabric::PartitionEnforcement;
      data.partition_enforcement_in = enforcement_[id.index()] == in || enforcement_[id.index()] == both;
      data.partition_enforcement_out = enforcement_[id.index()] == out || enforcement_[id.index()] == both;
    }
    if (!differs(id, data, kComparedOfSwitchPort)) return false;
    part.plan.armed_with_parameters += arms ? 1 : 0;
    if (arms)
      push(part.plan.switch_ports, id, with_state(data, PortState::armed), kComparedOfArmed);
    else
      push(part.plan.switch_ports, id, data, kComparedOfSwitchPort);
    return true;
  }

  /// What the port holds, asking for no change of state (IBA 14.2.5.6).
  PortInfo base(PortId id) const {
    PortInfo data = with_state(info(id), kStateUnchanged);
    if (const fabric::Arbitration* target = arbitration_.at(id)) data.vl_high_limit = target->high_limit;
    return data;
  }

  /// `data` is to be written.
  bool differs(PortId id, const PortInfo& data, std::span<const Field> compared) const {
    PortInfo now = info(id);
    now.state = data.state;
    now.phys_state = data.phys_state;
    now.client_reregister = data.client_reregister;
    const bool asks = is_asked(id) && data.client_reregister;
    if (now == data && !asks) return false;
    const bool same = agree(data, now, compared) && same_timers(data, now) && same_link(data, now) &&
                      (is_external(id) || same_keys(data, now));
    return whole_ || !same || asks;
  }

  void push(std::vector<Image>& list, PortId id, const PortInfo& data,
            std::span<const Field> compared) const {
    list.push_back(port_image(live_, id, data, compared));
  }

  const LiveFabric& live_;
  const fabric::Fabric& fabric_;
  const fabric::ArbitrationTables& arbitration_;
  std::span<const fabric::PartitionEnforcement> enforcement_;
  const SubnetOptions& options_;
  bool whole_;
  Lid sm_lid_;
  std::vector<std::uint8_t> needs_reset_;  ///< by PortId: as this end of the link shows
  std::vector<std::uint8_t> sl_to_sm_;
};

}  // namespace

Image link_down(const LiveFabric& live, PortId port) {
  return port_image(live, port, with_state(live.info(port), PortState::down), {});
}

PortPlan plan_ports(const LiveFabric& live, const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                    std::span<const fabric::PartitionEnforcement> enforcement, const SubnetOptions& options,
                    bool whole) {
  return Planner(live, fabric, tables, enforcement, options, whole).run();
}

}  // namespace rch::hw
