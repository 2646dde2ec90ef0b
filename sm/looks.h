#pragma once

// How a manager that stays looks at its fabric: where something changed, or at all of it, and without the
// parts that failed or are unhealthy.

#include <memory>
#include <set>
#include <vector>

#include "hw/mastership.h"
#include "sm/health.h"

namespace rch::sm {

struct LookCounters {
  std::uint64_t whole_sweeps = 0, partial_sweeps = 0;
};

struct Look {
  hw::LiveFabric live;
  bool whole = false;      ///< nothing that was known before counts
  bool unsettled = false;  ///< ports went on changing: another look has to follow
};

/// What a look goes on from.
struct LastLook {
  const hw::LiveFabric* live = nullptr;  ///< null: there was none
  bool is_known = false;                 ///< it counts where nothing changed since
  /// The fabric of the plan that was installed last; null: none.
  std::shared_ptr<const fabric::Fabric> installed{};
  bool serves = false;  ///< this manager installed that
};

class Looks {
 public:
  /// All of it must outlive the object. `strict`: a fabric that is not seen whole is a failure.
  Looks(hw::Exchange& exchange, hw::Mastership& mastership, Health& health, const HealthSettings& settings,
        bool strict, LookCounters& counters);

  /// The next look is one at the whole fabric.
  void ask_whole() { whole_ = true; }
  /// The same, and what failed takes part again.
  void ask_all() {
    whole_ = true;
    failed_.clear();
  }
  /// The next look is at these switches, too.
  void note_change(Guid sw);
  void note_changes(std::vector<Guid> switches) { changed_ = std::move(switches); }

  /// Wins the mastership if the look is one at the whole fabric. What is unhealthy is left out. What the look
  /// finds may be so, too: then another one follows. Fails as hw::Mastership::win() and hw::look_again() do.
  hw::Task<Result<Look>> look(LastLook last);
  /// What was written to `live` did not reach all of it.
  void note_failed(const hw::LiveFabric& live);
  /// `live` has what was written to it.
  void note_installed(const hw::LiveFabric& live);

  /// After so many light sweeps: it is time to look whether parts that were left out answer by now.
  bool is_time_for_silent(const hw::LiveFabric& live, unsigned light_sweeps) const;

 private:
  hw::LookOptions options(const LastLook& last) const;
  hw::Task<Result<Look>> look_once(const LastLook& last);
  hw::Task<Result<Look>> look_at_all(const LastLook& last);
  hw::Task<Result<hw::LiveFabric>> win(const hw::LookOptions& how, const LastLook& last);

  hw::Exchange& exchange_;
  hw::Mastership& mastership_;
  Health& health_;
  const HealthSettings& settings_;
  const bool strict_;
  LookCounters& counters_;
  bool whole_ = false;
  std::vector<Guid> changed_;          ///< switches to look at
  std::set<Guid> failed_once_;         ///< nodes that failed after a look since the last installation
  std::vector<hw::LateFault> failed_;  ///< parts that failed twice, left out of the next looks
  unsigned silent_sweeps_;             ///< what is left out is looked at again every so many light sweeps
  unsigned faulty_leaf_looks_ =
      0;  ///< that failed, as hosts in service hang on a faulty leaf; since it was well
};

/// Something was left out of which only a look at the whole fabric can tell whether it answers by now. What
/// was silent behind a cable is asked in each light sweep.
bool needs_whole_look(const hw::LiveFabric& live);

}  // namespace rch::sm
