#pragma once

#include "base/result.h"
#include "hw/exchange.h"
#include "hw/live_fabric.h"

namespace rch::hw {

/// True if the fabric that a walk saw whole still is as it was, so that what the walk saw counts as seen now.
/// Takes fewer requests than another walk: of a cable whose links are in INIT one end tells what is behind
/// it; a link that is further was not down since, for only a subnet manager takes it there; of all other
/// ports the state is read (docs/decisions/0019). False also if something was left out, or does not answer.
///
/// To be called after clear_changes(). The switches of `live` then have the SwitchInfo that they show.
Task<Result<bool>> is_unchanged(Exchange& exchange, LiveFabric& live);

}  // namespace rch::hw
