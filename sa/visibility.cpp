#include "sa/visibility.h"

#include "sa/partition.h"

namespace rch::sa {

bool may_see(const Snapshot& snapshot, const Requester& requester, PortId port) {
  if (requester.trusted || requester.port == snapshot.local) return true;
  const PortId seen = partition_port(snapshot, port), by = partition_port(snapshot, requester.port);
  return seen == by || common_pkey(snapshot, seen, by).has_value();
}

}  // namespace rch::sa
