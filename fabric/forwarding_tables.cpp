#include "fabric/forwarding_tables.h"

#include <cstring>

#include "base/parallel.h"

namespace rch::fabric {

ForwardingTables ForwardingTables::uninitialised(std::size_t switch_count, Lid max_lid) {
  ForwardingTables tables;
  tables.switch_count_ = switch_count;
  tables.max_lid_ = max_lid;
  tables.stride_ = (max_lid.index() / kBlock + 1) * kBlock;
  tables.data_ = std::make_unique_for_overwrite<std::uint8_t[]>(switch_count * tables.stride_);
  return tables;
}

ForwardingTables::ForwardingTables(std::size_t switch_count, Lid max_lid)
    : ForwardingTables(uninitialised(switch_count, max_lid)) {
  parallel_ranges(switch_count, 64, [&](std::size_t begin, std::size_t end) {
    std::memset(data_.get() + begin * stride_, kNoPath, (end - begin) * stride_);
  });
}

ForwardingTables ForwardingTables::clone() const {
  ForwardingTables copy = uninitialised(switch_count_, max_lid_);
  std::memcpy(copy.data_.get(), data_.get(), switch_count_ * stride_);
  return copy;
}

}  // namespace rch::fabric
