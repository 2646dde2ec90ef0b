#pragma once

// Machines and tasks over one SMP client, as an event machine: no I/O, no clock, no waiting.
//
// In: on_arrival(), on_job_done(), on_broken(), on_stop(). Out: take_effects(), deadline(). Who drives it
// calls take_effects() after every event, carries them out, and brings the next event at deadline() at the
// latest.
//
// States of a run of a machine, and what moves it:
//   asking     run(). The machine is asked for requests and gets their answers.
//   emptying   the machine is finished, or left because of a stop or a broken transport. Its requests are
//              cancelled.
//   over       nothing of it is on the wire. The task that waits for it goes on in the next take_effects().

#include <concepts>
#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "fabric/cable_policy.h"
#include "fabric/fabric_builder.h"
#include "hw/machine.h"
#include "hw/request_quota.h"
#include "hw/service.h"
#include "hw/smp_client.h"
#include "hw/task.h"

namespace rch::hw {

/// Answers a request that came from the fabric by filling `datagram` in place; false leaves it unanswered.
using Responder = std::function<bool(Datagram& datagram)>;

using JobId = Id<struct JobTag, std::uint32_t>;
/// Computation of some time that needs no fabric. Any thread may run it, once.
struct Job {
  JobId id{};
  std::function<void()> run;
};

/// What an exchange wants done.
struct Effects {
  bool show_sm = false;  ///< show our port as that of a subnet manager; on_broken() if that fails
  Keeping keeping;       ///< before any of the datagrams is sent; on_not_kept() if that fails
  std::vector<OutgoingDatagram> datagrams;  ///< in this order
  std::vector<Job> jobs;                    ///< each is followed by on_job_done()
};

/// Sees each event before it is handled, and what comes out.
class Tap {
 public:
  virtual ~Tap() = default;
  virtual void on_arrival(std::span<const Datagram> /*arrived*/, TimePoint /*now*/) {}
  virtual void on_job_done(JobId) {}
  virtual void on_broken(const Error&) {}
  virtual void on_stop() {}
  /// take_effects() begins.
  virtual void on_turn(TimePoint) {}
  /// What it returns.
  virtual void on_effects(const Effects&) {}
};

class Exchange {
 public:
  Exchange(const SmpOptions& options, TimePoint now) : client_(options), now_(now) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// Ends when `machine` is finished and nothing of it is on the wire. Fails (fabric) when the transport is
  /// broken, or when the machine was left because the operator wants to stop; whether the machine got its
  /// result is the machine's to say. Several machines may run at once; they share the window of the client.
  Task<Result<void>> run(Machine& machine);
  /// Runs `job` elsewhere while machines go on. The task must not be destroyed while the job runs.
  template <std::invocable F>
  Task<std::invoke_result_t<const F&>> work(const F& job);
  /// Shows our port as that of a subnet manager. From then on `responder` answers requests of the fabric.
  void become_manager(Responder responder);
  /// Requests of the fabric stay unanswered from now on.
  void resign() { responder_ = {}; }
  /// Who is not sure to be master any more writes nothing: see SmpClient.
  void allow_sets_until(TimePoint until) { client_.allow_sets_until(until); }
  void drop_withheld_sets(bool from_now_on) { client_.drop_withheld_sets(from_now_on); }
  bool withholds_sets() const { return client_.withholds_sets(); }
  TimePoint sets_until() const { return client_.sets_until(); }
  /// Tells of requests that are not looked at because too many came (hw/request_quota.h).
  void tell_refused(std::function<void(const RequestsRefused&)> told) { tell_refused_ = std::move(told); }
  /// Datagrams of `mad_class` go to `service`, which must outlive the exchange or its last event.
  void serve(MadClass mad_class, Service& service) { services_.push_back({mad_class, &service}); }
  bool stopping() const { return stopping_; }
  /// What broke the transport.
  const std::optional<Error>& broken() const { return broken_; }
  /// Time of the last event.
  TimePoint now() const { return now_; }
  const SmpCounters& counters() const { return client_.counters(); }
  /// The M_Keys that agents are given, and who is behind which cable.
  const KeyRing& keys() const { return client_.keys(); }
  /// Cables that another manager saw: who is behind them is known before it is asked.
  void know(const fabric::Fabric& fabric) { client_.know(fabric); }
  /// Fabrics that are discovered from now on have these names in messages.
  void name_nodes(std::shared_ptr<const fabric::NodeNames> names) { node_names_ = std::move(names); }
  const std::shared_ptr<const fabric::NodeNames>& node_names() const { return node_names_; }
  /// Fabrics that are discovered from now on lack the cables that it does not let take part; null: they lack
  /// none.
  void admit(std::shared_ptr<const fabric::CablePolicy> cables) { cable_policy_ = std::move(cables); }
  const std::shared_ptr<const fabric::CablePolicy>& cable_policy() const { return cable_policy_; }
  /// `tap` must outlive the exchange.
  void tap(Tap& tap) { taps_.push_back(&tap); }

  /// What the transport received, or nothing when only time has passed.
  void on_arrival(std::span<const Datagram> arrived, TimePoint now);
  void on_job_done(JobId job);
  void on_not_kept();
  /// Nothing can be sent any more: all runs fail with `error`.
  void on_broken(const Error& error);
  /// The operator wants to stop: machines are told so, those that come later too.
  void on_stop();

  Effects take_effects(TimePoint now);
  /// When on_arrival() is due although nothing arrives; TimePoint::min() if take_effects() is due.
  TimePoint deadline() const;

 private:
  /// Suspends a task until the exchange resumes it.
  struct Waiting {
    std::coroutine_handle<> task{};

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) noexcept { task = waiting; }
    void await_resume() const noexcept {}
  };
  /// A machine, from run() to its end. It lives in the task.
  struct Run : Waiting {
    Run(Exchange& of, Machine& that);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    Exchange& exchange;
    Machine& machine;
    OwnerId owner;
    std::size_t open = 0;  ///< requests without an answer
    bool left = false;     ///< because of a stop
    bool emptying = false;
  };
  struct Work : Waiting {
    Work(Exchange& of, std::function<void()> run);
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    Exchange& exchange;
    JobId id;
    bool done = false;
  };

  Service* service_of(const Datagram& datagram) const;
  void ask(Run& run);
  bool deliver();
  bool resume_one();

  SmpClient client_;
  TimePoint now_;
  Responder responder_;
  RequestQuota quota_;
  std::function<void(const RequestsRefused&)> tell_refused_;
  struct Served {
    MadClass mad_class;
    Service* service;
  };
  std::vector<Served> services_;
  std::vector<Tap*> taps_;
  std::vector<Run*> runs_;
  std::vector<Work*> works_;
  Effects effects_;
  std::optional<Error> broken_;
  std::shared_ptr<const fabric::NodeNames> node_names_;
  std::shared_ptr<const fabric::CablePolicy> cable_policy_;
  bool stopping_ = false;
  bool due_ = false;  ///< a task may go on although nothing arrives
  std::uint32_t owners_ = 0, jobs_ = 0;
};

template <std::invocable F>
Task<std::invoke_result_t<const F&>> Exchange::work(const F& job) {
  std::optional<std::invoke_result_t<const F&>> result;
  Work work(*this, [&] { result.emplace(job()); });
  co_await work;
  co_return std::move(*result);
}

}  // namespace rch::hw
