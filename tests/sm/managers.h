#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "hw/fake_fabric.h"
#include "sm/apply.h"

namespace rch::sm::test {

/// Makes shortest paths that prefer high ports, or low ones.
chains::Plan plan_by_ports(const fabric::Fabric& live, bool high);

/// Processes that each run one pass over the same fabric in memory, one at a time. A process runs until it
/// receives; then `next` says who goes on.
class Managers {
 public:
  struct Pass {
    Result<hw::CommitReport> result = fail(ErrorKind::fabric, "did not run");
    bool done = false;
    std::size_t rounds = 0;  ///< times it was chosen
  };
  /// Chooses among those that are not done; `waits` says whose turn ends because nothing arrived for it.
  using Next = std::function<std::size_t(std::size_t last, bool waits)>;

  explicit Managers(hw::test::FakeFabric& fabric) : fabric_(fabric) {}

  void add(PortId origin, const ApplyOptions& options, const Planner& planner);
  /// Returns when all are done.
  void run(const Next& next);

  Pass& pass(std::size_t m) { return passes_[m]; }
  std::size_t count() const { return passes_.size(); }

 private:
  struct Start {
    PortId origin;
    ApplyOptions options;
    Planner planner;
  };
  void body(std::size_t m);
  void wait_for_turn(std::size_t m);
  void hand_over(std::size_t last, bool waits);

  hw::test::FakeFabric& fabric_;
  std::vector<Start> starts_;
  std::vector<Pass> passes_;
  std::vector<std::size_t> manager_of_client_;
  Next next_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t turn_ = 0;
};

}  // namespace rch::sm::test
