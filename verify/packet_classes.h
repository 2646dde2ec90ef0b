#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "verify/context.h"
#include "verify/injection.h"
#include "verify/lanes.h"
#include "verify/wiring.h"

namespace rch::verify {

/// Packets of one service level on one virtual lane, numbered densely: all that decides about a packet
/// besides its destination and where it is.
class PacketClasses {
 public:
  static constexpr std::uint8_t kDropped = 0xFF;
  static constexpr std::uint8_t kDiffers = 0xFE;  ///< not the same for all hosts

  PacketClasses(const Wiring& wiring, const Lanes& lanes, const Injection& injection);

  std::size_t count() const { return sls_.size(); }
  std::uint8_t sl(std::size_t packet_class) const { return sls_[packet_class]; }
  std::uint8_t lane(std::size_t packet_class) const { return lanes_[packet_class]; }
  /// By service level: class in which packets leave by a map, kDropped if they do not.
  const std::uint8_t* leaving(std::uint16_t map) const { return leaving_.data() + map * 16U; }
  /// By service level: class in which packets of the hosts leave by a slot, kDiffers if some do not.
  const std::uint8_t* injected(std::size_t slot) const { return injected_.data() + slot * 16; }

 private:
  std::uint8_t number(std::uint8_t sl, std::uint8_t lane);
  std::uint8_t injected(std::span<const Injection::Entry> entries, std::uint8_t sl) const;

  std::vector<std::uint8_t> sls_;       ///< by class
  std::vector<std::uint8_t> lanes_;     ///< by class
  std::vector<std::uint8_t> leaving_;   ///< by map and service level
  std::vector<std::uint8_t> injected_;  ///< by slot and service level
};

/// No switch drops a packet, and all packets are of one class: then only entries count.
bool only_entries_count(const Context& context, const PacketClasses& classes);

}  // namespace rch::verify
