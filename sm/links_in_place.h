#pragma once

// Links that a target does without while they carry data: the operator leaves them out, or they are about to
// be reset. Packets take them by installed entries until these are replaced, so updates are judged with them
// (docs/decisions/0034).

#include <optional>

#include "chains/plan.h"
#include "chains/update.h"
#include "hw/preparation.h"

namespace rch::sm {

/// What packets meet while `target` is written. Nothing if there is no such link. Where both ends of a link
/// that the operator left out are switches of the fabric, all packets that come in by it are known: these
/// ports are no entrances of `prepared` from then on. The SL2VL maps of such links stay as `before` has them,
/// also in `prepared.installed`. `before`: the plan that was installed last; null: none is known.
std::optional<chains::InPlace> links_in_place(hw::Preparation& prepared, const hw::LiveFabric& live,
                                              const chains::Plan& target, const chains::Plan* before);

/// The same of a look whose links all take part.
std::optional<chains::InPlace> links_in_place(const hw::LiveFabric& live, const chains::Plan& target);

/// True if some link of `before` carries no data any more, or leads to what does not answer. False: what is
/// gone was left out by the operator, and packets still go over it.
bool is_traffic_cut(const hw::LiveFabric& live, const fabric::Fabric& before);

}  // namespace rch::sm
