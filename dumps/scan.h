#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "dumps/unicast.h"

namespace rch::dumps {

/// Reads what read_unicast() reads, on all threads, and without the text in memory: a fat tree of 36-port
/// switches has a file of 0.6 to 1.6 GB. Spans of the result point nowhere. Returns nothing if anything is
/// unusual, or if the file cannot be read: then read_unicast() says what it is. `piece`: bytes that a thread
/// reads at once.
std::optional<UnicastDump> scan_unicast(const std::filesystem::path& file,
                                        std::size_t piece = std::size_t{4} << 20);

}  // namespace rch::dumps
