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

/// Walks all paths that packets can take towards the destinations of a move while its entries change, and
/// adds their dependencies (docs/decisions/0009). A packet may enter a switch by an installed hop and leave
/// it by a target hop, so every switch sends by both.
///
/// In Stage::downstream packets are of two kinds, each with a graph of hops of its own. Packets that no new
/// target entry has sent yet may meet either entry. Behind a target entry packets meet target entries only.
template <std::size_t N>
class TransientWalker {
 public:
  explicit TransientWalker(const Wiring& wiring) : wiring_(wiring) {}

  /// False: packets can be caught in a forwarding loop. `repaired`: installed entries that lead nowhere count
  /// as target entries.
  bool order(const Move& move, Stage stage, bool repaired);
  /// `sls`: service levels of packets towards the move, by source switch; `lanes`, `injection`: of the maps
  /// that they meet. Returns what order() does; if that is false, the dependencies are incomplete.
  bool walk(const Move& move, Stage stage, bool repaired, std::span<const SlSet> sls, const Lanes& lanes,
            const Injection& injection, Dependencies<N>& dependencies);

  /// After walk() with these lanes: true if packets can take `from` and then `to`.
  bool crosses(const ChannelDependencyGraph::Channel& from, const ChannelDependencyGraph::Channel& to,
               const Lanes& lanes) const;
  /// After a walk() that was false: switches of one cycle, in order.
  std::vector<SwitchId> cycle() const;

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
  void spread(std::uint32_t node, std::span<const SlSet> sls, const Lanes& lanes, const Injection& injection,
              Dependencies<N>& dependencies);
  bool sends(std::size_t sw) const { return to_switch_ ? wiring_.sends_to_switches(sw) : wiring_.sends(sw); }
  std::size_t switches() const { return wiring_.switch_count(); }
  std::size_t sw_of(std::size_t node) const { return node < switches() ? node : node - switches(); }

  const Wiring& wiring_;
  bool to_switch_ = false;                        ///< of the move at hand
  std::vector<std::array<Hop, 2>> hops_;          ///< by node
  std::vector<std::array<LaneLoad<N>, 2>> load_;  ///< on them
  std::vector<std::uint32_t> pending_;            ///< by node: hops that lead here and are not done
  std::vector<bool> live_;                        ///< by node: some packet gets here
  std::vector<std::uint32_t> reached_;
  std::vector<std::uint32_t> order_;
};

}  // namespace rch::verify
