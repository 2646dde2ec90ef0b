#include "engines/ftree/ftree.h"

#include <algorithm>
#include <optional>

#include "engines/common/distances.h"
#include "engines/ftree/as_opensm.h"
#include "engines/tree/shape.h"

namespace rch::engines::ftree {
namespace {

std::optional<EngineFailure> find_lmc(const fabric::SubFabric& view) {
  const auto several = std::ranges::count_if(view.end_ports(), [](const auto& end) { return end.lmc > 0; });
  if (several == 0) return std::nullopt;
  return EngineFailure{.rule = "lmc",
                       .message = fmt::format("{} of {} have several LIDs; OpenSM's search routes one",
                                              several, common::counted(view.end_ports().size(), "end port")),
                       .guids = {}};
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  if (options.compat)
    if (auto failure = find_lmc(view)) return tl::unexpected(std::move(*failure));
  const auto tree = tree::Tree::grow(view, options.lists, options.quasi_indexing);
  if (!tree) return tl::unexpected(tree.error());
  if (options.lists.roots.empty())
    if (auto failure = tree::find_irregularity(*tree)) return tl::unexpected(std::move(*failure));
  StepTables tables;
  tables.lfts = route_as_opensm(*tree, options);
  tables.hops = common::distances(view.graph());
  tables.host_order = tree->host_order();
  tables.remarks.assign(tree->remarks().begin(), tree->remarks().end());
  return tables;
}

}  // namespace rch::engines::ftree
