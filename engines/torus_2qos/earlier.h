#pragma once

#include <string>
#include <vector>

#include "engines/common/incremental/installed_tables.h"
#include "engines/torus_2qos/survey.h"

namespace rch::engines::torus_2qos {

/// The torus as it was when the tables in force were made.
struct Earlier {
  common::InstalledTables installed;
  Survey survey;
};

/// Nothing when there are no tables in force, or there was no such torus then.
std::optional<Earlier> earlier_torus(const Options& options);

/// What differs from then to now, a line each: switches lost, new or exchanged at a position, and cables
/// between switches that have stayed. At most `most` lines and a last one that says how many are left out
/// (torus-2qos 1.7).
std::vector<std::string> changes(const Earlier& earlier, const fabric::SubFabric& view, const Torus& now,
                                 std::size_t most);

}  // namespace rch::engines::torus_2qos
