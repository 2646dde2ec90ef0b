#include "whatif/study.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "chains/plan_file.h"

namespace rch::whatif {
namespace {

/// Takes one case after the other until none is left. Everything inside a case runs on this thread alone: a
/// thread that waits for a part of its case must not take another case into its hands.
class Worker {
 public:
  Worker(const Judge& judge, std::span<const Failure> failures, const Shard& shard,
         std::vector<Outcome>& outcomes)
      : judge_(judge), failures_(failures), shard_(shard), outcomes_(outcomes) {}

  void run(const Progress& progress) {
    tbb::task_arena alone(1);
    alone.execute([&] {
      for (std::size_t at = next_++; at < outcomes_.size(); at = next_++) {
        const std::uint64_t number = shard_.index + at * shard_.count;
        outcomes_[at] = judge_.judge(number, failures_[number]);
        const std::lock_guard lock(mutex_);
        ++done_;
        if (progress) progress(done_);
      }
    });
  }

 private:
  const Judge& judge_;
  const std::span<const Failure> failures_;
  const Shard shard_;
  std::vector<Outcome>& outcomes_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
};

}  // namespace

Study study_of(const Base& base, const Judge& judge, std::span<const Failure> failures, std::string asked) {
  const fabric::Fabric& fabric = *base.plan.fabric;
  std::string list;
  for (const Failure& failure : failures) list += describe(fabric, failure) + '\n';
  for (const Alternative& alternative : judge.alternatives())
    for (std::uint32_t s = 0; alternative.policy->texts && s < alternative.policy->texts->size(); ++s)
      list += chains::digest(alternative.policy->texts->at(SourceId(s)).text()) + '\n';
  return {.fabric = fabric.fingerprint(),
          .plan = chains::digest(chains::encode_plan(base.plan)),
          .list = chains::digest(list),
          .asked = std::move(asked),
          .steps = judge.steps(),
          .switches = fabric.switch_count(),
          .hosts = fabric.end_ports().size(),
          .cases = failures.size(),
          .fullest = judge.fullest()};
}

std::vector<Outcome> study(const Judge& judge, std::span<const Failure> failures, const Shard& shard,
                           const Progress& progress) {
  const std::uint64_t cases = failures.size();
  std::vector<Outcome> outcomes(cases <= shard.index ? 0
                                                     : (cases - shard.index + shard.count - 1) / shard.count);
  Worker worker(judge, failures, shard, outcomes);
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  tbb::task_group group;
  for (std::size_t t = 1; t < std::min(threads, outcomes.size()); ++t)
    group.run([&] { worker.run(progress); });
  worker.run(progress);
  group.wait();
  return outcomes;
}

}  // namespace rch::whatif
