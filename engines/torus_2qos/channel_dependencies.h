#pragma once

#include <cstdint>
#include <vector>

#include "engines/torus_2qos/torus.h"

namespace rch::engines::torus_2qos {

/// All parallel links out of a position in one direction, on the lower two bits of a VL: the dateline bit,
/// and 2 for the hop after an illegal turn (torus-2qos 4.2). Both QoS levels have the same channels.
struct Channel {
  static constexpr std::uint8_t kVls = 4;

  Position from;
  Direction direction;
  std::uint8_t vl = 0;
};

/// Channel dependency graph (CDG) of a torus.
class ChannelDependencies {
 public:
  explicit ChannelDependencies(const Geometry& geometry);

  /// Some route arrives at `at` in direction `in` and leaves in direction `out`.
  void add(Position at, Direction in, std::uint8_t in_vl, Direction out, std::uint8_t out_vl) {
    cells_[cell(at, in) + out.index()] |= static_cast<std::uint16_t>(1U << (in_vl * Channel::kVls + out_vl));
  }
  ChannelDependencies& operator|=(const ChannelDependencies& other);

  /// A shortest cycle through the first channel that is on any; empty if the graph is acyclic.
  std::vector<Channel> cycle() const;

 private:
  static std::size_t cell(Position at, Direction in) {
    return (at.index() * kDirections + in.index()) * kDirections;
  }

  const Geometry* geometry_;
  /// By position, direction in, direction out: bit kVls * VL in + VL out.
  std::vector<std::uint16_t> cells_;
};

}  // namespace rch::engines::torus_2qos
