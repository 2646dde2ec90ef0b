#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fabric/routing_tables.h"
#include "isolation/installed_pkeys.h"
#include "parsers/assertions/assertions.h"

namespace rch::assertions {

/// The fabric and the tables that assertions are about.
struct Subject {
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;
  const isolation::InstalledPKeys* pkeys = nullptr;  ///< null: not known
  bool knows_steps = true;  ///< false: tables of other programs do not tell who wrote an entry
  std::string engine{};     ///< that routed everything; empty: not known, or several did
  /// By switch, 0 at the roots, or kNoRank where it is not known. Empty: nothing is known of ranks.
  std::vector<std::uint32_t> ranks{};
  static constexpr std::uint32_t kNoRank = 0xFFFFFFFF;
  /// Empty: the tables are proven. Else why not, as a clause.
  std::function<std::string()> why_unproven;
  /// Tables of another plan with their fabric, by the name of its file. Fails if that is no plan. Null: the
  /// service levels of these tables cannot be compared.
  struct Other {
    std::shared_ptr<const fabric::Fabric> fabric;
    std::shared_ptr<const fabric::RoutingTables> tables;
  };
  std::function<Result<Other>(const std::string& file)> read_plan;
};

/// The result of one test.
struct Outcome {
  const parsers::assertions::Test* test;
  std::string failure;  ///< with a witness; empty: the assertion holds
};

/// Judges every test of a file. Points that name nothing are errors in `diagnostics`, in groups that no test
/// names, too, and so are plans that cannot be read. A test with such a point or plan fails, and so does one
/// about what is not known, or about no pair of ports.
std::vector<Outcome> judge(const parsers::assertions::File& file, const Subject& subject,
                           Diagnostics& diagnostics);

/// The ranks that follow from roots: by switch the cables to the nearest of them; Subject::kNoRank where none
/// is in reach. Empty if no switch of the fabric is among `roots`.
std::vector<std::uint32_t> ranks_below(const fabric::Fabric& fabric, std::span<const Guid> roots);

}  // namespace rch::assertions
