#pragma once

#include <cctype>
#include <string>

namespace rch::test {

/// The text as gtest takes it for the name of a parameter: letters, digits and underscores.
inline std::string test_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

}  // namespace rch::test
