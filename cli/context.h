#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "chains/plan.h"
#include "cli/flags.h"
#include "cli/output.h"
#include "cli/timings.h"
#include "policy/build/front_end.h"

namespace rch::cli {

/// What the stages of one command share.
struct Context {
  explicit Context(Format format, Output::Sink sink = {}) : output(format, std::move(sink)) {}

  std::shared_ptr<SourceSet> sources = std::make_shared<SourceSet>();
  Diagnostics diagnostics;
  Output output;
  Timings timings;
  policy::Settings settings;  ///< of the rch.yaml, if there is one
  policy::Presentation presentation = policy::Presentation::judged;
  bool strict = false;  ///< a live fabric of which a part does not answer is refused

  /// Prints what was reported since the last call, graded as the settings ask. Returns true if an error is
  /// among all diagnostics.
  bool report();
  /// Prints an error, unless events or diagnostics have told it already. Returns its exit code.
  Exit stop(const Error& error);
  /// Ends a command: writes the timings (in JSON they are a member when both go to standard output), then
  /// what the output still holds. Returns the exit code, usage if all was good but the timings.
  Exit end(Exit code, const std::string& timings_file);
};

/// Either a value or the exit code with which the command ends (everything has been reported then).
template <class T>
using Stage = tl::expected<T, Exit>;

/// parse and build: the files a configuration starts from and those they name. Findings are not reported yet.
Result<policy::Configuration> read_configuration(Context& context, const ConfFlags& conf);

/// The same, reported; only a policy without errors comes back.
Stage<std::shared_ptr<const policy::Policy>> read_policy(Context& context, const ConfFlags& conf);

/// The fabric a FABRIC argument names: a file, read and reported, or a live one, discovered. What `cables`
/// does not let take part is left out, and reported; null: nothing is.
Stage<fabric::Fabric> read_fabric(Context& context, const std::string& target, const policy::Options& options,
                                  const std::shared_ptr<const fabric::CablePolicy>& cables = nullptr);

/// Reads a plan file.
Stage<chains::Plan> read_plan(Context& context, const std::string& file);

/// What a plan is computed with, from flags and settings.
struct PlanFlags {
  std::vector<std::string> accept;  ///< finding kinds that do not forbid the commit
  std::string dump_dir;             ///< empty: no dumps
  bool dump_path_sls = false;       ///< path-sl.dump among them
  std::string previous;             ///< plan file whose routes are kept where possible; empty: none
};

/// Whether --accept names the finding.
bool accepts(const PlanFlags& flags, std::string_view finding);

/// The request of the flags. `installed` gets the previous plan, which the request refers to.
Stage<chains::PlanRequest> plan_request(Context& context, const PlanFlags& flags,
                                        std::optional<chains::Plan>& installed);

/// Exit code of a plan: good, or forbidden when its verdict is not clean.
Exit judge(const chains::Plan& plan);

}  // namespace rch::cli
