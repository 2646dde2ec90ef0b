#pragma once

#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/output.h"

namespace rch::cli {

/// Flags that mean the same in every command.

inline void add_format(CLI::App& command, Format& format) {
  static const std::map<std::string, Format> kNames{{"text", Format::text}, {"json", Format::json}};
  command.add_option("--format", format, "How findings and results are printed: text (default) or json")
      ->transform(CLI::CheckedTransformer(kNames, CLI::ignore_case))
      ->type_name("text|json");
}

inline void add_timings(CLI::App& command, std::string& file) {
  command
      .add_option("--timings", file,
                  "Write milliseconds per phase and peak memory as JSON; - is standard output")
      ->type_name("FILE");
}

inline CLI::Option* add_conf(CLI::App& command, std::string& conf) {
  return command.add_option("-F,--config", conf, "An opensm.conf; it names the policy files")
      ->type_name("CONF");
}

inline void add_accept(CLI::App& command, std::vector<std::string>& accept) {
  command
      .add_option(
          "--accept", accept,
          "Finding that does not forbid the commit (may be repeated): unreachable, dropped-by-vl, loop, "
          "credit-loop")
      ->check(CLI::IsMember({"unreachable", "dropped-by-vl", "loop", "credit-loop"}))
      ->type_name("FINDING");
}

}  // namespace rch::cli
