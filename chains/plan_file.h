#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "chains/plan.h"

namespace rch::chains {

// The file: `rch-plan`, a version (u32), one zstd frame, and the XXH3 128-bit hash of everything before it.
// Integers are little-endian. The frame holds, each behind its size (u64): the description (CBOR: steps,
// maps, verdict, options), the fabric snapshot, and the forwarding tables as they lie in memory. It holds no
// times and no paths of the machine.

inline constexpr std::uint32_t kPlanVersion = 8;
/// A plan with groups of ports for adaptive routing has another version. A program that does not know groups
/// refuses it.
inline constexpr std::uint32_t kAdaptivePlanVersion = 9;

/// Returns the file as bytes. Equal plans give equal bytes.
std::string encode_plan(const Plan& plan);
/// Fails as read_plan.
Result<Plan> decode_plan(std::string_view bytes);

/// Replaces the file at once. Fails (usage) when it cannot be written.
Result<void> write_plan(const std::filesystem::path& path, const Plan& plan);
/// Tells by its first bytes.
bool is_plan(const std::filesystem::path& path);
/// Fails (usage) on a file that is no plan, truncated or damaged. A checksum covers all of it.
Result<Plan> read_plan(const std::filesystem::path& path);

}  // namespace rch::chains
