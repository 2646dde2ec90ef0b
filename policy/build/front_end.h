#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "policy/build/options/option_file.h"
#include "policy/build/rch_file/rch_file.h"
#include "policy/model/dialect.h"
#include "policy/model/policy.h"
#include "policy/model/symbols.h"

namespace rch::policy {

/// What a file was taken for that was given without its dialect.
struct GuessedDialect {
  SourceId source;
  Dialect dialect;
  bool by_name = false;  ///< its content does not tell
};

/// What the texts of a configuration say.
struct Configuration {
  std::optional<Policy> policy;              ///< nothing when a finding is an error
  std::optional<OptionFile> main;            ///< the main options as they are set
  std::map<StepId, OptionFile> own_options;  ///< of steps that name a file
  Symbols symbols;
  Settings settings;                    ///< of an rch.yaml
  std::vector<GuessedDialect> guessed;  ///< of files linted by themselves
  std::vector<std::string> spared;      ///< options whose files were left out (Presentation::spared)
};

/// Tells how a mistake counts in a file that only presentation depends on: names of nodes, or the log.
enum class Presentation : std::uint8_t {
  judged,  ///< it is an error, as in any other file
  spared,  ///< it is a warning, and the file counts as empty
};

/// Reads an opensm.conf and every file it names, and builds the policy. A configuration without a chain
/// becomes one: `routing_engine a b` is step 1 with engine a and step 2 with engine b as its fallback. Paths
/// in a file are taken relative to the folder of that file. Every mistake is in `diagnostics`, in the order
/// of the texts, with what only `beside` does otherwise if that is given. Fails (usage) only when `conf`
/// itself cannot be read.
Result<Configuration> load(const std::filesystem::path& conf, SourceSet& sources, Diagnostics& diagnostics,
                           std::optional<Peer> beside = {}, Presentation presentation = Presentation::judged);

/// The same from an rch.yaml, which names an options file, states options, or both, and may name the program
/// to compare with.
Result<Configuration> load_rch_file(const std::filesystem::path& file, SourceSet& sources,
                                    Diagnostics& diagnostics, std::optional<Peer> beside = {},
                                    Presentation presentation = Presentation::judged);

/// A file to lint; its dialect is told by its content, else by its name, when it is not given.
struct LintFile {
  std::filesystem::path path;
  std::optional<Dialect> dialect = {};
};

/// Lints single files. Names are resolved across the files given together; what needs a file that was not
/// given is not checked, and a note says so.
Configuration lint_files(std::span<const LintFile> files, SourceSet& sources, Diagnostics& diagnostics,
                         std::optional<Peer> beside = {});

}  // namespace rch::policy
