#include "isolation/change.h"

#include "isolation/port_classes.h"

namespace rch::isolation {
namespace {

/// The first P_Key of `table` by which it lets more pass than `limit`.
std::optional<std::uint16_t> beyond(std::span<const std::uint16_t> table,
                                    std::span<const std::uint16_t> limit) {
  for (const std::uint16_t key : table) {
    const Membership own = (key & kFullMember) != 0 ? Membership::full : Membership::limited;
    if (own > membership_in(limit, partition_of(key))) return key;
  }
  return std::nullopt;
}

}  // namespace

PKeyChange judge_change(const InstalledPKeys& before, const InstalledPKeys& between,
                        const InstalledPKeys& after) {
  PKeyChange change;
  for (std::uint32_t p = 0; p < between.ports(); ++p) {
    const PortId port(p);
    if (!between.knows(port)) continue;
    const auto installed = between.of(port);
    if (beyond(before.of(port), installed)) ++change.losing;
    if (beyond(after.of(port), installed)) ++change.gaining;
    for (const auto limit : {before.of(port), after.of(port)})
      if (const auto key = beyond(installed, limit); key && !change.excess) change.excess = {port, *key};
  }
  return change;
}

}  // namespace rch::isolation
