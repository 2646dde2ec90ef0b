// A fabric whose agents answer nonsense: each four bytes of the input say which answer is bent, at which
// byte, and how. Discovery and reading of tables end, with a fabric or with a reason.

#include <cstddef>
#include <cstdint>
#include <span>

#include "fabric_target.h"
#include "hw/discovery.h"
#include "hw/driver.h"
#include "hw/live_tables.h"
#include "sim/simulated_fabric.h"
#include "support/small_fabrics.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  static const fabric::Fabric fabric = test::build(test::clos(2, 2, 1));
  struct Bend {
    std::uint8_t first, every, at,
        bits;  ///< the answers from `first` on, in steps of `every`; 0: that one only
  };
  const std::span bends(reinterpret_cast<const Bend*>(data), size / sizeof(Bend));
  sim::SimulatedFabric fake(fabric, fabric.end_ports()[0].port);
  std::size_t number = 0;
  fake.bend = [&](const sim::Visit&, hw::SmpData& answer) {
    for (const Bend& bend : bends) {
      const bool hit = number == bend.first ||
                       (bend.every != 0 && number > bend.first && (number - bend.first) % bend.every == 0);
      if (hit) answer[bend.at % answer.size()] ^= bend.bits;
    }
    ++number;
  };
  hw::Driver driver(fake, {.retries = 1});
  const auto live = driver.wait(hw::discover(driver));
  require(live.has_value() || !live.error().message.empty());
  if (!live) return 0;
  use(live->fabric);
  const auto tables = driver.wait(hw::read_live_tables(driver, *live));
  require(tables.has_value() || !tables.error().message.empty());
  return 0;
}
