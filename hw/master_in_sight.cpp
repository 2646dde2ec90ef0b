#include "hw/master_in_sight.h"

#include <fmt/format.h>

#include "hw/causes.h"

namespace rch::hw {
namespace {

/// The manager that our port knows may sit behind a port that does not answer.
Result<void> check_no_hidden_master(const LiveFabric& live) {
  const Lid known = live.info(live.local).master_sm_lid;
  if (live.quarantine.empty() || known == kUnassignedLid || live.fabric.lid_owner(known)) return {};
  return fail(
      causes::kHiddenMaster,
      fmt::format("our port knows a subnet manager at LID {}, which may be behind {}: {}; nothing was "
                  "written (take the fabric from it with `--takeover`)",
                  known, live.quarantine.front().place, live.quarantine.front().reason));
}

}  // namespace

bool is_master(const LiveFabric& live, const OtherSm& sm) {
  if (sm.answered) return sm.info.state == SmState::master;
  if (sm.port == live.local) return false;
  const Lid known = live.info(live.local).master_sm_lid;
  return known != kUnassignedLid && known == live.info(sm.port).lid;
}

std::string describe(const LiveFabric& live, const OtherSm& sm) {
  const fabric::Node& node = live.fabric.node(live.fabric.port(sm.port).node);
  const std::string rank =
      sm.answered ? fmt::format("priority {}", sm.info.priority) : std::string("does not answer");
  return fmt::format("{} of `{}` (LID {}, {})", sm.guid, node.description, live.info(sm.port).lid, rank);
}

Result<void> check_no_master(const LiveFabric& live, const ManagerOptions& options) {
  if (options.takeover) return {};
  for (const OtherSm& sm : live.other_sms) {
    if (!is_master(live, sm)) continue;
    return fail(
        causes::kAnotherMaster,
        fmt::format("the fabric has a master subnet manager: {}; nothing was written (stop it, or take the "
                    "fabric from it with `--takeover`)",
                    describe(live, sm)));
  }
  return check_no_hidden_master(live);
}

}  // namespace rch::hw
