#include "cli/run_loop.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace rch::cli {
namespace {

/// The longest wait: a signal that comes just before it is seen after it.
constexpr hw::Milliseconds kLongestWait{500};

}  // namespace

RunLoop::RunLoop(Connection& connection, ControlSocket& control, Notifier& notifier, Hooks hooks)
    : connection_(connection),
      control_(control),
      notifier_(notifier),
      hooks_(std::move(hooks)),
      done_event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  connection_.driver->run_jobs_with([this](const hw::Job& job) { start(job); });
}

RunLoop::~RunLoop() {
  for (auto& [job, thread] : threads_) thread.join();
  close(done_event_);
}

Result<void> RunLoop::run(hw::Task<Result<void>> task) {
  hw::Driver& driver = *connection_.driver;
  task.start();
  for (driver.carry_out(); !task.done(); driver.carry_out()) {
    notifier_.turn(driver.now(), hooks_.status);
    if (driver.stopping()) notifier_.stopping();
    control_.feed();
    wait();
    take_done();
    // Before what operators ask: a process that stood still learns first that another one is master.
    driver.receive(driver.now());
    control_.serve();
    hooks_.turn();
  }
  notifier_.stopping();
  return task.take();
}

void RunLoop::start(const hw::Job& job) {
  threads_.emplace(job.id, [this, job] {
    std::exception_ptr failed;
    try {
      job.run();
    } catch (...) {
      failed = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failed_ = failed;
    done_.push_back(job.id);
    eventfd_write(done_event_, 1);
  });
}

void RunLoop::take_done() {
  eventfd_t ignored = 0;
  if (eventfd_read(done_event_, &ignored) != 0) return;
  const std::lock_guard lock(mutex_);
  if (failed_) std::rethrow_exception(failed_);
  for (const hw::JobId job : std::exchange(done_, {})) {
    const auto thread = threads_.find(job);
    thread->second.join();
    threads_.erase(thread);
    connection_.driver->on_job_done(job);
  }
}

void RunLoop::wait() const {
  std::vector<pollfd> waiting{{connection_.transport->arrival_event(), POLLIN, 0}, {done_event_, POLLIN, 0}};
  control_.add_to(waiting);
  const hw::TimePoint now = connection_.transport->now();
  const hw::Milliseconds longest = std::min(kLongestWait, notifier_.longest_wait());
  const auto left = std::clamp(connection_.driver->deadline(), now, now + longest) - now;
  poll(waiting.data(), waiting.size(), static_cast<int>(std::chrono::ceil<hw::Milliseconds>(left).count()));
}

}  // namespace rch::cli
