#include "engines/ftree/ftree.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "engines/common/distances.h"
#include "engines/ftree/connect_roots.h"
#include "engines/ftree/reverse_hops.h"
#include "engines/minhop/minhop.h"
#include "engines/opensm_compat/ftree.h"
#include "engines/tree/dmodk.h"
#include "engines/tree/regularity.h"
#include "engines/tree/unranked.h"
#include "engines/tree/unrouted_pairs.h"

namespace rch::engines::ftree {
namespace {

std::optional<EngineFailure> find_lmc(const fabric::SubFabric& view) {
  const auto several = std::ranges::count_if(view.end_ports(), [](const auto& end) { return end.lmc > 0; });
  if (several == 0) return std::nullopt;
  return EngineFailure{.rule = "lmc",
                       .message = fmt::format("{} of {} have several LIDs; OpenSM's search routes one",
                                              several, counted(view.end_ports().size(), "end port")),
                       .guids = {}};
}

bool has_reverse_hops(const Options& options) {
  return options.max_reverse_hops > 0 && !options.lists.io_nodes.empty();
}

bool has_repair_pass(const fabric::SubFabric& view, const Options& options) {
  return view.end_ports().size() <= options.max_repaired_end_ports;
}

bool is_dmodk_alone(const fabric::SubFabric& view, const Options& options) {
  return !options.compat && !has_reverse_hops(options) && !options.connect_roots &&
         !has_repair_pass(view, options);
}

StepTables route_dmodk(const tree::DmodkInput& input, const std::optional<tree::DmodkInput>& before,
                       const Options& options) {
  const tree::InstalledTree installed(input, options.installed, before);
  StepTables tables;
  tables.lfts = tree::route_dmodk(input, installed.comparable() ? &installed : nullptr);
  if (has_repair_pass(input.tree.view(), options))
    tables.lfts = repair(input, std::move(tables.lfts), options.installed);
  if (has_reverse_hops(options)) {
    add_reverse_routes(input.tree, input.hops, options.max_reverse_hops, tables.lfts);
    tables.remarks.push_back(
        fmt::format("I/O nodes are routed with up to {}; such routes may bring credit loops",
                    counted(options.max_reverse_hops, "reverse hop")));
  }
  if (options.connect_roots) connect_roots(input.tree, tables.lfts);
  tree::deliver_on_unranked(input.tree, tables.lfts);
  for (std::string& remark : tree::remarks_on_unrouted_pairs(input.tree, input.hops, tables.lfts))
    tables.remarks.push_back(std::move(remark));
  tables.hops = tree::hop_matrix(input.tree, input.hops);
  return tables;
}

/// By rank, and within a rank in tuple order.
std::vector<SwitchId> order_from_the_roots(const tree::Tree& tree) {
  std::vector<SwitchId> order(tree.order().begin(), tree.order().end());
  std::ranges::stable_sort(order, {}, [&](SwitchId sw) { return tree.rank(sw); });
  return order;
}

StepTables route_as_opensm(const tree::Tree& tree, const Options& options) {
  StepTables tables;
  tables.lfts = opensm_compat::route_ftree(tree, options.max_reverse_hops);
  if (options.connect_roots) connect_roots(tree, tables.lfts);
  tables.hops = common::distances(tree.view().graph());
  return tables;
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  if (auto direct = minhop::route_unlinked(view)) return std::move(*direct);
  if (options.compat)
    if (auto failure = find_lmc(view)) return tl::unexpected(std::move(*failure));
  const auto build = [&](const fabric::SubFabric& of) {
    tree::Lists lists = options.lists;
    lists.as_opensm = options.compat;
    return tree::Tree::build(of, lists, options.quasi_indexing);
  };
  std::optional<common::Attempt<tree::Tree>> built;
  std::optional<tree::DmodkInput> before;
  parallel_tasks([&] { built = build(view); },
                 [&] {
                   if (is_dmodk_alone(view, options))
                     before = tree::installed_input(options.installed, true, build);
                 });
  if (!*built) return tl::unexpected(std::move(built->error()));
  tree::Tree& tree = **built;
  if (options.lists.roots.empty())
    if (auto failure = tree::check_regularity(tree)) return tl::unexpected(std::move(*failure));
  std::vector<std::string> remarks(tree.remarks().begin(), tree.remarks().end());
  std::vector<PortId> host_order = tree.host_order();
  std::vector<SwitchId> up_order = order_from_the_roots(tree);
  StepTables tables =
      options.compat ? route_as_opensm(tree, options) : route_dmodk({std::move(tree), true}, before, options);
  tables.host_order = std::move(host_order);
  if (!options.compat && !options.connect_roots) tables.up_order = std::move(up_order);
  tables.remarks.insert(tables.remarks.begin(), remarks.begin(), remarks.end());
  return tables;
}

}  // namespace rch::engines::ftree
