#include "verify/transition/block_writer.h"

namespace rch::verify {

BlockWriter::BlockWriter(const Change& change)
    : change_(change), now_(change.blocks.size() * kBlock), sent_(change.blocks.size()) {
  for (std::size_t b = 0; b < change.blocks.size(); ++b) {
    std::ranges::copy(block_of(change.installed, change.blocks[b]), now_at(b).begin());
    if (!numbers_.empty() && numbers_.back() == change.blocks[b].block) continue;
    numbers_.push_back(change.blocks[b].block);
    first_.push_back(b);
  }
  first_.push_back(change.blocks.size());
}

}  // namespace rch::verify
