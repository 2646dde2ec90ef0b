#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/exit.h"
#include "dumps/judgement.h"
#include "dumps/observed.h"
#include "hw/umad_transport.h"

namespace rch::cli {

/// What `rch verify` judges when somebody else made the tables.
struct ObservedFlags {
  std::string fabric;               ///< FABRIC; empty: it is in the folder of the tables
  std::vector<std::string> tables;  ///< files, or folders of files; empty: those of a live fabric
  std::vector<std::string> accept;
  bool metrics = false;
  bool ask_path_sls = false;  ///< of the subnet administration of a live fabric
  bool without_qos = false;   ///< dumps::JudgementOptions
  std::string isolation{};    ///< partitions.conf with what ports are to hold; empty: nobody says
  std::string certify{};      ///< file for a certificate; empty: none
  bool strict = false;        ///< what is not judged is a finding
};

/// Where the fabric of some tables comes from.
using FabricReader = std::function<Stage<fabric::Fabric>()>;

/// Reads files, and folders of files, that hold tables. Says which it used; in JSON as the member `member`.
Stage<dumps::Observed> read_tables(Context& context, const std::vector<std::string>& tables,
                                   const FabricReader& fabric_of, const std::string& member = "tables");
/// Reads the tables of a live fabric. `asks_for_sls`: ObservedFlags::ask_path_sls.
Stage<dumps::Observed> read_switches(Context& context, const hw::PortName& port, bool asks_for_sls);
/// Reads the files of `flags`, or the switches. Everything that is wrong has been reported when it fails.
Stage<dumps::Observed> read_observed(Context& context, const ObservedFlags& flags);

/// What `--accept` may name besides kinds of findings of a verdict, where tables are judged.
std::vector<std::string> accepted_of_tables();

/// Judges the tables and the settings of ports beside them; what `flags` accept is marked so.
dumps::Judgement judge_tables(Context& context, const dumps::Observed& observed, const ObservedFlags& flags);

/// Prints the findings about settings of ports, and their JSON.
void tell_settings(Output& output, const dumps::Observed& observed, const dumps::Judgement& judgement);

/// The claim of a verdict about tables that others made.
Output::VerdictWords verdict_words(const dumps::Judgement& judgement);

/// Reads tables, judges them as far as they are known (dumps/judgement.h), and says what was not judged.
Exit judge_observed(Context& context, const ObservedFlags& flags);

}  // namespace rch::cli
