#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "verify/dependencies.h"
#include "verify/injection.h"
#include "verify/lanes.h"
#include "verify/transition/change.h"

namespace rch::verify {

/// What walks read.
struct WalkContext {
  const Wiring& wiring;
  const Lanes& lanes;
  const Injection& injection;
};

/// Walks all ways that packets can take towards the destinations of a move while its entries change, and
/// notes the dependencies (routing-engines 12.4). A packet may enter a switch by a held hop and leave it by a
/// wanted one, so every switch sends both ways at once.
///
/// In Stage::downstream packets are of two kinds, each with a graph of hops of its own: those that have left
/// some switch by an entry that was held and is not wanted, or by one that did not change, may meet either
/// entry; behind a wanted entry they meet wanted entries only.
template <std::size_t N>
class MixWalker {
 public:
  explicit MixWalker(const WalkContext& context) : context_(context) {}

  /// `sls`: service levels of packets towards the move, by source switch. `repaired`: held entries that lead
  /// nowhere count as the wanted ones. False if packets can be sent in circles; what was noted is incomplete
  /// then.
  bool walk(const Move& move, Stage stage, bool repaired, std::span<const SlSet> sls,
            Dependencies<N>& dependencies);

  /// After walk(): true if packets can take `from` and then `to`.
  bool crosses(const ChannelGraph::Channel& from, const ChannelGraph::Channel& to) const;
  /// After a walk() that was false: switches of one circle, in order.
  std::vector<SwitchId> circle() const;

 private:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
  /// Possible hop of a node, which is a switch, or a switch as packets of the second kind meet it.
  struct Hop {
    std::uint32_t to = kNowhere;
    std::uint8_t out = 0;
    std::uint8_t in = 0;
  };

  void build(const Move& move, Stage stage, bool repaired);
  void set_hop(std::size_t node, std::size_t which, std::uint8_t entry, std::size_t layer);
  bool order();
  void spread(std::uint32_t node, std::span<const SlSet> sls, Dependencies<N>& dependencies);
  std::size_t switches() const { return context_.wiring.switch_count(); }
  std::size_t sw_of(std::size_t node) const { return node < switches() ? node : node - switches(); }

  WalkContext context_;
  std::vector<std::array<Hop, 2>> hops_;          ///< by node
  std::vector<std::array<LaneLoad<N>, 2>> load_;  ///< on them
  std::vector<std::uint32_t> pending_;            ///< by node: hops that lead here and are not done
  std::vector<bool> live_;                        ///< by node: some packet gets here
  std::vector<std::uint32_t> reached_;
  std::vector<std::uint32_t> order_;
};

}  // namespace rch::verify
