#include "sm/parts_in_place.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hw/sweep.h"
#include "sm/write_plan.h"

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
void keep_maps_at(const Fabric& fabric, PortId port, const chains::Plan& before, fabric::Sl2VlTables& maps) {
  const auto then = find_port_of(*before.fabric, ref_of(fabric, port));
  if (maps.empty() || !then) return;
  const auto sw = *before.fabric->switch_id(before.fabric->port(*then).node);
  const fabric::Sl2VlTables& was = before.tables->sl2vl;
  for_places_at(fabric, port, [&](const hw::Sl2VlPlace& place) {
    maps.set(place.sw, place.in, place.out,
             maps.intern(was.empty() ? fabric::kIdentitySl2Vl : was.at(sw, place.in, place.out)));
  });
}

/// Returns the links of the look that the target does without.
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

/// The SL2VL maps of parts that the plan before had are known, and fit into one set of tables with those of
/// the target and those that a switch has without any.
bool knows_maps(const hw::Preparation& prepared, const chains::Plan& target, const chains::Plan* before) {
  constexpr std::size_t kMost = 254;
  if (target.tables->sl2vl.empty()) return true;
  return before != nullptr &&
         std::max(target.tables->sl2vl.maps().size(), prepared.installed.sl2vl.maps().size()) +
                 before->tables->sl2vl.maps().size() <
             kMost;
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
    if (!knows_maps(prepared, target, before)) return std::nullopt;
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

/// Maps of links that are left out, where the target has maps.
void keep_maps(hw::Preparation& prepared, const chains::Plan& target, std::span<const chains::Cable> links,
               const chains::Plan& before, chains::InPlace& in_place) {
  if (target.tables->sl2vl.empty()) return;
  in_place.target.emplace(fabric::RoutingTables{
      .lfts = target.tables->lfts.clone(), .sl2vl = target.tables->sl2vl, .steps = target.tables->steps});
  for (const auto& [near, far] : links)
    for (const PortId end : {near, far})
      for (fabric::Sl2VlTables* maps : {&in_place.target->sl2vl, &prepared.installed.sl2vl})
        keep_maps_at(*target.fabric, end, before, *maps);
}

/// Nodes of the plan before that are no more in the fabric, from one of them on.
class StandingPart {
 public:
  StandingPart(const hw::LiveFabric& live, const Fabric& before)
      : live_(live), before_(before), known_(before.nodes().size()) {}

  /// Adds the node, and all that it leads to outside of the fabric.
  void add(NodeId first) {
    if (known_[first.index()]) return;
    known_[first.index()] = true;
    nodes_.push_back(first);
    for (std::size_t head = nodes_.size() - 1; head < nodes_.size(); ++head)
      for (unsigned p = 1; p <= before_.node(nodes_[head]).num_ports; ++p) {
        const PortId peer =
            before_.port(before_.port_id(nodes_[head], PortNum(static_cast<std::uint8_t>(p)))).peer;
        if (peer.is_none()) continue;
        const NodeId next = before_.port(peer).node;
        if (known_[next.index()] || live_.fabric.find_node(before_.node(next).guid)) continue;
        known_[next.index()] = true;
        nodes_.push_back(next);
      }
  }
  /// All of it may forward as the plan before says: nothing is out for what it did not do.
  bool is_sound() const {
    return std::ranges::all_of(live_.quarantine, [&](const fabric::Quarantined& part) {
      const auto node = before_.find_node(part.node);
      return part.answers || !node || !known_[node->index()];
    });
  }
  bool has_hosts() const {
    return std::ranges::any_of(nodes_, [&](NodeId node) { return !before_.is_switch(node); });
  }
  std::vector<NodeId> take() { return std::move(nodes_); }

 private:
  const hw::LiveFabric& live_;
  const Fabric& before_;
  std::vector<bool> known_;
  std::vector<NodeId> nodes_;
};

/// Switches that the operator left out, with what hangs on them. Their ports are no entrances any more. Hosts
/// behind them keep P_Keys that nobody writes, so these stay entrances where partitions are kept apart.
std::vector<NodeId> take_standing_nodes(hw::Preparation& prepared, const hw::LiveFabric& live,
                                        const chains::Plan& target, const chains::Plan& before) {
  const Fabric& then = *before.fabric;
  StandingPart part(live, then);
  const auto behind = [&](PortId near) -> std::optional<NodeId> {
    const PortRef port = ref_of(live.fabric, near);
    const auto known = find_port_of(then, port);
    if (!known || then.port(*known).peer.is_none()) return std::nullopt;
    const PortId peer = then.port(*known).peer;
    const PortRef far = ref_of(then, peer);
    const bool is_out = !live.fabric.find_node(far.node) && is_of_a_part_left_out(live, port, far);
    if (!is_out || !then.is_switch(then.port(peer).node)) return std::nullopt;
    return then.port(peer).node;
  };
  std::vector<PortId> others;
  for (const PortId near : prepared.entrances)
    if (const auto node = behind(near))
      part.add(*node);
    else
      others.push_back(near);
  if (!part.is_sound() || (part.has_hosts() && keeps_apart(target.tables->pkeys))) return {};
  prepared.entrances = std::move(others);
  return part.take();
}

}  // namespace

std::optional<chains::InPlace> parts_in_place(hw::Preparation& prepared, const hw::LiveFabric& live,
                                              const chains::Plan& target, const InstallOptions& options) {
  const std::vector<PortId> carriers = prepared.entrances;
  const chains::Plan* before = options.previous;
  const std::vector<chains::Cable> left_out = take_left_out_links(prepared, live, target, before);
  std::vector<chains::Cable> links = links_of_the_look(live, *target.fabric);
  links.insert(links.end(), left_out.begin(), left_out.end());
  std::vector<NodeId> nodes;
  if (before != nullptr && options.previous_holds && knows_maps(prepared, target, before))
    nodes = take_standing_nodes(prepared, live, target, *before);
  if (links.empty() && nodes.empty()) return std::nullopt;
  auto in_place = chains::with_links(*target.fabric, links);
  if (in_place && !left_out.empty() && before != nullptr)
    keep_maps(prepared, target, left_out, *before, *in_place);
  if (in_place && !nodes.empty())
    in_place = chains::with_nodes(std::move(*in_place), target, prepared.installed,
                                  {*before, std::move(nodes), carriers});
  if (!in_place) prepared.entrances = carriers;
  return in_place;
}

std::optional<chains::InPlace> links_in_place(const hw::LiveFabric& live, const chains::Plan& target) {
  const std::vector<chains::Cable> links = links_of_the_look(live, *target.fabric);
  if (links.empty()) return std::nullopt;
  return chains::with_links(*target.fabric, links);
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
