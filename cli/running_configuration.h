#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/json.h"
#include "policy/build/front_end.h"
#include "policy/model/option_table.h"

namespace rch::cli {

/// The configuration that a manager runs with, as operators ask for it.
struct RunningConfiguration {
  struct Option {
    const policy::OptionKey* key;
    std::string value;  ///< as opensm.conf takes it
    bool is_default = false;
  };
  struct File {
    std::string name;
    std::string digest;    ///< of its text: 32 hex digits
    bool is_main = false;  ///< an opensm.conf or rch.yaml: what it says is in `options`

    friend bool operator==(const File& a, const File& b) { return a.name == b.name && a.digest == b.digest; }
  };
  policy::Options values;
  std::vector<Option> options;  ///< in the order of the option table
  std::vector<File> files;      ///< in the order in which they were read
};

/// `configuration` has a policy and main options. `main_files`: as the command line names them.
RunningConfiguration running_configuration(const policy::Configuration& configuration,
                                           const SourceSet& sources, std::span<const std::string> main_files);

/// A hash of what decides routes and isolation: two managers of one fabric must have the same. Keys are not
/// in it, nor what differs by host: paths, priorities and polls, the lines of the main file that say nothing
/// else. `accepted`: findings that do not forbid a commit. Not 0.
std::uint64_t configuration_hash(const RunningConfiguration& configuration,
                                 std::vector<std::string> accepted);

/// What differs from one configuration to the next: `options` and `files`, each with its result. An option is
/// `applied`, `needs_restart`, or `no_effect`. A file is `applied`, or `dropped` when it is no more read.
Json changes(const RunningConfiguration& before, const RunningConfiguration& now);

/// Options whose value is not the default, and files with their digests. Keys stay hidden.
Json to_json(const RunningConfiguration& configuration);

}  // namespace rch::cli
