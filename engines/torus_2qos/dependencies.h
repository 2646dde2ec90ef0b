#pragma once

#include <cstdint>
#include <vector>

#include "engines/torus_2qos/torus.h"

namespace rch::engines::torus_2qos {

/// What a packet holds while it waits: all cables one way out of a position, on one lane. A lane is the lower
/// two bits of a VL: the side of the dateline, and 2 for the hop after a turn against the order of dimensions
/// (torus-2qos 4.2). The QoS level is left out: both have the same channels.
struct Channel {
  static constexpr std::uint8_t kLanes = 4;

  Position from;
  Direction way;
  std::uint8_t lane = 0;
};

/// Which channel waits for which: there is a route that takes the second right after the first.
class Dependencies {
 public:
  explicit Dependencies(const Lattice& lattice);

  /// Routes come to `at` going `in` and leave it going `out`.
  void add(Position at, Direction in, std::uint8_t in_lane, Direction out, std::uint8_t out_lane) {
    cells_[cell(at, in) + out.index()] |=
        static_cast<std::uint16_t>(1U << (in_lane * Channel::kLanes + out_lane));
  }
  Dependencies& operator|=(const Dependencies& other);

  /// Channels that wait for each other in a circle, a shortest one through the first channel that is in any;
  /// empty if there is none.
  std::vector<Channel> circle() const;

 private:
  static std::size_t cell(Position at, Direction in) {
    return (at.index() * kDirections + in.index()) * kDirections;
  }

  const Lattice* lattice_;
  /// By position, direction of travel in, direction out: bit kLanes * lane in + lane out.
  std::vector<std::uint16_t> cells_;
};

}  // namespace rch::engines::torus_2qos
