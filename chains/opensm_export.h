#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chains/plan.h"

namespace rch::chains {

/// A part of a plan that OpenSM cannot be told: its engine `file` reads forwarding tables, and nothing else
/// of a routing.
struct Unsaid {
  std::string_view name;  ///< as `--accept` takes it
  std::string what;       ///< a sentence without a full stop
  bool may_be_accepted = false;
};
/// The names of what may be accepted.
std::vector<std::string> acceptable_unsaid();

/// The partitions.conf of an export.
struct ExportedPartitions {
  std::string text;              ///< of the operator; empty: there is no file
  bool is_known = true;          ///< false: a plan file does not tell it
  bool has_port_groups = false;  ///< which OpenSM does not read
};

/// A folder that OpenSM 3.3.23 starts from, but for the forwarding tables.
struct OpenSmExport {
  std::vector<Unsaid> unsaid;
  std::string options;     ///< opensm.conf; it has the M_Key
  std::string lids;        ///< guid2lid
  std::string partitions;  ///< partitions.conf
};

/// `folder`: where OpenSM will find the files, without blanks.
OpenSmExport export_for_opensm(const Plan& plan, const ExportedPartitions& partitions,
                               const std::string& folder);

/// Names of the files in the folder.
inline constexpr std::string_view kExportedTables = "opensm-lfts.dump", kExportedOptions = "opensm.conf",
                                  kExportedPartitions = "partitions.conf", kExportedLids = "guid2lid";

}  // namespace rch::chains
