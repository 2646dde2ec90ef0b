#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/rch_yaml/rch_yaml.h"
#include "policy/model/options.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// The kinds of finding of a verdict that an operator may accept.
inline constexpr std::string_view kFindings[] = {
    "unreachable",    "dropped-by-vl",      "loop",        "credit-loop", "multicast-unreachable",
    "multicast-loop", "multicast-unrouted", "disconnected"};

/// Another grade for a rule; nothing: its findings are left out.
struct RuleGrade {
  const Rule* rule;
  std::optional<Severity> grade;
};

/// How rch itself works, as an rch.yaml says.
struct Settings {
  std::vector<RuleGrade> grades;
  bool strict = false;            ///< warnings are errors
  std::optional<Span> lock_down;  ///< where the profile is asked for
  EngineMode mode = EngineMode::best;
  std::optional<Peer> compat;
  std::vector<std::string> accept;  ///< of kFindings
  QuarantineOptions quarantine;
};

/// Checks rule names, grades and findings. Errors cannot be lowered: what rch cannot read it cannot prove.
Settings build_settings(const parsers::rch_yaml::Syntax& syntax, Diagnostics& diagnostics);

/// Gives findings from number `from` on the grades that the settings ask for.
void regrade(Diagnostics& diagnostics, std::size_t from, const Settings& settings);

}  // namespace rch::policy
