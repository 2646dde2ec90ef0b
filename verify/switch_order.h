#pragma once

#include <cstdint>
#include <vector>

#include "verify/wiring.h"

namespace rch::verify {

/// Switches numbered from those with hosts on, neighbours close to each other, and their ports in that order.
/// The numbers of a Fabric follow GUIDs, which tell nothing of the cabling.
class SwitchOrder {
 public:
  /// Where a link leads.
  struct Peer {
    std::uint32_t at = 0;    ///< switch in this order
    std::uint32_t slot = 0;  ///< its port in this order
  };

  explicit SwitchOrder(const Wiring& wiring);

  std::size_t count() const { return switches_.size(); }
  /// Number in the fabric.
  std::uint32_t sw(std::size_t at) const { return switches_[at]; }
  /// Number in this order.
  std::uint32_t at(SwitchId sw) const { return place_[sw.index()]; }
  std::size_t slot(std::size_t at, std::size_t port) const { return first_slot_[at] + port; }
  /// By port of a switch; of ports that lead to another switch only.
  const Peer* peers(std::size_t at) const { return peers_.data() + first_slot_[at]; }

 private:
  std::vector<std::uint32_t> switches_;
  std::vector<std::uint32_t> place_;  ///< by number in the fabric
  std::vector<std::uint32_t> first_slot_;
  std::vector<Peer> peers_;  ///< by slot of this order
};

}  // namespace rch::verify
