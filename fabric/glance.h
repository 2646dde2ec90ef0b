#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fabric/formats.h"

namespace rch::fabric {

/// What a look at a fabric file tells without reading it.
struct Glance {
  Format format = Format::unknown;
  std::optional<std::size_t> switches;
  std::optional<std::size_t> others;  ///< CAs and routers
  std::string date;  ///< day it was written on, as its comments say: `2026-01-31`; empty: unknown
};

Glance glance(std::string_view content);

}  // namespace rch::fabric
