#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace rch::policy {

/// What a file is given as.
enum class GivenAs {
  options,   ///< an opensm.conf
  rch_file,  ///< an rch.yaml
  fabric,
  side_file,  ///< a file that the configuration names, or whose dialect is given
  anything,   ///< its content tells
};

/// What a text is that was given for something else, by its first lines.
struct Mistaken {
  std::string what;  ///< completes "this is …"
  std::string hint;
  std::size_t at = 0;   ///< offset of the word that tells
  bool is_text = true;  ///< false: it cannot be quoted
};
/// Nothing when the text may be what it is given as.
std::optional<Mistaken> mistaken(std::string_view text, GivenAs as);

/// Reports such a text. False if there is nothing to report.
bool report_mistaken(const SourceSet& sources, SourceId source, GivenAs as, Diagnostics& diagnostics);

}  // namespace rch::policy
