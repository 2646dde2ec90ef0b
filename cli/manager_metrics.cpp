#include "cli/manager_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "cli/run_log.h"

namespace rch::cli {
namespace {

using enum MetricType;

/// Writes the samples of one family.
using Samples = void (*)(const ManagerMetrics&, Exposition&);

struct Row {
  MetricFamily family;
  Samples samples;
};

/// A family with one sample and no label.
template <auto get>
void one(const ManagerMetrics& metrics, Exposition& page) {
  page.sample(static_cast<double>(get(metrics)));
}

void build(const ManagerMetrics&, Exposition& page) { page.sample(1, {{"version", RCH_VERSION}}); }

void state(const ManagerMetrics& metrics, Exposition& page) {
  using enum hw::SmState;
  for (const hw::SmState each : {not_active, discovering, standby, master})
    page.sample(each == metrics.status.state ? 1 : 0, {{"state", state_name(each)}});
}

void accepted_findings(const ManagerMetrics& metrics, Exposition& page) {
  for (const std::string& finding : metrics.status.accepted) page.sample(1, {{"finding", finding}});
}

void sweeps(const ManagerMetrics& metrics, Exposition& page) {
  const sm::ManagerCounters& counters = metrics.manager;
  page.sample(static_cast<double>(counters.whole_sweeps), {{"kind", "whole"}});
  page.sample(static_cast<double>(counters.partial_sweeps), {{"kind", "partial"}});
  page.sample(static_cast<double>(counters.light_sweeps), {{"kind", "light"}});
}

void unhealthy(const ManagerMetrics& metrics, Exposition& page) {
  for (const auto& [what, count] : metrics.unhealthy)
    page.sample(static_cast<double>(count), {{"condition", what.first}, {"action", what.second}});
}

void phases(const ManagerMetrics& metrics, Exposition& page) {
  for (const auto& [phase, duration] : metrics.phases) {
    page.sample(duration.seconds, {{"phase", phase}}, "_sum");
    page.sample(static_cast<double>(duration.count), {{"phase", phase}}, "_count");
  }
}

void traps(const ManagerMetrics& metrics, Exposition& page) {
  for (const auto& [number, count] : metrics.manager.traps)
    page.sample(static_cast<double>(count), {{"number", number == 0 ? "other" : std::to_string(number)}});
}

void sa_requests(const ManagerMetrics& metrics, Exposition& page) {
  for (const auto& [of, count] : metrics.sa.by_attribute)
    page.sample(static_cast<double>(count),
                {{"attribute", sa::name_of(of.first)}, {"status", sa::name_of(of.second)}});
}

void sa_dropped(const ManagerMetrics& metrics, Exposition& page) {
  const sa::ServerCounters& counters = metrics.sa;
  const std::pair<std::string_view, std::uint64_t> reasons[] = {
      {"distrusted", counters.distrusted}, {"malformed", counters.malformed},
      {"repeated", counters.repeated},     {"spoofed", counters.spoofed},
      {"throttled", counters.throttled},   {"unknown_source", counters.unknown},
      {"wrong_key", counters.wrong_key}};
  for (const auto& [reason, count] : reasons) page.sample(static_cast<double>(count), {{"reason", reason}});
}

void sa_transfers(const ManagerMetrics& metrics, Exposition& page) {
  const sa::RmppCounters& counters = metrics.transfers;
  const std::pair<std::string_view, std::uint64_t> results[] = {
      {"finished", counters.finished_out + counters.finished_in},
      {"failed", counters.failed_out + counters.failed_in},
      {"refused", counters.refused}};
  for (const auto& [result, count] : results) page.sample(static_cast<double>(count), {{"result", result}});
}

void sa_reports(const ManagerMetrics& metrics, Exposition& page) {
  const std::pair<std::string_view, std::uint64_t> results[] = {{"acknowledged", metrics.reports.reported},
                                                                {"unanswered", metrics.reports.unanswered},
                                                                {"dropped", metrics.reports.dropped}};
  for (const auto& [result, count] : results) page.sample(static_cast<double>(count), {{"result", result}});
}

void events(const ManagerMetrics& metrics, Exposition& page) {
  for (const auto& [code, count] : metrics.events) page.sample(static_cast<double>(count), {{"code", code}});
}

double resident_bytes(const ManagerMetrics&) {
  long pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
  std::fclose(file);
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double cpu_seconds(const ManagerMetrics&) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

#define RCH_VALUE(expression) one<[](const ManagerMetrics& m) { return expression; }>
constexpr Row kRows[] = {
    {{"rch_build_info", gauge, "1, with the version as a label."}, build},
    {{"rch_sm_state", gauge, "1 for the state of the subnet manager, 0 for the others."}, state},
    {{"rch_tables_proven", gauge,
      "1 if the switches hold a plan that was proven on the fabric as last seen."},
     RCH_VALUE(m.status.proven)},
    {{"rch_tables_accepted", gauge,
      "1 for each finding of the installed tables that the operator accepted: they are not proven."},
     accepted_findings},
    {{"rch_update_drained_lids", gauge,
      "LIDs that the update which is being written leaves without a path between two of its rounds, or that "
      "an "
      "update which was broken off has left so."},
     RCH_VALUE(m.status.update ? m.status.update->drained_lids : 0)},
    {{"rch_pairs_without_path", gauge,
      "Pairs of hosts without a path: that a repair restores, or has left, or while an update drains LIDs."},
     RCH_VALUE(m.status.pairs_without_path)},
    {{"rch_pairs_without_path_seconds_total", counter,
      "These pairs, times the seconds until they have a path: from the beginning of the sweep that found "
      "them, "
      "or of the update that drains."},
     RCH_VALUE(m.manager.pair_seconds)},
    {{"rch_heals_total", counter, "Repairs that were installed before the chain planned."},
     RCH_VALUE(m.manager.heals)},
    {{"rch_last_heal_seconds", gauge, "From the beginning of the sweep to the end of the last repair."},
     RCH_VALUE(std::chrono::duration<double>(m.manager.last_heal).count())},
    {{"rch_degraded", gauge, "1 if the fabric was left as it is."}, RCH_VALUE(m.status.degraded.has_value())},
    {{"rch_configuration_confirmed", gauge, "0 if the configuration or the files wait to be confirmed."},
     RCH_VALUE(m.is_confirmed)},
    {{"rch_plans_installed_total", counter, "Plans that were installed."}, RCH_VALUE(m.status.generation)},
    {{"rch_switches", gauge, "Switches that the last sweep saw."}, RCH_VALUE(m.status.switches)},
    {{"rch_end_ports", gauge, "End ports that the last sweep saw."}, RCH_VALUE(m.status.end_ports)},
    {{"rch_quarantined_parts", gauge, "Parts of the fabric that are left out."},
     RCH_VALUE(m.status.quarantined)},
    {{"rch_unhealthy_parts", gauge, "Nodes and ports that fail again and again, by condition and action."},
     unhealthy},
    {{"rch_following", gauge,
      "1 if a standby has the plan, LIDs and registrations of its master, and would take over from it."},
     RCH_VALUE(m.is_following)},
    {{"rch_followers", gauge, "Managers that have those of this master."}, RCH_VALUE(m.followers)},
    {{"rch_followers_other_configuration", gauge,
      "Of them, those that would not take over: their configuration is another one."},
     RCH_VALUE(m.other_followers)},
    {{"rch_sweeps_total", counter, "Sweeps, by what they look at."}, sweeps},
    {{"rch_sweep_failures_total", counter, "Sweeps that left the fabric as it is."},
     RCH_VALUE(m.manager.failures)},
    {{"rch_phase_duration_seconds", summary, "Time of the phases of sweeps, plans and updates."}, phases},
    {{"rch_fabric_writes_total", counter, "Attributes that were written to the fabric by installations."},
     RCH_VALUE(m.writes)},
    {{"rch_smp_requests_total", counter, "Requests by SMP that were answered or given up."},
     RCH_VALUE(m.smps.requests)},
    {{"rch_smp_sent_total", counter, "SMPs that were sent, with those sent again."}, RCH_VALUE(m.smps.sent)},
    {{"rch_smp_resent_total", counter, "SMPs that were sent again."}, RCH_VALUE(m.smps.resent)},
    {{"rch_smp_lost_total", counter, "Requests by SMP that were given up."}, RCH_VALUE(m.smps.lost)},
    {{"rch_smp_unmatched_total", counter, "Answers that came late, twice, or to no request."},
     RCH_VALUE(m.smps.unmatched)},
    {{"rch_traps_total", counter, "Traps that were received, by number."}, traps},
    {{"rch_fabric_requests_refused_total", counter, "Requests of the fabric beyond the limits."},
     RCH_VALUE(m.manager.refused_requests)},
    {{"rch_sa_requests_total", counter, "Requests that subnet administration answered."}, sa_requests},
    {{"rch_sa_requests_dropped_total", counter, "Requests that subnet administration did not answer."},
     sa_dropped},
    {{"rch_sa_transfers_total", counter, "RMPP transfers of subnet administration that ended."},
     sa_transfers},
    {{"rch_sa_reports_total", counter, "Reports to subscribers."}, sa_reports},
    {{"rch_sa_multicast_groups", gauge, "Multicast groups."}, RCH_VALUE(m.multicast_groups)},
    {{"rch_sa_services", gauge, "Services that hosts registered."}, RCH_VALUE(m.services)},
    {{"rch_sa_subscriptions", gauge, "Subscriptions of hosts."}, RCH_VALUE(m.subscriptions)},
    {{"rch_journal_writes_total", counter, "Writes of registrations to the disk."},
     RCH_VALUE(m.journal_writes)},
    {{"rch_journal_written_bytes_total", counter, "Bytes of them."}, RCH_VALUE(m.journal_bytes)},
    {{"rch_journal_failures_total", counter, "Writes of registrations that failed."},
     RCH_VALUE(m.journal_failures)},
    {{"rch_perfmgr_sweeps_total", counter, "Sweeps of the performance manager that are over."},
     RCH_VALUE(m.performance.sweeps)},
    {{"rch_perfmgr_sweep_duration_seconds", gauge, "Time of the last one."},
     RCH_VALUE(static_cast<double>(m.performance.last_sweep.count()) / 1000)},
    {{"rch_perfmgr_agents", gauge, "Agents that the performance manager asks for counters."},
     RCH_VALUE(m.performance.agents)},
    {{"rch_perfmgr_agents_unreachable", gauge, "Agents to or from which the tables have no path."},
     RCH_VALUE(m.performance.unreachable)},
    {{"rch_perfmgr_agents_silent", gauge, "Agents that did not answer in the last sweep."},
     RCH_VALUE(m.performance.silent)},
    {{"rch_perfmgr_requests_total", counter, "Requests for counters that were answered or given up."},
     RCH_VALUE(m.performance.requests)},
    {{"rch_perfmgr_resent_total", counter, "Requests for counters that were sent again."},
     RCH_VALUE(m.performance.resent)},
    {{"rch_perfmgr_unanswered_total", counter, "Requests for counters that were given up."},
     RCH_VALUE(m.performance.unanswered)},
    {{"rch_perfmgr_refused_total", counter, "Requests for counters that agents refused."},
     RCH_VALUE(m.performance.refused)},
    {{"rch_perfmgr_redirections_total", counter, "Redirections that were followed."},
     RCH_VALUE(m.performance.redirected)},
    {{"rch_perfmgr_unmatched_total", counter, "Answers that came late, twice, or to no request."},
     RCH_VALUE(m.performance.unmatched)},
    {{"rch_perfmgr_counters_cleared_total", counter, "Counters that were cleared near their maximum."},
     RCH_VALUE(m.performance.cleared)},
    {{"rch_perfmgr_counters_reset_total", counter, "Counters that somebody else cleared."},
     RCH_VALUE(m.performance.resets)},
    {{"rch_perfmgr_counters_saturated_total", counter,
      "Counters that reached their maximum: the totals lack what came after."},
     RCH_VALUE(m.performance.saturated)},
    {{"rch_log_events_total", counter, "Events of the log, by code."}, events},
    {{"process_cpu_seconds_total", counter, "Processor time of the process."}, one<cpu_seconds>},
    {{"process_resident_memory_bytes", gauge, "Resident memory of the process."}, one<resident_bytes>},
};
#undef RCH_VALUE

}  // namespace

std::span<const MetricFamily> metric_families() {
  static const std::vector<MetricFamily> families = [] {
    std::vector<MetricFamily> all;
    for (const Row& row : kRows) all.push_back(row.family);
    all.insert(all.end(), port_families().begin(), port_families().end());
    return all;
  }();
  return families;
}

std::string metrics_page(const ManagerMetrics& metrics) {
  Exposition page;
  for (const Row& row : kRows) {
    page.family(row.family);
    row.samples(metrics, page);
  }
  return page.take();
}

}  // namespace rch::cli
