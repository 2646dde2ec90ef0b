#pragma once

#include <memory>
#include <string>
#include <vector>

#include "chains/plan.h"

namespace rch::chains {

/// Tables that another subnet manager left in a fabric.
struct FoundTables {
  fabric::RoutingTables tables;  ///< with the multicast groups; no SL2VL maps
  /// All ports map service levels alike. Then packets of each service level take the same channels, up to the
  /// number of the VL, and a proof for one is a proof for all.
  bool maps_alike = true;
  fabric::Sl2VlTables maps{};  ///< as the ports hold them
};

/// What they are worth.
struct Adoption {
  Plan plan;              ///< that leaves the tables as they are, with its verdict
  std::string objection;  ///< why it must not stay; empty: it may
  /// It must not stay as it is not known which service levels hosts use. With those of the configuration,
  /// whose entries it has, it is sound. The same entries may have others: datelines of a torus may lie
  /// elsewhere.
  bool by_configuration = false;
};

/// Judges what stands in a fabric, with the LIDs that it shows. The plan leaves SL2VL maps and VL arbitration
/// as the ports hold them. Its rules are not known, so later plans keep none of its routes for their rules'
/// sake.
Result<Adoption> judge_found(const policy::Policy& policy, const fabric::Fabric& live, FoundTables found,
                             const std::vector<std::string>& accept);

/// Lets a plan that is made from `found` know the roots that engines found for `earlier`: damage since may
/// hide them from an engine that looks for them anew.
void keep_found_roots(Plan& found, const Plan& earlier);

}  // namespace rch::chains
