#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "policy/build/build_context.h"
#include "policy/build/side_files/tables.h"
#include "policy/build/torus/torus.h"

namespace rch::policy {

/// True if a step can run the engine; else reports why not. `user` names what asks for it: `step 2`.
bool check_engine(const parsers::Token& engine, std::string_view user, Diagnostics& diagnostics);

/// Gives steps their options: the main file's, overridden by their own file, and the files that their engine
/// reads.
class StepConfigs {
 public:
  /// Without a main file, checks against it are left out. The context must live as long.
  explicit StepConfigs(const BuildContext& context)
      : main_(context.main),
        mode_(context.mode),
        files_(context.files),
        diagnostics_(context.diagnostics),
        side_files_(context) {}

  EngineMode mode() const { return mode_; }

  /// Fills mode, options, files, torus and torus_places of a step whose engine is set. `config` is the step's
  /// own file as written.
  void complete(Step& step, const parsers::Token& engine, const std::optional<parsers::Token>& config);

  /// Rules about the options of all steps together, and files that no step reads.
  void check_together(std::span<const Step> steps);

  /// The options of the steps that have a file of their own.
  const std::map<StepId, const OptionFile*>& own_files() const { return own_of_step_; }

  /// A torus-2QoS.conf, parsed and checked once.
  const TorusConf& torus_conf(SourceId source);

 private:
  const OptionFile* own_options(const parsers::Token& config);
  /// The file that an option of the step names, if it does and can be read.
  std::optional<SourceId> file_of(std::string_view key, const OptionalPath& path,
                                  const parsers::Token& engine, const OptionFile* own);
  void read_files(Step& step, const parsers::Token& engine, const OptionFile* own);
  void complete_torus(Step& step, const parsers::Token& engine, const OptionFile* own);
  void read_torus_conf(Step& step, const parsers::Token& engine, const OptionFile* own);
  void check_vls(const Step& step, const parsers::Token& engine);
  void check_other_engines(const Step& step, const OptionFile& own);
  void check_unread(std::span<const Step> steps);

  const OptionFile* main_;
  EngineMode mode_;
  FileReader& files_;
  Diagnostics& diagnostics_;
  SideFiles side_files_;
  std::map<SourceId, OptionFile> own_files_;
  std::map<StepId, const OptionFile*> own_of_step_;
  std::map<SourceId, TorusConf> torus_files_;
  std::map<SourceId, std::shared_ptr<const fabric::LftDump>> lft_dumps_;  ///< null: unreadable
  std::map<SourceId, std::shared_ptr<const fabric::HopDump>> hop_dumps_;
  std::set<std::pair<SourceId, std::uint32_t>> other_engine_reported_;  ///< places of settings
  bool vls_checked_ = false;
};

}  // namespace rch::policy
