#pragma once

#include <optional>

#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

inline constexpr std::uint16_t kFullMember = 0x8000;  ///< bit of a P_Key in a table
inline constexpr std::uint16_t kBasePKey = 0x7FFF;    ///< its other bits: the partition

/// True if the end port is a member of the partition of `pkey`, full or limited.
bool holds_pkey(const Snapshot& snapshot, PortId end_port, std::uint16_t pkey);

/// P_Key by which `from` may talk to `to`, with the membership of `from`: both hold it and one of them is a
/// full member. The default partition is preferred, then the lowest. `asked`: this one only, its membership
/// bit is ignored.
std::optional<std::uint16_t> common_pkey(const Snapshot& snapshot, PortId from, PortId to,
                                         std::optional<std::uint16_t> asked = {});

/// Port that partitions know a port by: itself, or port 0 of its switch.
PortId partition_port(const Snapshot& snapshot, PortId port);

}  // namespace rch::sa
