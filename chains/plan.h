#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chains/chain.h"
#include "verify/verify.h"

namespace rch::chains {

// The file: `rch-plan`, a version (u32), one zstd frame, and the XXH3 128-bit hash of everything before it;
// integers are little-endian. The frame holds, each behind its size (u64): the description (CBOR: steps,
// maps, verdict, options), the fabric snapshot, and the forwarding tables as they lie in memory.

/// A proven (or refused) result as one file: fabric snapshot, tables, reports, verdict, digests of the
/// configuration. Holds no times and no paths of the machine, so equal inputs give equal files.
struct Plan {
  fabric::Fabric fabric;
  fabric::RoutingTables tables;
  std::vector<StepReport> steps;
  bool degraded = false;
  verify::Verdict verdict;
  struct Digest {
    std::string file;  ///< file name without folder
    std::string hash;  ///< 32 hex digits

    friend bool operator==(const Digest&, const Digest&) = default;
  };
  std::vector<Digest> configuration;
  /// Main options that the commit needs; the paths among them are not kept.
  policy::Options options;
};

/// The file as bytes; equal plans give equal bytes.
std::string encode_plan(const Plan& plan);
/// Errors as read_plan.
Result<Plan> decode_plan(std::string_view bytes);

/// Replaces the file at once. Fails (usage) when it cannot be written.
Result<void> write_plan(const std::filesystem::path& path, const Plan& plan);
/// Fails (usage) on a file that is no plan, truncated or damaged (a checksum covers all of it).
Result<Plan> read_plan(const std::filesystem::path& path);

}  // namespace rch::chains
