#pragma once

#include "policy/build/files.h"
#include "policy/build/groups/groups.h"
#include "policy/build/options/option_file.h"
#include "policy/model/symbols.h"

namespace rch::policy {

/// What every build function of a dialect works with. Null parts were not given: what needs them is not
/// checked.
struct BuildContext {
  FileReader& files;  ///< holds the texts (files.sources()) and reads those that a text names
  Diagnostics& diagnostics;
  Symbols& symbols;
  const OptionFile* main = nullptr;  ///< the main options file
  GroupTable* groups = nullptr;      ///< null: the port group file was not given, or cannot be read
  EngineMode mode = EngineMode::best;
};

}  // namespace rch::policy
