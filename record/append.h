#pragma once

#include <string>
#include <type_traits>

namespace rch::record {

/// Adds a number as it stands in memory.
template <class T>
void append(std::string& bytes, T value) {
  static_assert(std::is_arithmetic_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace rch::record
