#pragma once

#include <string>
#include <string_view>

namespace rch::parsers {

/// True for a word that is no number and was meant as a GUID: `x0002c903…`, `Ox0002c903…`. At most two of at
/// least twelve characters are no hexadecimal digits, and half are decimal ones.
bool resembles_guid(std::string_view word);

/// `0x506b4b0300123456` for `50:6b:4b:03:00:12:34:56` or `506b:4b03:0012:3456`, as ibstat and the kernel
/// print it: equal groups of 16 digits between `:`, `-` or `.`, with `0x` or without. Empty for any other
/// word.
std::string guid_of_groups(std::string_view word);

}  // namespace rch::parsers
