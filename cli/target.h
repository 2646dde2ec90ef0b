#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "fabric/fabric.h"
#include "hw/umad_transport.h"

namespace rch::cli {

/// What a FABRIC argument names: the fabric behind a local port, or (nothing) a file.
/// A file that is called `live` is reached as `./live`.
Result<std::optional<hw::PortName>> live_port(const std::string& target);

/// Reads a fabric file in any form, or of a folder the file that says most; an IBDM topology file with the
/// IBNL files of the installed directories and of IBDM_IBNL_PATH. Nothing (with the reason in `diagnostics`)
/// when the content is wrong; fails (usage) when it cannot be read.
Result<std::optional<fabric::Fabric>> read_fabric_file(const std::string& file, SourceSet& sources,
                                                       Diagnostics& diagnostics);

}  // namespace rch::cli
