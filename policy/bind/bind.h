#pragma once

#include <memory>
#include <vector>

#include "base/bitset.h"
#include "base/sparse_set.h"
#include "fabric/sub_fabric.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// A policy on one fabric. Shares both.
struct BoundPolicy {
  std::shared_ptr<const Policy> policy;
  std::shared_ptr<const fabric::Fabric> fabric;
  std::vector<SparseSet<PortId>> groups;  ///< by GroupId
  /// By index of Policy::topologies: the ports a step on it may use (switch ports of sw-grp with port 0 of
  /// their switches, CA and router ports of hca-grp). Without path bit.
  std::vector<IdSet<PortId>> topologies;
  std::vector<StepFiles> files;  ///< by index of Policy::steps, GUIDs only

  /// False when single files were given that do not say which part of the fabric the step works on.
  bool is_placed(const Step& step) const;
  /// What `step` may touch; nothing for the whole fabric with all path bits (the first step).
  std::optional<fabric::Scope> scope(const Step& step) const;
  /// What the side files of `step` name on the fabric.
  const StepFiles& files_of(const Step& step) const;
};

/// Expands groups and topologies on a fabric that has its LIDs. Reports what does not fit: GUIDs that are
/// absent, empty groups, expressions that match nothing, seeds that are no switches or no neighbours, hosts
/// cut off… An error among them means the policy must not be used on this fabric.
BoundPolicy bind(std::shared_ptr<const Policy> policy, std::shared_ptr<const fabric::Fabric> fabric,
                 Diagnostics& diagnostics);

}  // namespace rch::policy
