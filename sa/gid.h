#pragma once

#include <endian.h>

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "hw/mad.h"

namespace rch::sa {

/// A global identifier: subnet prefix and GUID, or the address of a multicast group. Network order.
using Gid = std::array<std::uint8_t, 16>;

inline constexpr std::uint64_t kLinkLocalPrefix = 0xFE80000000000000;

inline std::uint64_t prefix_of(const Gid& gid) { return hw::get(gid, {0, 0, 64}); }
inline Guid guid_of(const Gid& gid) { return Guid(hw::get(gid, {8, 0, 64})); }
inline bool is_multicast(const Gid& gid) { return gid[0] == 0xFF; }

inline Gid make_gid(std::uint64_t prefix, Guid guid) {
  return std::bit_cast<Gid>(std::array{htobe64(prefix), htobe64(guid.value)});
}

/// `bytes` has room for one.
inline Gid read_gid(std::span<const std::uint8_t> bytes) {
  Gid gid;
  for (std::size_t i = 0; i < gid.size(); ++i) gid[i] = bytes[i];
  return gid;
}

}  // namespace rch::sa
