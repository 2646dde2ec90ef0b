#pragma once

#include <string>

#include "cli/context.h"
#include "fabric/fabric_builder.h"

namespace rch::cli {

/// `--node-name-map`, as infiniband-diags call it.
void add_node_name_map(const Command& command, std::string& file);

/// Reads and reports a file of names; no name of a file: no names.
Stage<fabric::NodeNames> read_node_names(Context& context, const std::string& file);

}  // namespace rch::cli
