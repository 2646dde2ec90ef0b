#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/acyclic_cdg.h"
#include "engines/dfsssp/channel_loads.h"
#include "engines/dfsssp/escape_tree.h"

namespace rch::engines::dfsssp {

/// How the hosts reach a destination.
enum class Reach : std::uint8_t {
  minimal,  ///< all by minimal paths
  detour,   ///< all, some by longer ones
  partial,  ///< not all of them
};

/// Routes destination trees inside the CDG of one virtual layer, one after the other (Domke, Hoefler,
/// Matsuoka: Routing on the Dependency Graph, HPDC 2016). A tree is searched from its destination: each
/// switch takes the least loaded channel whose dependencies keep the CDG acyclic. Where detours are allowed,
/// paths are searched by load and length together. Instead of backtracking, a search that leaves switches out
/// starts again with more freedom, at last along the escape paths. Keeps references.
class Nue {
 public:
  struct Terms {
    bool detours = false;                ///< paths need not be minimal
    const EscapeTree* escape = nullptr;  ///< reserved in the layer; null: none
  };

  Nue(const HopMatrix& hops, const Terms& terms, Routes& routes, common::AcyclicCdg& layer)
      : hops_(hops), terms_(terms), routes_(routes), layer_(layer), hosts_(host_counts(routes.view())) {}

  /// Adds the dependencies of the tree as it is; false, and nothing changes, if it does not fit.
  bool keep(std::size_t tree);
  /// Routes the tree anew; a `partial` one stays empty. With detours and an escape tree none is partial, but
  /// for paths of more than 254 hops.
  Reach route(std::size_t tree, const ChannelLoads& loads);

 private:
  struct Candidate {
    std::uint64_t cost;
    common::ChannelId channel;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  void allow_minimal_paths(std::size_t tree);
  bool allow_more(std::size_t tree);
  void start(std::size_t tree);
  void search_by_length(std::size_t tree, const ChannelLoads& loads);
  void search_by_cost(std::size_t tree, const ChannelLoads& loads);
  void find_frontier(std::span<const SwitchId> settled);
  void settle(std::size_t tree, SwitchId sw, std::uint8_t length, const ChannelLoads& loads);
  bool fits(std::size_t tree, common::ChannelId c);
  void attach(std::size_t tree, common::ChannelId c, const ChannelLoads& loads);
  Reach reach(std::size_t tree) const;
  void complete(std::size_t tree, const ChannelLoads& loads);
  void remove_unused_dependencies(std::size_t tree);

  static constexpr std::uint8_t kUnsettled = HopMatrix::kUnknown;

  const HopMatrix& hops_;
  Terms terms_;
  Routes& routes_;
  common::AcyclicCdg& layer_;
  const std::vector<std::uint64_t> hosts_;  ///< by switch
  std::vector<common::ChannelId> escape_;   ///< by switch: escape channel that it must take, or none
  std::vector<std::uint8_t> allowed_;       ///< by switch: it may be settled
  std::vector<std::uint8_t> length_;        ///< by switch: hops of its path
  std::vector<std::uint64_t> cost_;         ///< by switch: loads on its path
  std::vector<SwitchId> settled_;           ///< by length
  std::vector<SwitchId> frontier_;          ///< switches that may be next
  std::vector<Candidate> candidates_;
  std::vector<std::uint8_t> seen_;  ///< by switch
  std::vector<std::uint8_t> used_;  ///< by dependency
};

}  // namespace rch::engines::dfsssp
