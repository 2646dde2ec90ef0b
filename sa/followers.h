#pragma once

// The managers that stand by and follow us, seen from the master (docs/decisions/0023). No I/O, no clock.
//
// States of a follower, and what moves it:
//   new      it asked. It gets all.
//   counts   it asked again, and has all that it was told. Hosts wait until it has what they registered.
//   gone     it has not asked for `kFollowerPatience`, or a host has waited so long for it. It counts again
//            once it has all that it was told.

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "chains/plan.h"
#include "fabric/lid_records.h"
#include "hw/transport.h"
#include "sa/manager_state.h"

namespace rch::sa {

/// A standby that is silent for so long holds up nobody any more. It knows that it may have missed something.
/// Longer than a standby takes to find that its master is gone.
inline constexpr hw::Milliseconds kFollowerPatience{2000};

class Followers {
 public:
  /// Another time as master begins: what followers have is of no use.
  void begin(std::uint64_t session);
  /// We are not master any more: nobody follows us.
  void forget() { followers_.clear(); }
  /// Hash of what decides routes and isolation.
  void set_configuration(std::uint64_t configuration) { configuration_ = configuration; }
  /// It is installed.
  void offer(const chains::Plan& plan);
  /// It is about to be installed: whoever takes over in between finds a mix of it and of the one before.
  void announce(const chains::Plan& target);
  /// True if all who count have what was announced.
  bool have_target() const;
  void offer(const fabric::LidRecords& lids);
  /// One record of the journal, as it stands there.
  void append(std::string_view record);
  /// The journal was written anew: who has less than all of it begins again.
  void begin_again();
  /// Records so far.
  std::uint64_t end() const { return first_ + records_.size(); }

  /// What `from` is told. `all`: the whole journal, without its heading.
  ManagerState answer(Lid from, const StateQuestion& question, hw::TimePoint now,
                      const std::function<std::string()>& all);
  /// True if all who count have so many records.
  bool have(std::uint64_t records) const;
  /// A host has waited since `since` for followers to have so many records.
  void on_time(hw::TimePoint now, hw::TimePoint since, std::uint64_t records);
  /// When on_time() is due.
  hw::TimePoint deadline(hw::TimePoint since, std::uint64_t records) const;
  /// Those that count and have asked lately.
  std::size_t count(hw::TimePoint now) const;
  /// Counts those that would not take over from a master with this configuration, since theirs is another.
  std::size_t count_others(std::uint64_t configuration, hw::TimePoint now) const;
  /// The same of the configuration that we have.
  std::size_t count_others(hw::TimePoint now) const { return count_others(configuration_, now); }
  /// True if the manager at that LID is one of them.
  bool follows(Lid manager, hw::TimePoint now) const;

 private:
  struct Follower {
    std::uint64_t has = 0, told = 0;  ///< records
    std::uint64_t target = 0;         ///< the one it has
    std::uint64_t configuration = 0;  ///< as StateQuestion has it
    bool counts = false;
    hw::TimePoint heard{};
  };
  static bool is_here(const Follower& follower, hw::TimePoint now) {
    return follower.counts && follower.heard + kFollowerPatience > now;
  }
  Follower& find_or_add(Lid from);
  /// A plan to tell of, and its file once somebody has asked.
  struct Offered {
    std::uint64_t version = 0;  ///< 0: there is none
    std::optional<chains::Plan> plan{};
    std::optional<std::string> file{};

    bool is(const chains::Plan& other) const {
      return plan && plan->fabric == other.fabric && plan->tables == other.tables;
    }
    const std::string& text();
  };
  Offered offer_anew(const chains::Plan& plan);

  std::map<Lid, Follower> followers_;
  std::uint64_t session_ = 0, configuration_ = 0;
  std::uint64_t plans_ = 0, lids_version_ = 0;
  Offered plan_, target_;
  std::string lids_;
  std::uint64_t first_ = 0;  ///< number of records_[0]
  std::vector<std::string> records_;
};

}  // namespace rch::sa
