#include "verify/wiring.h"

#include "fabric/aggregation_nodes.h"

namespace rch::verify {
namespace {

constexpr std::uint8_t kVlsOfCode[] = {0, 1, 2, 4, 8, 15};
constexpr std::uint8_t kTopCode = 5;

/// VL capability of a port as a code; a port that does not tell (0) sets no limit.
std::uint8_t vl_code(const fabric::Port& port) {
  return port.vl_cap == 0 ? kTopCode : std::min(port.vl_cap, kTopCode);
}

}  // namespace

Wiring::Wiring(const fabric::Fabric& fabric, std::uint8_t max_op_vls, std::span<const PortId> entrances)
    : fabric_(&fabric), max_op_vls_(std::clamp<std::uint8_t>(max_op_vls, 1, kTopCode)) {
  const std::size_t switches = fabric.switch_count();
  std::size_t slots = 0;
  for (const fabric::Node& node : fabric.nodes().first(switches)) slots += node.num_ports + 1U;
  switches_.reserve(switches);
  exits_.reserve(slots + switches);
  slot_vls_.reserve(slots);
  sources_.reserve(fabric.end_ports().size());
  source_begin_.reserve(switches + 1);
  source_begin_.push_back(0);
  for (std::size_t sw = 0; sw < fabric.switch_count(); ++sw) add_switch(sw);
  if (!entrances.empty()) entrances_.resize(fabric.switch_count());
  for (const PortId port : entrances)
    entrances_[fabric.port(port).node.index()].push_back(fabric.port(port).number);
}

void Wiring::add_switch(std::size_t sw) {
  const fabric::Node& node = fabric_->node(NodeId(static_cast<std::uint32_t>(sw)));
  const std::uint32_t width = node.num_ports + 1U;
  switches_.push_back({static_cast<std::uint32_t>(exits_.size()), slot_count_, cell_count_, width});
  slot_count_ += width;
  cell_count_ += width * width;
  for (std::uint32_t p = 0; p < width; ++p) {
    const PortId port(node.first_port.value + p);
    const Exit exit = p == 0 ? Exit{0, 0, Exit::Kind::own_port} : p == kNoPath ? Exit{} : exit_of(port);
    exits_.push_back(exit);
    slot_vls_.push_back(p == 0 ? kVlsOfCode[kTopCode] : data_vls(port));  // no link leads to port 0
    if (exit.kind != Exit::Kind::to_host) continue;
    auto& list = fabric_->port(PortId(exit.to)).lid == kUnassignedLid ? without_lid_ : sources_;
    list.push_back(
        {PortId(exit.to), SwitchId(static_cast<std::uint32_t>(sw)), PortNum(static_cast<std::uint8_t>(p))});
  }
  exits_.push_back({});
  source_begin_.push_back(static_cast<std::uint32_t>(sources_.size()));
  const auto added = sources_of(sw);
  bare_.push_back(!added.empty() && std::ranges::all_of(added,
                                                        [&](const Source& source) {
                                                          return fabric::is_aggregation_node(
                                                              fabric_->node(fabric_->port(source.port).node));
                                                        })
                      ? 1
                      : 0);
}

Exit Wiring::exit_of(PortId port) const {
  const PortId peer_id = fabric_->port(port).peer;
  if (peer_id.is_none()) return {0, 0, Exit::Kind::no_link};
  const fabric::Port& peer = fabric_->port(peer_id);
  if (fabric_->is_switch(peer.node)) return {peer.node.value, peer.number.value, Exit::Kind::to_switch};
  return {peer_id.value, 0, Exit::Kind::to_host};
}

std::uint8_t Wiring::data_vls(PortId port) const {
  const fabric::Port& near = fabric_->port(port);
  std::uint8_t code = std::min(max_op_vls_, vl_code(near));
  if (!near.peer.is_none()) code = std::min(code, vl_code(fabric_->port(near.peer)));
  return kVlsOfCode[code];
}

}  // namespace rch::verify
