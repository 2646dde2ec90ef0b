#pragma once

#include <string>
#include <vector>

#include "compare/forwarding.h"
#include "compare/groups.h"
#include "compare/matching.h"
#include "compare/port_settings.h"
#include "compare/service_levels.h"
#include "compare/side.h"
#include "fabric/difference.h"

namespace rch::compare {

/// A part that was not compared.
struct NotCompared {
  Part part = Part::fabric;
  std::string why;  ///< as a clause: "`x` has no file with them"
};

/// All that differs between two sides. Nothing that a side does not know counts.
struct Comparison {
  std::vector<fabric::Change> parts;       ///< nodes and cables that are gone or new
  std::vector<std::string> changed_nodes;  ///< fabric::changed_nodes
  std::vector<fabric::PortChange> ports;   ///< rates of links, LIDs
  Matching matching;
  Forwarding forwarding;
  ServiceLevels sls;
  std::vector<SettingChange> settings;
  std::vector<GroupChange> groups;
  std::vector<NotCompared> not_compared;

  bool equal() const;
};

/// Compares two sides. Each has fewer than 65,535 switches. The same result for any number of threads.
Comparison compare(const Side& before, const Side& after);

}  // namespace rch::compare
