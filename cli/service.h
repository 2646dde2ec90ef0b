#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/activity_report.h"
#include "cli/confirmation.h"
#include "cli/context.h"
#include "cli/control_socket.h"
#include "cli/json.h"
#include "cli/manager_metrics.h"
#include "cli/reload_jobs.h"
#include "cli/report.h"
#include "cli/run_log.h"
#include "cli/running_configuration.h"
#include "sm/manager.h"

namespace rch::cli {

// What an operator may ask, as a recording names it.
inline constexpr const char* kSweep = "sweep";
inline constexpr const char* kReload = "reload";
inline constexpr const char* kWatch = "watch";
inline constexpr const char* kRunning = "running";
inline constexpr const char* kReloadStatus = "reload-status";
inline constexpr const char* kRefusedReload = "refused reload";
inline constexpr const char* kConfirm = "confirm";
inline constexpr const char* kComeBack = "come back";
inline constexpr const char* kPartition = "partition";
inline constexpr const char* kPartitions = "partitions";
inline constexpr const char* kQuarantine = "quarantine";
// What of it may be asked; the others are names of sm::HealthAction.
inline constexpr const char* kListParts = "list";
inline constexpr const char* kLeaveOutPart = "add";  ///< with the action of the configuration
inline constexpr const char* kReleasePart = "release";

/// What a manager is started with.
struct ServiceOptions {
  ConfFlags conf{};
  std::string control = kControlSocket;
  std::string plan_file{};  ///< where installed plans are kept
  std::string lid_file{};   ///< guid2lid
  std::vector<std::string> accept{};
  bool strict = false;
  bool adopt = false;  ///< keep what another subnet manager installed, if it is proven
};

/// As text, for a recording.
std::string to_text(const ServiceOptions& options);
/// None: `text` is not what to_text() makes.
std::optional<ServiceOptions> service_options(std::string_view text);

/// A configuration as it was read.
struct Loaded {
  std::shared_ptr<const policy::Policy> policy;
  policy::Settings settings;  ///< with the findings that the command line accepts
  RunningConfiguration running;
  std::shared_ptr<SourceSet> texts;   ///< that findings point into
  std::vector<std::string> spared{};  ///< options whose files are left out until the next reload
};
/// Reads it for a start, and prints what was found. No start fails for a file that only presentation depends
/// on: the fabric would stay without a subnet manager.
Stage<Loaded> load(Context& context, const ServiceOptions& options);
/// The same, and what was found as JSON, an array.
struct Reading {
  Stage<Loaded> loaded;
  Json findings;
  std::string refused{};  ///< why, where it is not for these findings
};
Reading read_again(Context& context, const ServiceOptions& options);
/// What was read is refused after all.
void refuse(Reading& reading, const std::string& why);
/// Tells the operator about a configuration that is taken.
void warn(Reading& reading, const std::string& what);

/// The subnet manager of `rch run` and `rch replay`: what it prints, and what operators ask of it. It reads
/// and writes no file.
class Service {
 public:
  /// What keeps an installed plan and its LIDs. Jobs; none: they are not kept.
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
  /// unless it is confirmed. Returns what `rch reload` shows.
  Json reload(Reading reading, std::optional<std::chrono::seconds> within = {});
  /// What runs is taken for good. Returns what `rch confirm` shows.
  Json confirm();
  /// The confirmed configuration comes back. To be called when the time is over.
  void come_back();
  const Confirmation& confirmation() const { return confirmation_; }
  const Loaded& loaded() const { return loaded_; }
  /// Refuses a configuration whose lists of cables and switches cut off what the installed plan has, unless
  /// that is accepted, and warns of what they name and nobody has. To be called before reload().
  void judge_lists(Reading& reading, bool accepts_cut_off) const;
  /// How far a reload has come.
  Json reload_status(std::uint64_t job) const;
  /// `request`: kSweep, and what is accepted of the next plan, as a recording has it. Fails (usage) as
  /// sm::Manager::sweep does, and when a word is not known.
  Result<void> sweep(std::string_view request);
  /// What is left out of the fabric, and what is unhealthy.
  Json quarantine() const;
  /// `change`: `ACTION GUID PORT`, as a recording has it. Returns quarantine(), or an error.
  Json change_quarantine(std::string_view change);
  /// True if all of the fabric has what the configuration asks for.
  bool holds_all() const;
  /// This manager is master, and its plan is installed.
  bool is_installed() const;
  /// What `rch status` shows.
  Json status() const;

  /// `bytes` of what hosts registered were kept, or could not be.
  void note_kept(const Result<void>& kept, std::size_t bytes);
  /// Ports by partition, as the installed plan has them.
  Json partitions() const;
  /// The plan that is installed; null: none is.
  const chains::Plan* plan() const { return manager_.installed() ? &*manager_.installed() : nullptr; }
  /// The plan that is installed, or that the followed master has installed; null: none is known.
  const chains::Plan* known_plan() const { return manager_.known_plan(); }
  /// Standbys that would not take over from us any more if we had this configuration.
  std::size_t left_behind_by(const Loaded& loaded) const;
  /// The GUID of a node or port that an operator names: as a GUID, by its description, or by its LID.
  Result<Guid> guid_named(const std::string& name) const;
  /// What `/metrics` shows.
  ManagerMetrics metrics() const;
  const RunLog& log() const { return log_; }
  /// What `rch show running` prints.
  Json running() const { return to_json(loaded_.running); }

 private:
  sm::ManagerSettings settings(Storage storage) const;
  static sm::StandbyOptions standby_options(const Loaded& loaded);
  sm::Replanner replanner();
  void on(const sm::ManagerEvent& event);
  void on(const chains::Event& event);
  void note_left_out(const chains::FabricSeen& seen);
  std::vector<Guid> absent_switches(const fabric::CablePolicy& cables) const;
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
  std::string own_cable_, absent_;             ///< likewise
  std::string cut_off_;  ///< of the plan before, by the lists of cables and switches; empty: nothing
  // What one sweep prints.
  std::unique_ptr<Context> context_;
  std::unique_ptr<Report> report_;
  sm::Manager manager_;
};

}  // namespace rch::cli
