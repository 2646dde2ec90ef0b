#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "record/record.h"

namespace rch::cli {

// The configuration that was confirmed last, while the files hold another one: a restart begins with it.

/// The file of a manager with that guid2lid file: `rch-confirmed` beside it.
std::string confirmed_file(const std::string& lid_file);

/// Keeps the texts of a configuration. Only the user may read them: they hold keys. Fails (usage) when the
/// file cannot be written.
Result<void> keep_confirmed(const std::string& path, const SourceSet& texts);
/// Nothing is kept any more. Fails (usage) when the file cannot be removed.
Result<void> forget_confirmed(const std::string& path);
/// The files that were kept. None: nothing is kept. Fails (usage) when they cannot be read, or are damaged.
Result<std::optional<std::vector<record::FileRead>>> read_confirmed(const std::string& path);

}  // namespace rch::cli
