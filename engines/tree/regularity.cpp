#include "engines/tree/regularity.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rch::engines::tree {
namespace {

/// A number that switches of one rank share on a regular tree.
struct Property {
  std::string_view rule;
  std::string_view noun, plural;
  bool holds_for_leaves;
  /// The number. Of several per switch: the first that differs from `expected`.
  std::size_t (*of)(const Tree& tree, SwitchId sw, std::size_t expected);
};

std::size_t links(std::span<const fabric::Neighbor> groups, std::size_t expected) {
  for (const fabric::Neighbor& n : groups)
    if (n.link_count != expected) return n.link_count;
  return expected;
}

std::size_t count_cas(const Tree& tree, SwitchId sw) {
  const fabric::Fabric& fabric = tree.view().fabric();
  return static_cast<std::size_t>(
      std::ranges::count_if(tree.view().end_ports_of(sw), [&](const fabric::EndPort& end) {
        return fabric.node(fabric.port(end.port).node).type == fabric::NodeType::ca;
      }));
}

constexpr std::array kProperties{
    Property{"unequal-up-neighbors", "upward neighbour", "upward neighbours", true,
             [](const Tree& tree, SwitchId sw, std::size_t) { return tree.up_groups(sw).size(); }},
    Property{"unequal-down-neighbors", "downward neighbour", "downward neighbours", false,
             [](const Tree& tree, SwitchId sw, std::size_t) {
               return tree.down_groups(sw).size() + count_cas(tree, sw);
             }},
    Property{"unequal-up-cables", "cable to an upward neighbour", "cables to an upward neighbour", true,
             [](const Tree& tree, SwitchId sw, std::size_t expected) {
               return links(tree.up_groups(sw), expected);
             }},
    Property{"unequal-down-cables", "cable to a downward neighbour", "cables to a downward neighbour", false,
             [](const Tree& tree, SwitchId sw, std::size_t expected) {
               return links(tree.down_groups(sw), expected);
             }},
};

std::string amount(std::size_t count, const Property& property) {
  return fmt::format("{} {}", count, count == 1 ? property.noun : property.plural);
}

}  // namespace

std::optional<EngineFailure> check_regularity(const Tree& tree) {
  const fabric::SubFabric& view = tree.view();
  std::vector<SwitchId> order;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (tree.is_ranked(SwitchId(s))) order.push_back(SwitchId(s));
  std::ranges::sort(order, {}, [&](SwitchId s) { return fabric::opensm_order(view.node(s).guid); });

  std::vector<SwitchId> references(tree.max_rank() + std::size_t{1}, SwitchId::none());
  for (SwitchId sw : order) {
    SwitchId& reference = references[tree.rank(sw)];
    if (reference.is_none()) reference = sw;
    for (const Property& property : kProperties) {
      if (!property.holds_for_leaves && tree.rank(sw) >= tree.leaf_rank()) continue;
      const std::size_t expected = property.of(tree, reference, 0), seen = property.of(tree, sw, expected);
      if (seen == expected) continue;
      return EngineFailure{
          .rule = std::string(property.rule),
          .message = fmt::format("no regular tree: at rank {}, {} has {} and {} has {}; name the roots in "
                                 "`root_guid_file` to route it anyway",
                                 tree.rank(sw), common::title(view, reference), amount(expected, property),
                                 common::title(view, sw), amount(seen, property)),
          .guids = {view.node(reference).guid, view.node(sw).guid}};
    }
  }
  return std::nullopt;
}

}  // namespace rch::engines::tree
