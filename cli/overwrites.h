#pragma once

#include <string>
#include <vector>

namespace rch::cli {

/// Says why `what` cannot be written to the file: as require_writable() does, or because the command reads
/// one of `inputs` from there, under whatever name. Empty if it can, or if no file is named.
std::string require_other_file(const std::string& file, const std::string& what,
                               const std::vector<std::string>& inputs);

}  // namespace rch::cli
