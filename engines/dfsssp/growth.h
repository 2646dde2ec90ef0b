#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/acyclic_dependencies.h"
#include "engines/dfsssp/loads.h"
#include "engines/dfsssp/reserved_tree.h"

namespace rch::engines::dfsssp {

/// How the hosts of a fabric reach a destination.
enum class Reach : std::uint8_t {
  shortest,  ///< all by shortest paths
  detour,    ///< all, some by longer ones
  partial,   ///< not all of them
};

/// Lays trees one after the other so that the dependencies of all of them close no circle (Domke, Hoefler,
/// Matsuoka: Routing on the Dependency Graph, HPDC 2016). A tree grows from its destination, switch by
/// switch, by the least loaded of the channels that the trees before it leave open. Switches that this leaves
/// out take the way of a spanning tree, if one has been reserved. Keeps references.
class Growth {
 public:
  struct Terms {
    bool detours = false;                    ///< paths may be longer than need be
    const ReservedTree* reserved = nullptr;  ///< in the lane; null: none
  };

  Growth(const HopMatrix& hops, const Terms& terms, Routes& routes, common::AcyclicDependencies& lane)
      : hops_(hops), terms_(terms), routes_(routes), lane_(lane), hosts_(host_counts(routes.view())) {}

  /// Takes the tree as it lies; false, and nothing is changed, if it does not fit.
  bool keep(std::size_t tree);
  /// Lays the tree anew; a `partial` one not at all. With detours and a spanning tree there is none, unless
  /// its ways are longer than 254 hops.
  Reach grow(std::size_t tree, const Loads& loads);

 private:
  /// A channel by which a switch may send.
  struct Offer {
    std::uint64_t cost;
    common::ChannelId channel;
    friend auto operator<=>(const Offer&, const Offer&) = default;
  };

  void open_shortest_ways(std::size_t tree);
  bool open_more(std::size_t tree);
  void start(std::size_t tree);
  void spread(std::size_t tree, const Loads& loads);
  void find_border(std::span<const SwitchId> front);
  void settle(std::size_t tree, SwitchId sw, std::uint8_t length, const Loads& loads);
  bool fits(std::size_t tree, common::ChannelId c);
  void attach(std::size_t tree, common::ChannelId c, const Loads& loads);
  Reach reach(std::size_t tree) const;
  void complete(std::size_t tree, const Loads& loads);
  void forget_unused(std::size_t tree);

  static constexpr std::uint8_t kUnsettled = HopMatrix::kUnknown;

  const HopMatrix& hops_;
  Terms terms_;
  Routes& routes_;
  common::AcyclicDependencies& lane_;
  const std::vector<std::uint64_t> hosts_;  ///< by switch
  std::vector<common::ChannelId> given_;    ///< by switch: reserved channel that it must take, or none
  std::vector<std::uint8_t> open_;          ///< by switch: it may be settled
  std::vector<std::uint8_t> length_;        ///< by switch: hops of its path
  std::vector<std::uint64_t> cost_;         ///< by switch: loads on its path
  std::vector<SwitchId> settled_;           ///< in order, so by length
  std::vector<SwitchId> border_;            ///< switches that may be next
  std::vector<Offer> offers_;
  std::vector<std::uint8_t> seen_;  ///< by switch
  std::vector<std::uint8_t> used_;  ///< by dependency
};

}  // namespace rch::engines::dfsssp
