#pragma once

// Options drawn at random, for tests that take any.

#include "engines/common/port_selection/port_options.h"
#include "engines/updn/updn.h"
#include "fabric/fabric.h"
#include "fabric/random.h"

namespace rch::test {

/// Draws lines of control files that name parts of a fabric. Keeps references.
class DrawnNames {
 public:
  DrawnNames(fabric::Random& random, const fabric::Fabric& fabric) : random_(random), fabric_(fabric) {}

  std::vector<engines::common::HopWeight> weights();
  /// Some with a port named twice.
  std::vector<engines::common::PortOrder> orders();
  std::vector<engines::common::PortName> ignored();
  /// One of them twice, and one that nobody has.
  std::vector<Guid> order();
  std::vector<engines::Root> roots();
  std::vector<engines::SwitchNumber> ids();
  /// Each option with a chance; `compat` is left alone.
  engines::common::PortOptions port_options();

 private:
  std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + random_.below(high - low + 1); }
  bool one_in(std::uint64_t n) { return random_.below(n) == 0; }
  SwitchId sw() { return SwitchId(static_cast<std::uint32_t>(random_.below(fabric_.switch_count()))); }
  /// A port of a switch that has any.
  engines::common::PortName port();

  fabric::Random& random_;
  const fabric::Fabric& fabric_;
};

}  // namespace rch::test
