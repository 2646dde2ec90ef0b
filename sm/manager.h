#pragma once

// The subnet manager that stays, as a task of an exchange: no I/O, no clock, no thread (docs/manager.md).
//
//   win the mastership and sweep ─→ plan, prove, install ─→ wait for a change ─┐
//        ↑          └─ lost or handed over ─→ stand by ─┐                      │
//        └──────────────────────────────────────────────┴──────────────────────┘
//
// A change is a trap, a switch whose ports changed or that does not answer, or a request of the operator.
// What fails leaves the fabric as it is. The status says why it is degraded, and the next change, or a second
// after a lost request, brings the next attempt.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "chains/adoption.h"
#include "fabric/difference.h"
#include "hw/mastership.h"
#include "hw/notice.h"
#include "perfmgr/performance_manager.h"
#include "sa/either_side.h"
#include "sa/server.h"
#include "sm/health.h"
#include "sm/install.h"
#include "sm/looks.h"
#include "sm/standby.h"

namespace rch::sm {

/// What a manager knows besides the fabric.
struct Known {
  /// Whose routes are kept where possible; null: none. After another manager, what that one left.
  const chains::Plan* installed = nullptr;
  const chains::Plan* found = nullptr;  ///< what another subnet manager left: its groups stay; null: nothing
  const chains::JoinedGroups& joined;   ///< multicast groups that hosts have joined
  const fabric::LidRecords& lids;       ///< LIDs that ports had
  bool first = true;                    ///< this manager has not installed a plan yet
  bool balances = false;                ///< no sweep for a while: routes may move to balance loads
  bool repairs = false;                 ///< chains::PlanRequest::repairs
  bool regroups = false;                ///< chains::PlanRequest::regroups
  bool after_standby = false;           ///< another one has been master since
};

/// Makes the plan for a fabric, in the thread of a job.
using Replanner = std::function<Result<chains::Plan>(const fabric::Fabric& live, const Known& known)>;

/// Judges the tables that another subnet manager left, in the thread of a job.
using FoundJudge =
    std::function<Result<chains::Adoption>(const fabric::Fabric& live, chains::FoundTables found)>;

struct ManagerSettings {
  InstallOptions install;
  /// Judges what the switches forward by before the first plan is installed, if no plan was kept.
  FoundJudge judge{};
  bool adopt = false;                   ///< that becomes the first plan, if nothing speaks against it
  bool heals = false;                   ///< the planner can repair: what traffic has lost is restored first
  hw::Milliseconds sweep_every{10000};  ///< light sweeps; 0: none
  bool sweep_on_trap = true;
  bool always_whole = false;  ///< what would be a light sweep walks over the whole fabric
  /// So does the sweep after so many light ones in a row; 0: none.
  std::uint32_t whole_after = 0;
  perfmgr::Settings performance{};
  StandbyOptions standby{};
  HealthSettings health{};
  /// Without a sweep for so long after a change, a plan is made that may balance loads; none: never.
  std::optional<std::chrono::seconds> balance_after{};
  /// Keeps each new plan once it is installed. A job. What fails is tried again with the next light sweep.
  std::function<Result<void>(const chains::Plan&)> keep{};
  /// Keeps the LIDs when they have changed. A job.
  std::function<Result<void>(const fabric::LidRecords&)> keep_lids{};
  /// Keeps who is behind which cable before ports get M_Keys of their own.
  KeepCables keep_cables{};
  fabric::NodeNames node_names{};                       ///< for messages
  std::shared_ptr<const fabric::CablePolicy> cables{};  ///< which may take part; null: all
};

struct Status {
  hw::SmState state = hw::SmState::discovering;
  /// The switches hold a plan that was proven on the fabric as last seen, or are on the way to the next one.
  bool proven = false;
  std::optional<UpdateBegins> update{};  ///< that is being written; no transient state of it has a loop
  /// They hold one of which the operator accepted these findings, so it is not proven.
  std::vector<std::string> accepted{};
  std::uint64_t generation = 0;         ///< plans installed
  std::optional<std::string> degraded;  ///< why the fabric was left as it is
  std::uint64_t configuration = 0;      ///< of the plan that was installed last; 0: that of the start
  unsigned retries = 0;                 ///< sweeps in a row that the fabric failed, not the plan
  std::uint64_t tried = 0;              ///< the one that the last sweep which ended began with
  std::size_t switches = 0, end_ports = 0, quarantined = 0;
  bool heals = false;  ///< a repair is being installed, or holds until the chain has a plan
  std::uint64_t pairs_without_path =
      0;                      ///< of hosts: that a repair or an update restores, or a repair has to leave
  bool list_ignored = false;  ///< the list of cables fits none, so it is not applied

  void forget_proof() {
    proven = false;
    accepted.clear();
  }
};

/// When a manager that stands by takes over from a master that does not answer.
struct Takeover {
  unsigned polls = 0;  ///< in a row that the master has to miss
  unsigned missed = 0;
  hw::Milliseconds every{};  ///< from poll to poll
};

/// What has happened since the start.
struct ManagerCounters : LookCounters {
  std::uint64_t light_sweeps = 0;
  std::uint64_t failures = 0;                    ///< sweeps that left the fabric as it is
  std::uint64_t heals = 0;                       ///< repairs that were installed
  hw::Milliseconds last_heal{};                  ///< from the beginning of the sweep until the last of them
  double pair_seconds = 0;                       ///< pairs of hosts without a path times such spans
  std::map<std::uint16_t, std::uint64_t> traps;  ///< by number; 0: those that the architecture does not have
  std::uint64_t refused_requests = 0;            ///< of the fabric, because too many came
};

// What it tells.
struct StateChanged {
  hw::SmState state;
  std::string why;
};
struct SweepBegan {
  std::string_view reason;
};
/// Nodes or cables came or went since the look before.
struct FabricChanged {
  const std::vector<fabric::Change>& changes;
};
struct TrapReceived {
  hw::Notice notice;
  Lid from;
};
/// Too many requests came from the fabric.
struct TooManyRequests {
  const hw::RequestsRefused& refused;
};
/// Subnet administration did not answer a request.
struct RequestDropped {
  const sa::Dropped& request;
};
/// A port may not join a multicast group.
struct JoinRefused {
  const sa::JoinRefused& join;
};
/// A multicast group, or a member of it, came or went.
struct GroupChanged {
  const sa::GroupEvent& event;
};
/// What another subnet manager left was judged.
struct TablesFound {
  const chains::Adoption& adoption;
  bool adopted;
  bool kept = false;  ///< its routes stay where the engines of the configuration could choose them
};
/// The plan, the LIDs and the registrations of the master before count.
struct TookOver {
  const FollowedFabric& followed;
};
struct SubnetUp {
  const Installed& installed;
  const Status& status;
};
/// Paths that were lost are back, and the plan of the chain comes next.
struct Healed {
  const Installed& installed;
  hw::Milliseconds took;  ///< from the beginning of the sweep
};
struct Degraded {
  const Error& error;
};
/// The plan could not be kept.
struct PlanNotKept {
  const Error& error;
};
/// The LIDs could not be kept.
struct LidsNotKept {
  const Error& error;
};
/// A subnet manager is in the fabric that `allowed_sm_guids` does not name.
struct ManagerNotAllowed {
  Guid guid;  ///< of its port
  bool is_master;
};
/// A standby gets our state, and any host may ask for it: `sa_key` is the default.
struct KnownSaKey {};
/// Who is behind which cable could not be kept.
struct CablesNotKept {
  const Error& error;
};
/// The performance manager tells of a port.
struct PerformanceEvent {
  const perfmgr::Event& event;
};
using ManagerEvent =
    std::variant<StateChanged, SweepBegan, TrapReceived, TooManyRequests, RequestDropped, JoinRefused,
                 GroupChanged, TablesFound, FollowsMaster, FollowsNoMore, OtherConfiguration, StateNotRead,
                 PollsMissed, TookOver, SubnetUp, Healed, Degraded, PlanNotKept, LidsNotKept, CablesNotKept,
                 ManagerNotAllowed, KnownSaKey, PerformanceEvent, HealthChanged, FabricChanged>;

struct ManagerObservers {
  std::function<void(const ManagerEvent&)> manager;
  chains::Observer chains;  ///< called in the threads of jobs, too
};

/// The findings that the operator accepts of the next plan alone (InstallOptions).
struct Consent {
  bool static_change = false, link_reset = false;

  bool any() const { return static_change || link_reset; }
};

class Manager {
 public:
  /// `exchange` must outlive it.
  Manager(hw::Exchange& exchange, Replanner planner, ManagerSettings settings, ManagerObservers observers);

  /// Ends when the exchange is told to stop, or fails with what broke it. To be called once.
  hw::Task<Result<void>> run();
  /// Sweeps as soon as possible.
  void sweep();
  /// The same; and the next plan that is installed, or refused, may do what `consent` accepts. Fails (usage)
  /// when this manager is not master. Who stands by later has no consent any more.
  Result<void> sweep(Consent consent);
  /// Leaves a part out of the fabric, or takes it back; port 0: the whole node. Fails (usage) when this
  /// manager is not master, or there is no such part. No action: that of the configuration.
  Result<void> isolate(Part part, std::optional<HealthAction> action);
  Result<void> release(Part part);
  /// Sweeps as soon as possible, and makes a new plan: the policy has changed. `planner` makes the plans that
  /// begin from now on. Of `settings` the sweeps, the priority, the polls of a standby and the performance
  /// manager take effect.
  /// So do the rules of health. `configuration` is a number that status() names, higher than those before.
  void replan(Replanner planner, const ManagerSettings& settings, std::uint64_t configuration);
  /// Before run(): routes of this plan are kept where possible.
  void start_from(chains::Plan plan) {
    exchange_.know(*plan.fabric);
    installed_ = std::move(plan);
  }
  /// Before run(): LIDs that ports had.
  void start_from(fabric::LidRecords lids) { lids_ = std::move(lids); }
  /// Before run(): what hosts registered with an earlier process.
  void start_from(const sa::JournalContent& registrations);
  /// The plan that was installed last.
  const std::optional<chains::Plan>& installed() const { return installed_; }
  Status status() const;
  /// The plan that was installed last, by us or by the master that is followed; null: none is known.
  const chains::Plan* known_plan() const {
    return stands_by() && standby_.plan() != nullptr ? standby_.plan() : installed_ ? &*installed_ : nullptr;
  }
  /// The master whose state this standby has.
  std::optional<Lid> following() const { return standby_.following(); }
  /// None: this manager does not stand by.
  std::optional<Takeover> takeover() const;
  /// Managers that have the state of this master.
  std::size_t followers() const { return sa_.followers().count(exchange_.now()); }
  /// Counts those that would not take over from a master with this configuration.
  std::size_t followers_without(std::uint64_t configuration) const {
    return sa_.followers().count_others(configuration, exchange_.now());
  }
  std::size_t followers_without_ours() const { return sa_.followers().count_others(exchange_.now()); }
  ManagerCounters counters() const;
  const Health& health() const { return health_; }
  /// What the last look left out.
  std::span<const fabric::Quarantined> left_out() const {
    return live_ ? std::span<const fabric::Quarantined>(live_->quarantine)
                 : std::span<const fabric::Quarantined>();
  }
  /// The fabric as the last look saw it; null: none did.
  const hw::LiveFabric* seen() const { return live_ ? &*live_ : nullptr; }
  const sa::Server& subnet_administration() const { return sa_; }
  const perfmgr::PerformanceManager& performance_manager() const { return perfmgr_; }

 private:
  /// Why to sweep; empty: no reason yet.
  using Reason = std::string_view;

  bool on_request(hw::Datagram& datagram);
  void note_change(Lid from);
  void note_errors(const hw::Notice& notice, Lid from);
  hw::Task<Result<bool>> renew_leases();
  hw::Task<Result<void>> pass();
  hw::Task<Result<hw::LiveFabric>> look();
  Result<void> ask_for(Result<void> changed);
  void restore_left_out();
  void note_look(hw::LiveFabric live);
  hw::Task<Result<bool>> stand_by();
  std::function<bool(Guid)> may_have() const;
  hw::Task<Result<void>> judge_found(const hw::LiveFabric& live);
  hw::Task<Result<void>> take_over(FollowedFabric followed);
  bool asks_all_clients() const;
  /// True if a repair holds for the fabric as the last sweep saw it.
  bool holds_repair() const { return live_ && healed_for_ == live_->fabric.fingerprint(); }
  /// There is a plan of which the switches hold as much as they show.
  bool can_heal() const;
  bool may_heal(const hw::LiveFabric& live) const;
  hw::Task<Result<bool>> heal(const hw::LiveFabric& live, bool regroups);
  hw::Task<Result<void>> install_on(const hw::LiveFabric& live);
  void note_healed(const Installed& done, hw::TimePoint since);
  void note_lost_pairs(std::uint64_t pairs, hw::TimePoint since);
  InstallOptions install_options();
  hw::Task<Result<void>> note_installed(const hw::LiveFabric& live, Installed done, bool is_new,
                                        bool by_chain);
  void publish(const std::shared_ptr<const sa::Snapshot>& snapshot);
  hw::Task<Result<Reason>> wait_for_change();
  hw::TimePoint holds_until();
  hw::Task<Result<void>> rest(hw::TimePoint until);
  hw::Task<Result<void>> write_guids();
  hw::Task<Result<Reason>> light_sweep();
  hw::Task<Result<void>> keep_unsaved(bool tells);
  hw::Task<Result<void>> keep_cables();
  void note_other_managers();
  void note_known_key();
  hw::Task<Result<void>> announce(const chains::Plan& target);
  void note_state(const std::string& why);
  void note_failure(const Error& error);
  void note_missed(const PollsMissed& missed);
  bool stands_by() const {
    return mastership_.state() == hw::SmState::standby || mastership_.state() == hw::SmState::not_active;
  }
  /// Another subnet manager asked us for the first time: it may be master, too.
  bool meets_now() const { return mastership_.was_asked_anew() && meets_at_ <= exchange_.now(); }
  bool ended() const { return exchange_.stopping() || exchange_.broken(); }

  hw::Exchange& exchange_;
  Replanner planner_;
  ManagerSettings settings_;
  ManagerObservers observers_;
  hw::Mastership mastership_;
  sa::Server sa_;
  perfmgr::PerformanceManager perfmgr_;
  Standby standby_;
  Health health_;
  sa::EitherSide either_side_;
  Status status_;
  ManagerCounters counters_;
  Looks looks_;
  std::optional<hw::LiveFabric> live_;  ///< as the last sweep saw it
  std::optional<chains::Plan> installed_;
  std::optional<chains::Plan> found_;  ///< what another subnet manager left
  bool adopts_found_ = false;          ///< it is installed first
  bool keeps_found_ = false;           ///< its routes are kept where possible
  /// What the switches hold. None: the next sweep walks over the whole fabric and reads all tables.
  std::optional<hw::WrittenTables> written_;
  std::string planned_for_;     ///< fingerprint that `installed_` was proven on
  hw::TimePoint lost_since_{};  ///< of Status::pairs_without_path
  /// Fingerprint that the repair which is installed was proven on, or the tables of which nothing had to be
  /// repaired.
  std::string healed_for_;
  /// Since when traffic has waited that a further repair restores; none: there is no such traffic.
  std::optional<hw::TimePoint> heals_since_;
  bool repaired_ = false;  ///< tables are not those of the chain, because a repair wrote them
  fabric::LidRecords lids_;
  bool lids_unsaved_ = false, plan_unsaved_ = false;
  std::uint64_t kept_cables_ = 0;  ///< CableMap::version of what is kept
  std::set<Lid> violated_;         ///< ports that were asked with a wrong M_Key since the last light sweep
  std::set<Guid> not_allowed_;     ///< subnet managers that were told
  bool told_unfit_list_ = false;   ///< that the list of cables is not applied
  bool told_key_ = false;          ///< that any host may ask for our state
  bool told_cables_ = false;       ///< that they cannot be kept
  /// Another manager has been master, and what was followed of it does not count.
  bool after_standby_ = false;
  /// InstallOptions::broken_off: since we are master, or since an installation failed.
  std::optional<hw::TimePoint> broken_off_;
  /// The master whose state counts; LID 0: there is none.
  Lid followed_{};
  bool asks_clients_ = false;        ///< hosts may have registered with it what is not known
  std::uint64_t configuration_ = 0;  ///< of `planner_`
  Consent consent_{};                ///< for the next plan of the chain
  std::uint64_t groups_ = 0;         ///< version of the multicast groups that `installed_` was made with
  Reason wake_;
  bool balances_ = false;  ///< the next plan may balance loads
  hw::TimePoint balance_at_ = hw::TimePoint::max();
  bool at_once_ = false;         ///< the operator waits for the next sweep
  hw::TimePoint quiet_until_{};  ///< traps wait until then
  bool trapped_ = false;         ///< a switch told of a change since the last sweep
  hw::TimePoint trap_sweeps_since_{};
  unsigned trap_sweeps_ = 0;  ///< that traps brought since then
  hw::TimePoint sweep_began_{};
  hw::TimePoint meets_at_{};                      ///< who asks anew waits until then
  std::array<unsigned, hw::kTrapKinds> traps_{};  ///< by kind, since the last sweep
  unsigned dropped_ = 0;                          ///< requests of hosts, since the last light sweep
  bool retry_ = false;                            ///< a request was lost or refused
};

}  // namespace rch::sm
