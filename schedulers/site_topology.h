#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schedulers/tree.h"

namespace rch::schedulers {

/// The tree of a topology.conf(5) that a site has.
struct SiteTopology {
  struct Switch {
    std::string name;
    std::vector<std::string> hosts{}, below{};
  };
  std::vector<Switch> switches{};
};

/// Reads lines of `SwitchName=`; names of keys in any case, comments, and lines that end in a backslash.
/// Fails (usage) with the number of the line on anything else.
Result<SiteTopology> read_site_topology(std::string_view text);

/// What is otherwise in the fabric, a sentence each: hosts that one of them lacks, hosts under another leaf,
/// hosts that the file lets share a job although no cable joins them, or keeps apart although cables do, and
/// what is wrong with the file itself. Names of switches and levels between may differ.
std::vector<std::string> differences(const Tree& tree, const SiteTopology& site);

}  // namespace rch::schedulers
