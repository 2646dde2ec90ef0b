#include "engines/ftree/connect_roots.h"

namespace rch::engines::ftree {

void connect_roots(const tree::Tree& tree, fabric::ForwardingTables& lfts) {
  const fabric::SubFabric& view = tree.view();
  const SwitchId leaf = tree.leaves().back();
  const Lid leaf_lid = view.switch_lid(leaf);
  if (leaf_lid == kUnassignedLid) return;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    if (tree.rank(SwitchId(s)) >= tree.leaf_rank()) continue;
    const std::span<std::uint8_t> row = lfts.row(SwitchId(s));
    for (std::uint32_t d = 0; d < view.switch_count(); ++d) {
      const Lid lid = view.switch_lid(SwitchId(d));
      if (lid != kUnassignedLid && row[lid.index()] == kNoPath && lfts.at(leaf, lid) != kNoPath)
        row[lid.index()] = row[leaf_lid.index()];
    }
  }
}

}  // namespace rch::engines::ftree
