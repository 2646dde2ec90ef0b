#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chains/adoption.h"
#include "chains/plan.h"
#include "cli/ticket.h"
#include "sm/pending_update.h"

namespace rch::cli {

/// The part of a ticket that the update itself says: what is written from which state, and whom it cuts off.
/// `levels_from`: the plan that hosts have their service levels from; null: it is not known.
Ticket ticket_of(const sm::PendingUpdate& pending, const chains::Plan* levels_from);

/// What may be installed again to undo an update.
struct BeforeUpdate {
  const chains::Plan* previous = nullptr;  ///< of `--previous`; null: none
  /// The tables that were found in the switches, judged. None: no switch forwards.
  std::optional<Result<chains::Adoption>> found{};
  fabric::Sl2VlTables maps{};  ///< SL2VL maps that were found
};

/// A way back that was judged.
struct JudgedWayBack {
  WayBack way;
  std::optional<chains::Plan> plan{};  ///< none: WayBack::From::none
};

/// Finds what undoes an update: the previous plan if the switches hold it, else the tables that they hold, if
/// these are proven. Judges the update to it. `accept`: findings that are accepted.
JudgedWayBack way_back(const sm::PendingUpdate& pending, BeforeUpdate before,
                       const std::vector<std::string>& accept);

}  // namespace rch::cli
