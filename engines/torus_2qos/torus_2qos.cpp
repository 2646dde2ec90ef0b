#include "engines/torus_2qos/torus_2qos.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/text.h"
#include "engines/torus_2qos/checks.h"
#include "engines/torus_2qos/discovery.h"
#include "engines/torus_2qos/lft.h"
#include "engines/torus_2qos/multicast_tree.h"
#include "engines/torus_2qos/proof.h"
#include "engines/torus_2qos/qos.h"

// File by file:
//
//   geometry              coordinates, adjacency, datelines
//   seed_positions        positions that the configuration gives to switches
//   seeds                 seeds that the fabric has, and conflicts between them
//   placement             positions of all other switches
//   torus                 the geometry with its switches and links
//   discovery             all of the above in order
//   checks                conditions of the hop rule that need no routes
//   ring_tables           directions on each ring
//   proof                 routes around missing switches exist and close no credit loop
//     channel_dependencies, intact_planes, destination_tree
//   destinations, lft     forwarding tables
//   installed_torus       what has changed since the installed tables
//   vl_counts             data VLs of links and end ports
//   qos                   service levels, SL2VL maps
//   multicast_tree        multicast spanning trees
//
// Why there are no credit loops: a dateline splits the traffic of each ring onto two VLs, by an SL bit that
// depends on the coordinates of the two ends alone, and dimensions are crossed in one order. Next to a
// missing switch, routes make illegal turns against that order, on VLs of their own. The proof tells whether
// that suffices for the fabric at hand.

namespace rch::engines::torus_2qos {
namespace {

/// Multicast trees to choose from.
constexpr std::size_t kTrees = 8;

/// `sw_1_1` (0x…) at (1,1,0) to `sw_2_1` (0x…) at (2,1,0).
std::string join(const fabric::SubFabric& view, const Torus& torus, SwitchId a, SwitchId b) {
  const auto place = [&](SwitchId sw) {
    return fmt::format("{} at {}", title(view, sw), torus.geometry().name(torus.position_of(sw)));
  };
  return fmt::format("{} to {}", place(a), place(b));
}

/// Size, missing switches and links, non-torus links, changes since the installed tables.
std::vector<std::string> describe(const fabric::SubFabric& view, const DiscoveredTorus& discovered,
                                  const Options& options, const InstalledTorus* installed) {
  std::vector<std::string> remarks = discovered.remarks;
  const Torus& torus = discovered.torus;
  const Geometry& geometry = torus.geometry();
  remarks.push_back(fmt::format("torus {}: {} of {} taken, {} between switches, {}", geometry.name(),
                                view.switch_count(), counted(geometry.size(), "position"),
                                counted(torus.link_count(), "cable"),
                                counted(view.end_ports().size(), "end port")));
  std::vector<std::string> missing_switches, missing_links, non_torus_links;
  for (Position p : torus.missing_switches()) missing_switches.push_back(geometry.name(p));
  for (const Torus::MissingLink& link : torus.missing_links())
    missing_links.push_back(join(view, torus, torus.switch_at(link.from),
                                 torus.switch_at(geometry.neighbor(link.from, link.direction))));
  for (const Torus::NonTorusLink& link : torus.non_torus_links())
    non_torus_links.push_back(join(view, torus, link.a, link.b));
  if (!missing_switches.empty())
    remarks.push_back(fmt::format("no switch at {}", list_some(missing_switches, " ")));
  if (!missing_links.empty())
    remarks.push_back(fmt::format("no cable from {}", list_some(missing_links, "; ")));
  if (!non_torus_links.empty())
    remarks.push_back(fmt::format("links between switches that are not adjacent in the torus stay unused: {}",
                                  list_some(non_torus_links, "; ")));
  if (installed != nullptr)
    for (std::string& change : changes_since(*installed, view, torus, options.max_changes))
      remarks.push_back("since the installed tables: " + std::move(change));
  return remarks;
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  if (!options.qos) return refuse("qos-off", "torus-2QoS needs SL2VL maps in every port, and `qos` is off");

  std::optional<Attempt<DiscoveredTorus>> discovered;
  std::optional<InstalledTorus> installed;
  parallel_tasks([&] { discovered = discover_torus(view, options); },
                 [&] { installed = installed_torus(options); });
  Attempt<DiscoveredTorus>& found = *discovered;
  if (!found) return tl::unexpected<EngineFailure>(std::move(found.error()));
  const Torus& torus = found->torus;
  Attempt<void> connected;
  Attempt<VlCounts> vls;
  parallel_tasks([&] { connected = check_rings(view, torus); },
                 [&] { vls = count_vls(view, torus, options); });
  if (!connected) return tl::unexpected<EngineFailure>(std::move(connected.error()));
  if (!vls) return tl::unexpected<EngineFailure>(std::move(vls.error()));
  const RingTables rings(torus);
  if (auto proof = prove(view, torus, rings, *vls, options); !proof)
    return tl::unexpected<EngineFailure>(std::move(proof.error()));

  StepTables tables;
  parallel_tasks(
      [&] { tables.lfts = make_lfts(view, torus, rings, options, installed ? &*installed : nullptr); },
      [&] { tables.sl2vl = sl2vl_tables(view, torus, *vls, options); },
      [&] { tables.trees = multicast_trees(torus, kTrees); },
      [&] {
        tables.sl = sl_rule(torus);
        tables.two_level_ports = two_level_ports(view);
      },
      [&] { tables.remarks = describe(view, *found, options, installed ? &*installed : nullptr); });
  tables.multicast_sl_bits = 8;
  for (std::string& remark : vl_remarks(*vls)) tables.remarks.push_back(std::move(remark));
  return tables;
}

}  // namespace rch::engines::torus_2qos
