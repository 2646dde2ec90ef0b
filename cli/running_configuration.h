#pragma once

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
    std::string digest;  ///< of its text: 32 hex digits

    friend bool operator==(const File&, const File&) = default;
  };
  policy::Options values;
  std::vector<Option> options;  ///< in the order of the option table
  std::vector<File> files;      ///< in the order in which they were read
};

/// `configuration` has a policy and main options.
RunningConfiguration running_configuration(const policy::Configuration& configuration,
                                           const SourceSet& sources);

/// What differs from one configuration to the next: `options` and `files`, each with its result. An option is
/// `applied`, `needs_restart`, or `no_effect`. A file is `applied`, or `dropped` when it is no more read.
Json changes(const RunningConfiguration& before, const RunningConfiguration& now);

/// Options whose value is not the default, and files with their digests. Keys stay hidden.
Json to_json(const RunningConfiguration& configuration);

}  // namespace rch::cli
