#pragma once

#include <string>

#include "cli/context.h"
#include "compare/side.h"
#include "dumps/observed.h"

namespace rch::cli {

/// How `rch diff` reads its sides.
struct SideOptions {
  std::string fabric;         ///< of tables that have none; empty: that of the other side
  bool ask_path_sls = false;  ///< of the subnet administration of a live fabric
};

struct Sides {
  compare::Side before, after;
};
/// Reads both sides: each a plan, a file or a folder of tables, or live[:CA[:PORT]].
Stage<Sides> read_sides(Context& context, const std::string& before, const std::string& after,
                        const SideOptions& options);

/// Reads one side, as that before another one.
Stage<compare::Side> read_side(Context& context, const std::string& target, const compare::Side& after,
                               const SideOptions& options);
/// Notes what is not compared. Fails where the sides cannot be.
Stage<Sides> comparable(Context& context, Sides sides);

compare::Side side_of(std::string name, chains::Plan plan);
/// `is_live`: read from switches, else from files.
compare::Side side_of(std::string name, dumps::Observed observed, bool is_live);

/// `plan.rch: plan, step 1 minhop`: what a side is.
std::string describe(const compare::Side& side);

}  // namespace rch::cli
