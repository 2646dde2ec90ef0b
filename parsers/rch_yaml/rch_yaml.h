#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"
#include "parsers/opensm_conf/opensm_conf.h"

namespace rch::parsers::rch_yaml {

/// `unused-port-group: off` below `lint: rules:`.
struct Grade {
  Token rule;
  Token grade;
};

/// An rch.yaml as written:
///
///     config: opensm.conf            # the options file
///     options:                       # its keys, stated here; they win over the file's
///       routing_engine: [updn, minhop]
///       qos: true
///     routing:
///       mode: compat                 # OpenSM's tables entry for entry, where an engine can give them
///     security:
///       profile: lock-down           # for tenants who do not trust each other
///     lint:
///       compat: opensm               # say what OpenSM would do; or nvidia
///       strict: true                 # warnings are errors
///       rules: {unused-port-group: off, lid-space: error}
///     verify:
///       accept: [credit-loop]        # findings that do not forbid the commit
///     quarantine:
///       bounces: 25                  # of a link, after which it is left out for a time
struct Syntax {
  std::optional<Token> config;
  opensm_conf::Syntax options;  ///< booleans and lists in the form of opensm.conf
  std::optional<Token> mode;
  std::optional<Token> profile;
  std::optional<Token> compat;
  std::optional<Token> strict;
  std::vector<Grade> grades;
  std::vector<Token> accept;
  std::optional<Token> trap_hold_down, timeout_limit, error_threshold, bounces, period;  ///< of `quarantine`
};

/// What is not YAML ends the reading with one diagnostic; else every part is read for itself.
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::rch_yaml
