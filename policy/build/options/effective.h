#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/build/options/option_file.h"

namespace rch::policy {

/// Where the value of an option comes from.
enum class OptionSource : std::uint8_t { initial, main, step };

/// One option and the value that is used.
struct EffectiveOption {
  std::string_view key;
  /// As opensm.conf takes it: `(null)` when unset, paths joined to the folder of their file. Empty when
  /// nobody sets it and NVIDIA SM's default is not published.
  std::string value;
  OptionSource source = OptionSource::initial;
  Span span;  ///< of the key where it is set; none for a default
};

/// Every option in the order of the option table: of the main file, or of a step whose own file is `own`.
/// Options that the file of a step cannot set are those of the main file. A key that is set once per SL has a
/// line for each.
std::vector<EffectiveOption> effective_options(const OptionFile& main, const OptionFile* own,
                                               const SourceSet& sources);

}  // namespace rch::policy
