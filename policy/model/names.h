#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"
#include "base/source.h"

namespace rch::policy {

/// A name and the place of its definition.
struct Name {
  std::string text;
  Span span;
};

/// Index into Policy::groups.
using GroupId = Id<struct GroupTag, std::uint32_t>;

}  // namespace rch::policy
