#pragma once

#include <string>

#include "cli/context.h"
#include "compare/side.h"

namespace rch::cli {

/// How `rch diff` reads its sides.
struct SideOptions {
  std::string fabric;         ///< of tables that have none; empty: that of the other side
  bool ask_path_sls = false;  ///< of the subnet administration of a live fabric
};

/// Reads both sides: each a plan, a file or a folder of tables, or live[:CA[:PORT]].
struct Sides {
  compare::Side before, after;
};
Stage<Sides> read_sides(Context& context, const std::string& before, const std::string& after,
                        const SideOptions& options);

/// `plan.rch: plan, step 1 minhop`: what a side is.
std::string describe(const compare::Side& side);

}  // namespace rch::cli
