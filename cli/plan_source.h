#pragma once

#include <memory>
#include <string>

#include "chains/events.h"
#include "cli/context.h"
#include "cli/flags.h"

namespace rch::cli {

/// Where a command gets a plan from: a file, or a configuration and the fabric to plan.
struct PlanSource {
  ConfFlags conf;
  std::string plan, fabric, previous;
};

/// Adds `--plan`, the flags of a configuration, `--fabric` and `--previous`. `what`: the help of `--plan`.
/// `is_required`: one of them must be given, else the command checks that.
void add_plan_source(const Command& command, PlanSource& source, const std::string& what,
                     bool is_required = true);
/// Says what is wrong with the flags together; empty: nothing.
std::string objection(const PlanSource& source);

/// A plan with its policy, if that is known: a file has none.
struct SourcedPlan {
  chains::Plan plan;
  std::shared_ptr<const policy::Policy> policy{};
};

/// Reads the file, or plans as `rch plan` does. Everything that is wrong has been reported when it fails.
Stage<SourcedPlan> plan_from(Context& context, const PlanSource& source,
                             const chains::Observer& observer = {});

}  // namespace rch::cli
