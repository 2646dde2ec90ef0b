#pragma once

#include <span>

#include "policy/build/options/option_file.h"

namespace rch::policy {

/// Options that do nothing because another one is not set, neither in the main file nor in one of the steps'
/// `own` files (docs/diagnostics.md).
void check_prerequisites(const OptionFile& main, std::span<const OptionFile* const> own,
                         Diagnostics& diagnostics);

/// One path given for two keys (docs/diagnostics.md).
void check_shared_paths(const OptionFile& main, std::span<const OptionFile* const> own,
                        const SourceSet& sources, Diagnostics& diagnostics);

/// Files that `rch run` is to write in folders that are not there (docs/diagnostics.md). Says nothing where
/// the options file itself is not on this machine: a recording is replayed anywhere.
void check_output_folders(const OptionFile& main, const SourceSet& sources, Diagnostics& diagnostics);

}  // namespace rch::policy
