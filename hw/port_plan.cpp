#include "hw/port_plan.h"

#include <algorithm>
#include <array>

namespace rch::hw {
namespace {

using fabric::PortState;
namespace pi = port_info;

constexpr std::array kHeldByPort0{pi::kGidPrefix, pi::kLid, pi::kMasterSmLid, pi::kLmc};
constexpr std::array kHeldByAdapter{pi::kGidPrefix, pi::kLid,         pi::kMasterSmLid,
                                    pi::kLmc,       pi::kNeighborMtu, pi::kOperVls};
constexpr std::array kHeldBySwitchPort{pi::kNeighborMtu, pi::kOperVls, pi::kHoqLife};
/// Written where it differs, and not compared: some agents forget it.
constexpr std::array kDecides{pi::kVlHighLimit};
constexpr std::array kState{pi::kState};

/// PortPhysState "no change" and LinkDownDefaultState "polling" (sm-sa 3.2).
constexpr std::uint8_t kPhysUnchangedPollDefault = 0x02;

PortState state_of(const SmpData& info) {
  return static_cast<PortState>(static_cast<std::uint8_t>(get(info, pi::kState)));
}

bool agree(const SmpData& a, const SmpData& b, std::span<const Field> fields) {
  return std::all_of(fields.begin(), fields.end(), [&](Field f) { return get(a, f) == get(b, f); });
}

class Planner {
 public:
  Planner(const LiveFabric& live, const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
          const SubnetOptions& options, bool whole)
      : live_(live),
        fabric_(fabric),
        arbitration_(tables.arbitration),
        options_(options),
        whole_(whole),
        sm_lid_(fabric.port(live.local).lid) {
    if (sm_lid_ != kUnassignedLid) fabric::path_sls_to(fabric, tables, sm_lid_, sl_to_sm_);
  }

  PortPlan run() {
    // The SM's own port comes first, so that answers to what the others send find their way.
    plan_end_port(live_.local);
    for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p) {
      const PortId id(p);
      const bool port0 = fabric_.port(id).number == PortNum(0);
      if (on_switch(id) != port0) {
        if (on_switch(id)) plan_switch_port(id);
      } else if (id != live_.local) {
        plan_end_port(id);
      }
    }
    for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p) plan_state(PortId(p));
    return std::move(plan_);
  }

 private:
  bool on_switch(PortId port) const { return fabric_.is_switch(fabric_.port(port).node); }
  const SmpData& info(PortId port) const { return live_.port_info[port.index()]; }

  /// MTU and VLs are the best both ends can do; a change needs the link to come up anew.
  void set_link_fields(PortId id, SmpData& data) const {
    const fabric::Port& near = fabric_.port(id);
    const fabric::Port& far = fabric_.port(near.peer);
    set(data, pi::kNeighborMtu, std::min(near.mtu_cap, far.mtu_cap));
    set(data, pi::kOperVls, std::min({near.vl_cap, far.vl_cap, options_.max_op_vls}));
  }

  bool must_reset(PortId id) const {
    const PortId peer = fabric_.port(id).peer;
    for (PortId end : {id, peer}) {
      SmpData wanted = info(end);
      set_link_fields(end, wanted);
      const bool up = state_of(info(end)) > PortState::init;
      if (up && !agree(wanted, info(end), std::array{pi::kNeighborMtu, pi::kOperVls})) return true;
    }
    return false;
  }

  SwitchId switch_of(PortId end_port) const {
    const PortId at = on_switch(end_port) ? end_port : fabric_.port(end_port).peer;
    return SwitchId(fabric_.port(at).node.value);
  }

  void plan_end_port(PortId id) {
    const fabric::Port& port = fabric_.port(id);
    const bool adapter = !on_switch(id);
    if (port.lid == kUnassignedLid || (adapter && port.peer.is_none())) return;
    SmpData data = base(id);
    set(data, pi::kGidPrefix, options_.subnet_prefix);
    set(data, pi::kLid, port.lid.value);
    set(data, pi::kLmc, port.lmc);
    set(data, pi::kMasterSmLid, sm_lid_.value);
    set(data, pi::kMasterSmSl, sl_to_sm(id));
    set(data, pi::kSubnetTimeout, options_.subnet_timeout);
    if (adapter)
      set_link_fields(id, data);
    else
      set(data, pi::kNeighborMtu, port.mtu_cap);
    const bool register_again = get(info(id), pi::kCapClientReregistration) != 0 &&
                                (get(info(id), pi::kMasterSmLid) != sm_lid_.value ||
                                 (adapter && state_of(info(id)) == PortState::init));
    set(data, pi::kClientReregister, register_again ? 1 : 0);
    if (adapter)
      add(plan_.end_ports, id, data, kHeldByAdapter);
    else
      add(plan_.end_ports, id, data, kHeldByPort0);
  }

  std::uint8_t sl_to_sm(PortId id) const {
    const SwitchId at = switch_of(id);
    return at.index() < sl_to_sm_.size() ? sl_to_sm_[at.index()] : std::uint8_t{0};
  }

  void plan_switch_port(PortId id) {
    const fabric::Port& port = fabric_.port(id);
    if (port.peer.is_none()) return;
    const bool leaf = !on_switch(port.peer);
    SmpData data = base(id);
    set_link_fields(id, data);
    set(data, pi::kHoqLife, leaf ? options_.leaf_head_of_queue_lifetime : options_.head_of_queue_lifetime);
    set(data, pi::kVlStall, leaf ? options_.leaf_vl_stall_count : options_.vl_stall_count);
    add(plan_.switch_ports, id, data, kHeldBySwitchPort);
  }

  void plan_state(PortId id) {
    const PortId peer = fabric_.port(id).peer;
    if (peer.is_none()) return;
    const bool reset = must_reset(id);
    if (reset && id < peer) push(plan_.resets, id, with_state(info(id), PortState::down), {});
    const PortState now = reset ? PortState::init : state_of(info(id));
    if (now < PortState::armed) push(plan_.arm, id, with_state(final_[id.index()], PortState::armed), kState);
    if (now < PortState::active)
      push(plan_.activate, id, with_state(final_[id.index()], PortState::active), kState);
  }

  /// What the port holds, asking for no change of state.
  SmpData base(PortId id) const {
    SmpData data = info(id);
    set(data, pi::kState, 0);
    data[pi::kPhysState.byte] = kPhysUnchangedPollDefault;
    set(data, pi::kErrorThresholds, kErrorThresholds);
    set(data, pi::kClientReregister, 0);
    if (const fabric::Arbitration* wanted = arbitration_.at(id))
      set(data, pi::kVlHighLimit, wanted->high_limit);
    return data;
  }

  static SmpData with_state(SmpData data, PortState state) {
    set(data, pi::kClientReregister, 0);
    data[pi::kPhysState.byte] = kPhysUnchangedPollDefault;
    set(data, pi::kState, static_cast<std::uint8_t>(state));
    return data;
  }

  void add(std::vector<Image>& list, PortId id, const SmpData& data, std::span<const Field> held) {
    final_[id.index()] = data;
    SmpData now = info(id);
    for (Field passing : {pi::kState, pi::kPhysState, pi::kClientReregister})
      set(now, passing, get(data, passing));
    const bool same = agree(data, now, held) && agree(data, now, kDecides);
    if (whole_ ? now != data : !same) push(list, id, data, held);
  }

  void push(std::vector<Image>& list, PortId id, const SmpData& data, std::span<const Field> compared) const {
    const fabric::Port& port = fabric_.port(id);
    const PortId master = on_switch(id) ? fabric_.port_id(port.node, PortNum(0)) : id;
    const bool extended = get(info(master), pi::kCapExtendedSpeeds) != 0;
    list.push_back(
        {id, Attribute::port_info, port.number.value | (extended ? kExtendedSpeeds : 0U), data, compared});
  }

  /// Local link errors and buffer overruns that raise a trap (sm-sa 3.2).
  static constexpr std::uint8_t kErrorThresholds = 0x88;

  const LiveFabric& live_;
  const fabric::Fabric& fabric_;
  const fabric::ArbitrationTables& arbitration_;
  const SubnetOptions& options_;
  bool whole_;
  Lid sm_lid_;
  std::vector<std::uint8_t> sl_to_sm_;
  std::vector<SmpData> final_ = live_.port_info;  ///< by port: its image once its parameters are written
  PortPlan plan_;
};

}  // namespace

PortPlan plan_ports(const LiveFabric& live, const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                    const SubnetOptions& options, bool whole) {
  return Planner(live, fabric, tables, options, whole).run();
}

}  // namespace rch::hw
