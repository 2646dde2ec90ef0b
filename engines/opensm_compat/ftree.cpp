#include "engines/opensm_compat/ftree.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engines/opensm_compat/ftree_search.h"

namespace rch::engines::opensm_compat {
namespace {

using tree::Role;
using tree::Tree;

NodeId node_of(const Tree& tree, const fabric::EndPort& end) {
  return tree.view().fabric().port(end.port).node;
}

/// OpenSM's `max_cn_per_leaf`. A CA with several compute ports counts with all of them on each leaf.
std::size_t max_cn_per_leaf(const Tree& tree) {
  std::map<NodeId, std::size_t> compute_ports;
  for (const fabric::EndPort& end : tree.view().end_ports())
    if (tree.role(end) == Role::compute) ++compute_ports[node_of(tree, end)];
  std::size_t most = 0;
  for (SwitchId leaf : tree.leaves()) {
    std::size_t count = 0;
    for (const fabric::EndPort& end : tree.view().end_ports_of(leaf))
      if (const auto it = compute_ports.find(node_of(tree, end)); it != compute_ports.end())
        count += it->second;
    most = std::max(most, count);
  }
  return most;
}

FtreeDestination destination(const fabric::EndPort& end) {
  return {.sw = end.sw, .lid = end.lid, .attach = end.attach};
}

void route_compute_nodes(const Tree& tree, FtreeSearch& search) {
  const std::size_t padded = max_cn_per_leaf(tree);
  for (SwitchId leaf : tree.leaves()) {
    std::size_t routed = 0;
    for (const fabric::EndPort& end : tree.view().end_ports_of(leaf)) {
      if (tree.role(end) != Role::compute) continue;
      search.route(destination(end), true);
      ++routed;
    }
    for (; routed < padded; ++routed)
      search.route({.sw = leaf, .lid = std::nullopt, .attach = PortNum(0)}, true);
  }
}

/// CA ports that are no compute nodes, in OpenSM's order: by GUID of the CA, then by port.
std::vector<const fabric::EndPort*> other_cas(const Tree& tree) {
  const fabric::Fabric& fabric = tree.view().fabric();
  std::vector<const fabric::EndPort*> found;
  for (const fabric::EndPort& end : tree.view().end_ports())
    if (tree.role(end) != Role::compute && tree.is_ranked(end.sw) &&
        fabric.node(node_of(tree, end)).type == fabric::NodeType::ca)
      found.push_back(&end);
  std::ranges::sort(found, {}, [&](const fabric::EndPort* end) {
    return std::pair(fabric::opensm_order(fabric.node(node_of(tree, *end)).guid),
                     fabric.port(end->port).number);
  });
  return found;
}

}  // namespace

fabric::ForwardingTables route_ftree(const Tree& tree, std::uint16_t max_reverse_hops) {
  const fabric::SubFabric& view = tree.view();
  fabric::ForwardingTables lfts(view.switch_count(), view.fabric().max_lid());
  FtreeSearch search(tree, lfts);
  route_compute_nodes(tree, search);
  for (const fabric::EndPort* end : other_cas(tree)) {
    FtreeDestination to = destination(*end);
    if (tree.role(*end) == Role::io) to.reverse_hops = max_reverse_hops;
    search.route(to, true);
  }
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (tree.is_ranked(SwitchId(s)) && view.switch_lid(SwitchId(s)) != kUnassignedLid)
      search.route({.sw = SwitchId(s), .lid = view.switch_lid(SwitchId(s)), .attach = PortNum(0)}, false);
  return lfts;
}

}  // namespace rch::engines::opensm_compat
