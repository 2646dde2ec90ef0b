#pragma once

#include <optional>
#include <span>

#include "isolation/tenants.h"

namespace rch::isolation {

/// A packet that a port of the one set sends and another port of the other set takes, in either direction;
/// nothing if there is none. Ports of which nothing is known do not count. Both ascending.
std::optional<Packet> packet_between(const fabric::Fabric& fabric, const InstalledPKeys& installed,
                                     std::span<const PortId> a, std::span<const PortId> b);

}  // namespace rch::isolation
