#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rch {

/// Best candidate for a mistyped `word`: Damerau-Levenshtein distance at most 2 (1 for words of up to four
/// characters), ignoring case and treating `-`, `_` and blanks as equal. Empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// The one candidate that `word` is a part of, words between `_` kept whole: `ucast_cache` of
/// `use_ucast_cache`. Empty if there is none, or more than one.
std::string_view only_one_with(std::string_view word, std::span<const std::string_view> candidates);

/// C integer with base prefix (`0x` hex, leading `0` octal, else decimal), the whole of `text`.
/// Nothing on garbage, sign or overflow.
std::optional<std::uint64_t> parse_integer(std::string_view text);

/// Hexadecimal digits only, no prefix, the whole of `text`.
std::optional<std::uint64_t> parse_hex(std::string_view text);

/// `1 host`, `3 hosts`, `2 switches`.
std::string counted(std::size_t count, std::string_view noun);

/// Near names are looked for so often in one file: a thousand undefined names want another file.
inline constexpr std::size_t kSuggestions = 100;

/// `text` with every control character but newline and tab as `?`: what comes from files and from nodes must
/// not steer a terminal.
std::string printable(std::string_view text);

/// `text` without its middle when it is longer than anyone reads: messages quote what stands in a file.
std::string elided(std::string text);

std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);

}  // namespace rch
