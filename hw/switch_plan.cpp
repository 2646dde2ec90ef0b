#include "hw/switch_plan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "hw/held_tables.h"
#include "hw/multicast_tables.h"

namespace rch::hw {
namespace {

using fabric::RoutingTables;
namespace si = switch_info;

constexpr std::array kSwitchFields{si::kLinearTop, si::kMulticastTop, si::kLifeTime};
/// After the commit the fabric must still be the one that was discovered: no port came or went.
constexpr std::array kSwitchFieldsAtEnd{si::kLinearTop, si::kMulticastTop, si::kLifeTime,
                                        si::kPortStateChange};

/// The first group with a way through a switch that has no entry for its LID.
Result<void> check_groups(const LiveFabric& live, const RoutingTables& tables) {
  for (const fabric::MulticastGroup& group : tables.groups)
    for (PortId port : group.ports) {
      const SwitchId sw(live.fabric.port(port).node.value);
      const unsigned cap = multicast_capacity(live, sw);
      if (group.mlid.value < fabric::kFirstMulticastLid.value + cap) continue;
      return fail(ErrorKind::fabric,
                  fmt::format("{} holds multicast tables of {} LIDs; 0x{:04X} is needed",
                              describe_port(live, live.fabric.port_id(sw, PortNum(0))), cap, group.mlid));
    }
  return {};
}

/// No switch is told of entries that it does not have.
std::uint64_t top_on(const LiveFabric& live, SwitchId sw, Lid top) {
  return std::min<std::uint64_t>(top.value,
                                 fabric::kFirstMulticastLid.value - 1U + multicast_capacity(live, sw));
}

}  // namespace

Lid multicast_top(const RoutingTables& tables) {
  if (tables.groups.empty()) return Lid(fabric::kFirstMulticastLid.value - 1);
  return tables.groups.back().mlid;
}

Result<void> check_capacity(const LiveFabric& live, const RoutingTables& tables) {
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s) {
    const PortId port0 = live.fabric.port_id(SwitchId(s), PortNum(0));
    const auto cap = get(live.switch_info[s], si::kLinearCap);
    if (tables.lfts.max_lid().value >= cap) {
      return fail(ErrorKind::fabric, fmt::format("{} holds forwarding tables of {} LIDs; LID {} is needed",
                                                 describe_port(live, port0), cap, tables.lfts.max_lid()));
    }
  }
  if (auto groups = check_groups(live, tables); !groups || tables.sl2vl.empty()) return groups;
  for (PortId port : seen_end_ports(live)) {
    if (maps_sls(live, port)) continue;
    return fail(ErrorKind::fabric,
                fmt::format("{} has no SL2VL tables, which the routing needs", describe_port(live, port)));
  }
  return {};
}

SwitchPlan plan_switches(const LiveFabric& live, const RoutingTables& tables, const SubnetOptions& options) {
  SwitchPlan plan;
  const Lid top = tables.lfts.max_lid();
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s) {
    const PortId port0 = live.fabric.port_id(SwitchId(s), PortNum(0));
    const SmpData& now = live.switch_info[s];
    SmpData first = now;
    set(first, si::kLifeTime, options.packet_life_time);
    set(first, si::kLinearTop, std::max<std::uint64_t>(get(now, si::kLinearTop), top.value));
    SmpData last = first;
    set(last, si::kPortStateChange, 0);
    set(last, si::kLinearTop, top.value);
    // Beyond the top lies what somebody left there; it must not come into effect before it is cleared.
    if (options.use_multicast_top && has_multicast_top(live, SwitchId(s)))
      set(last, si::kMulticastTop, top_on(live, SwitchId(s), multicast_top(tables)));
    const auto image = [&](const SmpData& data, std::span<const Field> compared) {
      return Image{port0, Attribute::switch_info, 0, data, compared};
    };
    if (first != now || get(now, si::kPortStateChange) != 0)
      plan.before.push_back(image(first, kSwitchFields));
    if (const Image then = image(last, kSwitchFields); !then.is_held_by(first)) plan.after.push_back(then);
    plan.at_end.push_back(image(last, kSwitchFieldsAtEnd));
  }
  return plan;
}

}  // namespace rch::hw
