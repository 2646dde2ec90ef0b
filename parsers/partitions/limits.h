#pragma once

#include <cstddef>

namespace rch::parsers::partitions {

/// Bytes of a line that OpenSM reads: it takes the rest for another line.
inline constexpr std::size_t kLongestLine = 4094;

}  // namespace rch::parsers::partitions
