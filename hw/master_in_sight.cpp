#include "hw/master_in_sight.h"

#include <fmt/format.h>

#include "hw/causes.h"

namespace rch::hw {
namespace {

/// The SM that our port knows and that may be silent and be master; LID 0: there is none.
Lid known_sm(const LiveFabric& live) {
  const Lid known = live.info(live.local).master_sm_lid;
  return known == live.given_up_sm ? kUnassignedLid : known;
}

/// What an operator may do about it: a manager that stays waits instead.
std::string_view way_out(const ManagerOptions& options, std::string_view of_a_pass) {
  return options.stays ? std::string_view() : of_a_pass;
}

/// The manager that our port knows may sit behind a port that does not answer.
Result<void> check_no_hidden_master(const LiveFabric& live, const ManagerOptions& options) {
  const Lid known = known_sm(live);
  if (live.quarantine.empty() || known == kUnassignedLid || live.fabric.lid_owner(known)) return {};
  return fail(
      causes::kHiddenMaster,
      fmt::format("our port knows a subnet manager at LID {}, which may be behind {}: {}{}", known,
                  live.quarantine.front().place, live.quarantine.front().reason,
                  way_out(options, "; nothing was written (take the fabric from it with `--takeover`)")));
}

}  // namespace

bool is_master(const LiveFabric& live, const OtherSm& sm) {
  if (sm.answered) return sm.info.state == SmState::master;
  if (sm.port == live.local) return false;
  const Lid known = known_sm(live);
  return known != kUnassignedLid && known == live.info(sm.port).lid;
}

std::string describe(const LiveFabric& live, const OtherSm& sm) {
  const fabric::Node& node = live.fabric.node(live.fabric.port(sm.port).node);
  const std::string rank =
      sm.answered ? fmt::format("priority {}", sm.info.priority) : std::string("does not answer");
  return fmt::format("{} of `{}` (LID {}, {})", sm.guid, node.name(), live.info(sm.port).lid, rank);
}

Result<void> check_no_master(const LiveFabric& live, const ManagerOptions& options) {
  if (options.takeover) return {};
  for (const OtherSm& sm : live.other_sms) {
    if (!is_master(live, sm)) continue;
    return fail(
        causes::kAnotherMaster,
        fmt::format(
            "the fabric has a master subnet manager: {}{}", describe(live, sm),
            way_out(options,
                    "; nothing was written (stop it, or take the fabric from it with `--takeover`)")));
  }
  return check_no_hidden_master(live, options);
}

}  // namespace rch::hw
