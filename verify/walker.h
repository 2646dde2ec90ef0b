#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/columns.h"
#include "verify/dependencies.h"
#include "verify/in_tree.h"
#include "verify/lanes.h"
#include "verify/wiring.h"

namespace rch::verify {

/// Where hosts put packets onto the cables of their switch: for every switch port, the distinct SL2VL maps
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

/// What walks share and do not change.
struct Ground {
  const Wiring& wiring;
  const Lanes& lanes;
  const Injection& injection;
};

/// Walks the in-tree of a group of destinations from its leaves, carrying for each cable the service levels
/// on each lane, and notes dependencies (routing-engines 12.2; torus-2qos 8). One walk covers all sources.
template <std::size_t N>
class Walker {
 public:
  Walker(const Ground& ground, Dependencies<N>& dependencies)
      : ground_(ground),
        dependencies_(dependencies),
        tree_(ground.wiring),
        load_(ground.wiring.switch_count()) {}

  /// `sls`: service level towards the group by source switch. False if there may be pairs that do not reach
  /// each other: the exact account is Account's.
  bool walk(const Group& group, std::span<const std::uint8_t> sls);

  /// After walk(): service levels of packets that leave `sw` by `out` on `lane` and then the next switch by
  /// `next_out` on `next_lane`.
  SlSet crossing(std::size_t sw, std::uint8_t out, std::size_t lane, std::uint8_t next_out,
                 std::size_t next_lane) const;

 private:
  void inject(std::uint32_t sw);
  void inject_all_but(std::uint32_t sw, PortId owner);
  void add(std::uint32_t sw, const LaneMap& map, SlSet sls);
  void push(std::uint32_t sw);
  void arrive(std::uint32_t sw, std::uint8_t in, SlSet sls);
  void deliver_locally();

  Ground ground_;
  Dependencies<N>& dependencies_;
  InTree tree_;
  std::vector<LaneLoad<N>> load_;  ///< on the cable that each switch sends to
  const Group* group_ = nullptr;
  std::span<const std::uint8_t> sls_;
  bool clean_ = true;
};

}  // namespace rch::verify
