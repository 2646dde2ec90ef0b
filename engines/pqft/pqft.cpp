#include "engines/pqft/pqft.h"

#include <optional>
#include <utility>

#include "base/parallel.h"
#include "engines/pqft/check.h"
#include "engines/tree/digits.h"
#include "engines/tree/gaps.h"

namespace rch::engines::pqft {
namespace {

/// Two leaves that no way up and down joins.
std::optional<EngineFailure> find_leaves_apart(const tree::Tree& tree, const tree::Ways& ways) {
  const fabric::SubFabric& view = tree.view();
  for (SwitchId from : tree.leaves())
    for (SwitchId to : tree.leaves())
      if (tree.is_leaf(from) && tree.is_leaf(to) && ways.row(from)[tree.column(to)] == HopMatrix::kUnknown)
        return EngineFailure{.rule = "leaves-apart",
                             .message = fmt::format("no way up and down leads from {} to {}",
                                                    common::title(view, from), common::title(view, to)),
                             .guids = {view.node(from).guid, view.node(to).guid}};
  return std::nullopt;
}

std::vector<std::string> remarks_on_siblings(const tree::Tree& tree) {
  std::size_t ends = 0;
  for (SwitchId sw : tree.order())
    for (const fabric::Neighbor& n : tree.beside(sw)) ends += n.link_count;
  if (ends == 0) return {};
  return {fmt::format("{} between switches of one rank not used", common::counted(ends / 2, "cable"))};
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const auto grow = [&](const fabric::SubFabric& of) { return tree::Tree::grow(of, options.lists); };
  const bool small = view.end_ports().size() <= options.second_look;
  std::optional<common::Attempt<tree::Tree>> grown;
  std::optional<tree::Grown> before;
  parallel_tasks([&] { grown = grow(view); },
                 [&] {
                   if (!small) before = tree::grow_earlier(options.installed, false, grow);
                 });
  const common::Attempt<tree::Tree>& tree = *grown;
  if (!tree) return tl::unexpected(tree.error());
  StepTables tables;
  tables.remarks.assign(tree->remarks().begin(), tree->remarks().end());
  const auto add_remarks = [&](std::vector<std::string> remarks) {
    for (std::string& remark : remarks) tables.remarks.push_back(std::move(remark));
  };
  if (options.structure) {
    auto remarks = check_structure(*tree, *options.structure);
    if (!remarks) return tl::unexpected(std::move(remarks.error()));
    add_remarks(std::move(*remarks));
  }
  add_remarks(remarks_on_siblings(*tree));
  const tree::Ways ways = tree::find_ways(*tree, false);
  if (auto failure = find_leaves_apart(*tree, ways)) return tl::unexpected(std::move(*failure));
  const tree::Targets targets = tree::number_targets(*tree);
  const tree::EarlierTree earlier(*tree, ways, targets, options.installed, std::move(before));
  tables.lfts = tree::route_by_digits(*tree, ways, targets, earlier.comparable() ? &earlier : nullptr);
  if (small) tables.lfts = ftree::look_again(*tree, ways, targets, std::move(tables.lfts));
  add_remarks(tree::remarks_on_gaps(*tree, ways, tables.lfts));
  tables.hops = tree::hop_matrix(*tree, ways);
  tables.host_order = tree->host_order();
  return tables;
}

}  // namespace rch::engines::pqft
