// Multicast packets in the tables that switches hold: a switch hands a packet to all ports of the mask but
// the one that it came by (architecture, volume 1, 18.2.4.3.3).

#include <set>

#include <fmt/format.h>

#include "hw/attributes.h"
#include "sim/traffic.h"

namespace rch::sim::test {
namespace {

constexpr std::uint16_t kFirstLid = 0xC000;
constexpr unsigned kLidsOfBlock = 32, kPortsOfMask = 16;

}  // namespace

/// Multicast LIDs that some switch has an entry of.
std::set<std::uint16_t> Traffic::multicast_lids() const {
  std::set<std::uint16_t> lids;
  for (const auto& [place, masks] : simulated_.multicast)
    for (unsigned i = 0; i < kLidsOfBlock; ++i)
      if (masks[2 * i] != 0 || masks[2 * i + 1] != 0)
        lids.insert(static_cast<std::uint16_t>(kFirstLid + (place.second & 0x1FFU) * kLidsOfBlock + i));
  return lids;
}

/// Ports by which copies of a packet leave a switch.
std::vector<PortId> Traffic::copies(NodeId sw, std::uint16_t lid, PortId in) const {
  std::vector<PortId> out;
  const unsigned block = (lid - kFirstLid) / kLidsOfBlock, at = (lid - kFirstLid) % kLidsOfBlock;
  for (unsigned p = 1; p <= fabric_.node(sw).num_ports; ++p) {
    const auto masks = simulated_.multicast.find({SwitchId(sw.value), p / kPortsOfMask << 28U | block});
    if (masks == simulated_.multicast.end()) continue;
    const auto mask = hw::get(masks->second, {static_cast<std::uint16_t>(2 * at), 0, 16});
    const PortId port = fabric_.port_id(sw, PortNum(static_cast<std::uint8_t>(p)));
    if ((mask >> p % kPortsOfMask & 1U) != 0 && port != in && is_active(port)) out.push_back(port);
  }
  return out;
}

/// Hosts that a packet of a host reaches; none if it comes to one node twice.
std::optional<std::set<PortId>> Traffic::flood(PortId from, std::uint16_t lid) const {
  std::set<PortId> reached;
  std::set<NodeId> switches;
  std::vector<PortId> leaving;
  if (is_active(from)) leaving.push_back(from);
  while (!leaving.empty()) {
    const PortId in = fabric_.port(leaving.back()).peer;
    const NodeId node = fabric_.port(in).node;
    leaving.pop_back();
    if (!(fabric_.is_switch(node) ? switches.insert(node).second : reached.insert(in).second))
      return std::nullopt;
    if (!fabric_.is_switch(node)) continue;
    for (const PortId out : copies(node, lid, in)) leaving.push_back(out);
  }
  return reached;
}

bool Traffic::reaches(PortId from, Lid mlid, PortId to) const {
  const auto reached = flood(from, mlid.value);
  return reached && reached->contains(to);
}

std::string Traffic::multicast_fault() const {
  for (const std::uint16_t lid : multicast_lids())
    for (const PortId host : hosts())
      if (!flood(host, lid))
        return fmt::format("a packet of {} to multicast LID 0x{:x} comes to a node twice",
                           fabric_.port(host).guid, lid);
  return "";
}

std::vector<std::string> Traffic::without_broadcast(PortId origin) const {
  const std::vector<bool> joined = piece_of(origin);
  std::vector<std::string> pairs;
  for (const PortId from : hosts()) {
    if (!joined[fabric_.port(from).node.index()]) continue;
    const auto reached = flood(from, kFirstLid);
    for (const PortId to : hosts())
      if (from != to && joined[fabric_.port(to).node.index()] && !(reached && reached->contains(to)))
        pairs.push_back(fmt::format("{} to {} by broadcast", fabric_.port(from).guid, fabric_.port(to).guid));
  }
  return pairs;
}

}  // namespace rch::sim::test
