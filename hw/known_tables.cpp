#include "hw/known_tables.h"

#include <algorithm>
#include <tuple>

namespace rch::hw {
namespace {

bool precedes(const Image& a, const Image& b) {
  return std::tuple(a.port, a.attribute, a.modifier) < std::tuple(b.port, b.attribute, b.modifier);
}

}  // namespace

KnownTables::KnownTables(const LiveFabric& live, const WrittenTables* written)
    : live_(live), written_(written) {
  if (written == nullptr) return;
  then_.assign(live.fabric.nodes().size(), NodeId::none());
  for (std::uint32_t n = 0; n < then_.size(); ++n)
    if (!live.looked_at[n])
      if (const auto node = written->fabric->find_node(live.fabric.node(NodeId(n)).guid)) then_[n] = *node;
  for (const Image& image : written->blocks) by_place_.push_back(&image);
  std::ranges::sort(by_place_, [](const Image* a, const Image* b) { return precedes(*a, *b); });
}

std::span<const std::uint8_t> KnownTables::lft(SwitchId sw) const {
  const NodeId node = then(live_.fabric.node_id(sw));
  if (node.is_none()) return {};
  return written_->tables->lfts.row(SwitchId(node.value));
}

bool KnownTables::share_lft(SwitchId sw, fabric::ForwardingTables& tables) const {
  const NodeId node = then(live_.fabric.node_id(sw));
  if (node.is_none() || written_->tables->lfts.stride() != tables.stride()) return false;
  tables.share_row(sw, written_->tables->lfts, SwitchId(node.value));
  return true;
}

std::optional<fabric::Sl2VlMap> KnownTables::sl2vl(SwitchId sw, PortNum in, PortNum out) const {
  const NodeId node = then(live_.fabric.node_id(sw));
  if (node.is_none() || written_->tables->sl2vl.empty()) return std::nullopt;
  return written_->tables->sl2vl.at(SwitchId(node.value), in, out);
}

std::optional<fabric::Sl2VlMap> KnownTables::end_port_sl2vl(PortId port) const {
  const NodeId node = then(live_.fabric.port(port).node);
  if (node.is_none() || written_->tables->sl2vl.empty()) return std::nullopt;
  const PortId then_port = written_->fabric->port_id(node, live_.fabric.port(port).number);
  const fabric::Sl2VlTables& maps = written_->tables->sl2vl;
  if (live_.is_switch_port(port) && !maps.has_own(then_port)) return std::nullopt;
  return maps.end_port(then_port);
}

const SmpData* KnownTables::block(const Image& place) const {
  const fabric::Port& port = live_.fabric.port(place.port);
  const NodeId node = then(port.node);
  if (node.is_none()) return nullptr;
  Image key = place;
  key.port = written_->fabric->port_id(node, port.number);
  const auto found = std::ranges::lower_bound(
      by_place_, &key, [](const Image* a, const Image* b) { return precedes(*a, *b); });
  return found != by_place_.end() && !precedes(key, **found) ? &(*found)->data : nullptr;
}

MulticastTables KnownTables::multicast() const {
  if (written_ == nullptr) return {};
  std::vector<SwitchId> now(written_->fabric->switch_count(), SwitchId::none());
  for (std::uint32_t s = 0; s < live_.fabric.switch_count(); ++s)
    if (knows(SwitchId(s))) now[then_[s].index()] = SwitchId(s);
  MulticastTables tables;
  for (auto& [place, masks] : multicast_tables(*written_->fabric, written_->tables->groups))
    if (const SwitchId sw = now[place.sw.index()]; !sw.is_none())
      tables.emplace(MulticastPlace{place.block, place.position, sw}, masks);
  return tables;
}

}  // namespace rch::hw
