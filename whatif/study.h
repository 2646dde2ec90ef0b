#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "whatif/judge.h"

namespace rch::whatif {

/// One of `count` parts of a study: every count-th case, from case number `index` on.
struct Shard {
  std::uint64_t index = 0;  ///< from 0
  std::uint64_t count = 1;

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// What the outcomes of a study are about. Shards belong together when all of it is the same.
struct Study {
  std::string fabric;  ///< fingerprint of the whole fabric
  std::string plan;    ///< digest of the base plan
  std::string list;    ///< digest of the list of cases
  std::string asked;   ///< which cases, in the words of the command line
  std::string steps;   ///< Judge::steps
  std::uint64_t switches = 0, hosts = 0, cases = 0;
  std::uint64_t fullest = 0;  ///< Judge::fullest

  friend bool operator==(const Study&, const Study&) = default;
};

Study study_of(const Base& base, const Judge& judge, std::span<const Failure> failures, std::string asked);

/// Called after each case, by one thread at a time: how many are done.
using Progress = std::function<void(std::uint64_t done)>;

/// Judges the cases of a shard, several at a time on as many threads as TBB may use, each case on one.
/// Returns their outcomes by number, the same for any number of threads.
std::vector<Outcome> study(const Judge& judge, std::span<const Failure> failures, const Shard& shard,
                           const Progress& progress = {});

}  // namespace rch::whatif
