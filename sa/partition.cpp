#include "sa/partition.h"

#include <algorithm>

namespace rch::sa {
namespace {

constexpr std::uint16_t kDefault = 0x7FFF;

constexpr std::uint16_t base(std::uint16_t pkey) { return pkey & kBasePKey; }

}  // namespace

bool holds_pkey(const Snapshot& snapshot, PortId end_port, std::uint16_t pkey) {
  return std::ranges::any_of(snapshot.pkeys(end_port),
                             [&](std::uint16_t key) { return base(key) != 0 && base(key) == base(pkey); });
}

std::optional<std::uint16_t> common_pkey(const Snapshot& snapshot, PortId from, PortId to,
                                         std::optional<std::uint16_t> asked) {
  const auto better = [](std::uint16_t a, std::uint16_t b) {
    if (base(a) != base(b)) return base(a) == kDefault || (base(b) != kDefault && base(a) < base(b));
    return (a & kFullMember) > (b & kFullMember);
  };
  const auto theirs = snapshot.pkeys(to);
  std::optional<std::uint16_t> best;
  for (const std::uint16_t ours : snapshot.pkeys(from)) {
    if (base(ours) == 0 || (asked && base(ours) != base(*asked)) || (best && !better(ours, *best))) continue;
    for (const std::uint16_t other : theirs)
      if (base(other) == base(ours) && ((ours | other) & kFullMember) != 0) best = ours;
  }
  return best;
}

PortId partition_port(const Snapshot& snapshot, PortId port) {
  const fabric::Fabric& fabric = snapshot.fabric();
  const NodeId node = fabric.port(port).node;
  return fabric.is_switch(node) ? fabric.port_id(node, PortNum(0)) : port;
}

}  // namespace rch::sa
