#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hw/driver.h"
#include "sim/simulated_fabric.h"
#include "sm/apply.h"

namespace rch::sm::test {

/// Makes shortest paths that prefer high ports, or low ones.
chains::Plan plan_by_ports(const fabric::Fabric& live, bool high);

/// Processes that each run one pass over the same fabric in memory, one at a time. A process runs until it
/// would receive; then `next` says who goes on.
class Managers {
 public:
  struct Pass {
    Result<hw::CommitReport> result = fail(ErrorKind::fabric, "did not run");
    bool done = false;
    std::size_t rounds = 0;  ///< times it was chosen
  };
  /// Chooses among those that are not done; `waits` says whether nothing has arrived for the last one.
  using Next = std::function<std::size_t(std::size_t last, bool waits)>;

  explicit Managers(sim::SimulatedFabric& fabric) : fabric_(fabric) {}

  void add(PortId origin, const InstallOptions& options, const Planner& planner);
  /// Returns when all are done.
  void run(const Next& next);

  Pass& pass(std::size_t m) { return passes_[m]; }
  std::size_t count() const { return passes_.size(); }

 private:
  struct Start {
    PortId origin;
    InstallOptions options;
    Planner planner;
  };
  struct Process {
    Process(sim::SimulatedFabric& fabric, const Start& start);

    sim::SimulatedPort port;
    hw::Driver driver;
    hw::Task<Result<hw::CommitReport>> task;
  };
  bool go_on(std::size_t m);
  std::size_t choose(std::size_t last, bool waits, const Next& next);

  sim::SimulatedFabric& fabric_;
  std::vector<Start> starts_;
  std::vector<Pass> passes_;
  std::vector<std::unique_ptr<Process>> processes_;
};

}  // namespace rch::sm::test
