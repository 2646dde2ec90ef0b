#pragma once

#include <string>

namespace rch::cli {

/// Makes the file, if it is not there. Only the user may read or write it from its first byte on; a write
/// that replaces it keeps that. Errors are left to that write.
void make_private(const std::string& path);

}  // namespace rch::cli
