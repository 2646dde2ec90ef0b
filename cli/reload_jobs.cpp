#include "cli/reload_jobs.h"

#include <fmt/format.h>

namespace rch::cli {

std::uint64_t ReloadJobs::add(Json told, bool refused) {
  jobs_.emplace(++last_, Job{.told = std::move(told), .end = refused ? "refused" : ""});
  if (!refused) last_taken_ = last_;
  if (jobs_.size() > kMost) jobs_.erase(jobs_.begin());
  return last_;
}

void ReloadJobs::note_installed(std::uint64_t job) {
  if (const auto found = jobs_.find(job); found != jobs_.end()) found->second.was_installed = true;
}

void ReloadJobs::roll_back(std::uint64_t job) {
  if (const auto found = jobs_.find(job); found != jobs_.end()) found->second.end = "rolled_back";
}

namespace {

/// A cable that is pulled during the commit is no answer to a reload.
constexpr unsigned kPatience = 3;

std::string_view state_of(std::uint64_t job, bool was_installed, std::uint64_t last_taken,
                          const sm::Status& status) {
  if (status.configuration == job) return status.list_ignored ? "degraded" : "installed";
  if (was_installed) return "installed";
  if (last_taken > job || status.configuration > job) return "superseded";
  if (status.state == hw::SmState::standby || status.state == hw::SmState::not_active) return "standby";
  const bool is_retried = status.retries > 0 && status.retries <= kPatience;
  if (status.degraded && status.tried >= job && !is_retried) return "degraded";
  return "pending";
}

}  // namespace

Json ReloadJobs::answer(std::uint64_t job, const sm::Status& status) const {
  const auto found = jobs_.find(job);
  if (found == jobs_.end())
    return {{"error", fmt::format("no reload has the number {}, or it is too long ago", job)}};
  const std::string_view end = found->second.end;
  const std::string_view state =
      end.empty() ? state_of(job, found->second.was_installed, last_taken_, status) : end;
  Json answer{{"job", job}, {"state", state}};
  if (state == "installed") answer["in_effect"] = status.configuration == job;
  if (state == "degraded") answer["why"] = *status.degraded;
  for (const auto& [member, value] : *found->second.told.members()) answer[member] = value;
  return answer;
}

}  // namespace rch::cli
