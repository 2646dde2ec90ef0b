#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers::enhanced_qos {

/// `slow = 2500`.
struct Bandwidth {
  Token name;
  Number mbps;  ///< Mbit/s; 0: unlimited
};

/// `4:slow`; without SL: `all:slow`.
struct Limit {
  std::optional<Number> sl;
  Token bandwidth;
  Span span;
};

/// `rowA-hosts = all:bulk, 4:slow`.
struct PortRule {
  enum Kind : std::uint8_t { guid, group, fallback };  ///< fallback: `default`
  Kind kind = group;
  Token who;
  Guid port;                  ///< of kind guid
  std::vector<Limit> limits;  ///< at most one for each SL, at most one for all
};

/// An enhanced QoS policy file, each list in file order.
struct Syntax {
  std::vector<Bandwidth> bandwidths;
  std::vector<PortRule> rules;        ///< BW_RULES
  std::vector<PortRule> vport_rules;  ///< VPORT_BW_RULES, no groups
  bool names_complete = true;         ///< false: a bandwidth is unreadable, so a name may be missing
  bool rules_complete = true;         ///< false: a rule is unreadable, so a use may be missing
};

/// Reads an enhanced QoS policy file (docs/manager.md, Rate limits). Each mistake costs its own line.
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::enhanced_qos
