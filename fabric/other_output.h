#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rch::fabric {

/// A text that rch does not read, by the program that wrote it.
struct OtherOutput {
  std::string_view what;  ///< completes "this is …"
  std::string_view hint;
  std::size_t at = 0;   ///< offset of the word that tells
  bool is_text = true;  ///< false: the hint holds whatever the text is given as
};

/// Recognises what tools of the field print beside fabrics and configurations (`ibhosts`, `iblinkinfo`,
/// `saquery` and others), and what is no text in UTF-8. Looks at the head of the content alone.
std::optional<OtherOutput> other_output(std::string_view content);

}  // namespace rch::fabric
