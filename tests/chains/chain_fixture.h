#pragma once

// Chains put together in memory: a policy without files, and what tests ask of its result.

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "chains/chain.h"
#include "chains/plan.h"

namespace rch::test {

/// A policy on one fabric, which must outlive it.
class Chain {
 public:
  explicit Chain(const fabric::Fabric& fabric);

  /// Steps must be added by ascending id, as Policy keeps them.
  policy::Step& step(std::uint32_t id, std::string engine, std::uint32_t topology = 0);
  /// The same, standing in for `target`.
  policy::Step& fallback(std::uint32_t id, std::uint32_t target, std::string engine,
                         std::uint32_t topology = 0);
  void topology(std::uint32_t id, IdSet<PortId> ports);
  /// Main options, and what belongs to the fabric as a whole.
  policy::Policy& policy() { return policy_; }

  policy::BoundPolicy bound() const;
  tl::expected<chains::ChainRun, chains::ChainFailure> run(const chains::StepObserver& observer = {}) const {
    return chains::run(bound(), observer);
  }
  /// The result of a chain that must succeed; throws otherwise.
  chains::ChainRun good_run() const;

 private:
  const fabric::Fabric* fabric_;
  policy::Policy policy_;
  std::vector<IdSet<PortId>> topologies_;
};

/// All ports of these switches and the host ports on them.
IdSet<PortId> ports_of(const fabric::Fabric& fabric, const std::vector<std::uint32_t>& switches);

/// Options of a torus-2QoS.conf that holds a `torus` or `mesh` line and links of one seed.
fabric::TorusShape torus_options(const std::string& conf);

/// "1 routed, 2 failed, 3 not-needed": the reports in order.
std::string outline(const std::vector<chains::StepReport>& steps);

/// A folder for files, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Names of all files, sorted.
  std::vector<std::string> names() const;

 private:
  std::string path_;
};

/// The policy of an opensm.conf; the files are gone when it is used. Throws if there is none.
std::shared_ptr<const policy::Policy> policy_of(const std::string& conf);

Result<chains::Plan> plan_on(const fabric::Fabric& fabric, const std::string& conf,
                             const chains::PlanRequest& request = {}, const chains::Observer& observe = {});

}  // namespace rch::test
