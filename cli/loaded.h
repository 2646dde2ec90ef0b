#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"
#include "cli/control_socket.h"
#include "cli/json.h"
#include "cli/running_configuration.h"

namespace rch::cli {

/// The options that a manager is started with.
struct ServiceOptions {
  ConfFlags conf{};
  std::string control = default_control_socket();
  std::string plan_file{};  ///< where installed plans are kept
  std::string lid_file{};   ///< guid2lid
  std::vector<std::string> accept{};
  bool strict = false;
  bool certify = false;  ///< install only what has a certificate
  bool adopt = false;    ///< keep what another subnet manager installed, if it is proven
};

/// As text, for a recording.
std::string to_text(const ServiceOptions& options);
/// None: `text` is not what to_text() makes.
std::optional<ServiceOptions> service_options(std::string_view text);

/// A configuration as it was read.
struct Loaded {
  std::shared_ptr<const policy::Policy> policy;
  policy::Settings settings;  ///< with the findings that the command line accepts
  RunningConfiguration running;
  std::shared_ptr<SourceSet> texts;   ///< that findings point into
  std::vector<std::string> spared{};  ///< options whose files are left out until the next reload
};
/// Reads it for a start, and prints what was found. No start fails for a file that only presentation depends
/// on: the fabric would stay without a subnet manager.
Stage<Loaded> load(Context& context, const ServiceOptions& options);
/// The same, and what was found as JSON, an array.
struct Reading {
  Stage<Loaded> loaded;
  Json findings;
  std::string refused{};  ///< why, where it is not for these findings
};
Reading read_again(Context& context, const ServiceOptions& options);
/// Refuses a configuration that was read, after all.
void refuse(Reading& reading, const std::string& why);
/// Tells the operator about a configuration that is taken.
void warn(Reading& reading, const std::string& what);

}  // namespace rch::cli
