#pragma once

// Files that a manager keeps for its next start, beside the guid2lid file.

#include <string>
#include <string_view>

namespace rch::cli {

/// The path of such a file.
std::string beside(const std::string& lid_file, std::string_view name);

/// Makes the folder of a file. Errors are left to the write that follows.
void make_folder_of(const std::string& path);

/// Makes the file, if it is not there. Only the user may read or write it from its first byte on; a write
/// that replaces it keeps that. Errors are left to that write.
void make_private(const std::string& path);

}  // namespace rch::cli
