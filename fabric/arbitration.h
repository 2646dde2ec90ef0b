#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace rch::fabric {

/// One entry of a VL arbitration table. The weight counts 64 bytes; 0 skips the lane.
struct VlWeight {
  std::uint8_t vl = 0;
  std::uint8_t weight = 0;

  friend bool operator==(const VlWeight&, const VlWeight&) = default;
};
using VlWeights = std::vector<VlWeight>;

/// How a port shares its link among the lanes it sends on. Ports take as much of the lists as they have
/// room for, with VLs masked to those they use.
struct Arbitration {
  std::uint8_t high_limit = 0;  ///< 4 KB each that may pass of `high` before `low` gets a turn
  VlWeights high, low;

  friend bool operator==(const Arbitration&, const Arbitration&) = default;
};

/// Arbitration of all ports of a fabric; each distinct one is stored once.
class ArbitrationTables {
 public:
  using TableId = std::uint8_t;
  static constexpr TableId kLeft = 0xFF;  ///< of a port whose tables are left as they are

  ArbitrationTables() = default;
  explicit ArbitrationTables(std::size_t ports) : of_port_(ports, kLeft) {}

  /// True if every port keeps what it has.
  bool empty() const { return tables_.empty(); }
  std::size_t port_count() const { return of_port_.size(); }
  const std::vector<Arbitration>& tables() const { return tables_; }

  /// Id of the tables, adding them if they are new. At most 255 distinct ones.
  TableId intern(const Arbitration& arbitration);
  TableId id_of(PortId port) const { return of_port_[port.index()]; }
  void set(PortId port, TableId id) { of_port_[port.index()] = id; }

  /// Null for a port that keeps what it has.
  const Arbitration* at(PortId port) const {
    return empty() || id_of(port) == kLeft ? nullptr : &tables_[id_of(port)];
  }

 private:
  std::vector<Arbitration> tables_;
  std::vector<TableId> of_port_;
};

}  // namespace rch::fabric
