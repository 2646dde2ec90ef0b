#include "fabric/block_writes.h"

#include <algorithm>

namespace rch::fabric {

Batch one_batch(std::span<const LftBlock> blocks, const ForwardingTables& tables) {
  constexpr std::size_t kBlock = ForwardingTables::kBlock;
  Batch batch;
  batch.writes.reserve(blocks.size());
  for (const LftBlock& at : blocks) {
    BlockWrite& write = batch.writes.emplace_back(BlockWrite{at, {}});
    std::ranges::copy(tables.row(at.sw).subspan(at.block * kBlock, kBlock), write.entries.begin());
  }
  return batch;
}

}  // namespace rch::fabric
