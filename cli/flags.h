#pragma once

#include <iterator>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/output.h"
#include "policy/build/rch_file/rch_file.h"

namespace rch::cli {

/// Flags that mean the same in every command.

inline void add_format(CLI::App& command, Format& format,
                       const std::vector<Format>& formats = {Format::text, Format::json}) {
  static const std::map<Format, std::string> kNames{{Format::text, "text"},
                                                    {Format::json, "json"},
                                                    {Format::sarif, "sarif"},
                                                    {Format::markdown, "markdown"}};
  std::map<std::string, Format> offered;
  std::string names;
  for (const Format f : formats) {
    offered.emplace(kNames.at(f), f);
    names += (names.empty() ? "" : "|") + kNames.at(f);
  }
  command.add_option("--format", format, "How findings and results are printed (default: text)")
      ->transform(CLI::CheckedTransformer(offered, CLI::ignore_case).description(""))
      ->type_name(names);
}

inline void add_timings(CLI::App& command, std::string& file) {
  command
      .add_option("--timings", file,
                  "Write milliseconds per phase and peak memory as JSON; - is standard output")
      ->type_name("FILE");
}

/// Where a configuration starts: one of the two.
struct ConfFlags {
  std::string opensm_conf, rch_file;

  bool given() const { return !opensm_conf.empty() || !rch_file.empty(); }
};

inline void add_conf(CLI::App& command, ConfFlags& flags) {
  auto* conf =
      command.add_option("-F,--config", flags.opensm_conf, "An opensm.conf; it names the policy files")
          ->type_name("CONF");
  command.add_option("-C,--rch", flags.rch_file, "An rch.yaml; it names the opensm.conf or states options")
      ->type_name("YAML")
      ->excludes(conf);
}

/// For commands that cannot do without; to be called once the flags are parsed.
inline void require_conf(const ConfFlags& flags) {
  if (!flags.given()) throw CLI::RequiredError("a configuration (-F CONF or -C YAML)");
}

inline void add_metrics(CLI::App& command, bool& metrics) {
  command.add_flag(
      "--metrics", metrics,
      "Say how evenly the tables spread traffic: histograms, shifts, effective bisection bandwidth");
}

inline void add_previous(CLI::App& command, std::string& previous) {
  command
      .add_option("--previous", previous,
                  "A plan whose LIDs and routes are kept where they still hold; says what differs from it")
      ->type_name("PLAN");
}

/// `more`: kinds besides those of a verdict.
inline void add_accept(CLI::App& command, std::vector<std::string>& accept,
                       const std::vector<std::string>& more = {}) {
  std::vector<std::string> kinds(std::begin(policy::kFindings), std::end(policy::kFindings));
  kinds.insert(kinds.end(), more.begin(), more.end());
  command
      .add_option(
          "--accept", accept,
          "Finding that does not forbid the commit (may be repeated): " + CLI::detail::join(kinds, ", "))
      ->check(CLI::IsMember(kinds))
      ->type_name("FINDING");
}

}  // namespace rch::cli
