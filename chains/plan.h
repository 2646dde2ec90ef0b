#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "chains/chain.h"
#include "verify/verify.h"

namespace rch::chains {

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
  };
  std::vector<Digest> configuration;
  /// Main options that the commit needs.
  policy::Options options;
};

Result<void> write_plan(const std::filesystem::path& path, const Plan& plan);
/// Fails (usage) on a file that is no plan, truncated or damaged (a checksum covers all of it).
Result<Plan> read_plan(const std::filesystem::path& path);

}  // namespace rch::chains
