#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hw/sweep.h"
#include "sm/health.h"
#include "whatif/failure.h"

namespace rch::cli {

/// Parts of a fabric that an operator names: nodes as points (docs/points.md), cables as `A:B` or `A[3]`.
struct DrainParts {
  whatif::Failure failure;      ///< in ids of the fabric
  std::vector<sm::Part> parts;  ///< one for each of them
};

/// Fails (usage) where a name is that of no part. `absence`: of find_end_port().
Result<DrainParts> drain_parts(const fabric::Fabric& fabric, const std::vector<std::string>& names,
                               std::string_view absence);

/// The parts that an operator left out and that a name means, also those that the fabric of the plan lacks.
/// Fails (usage) where it means none.
Result<std::vector<sm::Part>> parts_left_out(const hw::Sweep& sweep, const sm::Health& health,
                                             const std::string& name);

}  // namespace rch::cli
