#include "hw/exchange.h"

#include <algorithm>

#include "hw/causes.h"

namespace rch::hw {

// Tasks

Exchange::Run::Run(Exchange& of, Machine& that) : exchange(of), machine(that), owner(of.owners_++) {
  exchange.runs_.push_back(this);
  exchange.due_ = true;
}

Exchange::Run::~Run() {
  if (open > 0) exchange.client_.cancel(owner);
  std::erase(exchange.runs_, this);
}

Exchange::Work::Work(Exchange& of, std::function<void()> run) : exchange(of), id(of.jobs_++) {
  exchange.works_.push_back(this);
  exchange.effects_.jobs.push_back({id, std::move(run)});
  exchange.due_ = true;
}

Exchange::Work::~Work() {
  std::erase_if(exchange.effects_.jobs, [this](const Job& job) { return job.id == id; });
  std::erase(exchange.works_, this);
}

Task<Result<void>> Exchange::run(Machine& machine) {
  Run run(*this, machine);
  co_await run;
  if (broken_) co_return tl::unexpected(*broken_);
  if (run.left) co_return fail(causes::kStopped, "stopped before any table was written");
  co_return Result<void>();
}

void Exchange::become_manager(Responder responder) {
  responder_ = std::move(responder);
  effects_.show_sm = true;
  due_ = true;
}

// Events

void Exchange::on_arrival(std::span<const Datagram> arrived, TimePoint now) {
  for (Tap* tap : taps_) tap->on_arrival(arrived, now);
  now_ = now;
  for (const Datagram& datagram : arrived) {
    if (Service* service = service_of(datagram); service != nullptr)
      service->on_datagram(datagram, now);
    else
      client_.on_datagram(datagram, now);
  }
  client_.on_time(now);
  for (const Served& served : services_) served.service->on_time(now);
  const auto refused = quota_.on_time(now);
  if (refused && tell_refused_) tell_refused_(*refused);
  for (Datagram& request : client_.take_incoming())
    if (responder_ && quota_.admits(request) && responder_(request))
      effects_.datagrams.push_back({request, Milliseconds{0}});
}

void Exchange::on_job_done(JobId job) {
  for (Tap* tap : taps_) tap->on_job_done(job);
  const auto work = std::ranges::find(works_, job, &Work::id);
  if (work != works_.end()) (*work)->done = due_ = true;
}

void Exchange::on_broken(const Error& error) {
  for (Tap* tap : taps_) tap->on_broken(error);
  if (!broken_) broken_ = error;
  client_.give_up_all();
  due_ = true;
}

void Exchange::on_stop() {
  if (stopping_) return;
  for (Tap* tap : taps_) tap->on_stop();
  stopping_ = due_ = true;
}

// Effects

void Exchange::on_not_kept() {
  for (const Served& served : services_) served.service->on_not_kept();
}

Effects Exchange::take_effects(TimePoint now) {
  for (Tap* tap : taps_) tap->on_turn(now);
  now_ = now;
  due_ = false;
  do {
    for (Run* run : runs_) ask(*run);
  } while (deliver() || resume_one());
  if (!broken_) {
    const bool withheld = client_.withholds_sets();
    std::ranges::copy(client_.take_to_send(now_), std::back_inserter(effects_.datagrams));
    // Somebody waits for what is withheld, or was refused.
    due_ = due_ || client_.has_completed() || (client_.withholds_sets() && !withheld);
    for (const Served& served : services_) {
      if (Keeping keeping = served.service->take_records(); !keeping.empty())
        effects_.keeping = std::move(keeping);
      served.service->take_datagrams(effects_.datagrams, now_);
    }
  }
  for (Tap* tap : taps_) tap->on_effects(effects_);
  return std::exchange(effects_, {});
}

TimePoint Exchange::deadline() const {
  if (due_) return TimePoint::min();
  TimePoint earliest = client_.deadline();
  for (const Run* run : runs_)
    if (!run->emptying) earliest = std::min(earliest, run->machine.deadline());
  for (const Served& served : services_) earliest = std::min(earliest, served.service->deadline());
  return earliest;
}

Service* Exchange::service_of(const Datagram& datagram) const {
  const auto mad_class = static_cast<MadClass>(get(datagram.mad, mad_header::kClass));
  const auto served = std::ranges::find(services_, mad_class, &Served::mad_class);
  return served == services_.end() ? nullptr : served->service;
}

/// Takes requests of a machine, or cancels them when it is not to go on.
void Exchange::ask(Run& run) {
  if (stopping_ && !run.left && !run.machine.finished()) run.left = run.machine.stop();
  while (!broken_ && !run.left && !run.machine.finished() && client_.has_room()) {
    auto request = run.machine.next_request(now_);
    if (!request) break;
    request->tag.owner = run.owner;
    client_.submit(*request);
    ++run.open;
  }
  if (run.emptying || !(broken_ || run.left || run.machine.finished())) return;
  run.emptying = true;
  client_.cancel(run.owner);
}

/// Brings answers to the machines that asked. True if there were any.
bool Exchange::deliver() {
  const std::vector<SmpCompletion> completed = client_.take_completed();
  for (const SmpCompletion& completion : completed) {
    const auto run = std::ranges::find(runs_, completion.tag.owner, &Run::owner);
    if (run == runs_.end()) continue;
    --(*run)->open;
    if (!(*run)->machine.finished()) (*run)->machine.on_answer(completion.tag, completion.answer);
  }
  return !completed.empty();
}

/// Goes on with a task that has what it waited for. True if there was one.
bool Exchange::resume_one() {
  Waiting* ready = nullptr;
  const auto run =
      std::ranges::find_if(runs_, [](const Run* r) { return r->emptying && r->open == 0 && r->task; });
  const auto work = std::ranges::find_if(works_, [](const Work* w) { return w->done && w->task; });
  if (run != runs_.end())
    ready = *run;
  else if (work != works_.end())
    ready = *work;
  if (ready == nullptr) return false;
  std::exchange(ready->task, {}).resume();
  return true;
}

}  // namespace rch::hw
