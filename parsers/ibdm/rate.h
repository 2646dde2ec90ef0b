#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/diagnostic.h"
#include "fabric/link_rate.h"
#include "parsers/common/token.h"

namespace rch::parsers::ibdm {

/// What an arrow such as `-4x-5G->` says about its link; absent parts are not said.
struct StatedRate {
  std::optional<fabric::LinkWidth> width;
  std::optional<fabric::LinkSpeed> speed;
  Span span;  ///< of the arrow

  bool empty() const { return !width && !speed; }
};

/// What IBDM takes for what an arrow does not say.
inline constexpr fabric::LinkRate kDefaultRate{fabric::LinkWidth::x4, fabric::LinkSpeed::sdr};

/// How a dialect spells the words of an arrow.
struct RateSpelling {
  const Rule* rule;             ///< reported for a word that is none
  bool any_case_width = false;  ///< `4X` is `4x`
};

/// True for a word that names a width or a speed.
bool is_rate_word(std::string_view word);

/// Reads the words between the dashes of an arrow: a width, a speed or a width and a speed. What cannot be
/// read is reported and left unsaid.
StatedRate read_rate(std::span<const Token> words, Span arrow, const RateSpelling& spelling,
                     Diagnostics& diagnostics);

/// The link's rate with defaults filled in.
fabric::LinkRate complete(const StatedRate& stated);

/// `4x-5G`, as an arrow says it.
std::string to_string(const fabric::LinkRate& rate);

}  // namespace rch::parsers::ibdm
