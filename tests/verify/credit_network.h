#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "fabric/routing_tables.h"

namespace rch::test {

/// A network of switches with credits, moved packet by packet. Each virtual lane of each switch port has room
/// for one packet that came in by it. A packet moves on when the buffer that it asks for is empty; packets to
/// hosts leave at once. A host has a packet ready whenever its lane of the first switch port is empty.
class CreditNetwork {
 public:
  struct Flow {
    PortId source;
    Lid destination;
    std::uint8_t sl = 0;
  };

  CreditNetwork(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, std::uint8_t max_op_vls,
                std::vector<Flow> flows, std::uint64_t seed);

  /// Lets packets start and move, in random order.
  void run(std::size_t moves);
  /// Packets each of which asks for the buffer of the next, the last for that of the first: none will ever
  /// move.
  bool is_deadlocked() const;
  std::uint64_t delivered() const { return delivered_; }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF, kGone = 0xFFFFFFFE;

  void start(std::uint32_t flow);
  void move(std::uint32_t buffer);
  /// The buffer that the packet there asks for; kGone: it reaches a host or is dropped.
  std::uint32_t asked_by(std::uint32_t buffer) const;
  /// Of the cable between two ports. A host sends nothing on a lane that its cable does not have.
  unsigned data_vls(PortId one, PortId other) const;
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }

  const fabric::Fabric& fabric_;
  const fabric::RoutingTables& tables_;
  std::uint8_t max_op_vls_;
  std::vector<Flow> flows_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> flow_in_;  ///< by buffer: of its packet, or kFree
  std::vector<std::uint32_t> buffers_;  ///< that were used
  std::uint64_t delivered_ = 0;
};

}  // namespace rch::test
