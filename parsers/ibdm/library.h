#pragma once

#include <deque>
#include <filesystem>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "parsers/ibdm/system_file.h"

namespace rch::parsers::ibdm {

/// System types by the names of their TOPSYSTEMs, from any number of IBNL files.
class Library {
 public:
  /// Adds one IBNL text. Its types replace those of the same names.
  void add(const SourceSet& sources, SourceId source);

  /// Passes on what was found in the files, types that several define included. Where a broken file is used
  /// its errors are not told again.
  void report(Diagnostics& diagnostics);
  bool reported() const { return reported_; }

  bool empty() const { return files_.empty(); }
  /// Null if no file defines the type. The file may be broken.
  const SystemFile* find(std::string_view type) const;
  std::vector<std::string_view> types() const;

 private:
  std::deque<SystemFile> files_;
  std::unordered_map<std::string_view, const SystemFile*> by_type_;
  Diagnostics findings_;  ///< about more than one file
  bool reported_ = false;
};

/// Where ibutils installs its IBNL files: patterns of directories, with `*` as in a shell. The version and,
/// on some systems, the architecture are part of the path.
inline constexpr std::string_view kInstalledDirectories[] = {
    "/usr/lib/*/ibdm*/ibnl",     "/usr/lib64/ibdm*/ibnl",       "/usr/lib/ibdm*/ibnl",
    "/usr/local/lib/ibdm*/ibnl", "/usr/local/lib64/ibdm*/ibnl",
};

/// The `*.ibnl` files of the installed directories and then of those in the environment variable
/// IBDM_IBNL_PATH (separated by colons, commas or blanks), by name within a directory. Fails (usage) when a
/// directory of the variable cannot be read.
Result<std::vector<std::filesystem::path>> system_files();

/// Adds the system_files() to a library. Fails (usage) when one cannot be read.
Result<void> load_system_files(SourceSet& sources, Library& library);

}  // namespace rch::parsers::ibdm
