#pragma once

#include <string>

#include "cli/context.h"
#include "isolation/tenants.h"
#include "policy/model/partitions.h"

namespace rch::cli {

/// What is told of tenants besides their judgement.
struct TenantsToTell {
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;  ///< for paths and multicast trees
  const isolation::InstalledPKeys& installed;
  bool knows_checks = true;  ///< it is known what switch ports check
  /// What the ports are to hold; null: nobody has said.
  const isolation::InstalledPKeys* target = nullptr;
  std::string target_name{};  ///< who says so, such as a file in backticks
};

/// What became of it.
struct TenantsTold {
  bool is_target = true;  ///< no port holds other P_Keys than it is to hold, as far as that was compared
  bool checked = true;    ///< no packet is known to reach a port that has to drop it by itself
  std::vector<std::string> not_judged{};  ///< what was to be compared and is not known, each as a clause
};

/// Prints which tenants are apart, and what differs from what is target.
TenantsTold tell_tenants(Context& context, const TenantsToTell& what);

/// The claim of a verdict where ports hold other P_Keys than `file` gives them.
std::string not_the_target(const std::string& file);

/// The port that SELF stands for.
struct OwnPort {
  PortId port = PortId::none();  ///< none: not known
  bool guessed = false;  ///< the fabric was seen from there; whether the subnet manager is there is not known
};

/// A partitions.conf on a fabric: the P_Keys that it gives to ports. Every problem has been reported when it
/// fails.
Stage<isolation::InstalledPKeys> target_pkeys(Context& context, const std::string& file,
                                              const fabric::Fabric& fabric, const OwnPort& own);

}  // namespace rch::cli
