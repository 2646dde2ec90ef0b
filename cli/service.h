#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/activity_report.h"
#include "cli/confirmation.h"
#include "cli/generations.h"
#include "cli/json.h"
#include "cli/loaded.h"
#include "cli/manager_metrics.h"
#include "cli/reload_jobs.h"
#include "cli/report.h"
#include "cli/request.h"
#include "cli/run_log.h"
#include "sm/manager.h"

namespace rch::cli {

/// The subnet manager of `rch run` and `rch replay`: what it prints, and what operators ask of it. It reads
/// and writes no file.
class Service {
 public:
  /// The jobs that keep an installed plan, its LIDs and its cables; none: they are not kept.
  struct Storage {
    std::function<Result<void>(const chains::Plan&)> plan;
    std::function<Result<void>(const fabric::LidRecords&)> lids;
    sm::KeepCables cables;
  };
  /// `exchange` and `activity` must outlive it.
  Service(hw::Exchange& exchange, const ServiceOptions& options, const Loaded& loaded, RunLog log,
          Storage storage, ActivityReport& activity);

  /// Before run(): the plan that was kept, as read from `path`.
  void start_from(const std::string& path, const Result<std::string>& content);
  /// Before run(): the guid2lid file, as read from `path`. What of it cannot be kept is printed.
  void start_from_lids(const std::string& path, const Result<std::string>& content);
  /// Before run(): what hosts registered, as read from `path`.
  void start_from_registrations(const std::string& path, const Result<std::string>& content);
  hw::Task<Result<void>> run() { return manager_.run(); }
  /// The first line of the log, and the last.
  void log_start(const std::string& version, const std::string& control) const;
  Exit log_end(const Result<void>& ended) const;
  /// Before run(): the configuration is the confirmed one that an earlier process kept in `path`.
  void start_from_confirmed(const std::string& path);
  /// A configuration with errors changes nothing. With `within` the one before comes back after that time
  /// unless it is confirmed; `until` is that time as the log tells it. Returns what `rch reload` shows.
  Json reload(Reading reading, std::optional<std::chrono::seconds> within = {},
              const std::string& until = {});
  /// Takes the configuration that runs for good. Returns what `rch confirm` shows.
  Json confirm();
  /// The confirmed configuration comes back. To be called when the time is over.
  void come_back();
  const Confirmation& confirmation() const { return confirmation_; }
  const Loaded& loaded() const { return loaded_; }
  /// As cut_off.h has it. To be called before reload().
  void judge_lists(Reading& reading, bool accepts_cut_off) const;
  /// How far a reload has come.
  Json reload_status(std::uint64_t job) const;
  /// Returns what `rch sweep` shows.
  Json sweep(const SweepRequest& request);
  /// Returns what is left out of the fabric and what is unhealthy, after the change, or an error.
  Json quarantine(const QuarantineRequest& request);
  /// True if all of the fabric has what the configuration asks for.
  bool holds_all() const;
  /// This manager is master, and its plan is installed.
  bool is_installed() const;
  /// Returns what `rch status` shows.
  Json status() const;

  /// `bytes` of what hosts registered were kept, or could not be.
  void note_kept(const Result<void>& kept, std::size_t bytes);
  /// Ports by partition, as the installed plan has them.
  Json partitions() const;
  /// The plan that is installed; null: none is.
  const chains::Plan* plan() const { return manager_.installed() ? &*manager_.installed() : nullptr; }
  /// The plan that is installed, or that the followed master has installed; null: none is known.
  const chains::Plan* known_plan() const { return manager_.known_plan(); }
  /// Why the plan may lack a node that exists; empty: nothing is left out.
  std::string absence() const;
  /// Standbys that would not take over from us any more if we had this configuration.
  std::size_t left_behind_by(const Loaded& loaded) const;
  /// What the plan that was installed last does not tell of itself. For the job that keeps it, which ends
  /// before the next one is installed.
  GenerationNote generation_note() const { return installation_; }
  /// Returns what `/metrics` shows.
  ManagerMetrics metrics() const;
  const RunLog& log() const { return log_; }
  /// What the last installation did without.
  const std::vector<fabric::Quarantined>& installed_without() const { return installed_without_; }
  /// The manager as it is, for requests that take some time.
  hw::SmState manager_state() const { return manager_.status().state; }
  const hw::LiveFabric* seen() const { return manager_.seen(); }
  const sm::Health& health() const { return manager_.health(); }
  std::uint64_t generation() const { return manager_.status().generation; }
  /// Sweeps that left the fabric as it is, and why the last one did.
  std::uint64_t failures() const { return manager_.counters().failures; }
  std::string degraded() const { return manager_.status().degraded.value_or(""); }
  /// Returns what `rch show running` prints.
  Json running() const { return to_json(loaded_.running); }

 private:
  sm::ManagerSettings settings(Storage storage) const;
  static sm::StandbyOptions standby_options(const Loaded& loaded);
  sm::Replanner replanner();
  void on(const sm::ManagerEvent& event);
  void on(const chains::Event& event);
  void note_left_out(const chains::FabricSeen& seen);
  /// The GUID of a node or port that an operator names: as a GUID, by its description, or by its LID.
  Result<Guid> guid_named(const std::string& name) const;
  Json parts() const;
  /// Another subnet manager is master, so what this one saw of the fabric is outdated.
  bool leaves_to_master() const;
  std::uint64_t take(Loaded loaded, Json told);
  void start_from_plan(chains::Plan plan);

  hw::Exchange& exchange_;
  Loaded loaded_;
  RunLog log_;
  const ServiceOptions options_;
  ActivityReport& activity_;
  ReloadJobs reloads_;
  Confirmation confirmation_;
  bool not_kept_ = false;  ///< what hosts registered; told
  std::uint64_t writes_ = 0, journal_writes_ = 0, journal_bytes_ = 0, journal_failures_ = 0;
  mutable std::mutex phases_mutex_;  ///< phases end in the threads of jobs
  std::map<std::string_view, Duration> phases_;
  std::vector<fabric::Quarantined> left_out_;  ///< as it was told last
  std::vector<fabric::Quarantined> installed_without_;
  std::string own_cable_, absent_;  ///< likewise
  std::string sweep_reason_;        ///< of the last sweep
  bool tells_tenants_ = true;       ///< no plan of this configuration has been installed yet
  GenerationNote installation_;     ///< of the plan that was installed last
  std::string cut_off_;  ///< of the plan before, by the lists of cables and switches; empty: nothing
  // The output of one sweep.
  std::unique_ptr<Context> context_;
  std::unique_ptr<Report> report_;
  sm::Manager manager_;
};

}  // namespace rch::cli
