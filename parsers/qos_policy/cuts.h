#pragma once

#include <optional>
#include <string_view>

#include "parsers/common/token.h"
#include "parsers/qos_policy/sections.h"

namespace rch::parsers::qos_policy {

/// Bytes [begin, end) of a token on one line.
Token part(const Token& token, std::size_t begin, std::size_t end);
/// Without its first `skip` bytes and the blanks behind them.
Token rest_of(const Token& token, std::size_t skip);
/// Up to a blank or colon.
Token first_word(const Token& content);

/// `key : value`; an absent value stands behind the line.
struct Qualifier {
  Token key, value;
};
/// Nothing if the line has another form.
std::optional<Qualifier> split_qualifier(const Token& content);

/// Index of the key in SectionSpec::keys, case ignored.
std::optional<std::size_t> find_key(SectionId id, std::string_view word);

/// Where a value ends: at the end of the line, or where OpenSM finds a further definition on it. That is an
/// end keyword or, outside of free text, the `key:` of any paragraph.
std::size_t end_of_value(Form form, std::string_view text);
/// Where a line of qos-ulps ends, which may be read from its colon on: behind the SL.
std::size_t end_of_ulp(std::string_view text);

}  // namespace rch::parsers::qos_policy
