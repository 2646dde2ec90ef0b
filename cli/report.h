#pragma once

#include <filesystem>
#include <string>

#include "chains/events.h"
#include "cli/context.h"
#include "cli/tenants_report.h"

namespace rch::cli {

/// What is printed and written of a run besides its result.
struct ReportOptions {
  std::string dump_dir{};  ///< for OpenSM's dump files; empty: none
  bool dump_path_sls = false;
  std::string previous{};    ///< name of the plan that tables are compared with
  bool metrics = false;      ///< path distribution behind the verdict
  bool show_rounds = false;  ///< of the update plan
  bool tenants = true;       ///< of plans with partitions
  /// partitions.conf that the P_Keys of a plan are compared with; empty: none.
  std::string isolation{};
};

/// Where dump files go (`dump_files_dir`).
std::filesystem::path dump_folder(const policy::Options& options);

/// As timings and metrics call it.
std::string_view name(chains::Phase phase);

/// Renders the events of the core as text and JSON, times phases, and writes dump files.
class Report {
 public:
  Report(Context& context, ReportOptions options);

  /// Keeps a reference to the report.
  chains::Observer observer();

  /// Fails (usage) when a dump file could not be written. Nothing is rendered from there on.
  const Result<void>& dumped() const { return dumped_; }
  /// What became of the tenants of what was proven. Fails where `isolation` cannot be read.
  const Stage<TenantsTold>& tenants() const { return tenants_; }

 private:
  void on(const chains::PhaseFinished& event);
  void on(const chains::FabricSeen& event);
  void on(const chains::PassRepeated& event);
  void on(const chains::LidsAssigned& event);
  void on(const chains::PolicyBound& event);
  void on(const chains::BalanceCompared& event);
  void on(const chains::StepOutcome& event);
  void on(const chains::ChainFinished& event);
  void on(const chains::TablesCompared& event);
  void on(const chains::GroupsRouted& event);
  void on(const chains::TablesFinal& event);
  void on(const chains::Proven& event);
  void on(const chains::FabricDiffers& event);
  void on(const chains::PathSlsNotAccepted& event);
  void on(const chains::SwitchLidsNotAccepted& event);
  void on(const chains::SaferFirstEngines& event);
  void on(const chains::LinksReset& event);
  void on(const chains::LinkRoundBegins& event);
  void on(const chains::UpdateWaits& event);
  void on(const chains::LinksClosed& event);
  void on(const chains::PartitionsUnenforced& event);
  void on(const chains::PartitionsChange& event);
  void on(const chains::RoutedAfresh& event);
  void on(const chains::OptionMapsIdle& event);
  void on(const chains::UpdateNotJudged& event);
  void on(const chains::UpdatePlanned& event);

  void tell_tenants_of(const chains::Proven& event);

  Context& context_;
  ReportOptions options_;
  Result<void> dumped_;
  Stage<TenantsTold> tenants_;
};

/// Prints an update plan.
void print_update(Output& output, const chains::UpdatePlanned& event, bool show_rounds);

/// Measures tables and prints how evenly they distribute paths.
void report_metrics(Context& context, const fabric::Fabric& fabric, const fabric::RoutingTables& tables);

}  // namespace rch::cli
