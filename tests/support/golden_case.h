#pragma once

// Reads OpenSM's own files under tests/golden into rch's values, so that tests compare tables entry for
// entry. A case is named as in cases.tsv: "torus2d-6x5/minhop". Everything here throws std::runtime_error
// when a file is missing or malformed: the test stops with that message.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/forwarding_tables.h"
#include "fabric/sl2vl.h"

namespace rch::test {

/// Whole content of a file, or of the same name with `.gz`, unpacked.
std::string text_of(const std::string& path);
/// The same below tests/golden: "cases/torus2d-6x5/minhop/opensm.fdbs".
std::string golden_text(const std::string& relative);

/// "fabric/run" of every line of cases.tsv whose `engine_used` column is `engine`, in file order.
std::vector<std::string> golden_cases(std::string_view engine);

/// net/NAME.net: no LIDs.
fabric::Fabric golden_net(const std::string& name);
/// The fabric that OpenSM saw in a case: opensm-subnet.lst, with LIDs and LMC from guid2lid.
fabric::Fabric golden_fabric(const std::string& case_name);

/// A fabric file of any form, LIDs as in the file.
fabric::Fabric fabric_of(const std::string& path);
/// A fabric from a folder that holds OpenSM's opensm-subnet.lst and guid2lid.
fabric::Fabric opensm_fabric(const std::string& folder);

/// opensm-lfts.dump of a folder; rows by the switches of `fabric`.
fabric::ForwardingTables opensm_lfts(const std::string& folder, const fabric::Fabric& fabric);
/// opensm-lid-matrix.dump: (switch, LID) -> bytes of its row, column 0 the least hops. Absent rows are
/// unknown.
using LidMatrix = std::map<std::pair<SwitchId, Lid>, std::vector<std::uint8_t>>;
LidMatrix opensm_lid_matrix(const std::string& folder, const fabric::Fabric& fabric);

/// One line of opensm-sl2vl.dump; `in` and `out` are 0 for CA and router ports.
struct Sl2VlRow {
  PortId port;  ///< end port whose block the line is in (port 0 of a switch)
  PortNum in;
  PortNum out;
  fabric::Sl2VlMap map;
};
std::vector<Sl2VlRow> opensm_sl2vl(const std::string& folder, const fabric::Fabric& fabric);

/// One line of path-sl.txt.
struct PathSlRow {
  Lid source;
  Lid destination;
  std::uint8_t sl;
};
std::vector<PathSlRow> opensm_path_sls(const std::string& folder);

/// Folder of a golden case.
std::string golden_folder(const std::string& case_name);

/// Empty when equal; else how many entries differ and the first few, with node names.
std::string difference(const fabric::Fabric& fabric, const fabric::ForwardingTables& ours,
                       const fabric::ForwardingTables& theirs);

}  // namespace rch::test
