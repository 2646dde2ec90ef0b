#pragma once

#include <span>

#include "dumps/observed.h"
#include "fabric/reporter.h"

namespace rch::dumps {

// What files say of single ports and switches, put onto those of a fabric. What contradicts itself is an
// error; a port that the fabric does not have is a warning.

/// Sets Observed::pkeys, and Observed::knows_checks where the settings of switch ports are known and their
/// P_Keys, too.
void place_pkeys(std::span<const File> files, fabric::Reporter& report, Observed& seen);

/// Sets Observed::settings. Entries beyond the LinearFDBTop of a switch are removed from the tables, and the
/// fabric of `seen` gets the VLs that are in operation. To be called when the tables are there.
void place_settings(std::span<const File> files, fabric::Reporter& report, Observed& seen);

/// Sets Observed::engine and Observed::ranks.
void place_ranks(std::span<const File> files, fabric::Reporter& report, Observed& seen);

}  // namespace rch::dumps
