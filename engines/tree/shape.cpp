#include "engines/tree/shape.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rch::engines::tree {
namespace {

/// One number that switches of a rank have in common.
struct Trait {
  std::string_view rule;
  std::string_view noun, plural;
  bool holds_for_leaves;
  /// The number, or the first one that differs from `wanted` if the switch has several.
  std::size_t (*of)(const Tree& tree, SwitchId sw, std::size_t wanted);
};

std::size_t cables(std::span<const fabric::Neighbor> neighbors, std::size_t wanted) {
  for (const fabric::Neighbor& n : neighbors)
    if (n.link_count != wanted) return n.link_count;
  return wanted;
}

/// CAs are neighbours below, each of its own.
std::size_t cas(const Tree& tree, SwitchId sw) {
  const fabric::Fabric& fabric = tree.view().fabric();
  return static_cast<std::size_t>(
      std::ranges::count_if(tree.view().end_ports_of(sw), [&](const fabric::EndPort& end) {
        return fabric.node(fabric.port(end.port).node).type == fabric::NodeType::ca;
      }));
}

constexpr std::array kTraits{
    Trait{"unequal-up-neighbors", "upward neighbour", "upward neighbours", true,
          [](const Tree& tree, SwitchId sw, std::size_t) { return tree.up(sw).size(); }},
    Trait{"unequal-down-neighbors", "downward neighbour", "downward neighbours", false,
          [](const Tree& tree, SwitchId sw, std::size_t) { return tree.down(sw).size() + cas(tree, sw); }},
    Trait{"unequal-up-cables", "cable to an upward neighbour", "cables to an upward neighbour", true,
          [](const Tree& tree, SwitchId sw, std::size_t wanted) { return cables(tree.up(sw), wanted); }},
    Trait{"unequal-down-cables", "cable to a downward neighbour", "cables to a downward neighbour", false,
          [](const Tree& tree, SwitchId sw, std::size_t wanted) { return cables(tree.down(sw), wanted); }},
};

std::string amount(std::size_t count, const Trait& trait) {
  return fmt::format("{} {}", count, count == 1 ? trait.noun : trait.plural);
}

}  // namespace

std::optional<EngineFailure> find_irregularity(const Tree& tree) {
  const fabric::SubFabric& view = tree.view();
  std::vector<SwitchId> order;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (tree.is_ranked(SwitchId(s))) order.push_back(SwitchId(s));
  std::ranges::sort(order, {}, [&](SwitchId s) { return fabric::opensm_order(view.node(s).guid); });

  std::vector<SwitchId> models(tree.lowest_rank() + std::size_t{1}, SwitchId::none());
  for (SwitchId sw : order) {
    SwitchId& model = models[tree.rank(sw)];
    if (model.is_none()) model = sw;
    for (const Trait& trait : kTraits) {
      if (!trait.holds_for_leaves && tree.rank(sw) >= tree.leaf_rank()) continue;
      const std::size_t wanted = trait.of(tree, model, 0), seen = trait.of(tree, sw, wanted);
      if (seen == wanted) continue;
      return EngineFailure{
          .rule = std::string(trait.rule),
          .message = fmt::format("no regular tree: at rank {}, {} has {} and {} has {}; name the roots in "
                                 "`root_guid_file` to route it all the same",
                                 tree.rank(sw), common::title(view, model), amount(wanted, trait),
                                 common::title(view, sw), amount(seen, trait)),
          .guids = {view.node(model).guid, view.node(sw).guid}};
    }
  }
  return std::nullopt;
}

}  // namespace rch::engines::tree
