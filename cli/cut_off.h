#pragma once

#include <optional>
#include <string>

#include "chains/plan.h"
#include "cli/loaded.h"
#include "fabric/cable_policy.h"
#include "hw/live_fabric.h"

namespace rch::cli {

/// The hosts and switches in service that lists of cables and switches cut off.
struct CutOffParts {
  std::string what;       ///< for messages: how many hosts and switches, and the first of them
  bool is_unfit = false;  ///< the list fits no cable: it cannot be applied at all
};

/// `fabric`: that of the installed plan. None: it stays whole.
std::optional<CutOffParts> cut_off(const fabric::Fabric& fabric, const fabric::CablePolicy& cables);

/// Returns true if two configurations have the same lists of cables and switches.
bool same_lists(const Loaded& a, const Loaded& b);
/// Returns the parts of the installed plan (null: none is) that the lists of a configuration cut off, and
/// those of the configuration before did not.
std::optional<CutOffParts> new_cut_off(const Loaded& loaded, const Loaded& before,
                                       const chains::Plan* installed);
/// Refuses a configuration whose lists cut off what the installed plan has, unless that is accepted. Warns of
/// switches of a list that no node of the fabric (`seen`; null: none was) is.
void judge_lists(Reading& reading, const Loaded& before, const chains::Plan* installed,
                 const hw::LiveFabric* seen, bool accepts_cut_off);

}  // namespace rch::cli
