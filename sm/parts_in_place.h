#pragma once

// Links and switches that a target does without while they carry data: the operator leaves them out, or links
// are about to be reset. Packets take them by installed entries until these are replaced, so updates are
// judged with them (docs/decisions/0034).

#include <optional>

#include "chains/in_place.h"
#include "chains/plan.h"
#include "hw/preparation.h"
#include "sm/install.h"

namespace rch::sm {

/// Returns the fabric and tables that packets meet while `target` is written; nothing if no such part is
/// there. All packets that come in from it are known, so its ports are no entrances of `prepared` from then
/// on:
///  - links that the operator left out, where both ends are switches of the fabric. Their SL2VL maps stay as
///    the plan before has them, also in `prepared.installed`;
///  - switches that the operator left out, where they hold the tables of the plan before, with what hangs on
///    them.
std::optional<chains::InPlace> parts_in_place(hw::Preparation& prepared, const hw::LiveFabric& live,
                                              const chains::Plan& target, const InstallOptions& options);

/// The same of a look whose parts all take part: links alone.
std::optional<chains::InPlace> links_in_place(const hw::LiveFabric& live, const chains::Plan& target);

/// True if some link of `before` carries no data any more, or leads to what does not answer. False: what is
/// gone was left out by the operator, and packets still go over it.
bool is_traffic_cut(const hw::LiveFabric& live, const fabric::Fabric& before);

}  // namespace rch::sm
