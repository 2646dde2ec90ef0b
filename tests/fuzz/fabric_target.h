#pragma once

#include <cstdlib>

#include "fabric/formats.h"
#include "fabric/lids.h"

namespace rch {

inline void require(bool condition) {
  if (!condition) std::abort();
}

/// What a reader of fabrics returned can be written, read back and planned for.
inline void use(const fabric::Fabric& fabric) {
  const auto copy = fabric::read_snapshot(fabric::write_snapshot(fabric));
  require(copy.has_value() && copy->fingerprint() == fabric.fingerprint());
  (void)fabric::plan_lids(fabric, {.lmc = 2});
}

}  // namespace rch
