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

/// Forwarding tables of a file, their LIDs translated; failures as file::route.
common::Attempt<LoadedTables> load_tables(const fabric::SubFabric& view, const fabric::LftDump& dump,
                                          bool compat);

}  // namespace rch::engines::file
