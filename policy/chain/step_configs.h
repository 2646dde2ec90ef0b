#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "policy/files.h"
#include "policy/options/options.h"
#include "policy/torus/torus.h"

namespace rch::policy {

/// True if a step can run the engine; else reports why not. `user` names what asks for it: `step 2`.
bool check_engine(const parsers::Token& engine, std::string_view user, Diagnostics& diagnostics);

/// Gives steps their options: the main file's, overridden by their own file, and what torus-2QoS reads.
class StepConfigs {
 public:
  /// `main` is null when no main file was given; checks against it are then left out.
  StepConfigs(const OptionFile* main, FileReader& files, Diagnostics& diagnostics)
      : main_(main), files_(files), diagnostics_(diagnostics) {}

  /// Fills options, torus and torus_places of a step whose engine is set. `config` is the step's own file as
  /// written.
  void complete(Step& step, const parsers::Token& engine, const std::optional<parsers::Token>& config);

  /// A torus-2QoS.conf, parsed and checked once.
  const TorusConf& torus_conf(SourceId source);

 private:
  const OptionFile* own_options(const parsers::Token& config);
  void complete_roots(Step& step, const parsers::Token& engine, const OptionFile* own);
  void complete_torus(Step& step, const parsers::Token& engine, const OptionFile* own);
  void check_lanes(const Step& step, const parsers::Token& engine);
  void check_other_engines(const Step& step, const OptionFile& own);

  const OptionFile* main_;
  FileReader& files_;
  Diagnostics& diagnostics_;
  std::map<SourceId, OptionFile> own_files_;
  std::map<SourceId, TorusConf> torus_files_;
  std::map<SourceId, std::vector<Guid>> guid_files_;
  std::set<std::pair<SourceId, std::uint32_t>> other_engine_reported_;  ///< places of settings
  bool lanes_checked_ = false;
};

}  // namespace rch::policy
