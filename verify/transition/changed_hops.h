#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "verify/dependencies.h"
#include "verify/transition/change.h"

namespace rch::verify {

/// What a move adds to the dependencies of the target tables, found from its changed entries alone. A packet
/// takes target hops until its first installed hop that is not a target hop, so all dependencies until then
/// are those of the target tables. The others are at the switch of that hop, and on the ways behind it.
///
/// A switch with a changed entry counts if a way of hops leads from a sending switch to it.
class ChangedHops {
 public:
  explicit ChangedHops(const Wiring& wiring)
      : wiring_(wiring),
        known_(wiring.switch_count()),
        live_(wiring.switch_count()),
        searched_(wiring.switch_count()),
        next_(wiring.switch_count()),
        met_(wiring.switch_count()),
        pending_(wiring.switch_count()) {}

  /// True: no packet can be caught in a forwarding loop, and `dependencies` (null: not asked for) has all
  /// that packets have in that stage and not with the target tables. For moves of one lane whose target paths
  /// are proven. Moves that are not proven: for loops only. `repaired` as for TransientWalker; no
  /// Stage::downstream.
  bool walk(const Move& move, Stage stage, bool repaired, Dependencies<1>* dependencies);

 private:
  /// Entries by which a switch may send; kNoPath: none.
  using Hops = std::array<std::uint8_t, 2>;

  Hops hops(std::size_t sw) const;
  std::uint8_t installed(std::size_t sw) const;
  void begin_at(std::uint32_t sw, Dependencies<1>* dependencies);
  bool is_live(std::uint32_t sw);
  template <class F>
  void for_each_sender(std::size_t sw, const F& f) const;
  bool follow(std::size_t sw, std::uint8_t out, Dependencies<1>* dependencies);
  void meet(std::uint32_t sw);
  bool is_ordered();

  const Wiring& wiring_;
  const Move* move_ = nullptr;
  Stage stage_ = Stage::installed;
  bool repaired_ = false;
  std::uint32_t round_ = 0;   ///< walks so far
  std::uint32_t search_ = 0;  ///< calls of is_live() so far
  // By switch:
  std::vector<std::uint32_t> known_;  ///< the last walk that knew `live_`
  std::vector<std::uint8_t> live_;
  std::vector<std::uint32_t> searched_;  ///< the last search that met it
  std::vector<std::uint32_t> next_;      ///< in that search: where it sends
  std::vector<std::uint32_t> met_;       ///< the last walk that met it
  std::vector<std::uint32_t> pending_;   ///< hops of met switches that lead here

  std::vector<std::uint32_t> upstream_;  ///< switches of a search
  std::vector<std::uint32_t> reached_;   ///< switches behind changed hops
  std::vector<std::uint32_t> order_;     ///< of them, each after all that send to it
};

}  // namespace rch::verify
