#pragma once

#include <string>
#include <vector>

#include "policy/build/build_context.h"
#include "policy/model/side_files.h"

namespace rch::policy {

/// Reads the files of the fabric as a whole that the main options name, and those that are there under their
/// usual names. A file that the options name and that is missing is an error, unless they only spell out
/// OpenSM's default. `spared`: gets options whose files were left out (FileReader::spare_presentation).
FabricFiles read_fabric_files(const BuildContext& context, std::vector<std::string>& spared);

}  // namespace rch::policy
