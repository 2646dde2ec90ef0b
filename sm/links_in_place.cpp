#include "sm/links_in_place.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "fabric/fabric_builder.h"
#include "hw/sweep.h"

namespace rch::sm {
namespace {

using fabric::Fabric;

/// A port by what every look calls it.
struct PortRef {
  Guid node;
  PortNum number;
};

PortRef ref_of(const Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  return {fabric.node(port.node).guid, port.number};
}

std::optional<PortId> find_port_of(const Fabric& fabric, PortRef port) {
  const auto node = fabric.find_node(port.node);
  if (!node || port.number.value > fabric.node(*node).num_ports) return std::nullopt;
  return fabric.port_id(*node, port.number);
}

/// The other end of a cable as the look saw it, or as it was when the last plan was installed: a port that
/// carries data was not plugged in since.
std::optional<PortRef> other_end(const hw::LiveFabric& live, PortRef port, const chains::Plan* before) {
  if (const auto node = live.sweep->find(port.node))
    if (const auto& peer = live.sweep->nodes()[node->index()].ports[port.number.index()].peer)
      return PortRef{live.sweep->nodes()[peer->first.index()].info.node_guid, peer->second};
  if (before == nullptr) return std::nullopt;
  const auto then = find_port_of(*before->fabric, port);
  if (!then || before->fabric->port(*then).peer.is_none()) return std::nullopt;
  return ref_of(*before->fabric, before->fabric->port(*then).peer);
}

bool is_named(const fabric::Quarantined& part, PortRef port) {
  return part.node == port.node && part.port == port.number;
}

/// The operator left the cable out, and nothing else speaks against either end.
bool is_left_out_by_operator(const hw::LiveFabric& live, PortRef a, PortRef b) {
  bool by_operator = false;
  for (const fabric::Quarantined& part : live.quarantine) {
    if (!is_named(part, a) && !is_named(part, b)) continue;
    if (!part.answers) return false;
    by_operator = true;
  }
  return by_operator;
}

/// The part as a whole, or one of its cables.
bool is_of_a_part_left_out(const hw::LiveFabric& live, PortRef near, PortRef far) {
  return std::ranges::any_of(live.quarantine, [&](const fabric::Quarantined& part) {
    const bool is_behind = part.node == far.node && !live.fabric.find_node(far.node);
    return part.answers && (is_named(part, near) || is_named(part, far) || is_behind);
  });
}

/// Calls f(SL2VL place) for all that packets which come or go by that port meet in its switch.
template <class F>
void for_places_at(const Fabric& fabric, PortId id, const F& f) {
  const fabric::Port& port = fabric.port(id);
  const SwitchId sw = *fabric.switch_id(port.node);
  for (unsigned p = 0; p <= fabric.node(port.node).num_ports; ++p) {
    const PortNum other(static_cast<std::uint8_t>(p));
    f(hw::Sl2VlPlace{sw, other, port.number});
    f(hw::Sl2VlPlace{sw, port.number, other});
  }
}

/// Nobody writes maps of ports without a link, so they stay as they were.
void keep_maps(const Fabric& fabric, PortId port, const chains::Plan& before, fabric::Sl2VlTables& maps) {
  const auto then = find_port_of(*before.fabric, ref_of(fabric, port));
  if (maps.empty() || !then) return;
  const auto sw = *before.fabric->switch_id(before.fabric->port(*then).node);
  const fabric::Sl2VlTables& was = before.tables->sl2vl;
  for_places_at(fabric, port, [&](const hw::Sl2VlPlace& place) {
    maps.set(place.sw, place.in, place.out,
             maps.intern(was.empty() ? fabric::kIdentitySl2Vl : was.at(sw, place.in, place.out)));
  });
}

/// Those of the look that the target does without.
std::vector<chains::Cable> links_of_the_look(const hw::LiveFabric& live, const Fabric& target) {
  std::vector<chains::Cable> links;
  for (std::uint32_t p = 0; p < target.ports().size(); ++p) {
    const PortId near(p), far = live.fabric.port(near).peer;
    if (!far.is_none() && near < far && target.port(near).peer.is_none() && target.port(far).peer.is_none() &&
        live.is_switch_port(near) && live.is_switch_port(far) && live.carries_data(near))
      links.push_back({near, far});
  }
  return links;
}

std::optional<Fabric> with_links(const Fabric& target, std::span<const chains::Cable> links) {
  std::vector<fabric::Port> ports(target.ports().begin(), target.ports().end());
  for (const auto& [near, far] : links) {
    ports[near.index()].peer = far;
    ports[far.index()].peer = near;
  }
  auto fabric = fabric::with_ports(target, std::move(ports));
  if (!fabric) return std::nullopt;
  return std::move(*fabric);
}

/// One entry for each link; its ports are no entrances any more.
std::vector<chains::Cable> take_left_out_links(hw::Preparation& prepared, const hw::LiveFabric& live,
                                               const chains::Plan& target, const chains::Plan* before) {
  std::vector<chains::Cable> links;
  const auto link_of = [&](PortId near) -> std::optional<chains::Cable> {
    const PortRef port = ref_of(live.fabric, near);
    const auto peer = other_end(live, port, before);
    if (!peer || !is_left_out_by_operator(live, port, *peer)) return std::nullopt;
    const auto far = find_port_of(live.fabric, *peer);
    if (!far || far == near || !live.is_switch_port(*far) || !live.fabric.port(*far).peer.is_none())
      return std::nullopt;
    if (!target.tables->sl2vl.empty() && before == nullptr) return std::nullopt;  // their maps are not known
    return chains::Cable{near, *far};
  };
  std::vector<PortId> others;
  for (const PortId near : prepared.entrances) {
    const auto link = link_of(near);
    if (!link) others.push_back(near);
    if (link && std::ranges::find(links, chains::Cable{link->far, link->near}) == links.end())
      links.push_back(*link);
  }
  prepared.entrances = std::move(others);
  return links;
}

}  // namespace

std::optional<chains::InPlace> links_in_place(hw::Preparation& prepared, const hw::LiveFabric& live,
                                              const chains::Plan& target, const chains::Plan* before) {
  const std::vector<chains::Cable> left_out = take_left_out_links(prepared, live, target, before);
  std::vector<chains::Cable> links = links_of_the_look(live, *target.fabric);
  links.insert(links.end(), left_out.begin(), left_out.end());
  if (links.empty()) return std::nullopt;
  auto fabric = with_links(*target.fabric, links);
  if (!fabric) return std::nullopt;
  chains::InPlace in_place{std::move(*fabric), std::nullopt};
  if (left_out.empty() || target.tables->sl2vl.empty() || before == nullptr) return in_place;
  in_place.target.emplace(fabric::RoutingTables{
      .lfts = target.tables->lfts.clone(), .sl2vl = target.tables->sl2vl, .steps = target.tables->steps});
  for (const auto& [near, far] : left_out)
    for (const PortId end : {near, far})
      for (fabric::Sl2VlTables* maps : {&in_place.target->sl2vl, &prepared.installed.sl2vl})
        keep_maps(*target.fabric, end, *before, *maps);
  return in_place;
}

std::optional<chains::InPlace> links_in_place(const hw::LiveFabric& live, const chains::Plan& target) {
  const std::vector<chains::Cable> links = links_of_the_look(live, *target.fabric);
  if (links.empty()) return std::nullopt;
  auto fabric = with_links(*target.fabric, links);
  if (!fabric) return std::nullopt;
  return chains::InPlace{std::move(*fabric), std::nullopt};
}

bool is_traffic_cut(const hw::LiveFabric& live, const Fabric& before) {
  for (std::uint32_t p = 0; p < before.ports().size(); ++p) {
    const PortId peer = before.port(PortId(p)).peer;
    if (peer.is_none()) continue;
    const PortRef near = ref_of(before, PortId(p)), far = ref_of(before, peer);
    const auto now = find_port_of(live.fabric, near);
    if (!now) continue;  // its other end is looked at, or both are out
    if (const PortId same = live.fabric.port(*now).peer; !same.is_none()) {
      const PortRef leads_to = ref_of(live.fabric, same);
      if (leads_to.node == far.node && leads_to.number == far.number) continue;
      return true;
    }
    if (live.info(*now).state <= fabric::PortState::init || !is_of_a_part_left_out(live, near, far))
      return true;
  }
  return false;
}

}  // namespace rch::sm
