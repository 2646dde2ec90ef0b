#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "fabric/fabric.h"
#include "hw/smp_client.h"

namespace rch::cli {

/// What a FABRIC argument names: a file, or the fabric behind a local port.
struct Target {
  bool live = false;
  std::string file;  ///< set unless live
  std::string ca;    ///< empty: the first one
  int port = 0;      ///< 0: the first active one
};

/// Fails (usage) on `live:CA:PORT` with a port that is no number.
Result<Target> parse_target(const std::string& text);

/// Reads a fabric file. Nothing (with the reason in `diagnostics`) when the content is wrong; fails (usage) when it
/// cannot be read.
Result<std::optional<fabric::Fabric>> read_file_target(const Target& target, SourceSet& sources,
                                                       Diagnostics& diagnostics);

}  // namespace rch::cli
