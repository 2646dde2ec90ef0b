#include "chains/isolation.h"

#include <fmt/format.h>

namespace rch::chains {

Result<void> check_isolation(const std::vector<std::string>& missing, bool accepted,
                             const Observer& observe) {
  if (missing.empty()) return {};
  tell(observe, PartitionsUnenforced{missing, accepted});
  if (accepted) return {};
  return fail(ErrorKind::forbidden, "the fabric cannot keep partitions apart as asked");
}

Result<void> check_partition_change(const isolation::PKeyChange& change, const fabric::Fabric& fabric,
                                    const Observer& observe) {
  if (change.none()) return {};
  if (!change.excess) {
    tell(observe, PartitionsChange{change});
    return {};
  }
  const fabric::Port& port = fabric.port(change.excess->port);
  return fail(
      ErrorKind::forbidden,
      fmt::format("`{}` port {} would hold P_Key 0x{:04x} while P_Keys are written, and not before or after",
                  fabric.node(port.node).name(), port.number, change.excess->key));
}

}  // namespace rch::chains
