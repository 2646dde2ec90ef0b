#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/dfsssp/near_channels.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// By channel: paths from a host to a LID that take it. There are less than 2^16 of both.
using PathCounts = std::vector<std::uint32_t>;

/// Where ports by which switches send to LIDs on one switch are noted.
struct PortSheet {
  std::uint8_t* first = nullptr;  ///< of switch 0, to the first LID
  std::size_t lids = 0;
  std::size_t stride = 0;  ///< from switch to switch

  std::uint8_t* row(SwitchId sw) const { return first + sw.index() * stride; }
};

/// What dealers read of a fabric, in small pieces.
struct Ground {
  Ground(const HopMatrix& hops, const Routes& routes);

  const HopMatrix& hops;
  std::vector<std::uint32_t> hosts;  ///< by switch
  std::vector<std::uint32_t> first;  ///< by switch, its first channel
  std::vector<std::uint32_t> to;     ///< by channel
  std::vector<std::uint8_t> port;    ///< by channel
};

/// Deals the LIDs on one switch over shortest paths to it, at all switches. Two sweeps do: from the
/// destination outwards, what the lightest path from each switch carries in sum; then from the farthest
/// switch inwards, the LIDs: when all behind a switch have dealt, it is known how many paths to each of them
/// pass.
class Dealer {
 public:
  /// Keeps a reference.
  explicit Dealer(const Ground& ground)
      : ground_(ground), costs_(ground.hops.switch_count), added_(ground.to.size()) {}

  /// So many LIDs on the switch of that column of `near` as `ports` is for.
  void deal(const NearChannels& near, std::size_t column, const PathCounts& loads, const PortSheet& ports);

  /// Paths of all that was dealt since they were last set to 0.
  PathCounts& added() { return added_; }

 private:
  /// What paths by a channel carry, and in the last kPlaceBits its place at its switch.
  using Offer = std::uint64_t;
  static constexpr unsigned kPlaceBits = 8;
  static std::size_t place(Offer offer) { return offer & ((1U << kPlaceBits) - 1); }

  void order_by_distance(SwitchId destination);
  void find_costs(const NearChannels& near, std::size_t column, const PathCounts& loads);
  void list_offers(SwitchId sw, const NearChannels& near, std::size_t column, const PathCounts& loads);
  void deal_at(SwitchId sw, std::uint64_t hops, std::uint8_t* ports);
  std::size_t take_lightest(std::uint64_t more);

  const Ground& ground_;
  std::vector<SwitchId> order_;         ///< those that a path leads from, nearest first
  std::vector<std::uint64_t> costs_;    ///< by switch: of the lightest path
  std::size_t lids_ = 0;                ///< that are dealt
  std::vector<std::uint32_t> passing_;  ///< by switch and LID: paths
  PathCounts added_;
  std::vector<Offer> offers_;
  std::size_t first_offer_ = 0;  ///< those before it have been taken
};

}  // namespace rch::engines::dfsssp
