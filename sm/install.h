#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chains/adoption.h"
#include "chains/events.h"
#include "chains/plan.h"
#include "hw/commit.h"
#include "hw/exchange.h"
#include "verify/transition/update_plan.h"

namespace rch::sm {

/// Makes the plan for the fabric that was discovered, proven in this run.
using Planner = std::function<Result<chains::Plan>(const fabric::Fabric& live)>;

struct PendingUpdate;

/// Keeps who is behind which cable.
using KeepCables = std::function<Result<void>(const fabric::CableMap&)>;

/// What an update leaves without a path until it is written. The LIDs and pairs are those of Interruption.
struct UpdateBegins {
  std::size_t rounds = 0;
  std::uint64_t drained_lids = 0;
  std::uint64_t pairs_without_path = 0;
  hw::Milliseconds waits{};  ///< until packets of an update that was broken off have left; 0: there are none
};

/// Word for `accept_path_sls` on the command line.
inline constexpr std::string_view kPathSls = "path-sls";

struct InstallOptions {
  bool dry_run = false;           ///< computes and compares, writes nothing
  bool strict = false;            ///< refuses a fabric of which a part does not answer
  hw::ManagerOptions manager{};   ///< what our port shows to other subnet managers
  bool asks_all_clients = false;  ///< hosts register again with subnet administration
  /// Hosts that are not in it do so in any case: what they had registered is forgotten. Null: not known.
  const fabric::Fabric* known_clients = nullptr;
  Lid followed_sm{};           ///< what hosts registered with that manager is known; LID 0: of none
  bool accept_reset = false;   ///< accepts that links in use are reset
  bool accept_static = false;  ///< accepts an update that stops traffic first
  /// Accepts tables that are unsafe with SL 0 from all hosts: an SA beside rch hands out path SLs.
  bool accept_path_sls = false;
  bool accept_switch_lids = false;  ///< chains::kSwitchLids
  bool accept_unenforced = false;   ///< accepts partitions that are not kept apart as asked
  bool brief = false;               ///< hw::CommitOptions::brief
  /// Links that would have to be reset keep their MTU and VLs, where no routing depends on VLs.
  bool keeps_links = false;
  bool reloaded = false;  ///< the configuration is another one than that of the installed plan
  /// Plan that hosts have their service levels from; null: not known, those of the new plan are assumed.
  const chains::Plan* previous = nullptr;
  bool previous_holds = false;  ///< all switches of that plan are known to hold its tables
  /// Further plans that hosts may have their service levels from. They must outlive the task.
  std::vector<const chains::Plan*> also_previous{};
  /// An update that was not finished, of another process or of a pass that failed, may have written until
  /// then. None: there was none.
  std::optional<hw::TimePoint> broken_off{};
  /// Gets what the switches forward by, before apply() plans. A job. Null: that is not read.
  std::function<void(const fabric::Fabric& live, chains::FoundTables found)> take_found{};
  /// Tells who stands by of the target before anything is written; empty: nobody does.
  std::function<hw::Task<Result<void>>(const chains::Plan& target)> announce{};
  /// Is told of the update just before its first write, if there is one; empty: nobody is.
  std::function<void(const UpdateBegins& update)> begins{};
  /// Agrees to the update (sm/pending_update.h) once all of it is known and before its first write, also in a
  /// dry run. An error is that of install(), and nothing is written. Empty: nobody has to agree. Otherwise
  /// links between switches are not reset in rounds, and apply() makes one pass.
  std::function<Result<void>(const PendingUpdate& update)> agrees{};
  KeepCables keep_cables{};  ///< before a port gets an M_Key of its own; empty: nobody keeps them
  const hw::WrittenTables* written = nullptr;  ///< by the last installation; null: all tables are read
};

/// A plan, and what was written for it.
struct Installed {
  chains::Plan plan;
  hw::CommitReport report;
  hw::WrittenTables written;  ///< what the fabric holds now
  /// What `--accept` had to name for it, of the findings that are true as long as it is installed.
  std::vector<std::string> accepted{};
};

/// Plans, compares with the installed tables, plans the update, commits. Writes nothing without a clean
/// verdict and a safe update plan. Plans are jobs of the exchange: requests of the fabric are answered
/// meanwhile, and `observe` is called in the thread that runs them.
///
/// What is referred to must outlive the task. `mastership`: see hw::CommitInput.
/// Fails as the planner, as `agrees` and as chains::plan_update do; (forbidden) when the verdict is not
/// clean, or holds only with path SLs or without packets to LIDs of switches; (fabric) when the fabric
/// refuses or loses a request.
hw::Task<Result<Installed>> install(hw::Exchange& exchange, const hw::LiveFabric& live,
                                    const Planner& planner, const InstallOptions& options,
                                    hw::Mastership* mastership, const chains::Observer& observe);

/// True if a fabric that was looked at again still is as `plan` wants it. Reads all that install() compares.
hw::Task<Result<bool>> holds(hw::Exchange& exchange, const hw::LiveFabric& live, const chains::Plan& plan,
                             const InstallOptions& options);

/// Keeps the cables if there are others than at `kept` (CableMap::version). A job. To be called before a port
/// gets an M_Key of its own: who begins again must know which agent is behind which cable.
hw::Task<Result<void>> keep_cables(hw::Exchange& exchange, const KeepCables& keep, std::uint64_t& kept);

/// Tells how long a phase took, in the time of the exchange.
void tell_time(const chains::Observer& observe, chains::Phase phase, const hw::Exchange& exchange,
               hw::TimePoint since);

}  // namespace rch::sm
