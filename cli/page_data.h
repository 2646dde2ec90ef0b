#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/diff_side.h"
#include "cli/json.h"
#include "cli/whatif_report.h"
#include "compare/comparison.h"
#include "dumps/link_settings.h"
#include "isolation/installed_pkeys.h"
#include "report/arrays.h"
#include "report/layout.h"
#include "report/path_loads.h"
#include "verify/metrics/metrics.h"
#include "verify/verify.h"

namespace rch::cli {

/// How much is known of the service levels of paths.
enum class PathSlKnowledge : std::uint8_t {
  by_rule,  ///< the steps of the tables give them
  unknown,  ///< of tables that somebody else made
};

/// What `rch report` shows. References stay for as long as a page is made.
struct PageSubject {
  std::string name;  ///< of the file, folder or port
  std::string what;  ///< `Plan`, `Tables of`, `Live fabric`
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;
  const std::vector<chains::StepReport>& steps;  ///< empty: not known
  const std::vector<chains::Plan::Digest>& configuration;
  const verify::Verdict& verdict;
  Output::VerdictWords words{};
  std::vector<dumps::SettingFinding> settings{};  ///< of ports, beside the tables
  std::vector<std::string> not_judged{};          ///< each as a clause
  PathSlKnowledge path_sls = PathSlKnowledge::by_rule;
  const isolation::InstalledPKeys* pkeys = nullptr;  ///< null: no P_Keys are known
  const verify::Metrics* metrics = nullptr;          ///< null: not measured
  const StudyFile* study = nullptr;                  ///< null: there is none
};

/// The differences from another side, as the page shows them.
struct PageChanges {
  Json json;
  std::vector<std::uint32_t> by_switch;  ///< entries that change, by switch after
};
PageChanges page_changes(const Sides& sides, const compare::Comparison& comparison);

/// Returns the data that the scripts of the page read. `changes`: null without a comparison.
Json page_data(const PageSubject& subject, const report::Layout& layout, const report::PathLoads& loads,
               const PageChanges* changes);

/// The arrays that the page draws the fabric from, and those that it follows paths by.
report::Arrays drawing_arrays(const PageSubject& subject, const report::Layout& layout,
                              const report::PathLoads& loads, const PageChanges* changes);
report::Arrays table_arrays(const PageSubject& subject);

/// The cables between switches, each once, by the end with the lower PortId.
std::vector<PortId> drawn_cables(const fabric::Fabric& fabric);
/// Their rates.
struct CableRates {
  std::vector<std::string> names;  ///< each once: `4x HDR`
  std::vector<std::uint8_t> of;    ///< by cable, as drawn_cables() lists them
};
CableRates cable_rates(const fabric::Fabric& fabric);

}  // namespace rch::cli
