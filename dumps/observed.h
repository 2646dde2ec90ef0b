#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "dumps/adaptive.h"
#include "dumps/link_settings.h"
#include "dumps/multicast.h"
#include "dumps/path_sls.h"
#include "dumps/pkeys.h"
#include "dumps/settings.h"
#include "dumps/sl2vl.h"
#include "dumps/sm_records.h"
#include "dumps/unicast.h"
#include "fabric/lid_records.h"
#include "fabric/routing_tables.h"
#include "isolation/installed_pkeys.h"
#include "verify/given_sls.h"

namespace rch::dumps {

/// One file.
using File = std::variant<UnicastDump, MulticastDump, Sl2VlDump, PathSlDump, PKeyDump, AdaptiveDump,
                          SettingsDump, SmDump, fabric::LidRecords>;

/// Reads a file of any Kind but `other`, which is an error. Returns nothing if there was one.
std::optional<File> read(SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// What files say that switches and hosts hold.
struct Observed {
  /// With the LIDs and LMCs that the files tell, and the VLs in operation where they tell these.
  std::shared_ptr<const fabric::Fabric> fabric;
  /// One step that covers everything, of service level 0. SL2VL maps are empty where they are not known for
  /// every link. P_Keys, VL arbitration and rates are empty.
  fabric::RoutingTables tables;
  std::optional<verify::GivenSls> path_sls;  ///< nothing if no file has any
  std::uint64_t private_tables = 0;          ///< switches with private tables, which are not judged
  /// Switches that route adaptively, of whose groups of ports no file tells: their entries say little.
  std::uint64_t without_groups = 0;
  bool has_groups = false;                         ///< a file has multicast tables
  std::string no_sl2vl;                            ///< why there are no SL2VL maps; empty: there are
  bool knows_sls_to_switches = false;              ///< `path_sls` has some for packets to LIDs of switches
  std::uint64_t pairs_without_sl = 0;              ///< of end ports, where `path_sls` gives others one
  std::optional<isolation::InstalledPKeys> pkeys;  ///< nothing if no file has any
  PortId sm = PortId::none();                      ///< where the subnet manager is; none: not known
  /// It is known of each switch port that an end port hangs on what it checks.
  bool knows_checks = false;
  LinkSettings settings;
  std::string engine;  ///< that the subnet manager routed with; empty: no file tells it
  /// By switch, 0 at the roots, or kNoRank. Empty: no file tells any.
  std::vector<std::uint32_t> ranks;
  static constexpr std::uint32_t kNoRank = 0xFFFFFFFF;
};

/// The files that hold one kind of tables.
template <class T>
std::vector<const T*> all_of_kind(std::span<const File> files) {
  std::vector<const T*> found;
  for (const File& file : files)
    if (const T* one = std::get_if<T>(&file)) found.push_back(one);
  return found;
}

/// Sets what tells for which packets `path_sls`, which is there, has service levels.
void count_pairs_without_sl(Observed& observed);

/// Puts the tables of `files` onto a fabric. Tables, LIDs and GUIDs that contradict each other are errors:
/// then nothing is returned. Every other thing that a proof loses is a warning in `diagnostics`, or in the
/// result.
std::optional<Observed> observe(const fabric::Fabric& fabric, std::span<const File> files,
                                Diagnostics& diagnostics);

}  // namespace rch::dumps
