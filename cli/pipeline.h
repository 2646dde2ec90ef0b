#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "chains/plan.h"
#include "cli/flags.h"
#include "cli/output.h"
#include "cli/timings.h"
#include "policy/front_end.h"

namespace rch::cli {

/// What the stages of one run share.
struct Context {
  explicit Context(Format format) : output(format) {}

  SourceSet sources;
  Diagnostics diagnostics;
  Output output;
  Timings timings;
  policy::Settings settings;  ///< of the rch.yaml, if there is one

  /// Prints what was reported since the last call, graded as the settings ask; true if an error is among all
  /// diagnostics.
  bool report();
  /// Ends a command: writes the timings (in JSON they are a member when both go to standard output), then
  /// what the output still holds. Returns the exit code, usage if all was good but the timings.
  Exit end(Exit code, const std::string& timings_file);
};

struct PlanRequest {
  std::vector<std::string> accept;  ///< finding kinds that do not forbid the commit
  std::string dump_dir;             ///< empty: no dumps
  bool metrics = false;             ///< measured and printed behind the verdict
  std::string previous;             ///< plan of which is kept what still holds; empty: none
};

/// Either a value or the exit code with which the command ends (everything has been reported then).
template <class T>
using Stage = tl::expected<T, Exit>;

/// parse and build: the files a configuration starts from and those they name. Findings are not reported yet.
Result<policy::Configuration> read_configuration(Context& context, const ConfFlags& conf);

/// The same, reported; only a policy without errors comes back.
Stage<policy::Policy> read_policy(Context& context, const ConfFlags& conf);

/// The fabric a FABRIC argument names: a file, read and reported, or a live one, discovered.
Stage<fabric::Fabric> read_fabric(Context& context, const std::string& target,
                                  const policy::Options& options);

/// True when both have one fingerprint; otherwise says what changed.
bool same_fabric(Context& context, const fabric::Fabric& planned, const fabric::Fabric& seen);

/// Measures tables and prints how evenly they spread traffic.
void report_metrics(Context& context, const fabric::Fabric& fabric, const fabric::RoutingTables& tables);

/// Marks the findings whose kind the operator accepts.
void accept_findings(verify::Verdict& verdict, const std::vector<std::string>& accept);

/// LIDs, bind, run, verify: from policy and fabric to a plan with its verdict. The plan is returned whatever
/// the verdict says; Exit::unroutable when no engine could route. `graph`: as verify::Options has it.
Stage<chains::Plan> make_plan(Context& context, const policy::Policy& policy, fabric::Fabric fabric,
                              const PlanRequest& request, verify::ChannelGraph* graph = nullptr);

/// Exit code of a plan: good, or forbidden when its verdict is not clean.
Exit judge(const chains::Plan& plan);

}  // namespace rch::cli
