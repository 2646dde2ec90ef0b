#include "engines/pqft/pqft.h"

#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "engines/minhop/minhop.h"
#include "engines/pqft/structure_check.h"
#include "engines/tree/dmodk.h"
#include "engines/tree/unranked.h"
#include "engines/tree/unrouted_pairs.h"
#include "fabric/parts.h"

namespace rch::engines::pqft {
namespace {

/// `has_roots`: they are named. Without them, CAs on spines may have misled the ranks.
EngineFailure leaves_apart(const fabric::SubFabric& view, SwitchId from, SwitchId to, bool has_roots) {
  const fabric::Parts parts = fabric::parts(view.graph());
  const std::string a = common::title(view, from), b = common::title(view, to);
  return {.rule = "leaves-apart",
          .message = parts.of[from.index()] != parts.of[to.index()]
                         ? fmt::format("no cable joins the parts of the fabric with {} and {}", a, b)
                         : fmt::format("no up-down path leads from {} to {}{}", a, b,
                                       has_roots ? "" : "; name the roots in `root_guid_file`"),
          .guids = {view.node(from).guid, view.node(to).guid}};
}

/// Fails when no up-down path joins two leaves.
std::optional<EngineFailure> check_leaves_joined(const tree::Tree& tree, const tree::UpDownHops& hops,
                                                 bool has_roots) {
  for (SwitchId from : tree.leaves())
    for (SwitchId to : tree.leaves())
      if (tree.is_leaf(from) && tree.is_leaf(to) && hops.row(from)[tree.column(to)] == HopMatrix::kUnknown)
        return leaves_apart(tree.view(), from, to, has_roots);
  return std::nullopt;
}

std::vector<std::string> remarks_on_siblings(const tree::Tree& tree) {
  std::size_t ends = 0;
  for (SwitchId sw : tree.order())
    for (const fabric::Neighbor& n : tree.sibling_groups(sw)) ends += n.link_count;
  if (ends == 0) return {};
  return {fmt::format("{} between switches of one rank not used", counted(ends / 2, "cable"))};
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  if (auto direct = minhop::route_unlinked(view)) return std::move(*direct);
  const auto build = [&](const fabric::SubFabric& of) { return tree::Tree::build(of, options.lists); };
  const bool has_repair_pass = view.end_ports().size() <= options.max_repaired_end_ports;
  std::optional<common::Attempt<tree::Tree>> built;
  std::optional<tree::DmodkInput> before;
  parallel_tasks([&] { built = build(view); },
                 [&] {
                   if (!has_repair_pass) before = tree::installed_input(options.installed, false, build);
                 });
  if (!*built) return tl::unexpected(std::move(built->error()));
  StepTables tables;
  const auto add_remarks = [&](std::span<const std::string> remarks) {
    tables.remarks.insert(tables.remarks.end(), remarks.begin(), remarks.end());
  };
  add_remarks((*built)->remarks());
  if (options.structure) {
    const auto remarks = check_structure(**built, *options.structure);
    if (!remarks) return tl::unexpected(remarks.error());
    add_remarks(*remarks);
  }
  const tree::DmodkInput input(std::move(**built), false);
  add_remarks(remarks_on_siblings(input.tree));
  if (auto failure = check_leaves_joined(input.tree, input.hops, !options.lists.roots.empty()))
    return tl::unexpected(std::move(*failure));
  const tree::InstalledTree installed(input, options.installed, before);
  tables.lfts = tree::route_dmodk(input, installed.comparable() ? &installed : nullptr);
  if (has_repair_pass) tables.lfts = ftree::repair(input, std::move(tables.lfts), options.installed);
  tree::deliver_on_unranked(input.tree, tables.lfts);
  add_remarks(tree::remarks_on_unrouted_pairs(input.tree, input.hops, tables.lfts));
  tables.hops = tree::hop_matrix(input.tree, input.hops);
  tables.host_order = input.tree.host_order();
  return tables;
}

}  // namespace rch::engines::pqft
