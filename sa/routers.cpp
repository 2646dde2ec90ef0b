#include "sa/routers.h"

#include <algorithm>

namespace rch::sa {

bool is_of_other_subnet(const Snapshot& snapshot, const Gid& gid) {
  const std::uint64_t prefix = prefix_of(gid);
  return !is_multicast(gid) && prefix != snapshot.prefix() && prefix != kLinkLocalPrefix;
}

/// OpenSM takes the first line with the prefix, and has no path if its router is gone.
std::optional<PortId> router_to(const Snapshot& snapshot, std::uint64_t prefix) {
  if (!snapshot.prefix_routes) return std::nullopt;
  for (const policy::PrefixRoute& route : *snapshot.prefix_routes) {
    if (route.prefix && *route.prefix != prefix) continue;
    const auto router = std::ranges::find_if(snapshot.routers, [&](PortId port) {
      return !route.router || snapshot.fabric().port(port).guid == *route.router;
    });
    if (router != snapshot.routers.end()) return *router;
  }
  return std::nullopt;
}

}  // namespace rch::sa
