#include "engines/ftree/ftree.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "engines/common/distances.h"
#include "engines/ftree/as_opensm.h"
#include "engines/ftree/detour.h"
#include "engines/ftree/reverse_hops.h"
#include "engines/tree/digits.h"
#include "engines/tree/gaps.h"
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

bool reverses(const Options& options) {
  return options.max_reverse_hops > 0 && !options.lists.io_nodes.empty();
}

bool gets_second_look(const fabric::SubFabric& view, const Options& options) {
  return view.end_ports().size() <= options.second_look;
}

bool takes_formula_alone(const fabric::SubFabric& view, const Options& options) {
  return !options.compat && !reverses(options) && !options.connect_roots && !gets_second_look(view, options);
}

/// rch's own rules: a closed formula on every tree.
StepTables route_by_formula(const tree::Tree& tree, std::optional<tree::Grown> before,
                            const Options& options) {
  const tree::Ways ways = tree::find_ways(tree, true);
  const tree::Targets targets = tree::number_targets(tree);
  const tree::EarlierTree earlier(tree, ways, targets, options.installed, std::move(before));
  StepTables tables;
  tables.lfts = tree::route_by_digits(tree, ways, targets, earlier.comparable() ? &earlier : nullptr);
  if (gets_second_look(tree.view(), options))
    tables.lfts = look_again(tree, ways, targets, std::move(tables.lfts));
  if (reverses(options)) {
    add_reverse_routes(tree, ways, options.max_reverse_hops, tables.lfts);
    tables.remarks.push_back(
        fmt::format("I/O nodes are routed with up to {}; such routes may bring credit loops",
                    common::counted(options.max_reverse_hops, "reverse hop")));
  }
  if (options.connect_roots) detour_by_last_leaf(tree, tables.lfts);
  for (std::string& remark : tree::remarks_on_gaps(tree, ways, tables.lfts))
    tables.remarks.push_back(std::move(remark));
  tables.hops = tree::hop_matrix(tree, ways);
  return tables;
}

StepTables route_as_opensm_does(const tree::Tree& tree, const Options& options) {
  StepTables tables;
  tables.lfts = route_as_opensm(tree, options);
  tables.hops = common::distances(tree.view().graph());
  return tables;
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  if (options.compat)
    if (auto failure = find_lmc(view)) return tl::unexpected(std::move(*failure));
  const auto grow = [&](const fabric::SubFabric& of) {
    return tree::Tree::grow(of, options.lists, options.quasi_indexing);
  };
  std::optional<common::Attempt<tree::Tree>> grown;
  std::optional<tree::Grown> before;
  parallel_tasks([&] { grown = grow(view); },
                 [&] {
                   if (takes_formula_alone(view, options))
                     before = tree::grow_earlier(options.installed, true, grow);
                 });
  const common::Attempt<tree::Tree>& tree = *grown;
  if (!tree) return tl::unexpected(tree.error());
  if (options.lists.roots.empty())
    if (auto failure = tree::find_irregularity(*tree)) return tl::unexpected(std::move(*failure));
  StepTables tables = options.compat ? route_as_opensm_does(*tree, options)
                                     : route_by_formula(*tree, std::move(before), options);
  tables.host_order = tree->host_order();
  tables.remarks.insert(tables.remarks.begin(), tree->remarks().begin(), tree->remarks().end());
  return tables;
}

}  // namespace rch::engines::ftree
