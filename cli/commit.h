#pragma once

namespace rch::cli {

/// The commit that the program was made of, 12 digits, with `-dirty` behind it when files differed; or
/// `unknown`.
extern const char* const kCommit;

}  // namespace rch::cli
