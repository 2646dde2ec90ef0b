#include "engines/ftree/ftree.h"
#include "engines/registry.h"
#include "engines/tree/lists_of.h"

namespace rch::engines {

constexpr std::string_view kFtreeReads[] = {"root_guid_file", "cn_guid_file",     "io_guid_file",
                                            "connect_roots",  "max_reverse_hops", "quasi_ftree_indexing"};

constexpr Descriptor kFtree{
    .name = "ftree",
    .summary = "fat trees: up, then down, every shift of all hosts without a shared cable; no credit loops",
    .also = "fat-tree fattree fat_tree",
    .reads = {kFtreeReads},
    .route = [](const fabric::SubFabric& view, const Inputs& in) {
      return ftree::route(view, {.lists = tree::lists_of(in),
                                 .max_reverse_hops = in.max_reverse_hops,
                                 .connect_roots = in.connect_roots,
                                 .quasi_indexing = in.quasi_ftree_indexing,
                                 .compat = in.ports.compat,
                                 .installed = in.ports.installed});
    }};

constexpr Descriptor kArFtree{.name = "ar_ftree",
                              .summary = "ftree, and adaptive routing by all ports on its shortest paths",
                              .also = "ar-ftree",
                              .reads = {kFtreeReads, kAdaptiveKeys},
                              .groups = GroupRule::up_down,
                              .route = kFtree.route};

}  // namespace rch::engines
