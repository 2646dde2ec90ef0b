#include "cli/drains.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/service.h"

namespace rch::cli {
namespace {

/// A plan that is installed while parts are judged makes them to be judged again, so often.
constexpr unsigned kMostTries = 5;

QuarantineRequest request_about(const sm::Part& part, QuarantineRequest::Action action) {
  QuarantineRequest request{.action = action, .node = fmt::format("{}", part.node)};
  if (part.port.value != 0) request.port = part.port.value;
  return request;
}

Json strings(const std::vector<std::string>& texts) {
  auto list = Json::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

/// Lines about a judgement for the operator, beside the objections.
std::vector<std::string> notes_on(const whatif::Outcome& outcome) {
  std::vector<std::string> notes;
  if (outcome.routing == whatif::Routing::otherwise)
    notes.push_back(fmt::format("the rest is routed by {}: {}", outcome.steps, outcome.reason));
  if (outcome.sl_hosts > 0)
    notes.push_back(
        fmt::format("{} to ask for path records again",
                    outcome.sl_hosts == 1 ? "1 host has" : fmt::format("{} hosts have", outcome.sl_hosts)));
  if (outcome.waiting_groups > 0)
    notes.push_back(fmt::format("{} without a tree", counted(outcome.waiting_groups, "multicast group")));
  return notes;
}

}  // namespace

Json Drains::refusal() const {
  const hw::SmState state = service_.manager_state();
  if (state != hw::SmState::master) return refusal_by_state(state);
  if (!service_.is_installed() || service_.plan() == nullptr) return {{"error", "no plan is installed yet"}};
  return {};
}

Json Drains::drain(const DrainRequest& request) {
  if (Json refused = refusal(); !refused.empty()) return refused;
  Job job{.request = request};
  auto parts = drain_parts(*service_.plan()->fabric, request.parts, service_.absence());
  if (!parts) return {{"error", parts.error().message}};
  job.parts = std::move(parts->parts);
  judge(job);
  return begin(std::move(job));
}

Json Drains::undrain(const UndrainRequest& request) {
  if (Json refused = refusal(); !refused.empty()) return refused;
  Job job{.state = State::returning};
  job.request.parts = request.parts;
  for (const std::string& name : request.parts) {
    const auto parts = parts_left_out(*service_.seen()->sweep, service_.health(), name);
    if (!parts) return {{"error", parts.error().message}};
    job.parts.insert(job.parts.end(), parts->begin(), parts->end());
  }
  std::ranges::sort(job.parts);
  job.parts.erase(std::unique(job.parts.begin(), job.parts.end()), job.parts.end());
  job.failures = service_.failures();
  for (const sm::Part& part : job.parts)
    if (const Json told = carry_(request_about(part, QuarantineRequest::Action::release));
        told.find("error") != nullptr)
      return told;
  return begin(std::move(job));
}

Json Drains::begin(Job job) {
  jobs_.emplace(++last_, std::move(job));
  while (jobs_.size() > kMost) {
    const auto ended = std::ranges::find_if(jobs_, [](const auto& entry) {
      const State state = entry.second.state;
      return state != State::judging && state != State::draining && state != State::returning;
    });
    if (ended == jobs_.end()) break;
    jobs_.erase(ended);
  }
  return answer(last_);
}

/// Begins to look at what the fabric loses, on values of its own.
void Drains::judge(Job& job) const {
  const chains::Plan& plan = *service_.plan();
  auto parts = drain_parts(*plan.fabric, job.request.parts, service_.absence());
  if (!parts) {
    job.state = State::refused;
    job.why = parts.error().message;
    return;
  }
  ++job.tries;
  job.parts = std::move(parts->parts);
  job.generation = service_.generation();
  job.judgement = std::async(std::launch::async,
                             [plan, policy = service_.loaded().policy, settings = service_.loaded().settings,
                              failure = std::move(parts->failure)] {
                               const whatif::Judge judge({policy, plan, settings});
                               return whatif::judge_withdrawal(judge, *plan.fabric, failure);
                             });
}

void Drains::turn() {
  for (auto& [number, job] : jobs_) {
    if (job.state == State::judging) take_judgement(job);
    if (job.state == State::draining || job.state == State::returning) follow(job);
  }
}

void Drains::take_judgement(Job& job) {
  if (job.judgement.wait_for(std::chrono::seconds{0}) != std::future_status::ready) return;
  job.found = job.judgement.get();
  if (const Json refused = refusal(); !refused.empty())
    return give_up(job, State::refused, refused.text("error"));
  if (service_.generation() != job.generation) {
    if (job.tries < kMostTries) return judge(job);
    return give_up(job, State::refused, "the fabric keeps changing");
  }
  if (!job.found.objections.empty())
    return give_up(job, State::refused, fmt::format("{}", fmt::join(job.found.objections, "; ")));
  if (job.found.outcome.drained > 0 && !job.request.accepts_interruption)
    return give_up(job, State::refused,
                   fmt::format("{} would be without a path for a packet lifetime or more while tables are "
                               "replaced, which is not accepted (`--accept interruption`)",
                               counted(job.found.outcome.drained, "LID")));
  if (job.request.dry_run)
    job.state = State::would_drain;
  else
    leave_out(job);
}

/// All of the parts, or none.
void Drains::leave_out(Job& job) {
  job.failures = service_.failures();
  job.state = State::draining;
  for (std::size_t i = 0; i < job.parts.size(); ++i) {
    const Json told = carry_(request_about(job.parts[i], QuarantineRequest::Action::isolate));
    if (told.find("error") == nullptr) continue;
    for (std::size_t back = 0; back < i; ++back)
      carry_(request_about(job.parts[back], QuarantineRequest::Action::release));
    return give_up(job, State::refused, told.text("error"));
  }
}

void Drains::give_up(Job& job, State state, std::string why) {
  job.state = state;
  job.why = std::move(why);
}

bool Drains::is_left_out(const sm::Part& part) const {
  return std::ranges::any_of(service_.installed_without(), [&](const fabric::Quarantined& out) {
    return out.node == part.node && (part.port.value == 0 || out.port == part.port);
  });
}

bool Drains::is_spared(const sm::Part& part) const {
  const auto known = service_.health().unhealthy().find(part);
  return known != service_.health().unhealthy().end() && known->second.spared;
}

/// Compares the job with the plan that the manager installed, and ends it when the parts are out, back, or
/// cannot be.
void Drains::follow(Job& job) {
  const auto is_out = [this](const sm::Part& part) { return is_left_out(part); };
  const bool drains = job.state == State::draining;
  if (service_.manager_state() != hw::SmState::master)
    return give_up(job, State::failed, "another subnet manager is master now");
  if (drains && std::ranges::any_of(job.parts, [this](const sm::Part& part) { return is_spared(part); })) {
    for (const sm::Part& part : job.parts) carry_(request_about(part, QuarantineRequest::Action::release));
    return give_up(job, State::refused, "something that answers would be cut off");
  }
  const bool is_done =
      drains ? std::ranges::all_of(job.parts, is_out) : std::ranges::none_of(job.parts, is_out);
  if (is_done) {
    job.state = drains ? State::drained : State::returned;
    return;
  }
  if (service_.failures() == job.failures) return;
  std::string why = "no plan without it was installed: " + service_.degraded();
  if (!drains)
    return give_up(job, State::failed, "no plan with it was installed yet: " + service_.degraded());
  for (const sm::Part& part : job.parts) carry_(request_about(part, QuarantineRequest::Action::release));
  give_up(job, State::failed, why + "; it is in service still");
}

Json Drains::answer(std::uint64_t number) const {
  const auto at = jobs_.find(number);
  if (at == jobs_.end()) return {{"error", fmt::format("no drain has the number {}", number)}};
  const Job& job = at->second;
  constexpr std::pair<State, std::string_view> kNames[] = {
      {State::judging, "judging"},         {State::draining, "draining"},
      {State::returning, "returning"},     {State::refused, "refused"},
      {State::would_drain, "would_drain"}, {State::drained, "drained"},
      {State::returned, "returned"},       {State::failed, "failed"}};
  const std::string_view name =
      std::ranges::find(kNames, job.state, &std::pair<State, std::string_view>::first)->second;
  const bool goes_on =
      job.state == State::judging || job.state == State::draining || job.state == State::returning;
  const whatif::Outcome& outcome = job.found.outcome;
  return {{"job", number},
          {"state", goes_on ? std::string_view("pending") : name},
          {"phase", name},
          {"parts", strings(job.request.parts)},
          {"what", outcome.failure},
          {"why", job.why},
          {"hosts_cut_off", strings(job.found.hosts)},
          {"switches_cut_off", strings(job.found.switches)},
          {"notes", strings(notes_on(outcome))},
          {"rounds", outcome.rounds},
          {"entries", outcome.entries},
          {"lids_without_path", outcome.drained}};
}

}  // namespace rch::cli
