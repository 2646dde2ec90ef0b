#pragma once

#include <cstdint>
#include <vector>

#include "engines/torus_2qos/torus.h"

namespace rch::engines::torus_2qos {

/// Channel: all parallel links out of a position in one direction, on the lower two bits of a VL. These are
/// the dateline bit, and 2 for the hop after an illegal turn (torus-2QoS(8)). Both QoS levels have the same
/// channels. Numbered (position * 6 + direction) * 4 + VL.
using Channel = Id<struct ChannelTag, std::uint32_t>;

/// Channel dependency graph (CDG) of a torus, for common::DepthFirst.
class ChannelDependencies {
 public:
  using Node = Channel;
  static constexpr std::uint32_t kVls = 4;

  explicit ChannelDependencies(const Geometry& geometry);

  /// Some route arrives at `at` in direction `in` and leaves in direction `out`.
  void add(Position at, Direction in, std::uint8_t in_vl, Direction out, std::uint8_t out_vl) {
    cells_[cell(at, in) + out.index()] |= static_cast<std::uint16_t>(1U << (in_vl * kVls + out_vl));
  }
  ChannelDependencies& operator|=(const ChannelDependencies& other);

  std::size_t size() const { return geometry_->size() * kDirections * kVls; }
  std::size_t degree(Channel) const { return kDirections * kVls; }
  Channel successor(Channel c, std::size_t i) const;

  /// Positions from which the channels of a cycle lead; empty if the graph is acyclic.
  std::vector<Position> cycle() const;

 private:
  static std::size_t cell(Position at, Direction in) {
    return (at.index() * kDirections + in.index()) * kDirections;
  }
  /// Breadth first; `start` must be on a cycle.
  std::vector<Position> shortest_cycle(Channel start) const;

  const Geometry* geometry_;
  /// By position, direction in, direction out: bit kVls * VL in + VL out.
  std::vector<std::uint16_t> cells_;
};

}  // namespace rch::engines::torus_2qos
