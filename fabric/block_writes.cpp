#include "fabric/block_writes.h"

#include <algorithm>

namespace rch::fabric {

WriteRound one_round(std::span<const LftBlock> blocks, const ForwardingTables& tables) {
  constexpr std::size_t kBlock = ForwardingTables::kBlock;
  WriteRound round;
  round.writes.reserve(blocks.size());
  for (const LftBlock& at : blocks) {
    BlockWrite& write = round.writes.emplace_back(BlockWrite{at, {}});
    std::ranges::copy(tables.row(at.sw).subspan(at.block * kBlock, kBlock), write.entries.begin());
  }
  return round;
}

}  // namespace rch::fabric
