#include "fabric/sl2vl.h"

#include <algorithm>
#include <cassert>

namespace rch::fabric {

Sl2VlTables::Sl2VlTables(std::span<const std::uint8_t> num_ports, const Sl2VlMap& initial)
    : maps_{initial}, num_ports_(num_ports.begin(), num_ports.end()) {
  std::size_t slots = 0;
  for (std::uint8_t n : num_ports_) {
    begin_.push_back(slots);
    slots += (n + std::size_t{1}) * (n + std::size_t{1});
  }
  ids_.assign(slots, 0);
}

Sl2VlTables::MapId Sl2VlTables::intern(const Sl2VlMap& map) {
  const auto found = std::find(maps_.begin(), maps_.end(), map);
  if (found != maps_.end()) return static_cast<MapId>(found - maps_.begin());
  assert(maps_.size() < 255);
  maps_.push_back(map);
  return static_cast<MapId>(maps_.size() - 1);
}

}  // namespace rch::fabric
