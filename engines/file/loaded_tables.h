#pragma once

#include <string>
#include <vector>

#include "engines/common/failure.h"
#include "fabric/table_dumps.h"

namespace rch::engines::file {

struct LoadedTables {
  fabric::ForwardingTables lfts;
  std::vector<std::string> remarks;
};

/// Forwarding tables of a file, their LIDs translated. Fails as file::route does; with `all_that_fits` only
/// when an entry leaves by a port that does not exist.
common::Attempt<LoadedTables> load_tables(const fabric::SubFabric& view, const fabric::LftDump& dump,
                                          bool all_that_fits);

}  // namespace rch::engines::file
