#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "engines/dfsssp/next_hops.h"

namespace rch::engines::dfsssp {

/// By exit: paths from a host to a LID that take it. There are less than 2^16 of both.
using PathCounts = std::vector<std::uint32_t>;

/// How the LIDs on one switch have been dealt over the paths to it: switches with the same ports to all of
/// them share a string of ports.
struct Dealt {
  static constexpr std::uint16_t kNone = NextHops::kNone;

  std::size_t lids = 0;
  std::vector<std::uint16_t> strings;  ///< by switch, its string; kNone: there is no path, or no need
  std::vector<std::uint8_t> ports;     ///< by string, then LID
};

/// What dealers read of a fabric.
struct Ground {
  Ground(const HopMatrix& hops, const NextHops& next_hops, const fabric::SubFabric& view);

  const HopMatrix& hops;
  const NextHops& next_hops;
  std::vector<std::uint32_t> hosts;  ///< by switch
};

/// Deals the LIDs on one switch over shortest paths to it. Switches that choose from the same next hops are
/// peers and choose alike, so that what they send to a LID meets early and stays together. Two sweeps do:
/// from the destination outwards, what the lightest path from each switch carries in sum; then from the
/// farthest inwards, the LIDs: when all behind them have been dealt, it is known how many paths to each pass.
class Dealer {
 public:
  /// Keeps a reference.
  explicit Dealer(const Ground& ground);

  /// `chosen`: the LIDs to deal, by number among those on the switch; `dealt` has room for all of them.
  void deal(SwitchId to, std::span<const std::uint32_t> chosen, const PathCounts& loads, Dealt& dealt);

  /// Paths of all that was dealt since they were last set to 0.
  PathCounts& added() { return added_; }

 private:
  struct Peers {
    NextHops::GroupId group;
    std::uint8_t hops = 0;
    std::uint32_t begin = 0, end = 0;  ///< into members_
    std::size_t offers = 0;            ///< into offers_: the first of them, one for each next hop
  };
  struct Met {
    std::uint32_t round = 0;
    std::uint32_t peers = 0;
  };
  /// What paths by a next hop carry, summed over the peers, and in the last kPlaceBits its place.
  using Offer = std::uint64_t;
  static constexpr unsigned kPlaceBits = 8;
  static std::uint8_t place(Offer offer) { return offer & ((1U << kPlaceBits) - 1); }

  void meet(SwitchId to);
  void list_members();
  void find_costs(Peers& peers, const PathCounts& loads);
  void count_paths(const Peers& peers);
  void choose(const Peers& peers);
  std::uint8_t take_lightest(std::uint64_t more);
  void pass_on(const Peers& peers);
  void add(const NextHops::ExitSet& set);
  void note(const Peers& peers, std::span<const std::uint32_t> chosen, std::size_t& strings,
            Dealt& dealt) const;
  std::span<const NextHops::ExitSet> members(const Peers& peers) const {
    return std::span(members_).subspan(peers.begin, peers.end - peers.begin);
  }
  std::uint32_t* passing(SwitchId sw) { return passing_.data() + sw.index() * lids_; }

  const Ground& ground_;
  const NextHops& next_hops_;
  PathCounts added_;

  // Of the destination that is dealt:
  std::uint32_t round_ = 0;
  std::size_t lids_ = 0;
  std::uint64_t from_hosts_ = 0;                                       ///< paths to a LID
  std::vector<Met> met_;                                               ///< by group
  std::vector<Peers> peers_;                                           ///< by number
  std::vector<std::uint32_t> nearest_first_;                           ///< numbers
  std::vector<std::pair<std::uint32_t, NextHops::ExitSet>> unsorted_;  ///< number and member
  std::vector<NextHops::ExitSet> members_;                             ///< by peers
  std::vector<std::uint64_t> costs_;                                   ///< by switch: of the lightest path
  std::vector<Offer> offers_;                                          ///< by peers
  std::vector<std::uint32_t> passing_;  ///< by switch and LID: paths that come by
  std::vector<std::uint32_t> passed_;  ///< by switch: the round passing_ tells of; else those of its hosts do

  // Of the peers that are dealt for:
  std::vector<std::uint32_t> sums_;   ///< by place: what the channels there carry
  std::vector<std::uint32_t> paths_;  ///< by LID, of all of them
  std::vector<std::uint32_t> open_;   ///< LIDs with paths
  std::vector<Offer> rivals_;         ///< ascending from first_rival_ on; those before it have been taken
  std::size_t first_rival_ = 0;
  std::vector<std::uint8_t> places_;   ///< by LID
  std::vector<std::uint32_t> takers_;  ///< by place: open LIDs
};

}  // namespace rch::engines::dfsssp
