#pragma once

#include <functional>
#include <map>
#include <string>

#include "cli/context.h"

namespace rch::cli {

/// The certain repairs of a run's findings, on texts in memory.
struct Repairs {
  struct File {
    std::string before, after;
    std::size_t repairs = 0;
  };
  std::map<std::string, File> files;  ///< by name: all that were read
  Json list = Json::array();          ///< the findings that are repaired

  /// Lets a context read these texts in place of the files: what was standard input or a pipe is read once
  /// only.
  void provide(SourceSet& sources) const;
};

/// A repair may uncover another, so this goes on until none is left. `collect` reads the files and collects
/// the findings; false when that ends early.
Repairs find_repairs(Format format, const std::function<bool(Context&)>& collect);

/// Writes the repaired files back. Fails (usage) when one cannot be written, or is no file.
Result<void> write_repairs(const Repairs& repairs);

/// Says which files are repaired, or with `diff` how.
void report_repairs(Output& output, const Repairs& repairs, bool diff);

}  // namespace rch::cli
