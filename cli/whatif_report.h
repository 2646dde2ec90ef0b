#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/json.h"
#include "cli/output.h"
#include "whatif/study.h"
#include "whatif/summary.h"

namespace rch::cli {

/// So many cases of one kind are listed as text; JSON has all.
inline constexpr std::size_t kWhatifLines = 10;

/// A study with outcomes of some of its cases: what a file of `rch whatif -o` holds.
struct StudyFile {
  whatif::Study study;
  whatif::Shard shard;
  Json findings = Json::array();  ///< about the configuration, as JSON shows them
  std::vector<whatif::Outcome> outcomes;
};

/// The text has a digest of all that it says.
std::string write_study(const StudyFile& file);
/// Fails (usage) on a text that write_study() does not write, or whose outcomes are not those of its shard.
/// `name`: of the file, for messages.
Result<StudyFile> read_study(std::string_view text, const std::string& name);

/// The report of a whole study as JSON.
Json whatif_json(const StudyFile& file, const whatif::Summary& summary);

/// Prints the report of a whole study, the same whatever process judged its cases.
void print_study(Output& output, const StudyFile& file);

}  // namespace rch::cli
