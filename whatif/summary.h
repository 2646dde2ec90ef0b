#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "whatif/outcome.h"

namespace rch::whatif {

/// How many cases have a figure in a range.
struct Bin {
  std::uint64_t low = 0, high = 0;  ///< both belong to it
  std::uint64_t cases = 0;

  friend bool operator==(const Bin&, const Bin&) = default;
};

/// One figure of all cases that have a plan.
struct Spread {
  std::string_view name;  ///< `entries`
  std::string_view what;  ///< in words
  std::uint64_t most = 0;
  std::uint64_t total = 0;
  std::vector<Bin> bins;  ///< ascending, none empty
};

/// What the cases of a study come to together. Points to the outcomes.
struct Summary {
  std::uint64_t cases = 0;
  std::uint64_t otherwise = 0, unrouted = 0, forbidden = 0;  ///< by routing, and with findings
  std::uint64_t draining = 0, stopping = 0, with_other_sls = 0, cutting_off = 0;
  std::vector<const Outcome*> breaking{};  ///< by number
  std::vector<const Outcome*> single{};    ///< single points of failure, by number
  std::vector<const Outcome*> worst{};     ///< at most ten that change something, the worst first
  std::vector<Spread> spreads{};
};

Summary summarize(std::span<const Outcome> outcomes);

}  // namespace rch::whatif
