#pragma once

#include "verify/changes.h"
#include "verify/dependencies.h"

namespace rch::verify {

/// Adds to `dependencies`, which has those of an earlier proof but for links that are lost since, what
/// packets to changed destinations cause now. Only entries that changed are looked at, and the ways behind
/// them: all other dependencies are known. Packets are on VL 0 everywhere, and those of the earlier proof
/// arrived.
///
/// False, and some of it may have been added: not all packets would arrive, or links are new, or some pairs
/// need no path. Then all ways to the changed destinations have to be looked at.
bool add_changed_ways(const EarlierProof& earlier, const Context& context, const Changes& changes,
                      Dependencies<1>& dependencies);

}  // namespace rch::verify
