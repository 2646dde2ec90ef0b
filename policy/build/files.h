#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"

namespace rch::policy {

/// Reads the files a configuration names, each once.
class FileReader {
 public:
  FileReader(SourceSet& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

  /// The first file; fails (usage) when it cannot be read.
  Result<SourceId> start(const std::filesystem::path& path);

  /// From here on a named file that does not exist is a note: the texts were given without their machine.
  void take_absent_files() { absent_is_note_ = true; }
  bool absent_is_note() const { return absent_is_note_; }

  /// From here on what is wrong with a file that only presentation depends on is a warning.
  void spare_presentation() { spares_presentation_ = true; }
  bool spares_presentation() const { return spares_presentation_; }

  /// Nothing, reported at `named`, when the file cannot be read. `is_new` tells the first reading.
  struct File {
    SourceId source;
    bool is_new = true;
  };
  std::optional<File> read(const std::filesystem::path& path, Span named);

  /// The folder of the first file: what it does not name is looked for there.
  std::filesystem::path folder() const;

  SourceSet& sources() { return sources_; }
  /// Everything read, in order.
  const std::vector<SourceId>& order() const { return order_; }

 private:
  SourceSet& sources_;
  Diagnostics& diagnostics_;
  bool absent_is_note_ = false, spares_presentation_ = false;
  std::map<std::filesystem::path, std::optional<SourceId>> known_;
  std::vector<SourceId> order_;
};

}  // namespace rch::policy
