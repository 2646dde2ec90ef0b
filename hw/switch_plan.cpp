#include "hw/switch_plan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "hw/causes.h"
#include "hw/installed_tables.h"
#include "hw/multicast_tables.h"

namespace rch::hw {
namespace {

using fabric::RoutingTables;
namespace si = switch_info;

constexpr std::array<Field, 3> kSwitchFields{si::kLinearTop, si::kMulticastTop, si::kLifeTime};
/// After the commit the fabric must still be the one that was discovered: no port came or went.
constexpr std::array<Field, 4> kSwitchFieldsAtEnd{si::kLinearTop, si::kMulticastTop, si::kLifeTime,
                                                  si::kPortStateChange};

/// Fails at the first group that passes a switch without an entry for its LID.
Result<void> check_groups(const LiveFabric& live, const RoutingTables& tables) {
  for (const fabric::MulticastGroup& group : tables.groups)
    for (PortId port : group.ports) {
      const SwitchId sw(live.fabric.port(port).node.value);
      const std::uint16_t cap = live.info(sw).multicast_cap;
      if (group.mlid.value < fabric::kFirstMulticastLid.value + cap) continue;
      return fail(causes::kCannotHold, fmt::format("{} holds multicast tables of {} LIDs; 0x{:04X} is needed",
                                                   describe_port(live, live.port0(sw)), cap, group.mlid));
    }
  return {};
}

/// No switch is told of entries that it does not have.
Lid top_on(const SwitchInfo& info, Lid top) {
  const unsigned last = fabric::kFirstMulticastLid.value - 1U + info.multicast_cap;
  return last < top.value ? Lid(static_cast<std::uint16_t>(last)) : top;
}

/// Switches at either end of the links that are reset: their PortStateChange tells of it.
std::vector<bool> switches_at(const LiveFabric& live, std::span<const Image> resets) {
  std::vector<bool> at(live.fabric.switch_count());
  for (const Image& reset : resets)
    for (const PortId port : {reset.port, live.fabric.port(reset.port).peer})
      if (!port.is_none() && live.is_switch_port(port)) at[live.fabric.port(port).node.index()] = true;
  return at;
}

}  // namespace

Lid multicast_top(const RoutingTables& tables) {
  if (tables.groups.empty()) return Lid(fabric::kFirstMulticastLid.value - 1);
  return tables.groups.back().mlid;
}

Result<void> check_capacity(const LiveFabric& live, const RoutingTables& tables) {
  const Lid top = tables.lfts.max_lid();
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s) {
    const std::uint16_t cap = live.info(SwitchId(s)).linear_cap;
    if (top.value >= cap)
      return fail(causes::kCannotHold, fmt::format("{} holds forwarding tables of {} LIDs; LID {} is needed",
                                                   describe_port(live, live.port0(SwitchId(s))), cap, top));
  }
  if (auto groups = check_groups(live, tables); !groups) return groups;
  if (tables.sl2vl.empty() || tables.sl2vl_of_options) return {};
  for (PortId port : seen_end_ports(live))
    if (!live.info(port).maps_sls)
      return fail(causes::kCannotHold,
                  fmt::format("{} has no SL2VL tables, which the routing needs", describe_port(live, port)));
  return {};
}

SwitchPlan plan_switches(const LiveFabric& live, const RoutingTables& tables, const SubnetOptions& options,
                         std::span<const Image> resets) {
  SwitchPlan plan;
  const std::vector<bool> disturbed = switches_at(live, resets);
  const Lid top = tables.lfts.max_lid();
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s) {
    const SwitchId sw(s);
    const SwitchInfo& now = live.info(sw);
    SwitchInfo first = now;
    first.life_time = options.packet_life_time;
    first.port_state_change = now.port_state_change || disturbed[s];
    SwitchInfo raised = first;
    raised.port_state_change = false;
    raised.linear_top = std::max(now.linear_top, top);
    SwitchInfo last = raised;
    last.linear_top = top;
    // Beyond the top lies what somebody left there; it must not come into effect before it is cleared.
    if (options.use_multicast_top && has_multicast_top(live, sw))
      last.multicast_top = top_on(now, multicast_top(tables));
    const auto image = [&](const SwitchInfo& info, std::span<const Field> compared) {
      return Image{live.port0(sw), Attribute::switch_info, 0, encode(info), compared};
    };
    if (first != now || now.port_state_change) plan.before.push_back(image(first, kSwitchFields));
    if (now.linear_top < top) plan.raise.push_back(image(raised, kSwitchFields));
    if (const Image then = image(last, kSwitchFields); !then.is_shown_by(encode(raised)))
      plan.after.push_back(then);
    plan.at_end.push_back(image(last, kSwitchFieldsAtEnd));
  }
  return plan;
}

}  // namespace rch::hw
