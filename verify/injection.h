#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/lanes.h"
#include "verify/wiring.h"

namespace rch::verify {

/// Where hosts put packets onto the links of their switch: for every switch port, the distinct SL2VL maps
/// from the host ports of that switch.
class Injection {
 public:
  struct Entry {
    std::uint16_t map;
    SlSet sent;    ///< SLs that some host with this map can send
    SlSet unsent;  ///< SLs that some host with this map cannot
  };
  Injection(const Wiring& wiring, const Lanes& lanes);
  std::span<const Entry> at(std::size_t slot) const {
    return std::span(entries_).subspan(first_[slot], first_[slot + 1] - first_[slot]);
  }

 private:
  void add(std::size_t first, std::uint16_t map, SlSet unsendable);
  std::vector<std::uint32_t> first_;
  std::vector<Entry> entries_;
};

}  // namespace rch::verify
