#pragma once

#include <string_view>

namespace rch::parsers {

/// True for a word that is no number and was meant as a GUID: `x0002c903…`, `Ox0002c903…`. At most two of at
/// least twelve characters are no hexadecimal digits, and half are decimal ones.
bool resembles_guid(std::string_view word);

}  // namespace rch::parsers
