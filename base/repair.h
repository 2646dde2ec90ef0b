#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace rch {

/// A text after its certain repairs.
struct RepairedText {
  SourceId source;
  std::string text;
  std::vector<const Diagnostic*> repairs;  ///< the findings that are repaired
};

/// Applies the fixes of all diagnostics. Each fix is applied whole or, when one of its edits meets an edit of
/// an earlier diagnostic, not at all. Every byte that no edit covers stays as it is.
std::vector<RepairedText> repair(const Diagnostics& diagnostics, const SourceSet& sources);

}  // namespace rch
