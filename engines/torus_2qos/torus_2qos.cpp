#include "engines/torus_2qos/torus_2qos.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/parallel.h"
#include "engines/torus_2qos/checks.h"
#include "engines/torus_2qos/lft.h"
#include "engines/torus_2qos/proof.h"
#include "engines/torus_2qos/qos.h"
#include "engines/torus_2qos/slab_tree.h"
#include "engines/torus_2qos/survey.h"

// torus-2QoS, file by file: `lattice` is the empty grid; `seeds` anchors it in the fabric and `placement`
// finds every other switch its place; `torus` is the grid with switches and cables in it, `survey` how one is
// found; `checks` refuses what is broken beyond the rules at first sight; `ring_tables` says which way to
// take on each ring, `proof` that the ways lead around what is missing without a circle, by the graph of
// `dependencies`; `destinations` and `lft` make the forwarding tables, or what `earlier` says has changed of
// those in force; `qos` the service levels and SL2VL
// maps; `slab_tree` the trees for multicast.
//
// Why it has no credit loops: within a dimension a dateline splits each ring's traffic onto two VLs by an SL
// bit that depends on the coordinates of the two ends alone, and dimensions are crossed in one order. Where a
// switch is missing turns against that order are made, on VLs of their own; whether that is enough is proven
// for the fabric at hand.

namespace rch::engines::torus_2qos {
namespace {

/// Roots of trees for multicast to choose from.
constexpr std::size_t kTrees = 8;

/// `sw_1_1` (0x…) at (1,1,0) to `sw_2_1` (0x…) at (2,1,0).
std::string join(const fabric::SubFabric& view, const Torus& torus, SwitchId a, SwitchId b) {
  const auto place = [&](SwitchId sw) {
    return fmt::format("{} at {}", title(view, sw),
                       torus.lattice().name(torus.placement().position_of[sw.index()]));
  };
  return fmt::format("{} to {}", place(a), place(b));
}

/// What the torus turned out to be: size, what is missing, links outside the torus, what has changed.
std::vector<std::string> describe(const fabric::SubFabric& view, const Survey& found, const Options& options,
                                  const Earlier* earlier) {
  std::vector<std::string> remarks = found.remarks;
  const Torus& torus = found.torus;
  const Lattice& lattice = torus.lattice();
  remarks.push_back(fmt::format("torus {}: {} of {} taken, {} between switches, {}", lattice.name(),
                                view.switch_count(), counted(lattice.size(), "position"),
                                counted(torus.cable_count(), "cable"),
                                counted(view.end_ports().size(), "end port")));
  std::vector<std::string> missing, gaps, strays;
  for (Position p : torus.missing()) missing.push_back(lattice.name(p));
  for (const Torus::Gap& gap : torus.gaps())
    gaps.push_back(join(view, torus, torus.placement().switch_at[gap.from.index()],
                        torus.placement().switch_at[lattice.neighbor(gap.from, gap.way).index()]));
  for (const Torus::Stray& stray : torus.strays()) strays.push_back(join(view, torus, stray.a, stray.b));
  if (!missing.empty()) remarks.push_back(fmt::format("no switch at {}", list_some(missing, " ")));
  if (!gaps.empty()) remarks.push_back(fmt::format("no cable from {}", list_some(gaps, "; ")));
  if (!strays.empty())
    remarks.push_back(fmt::format("links between switches that are not adjacent in the torus stay unused: {}",
                                  list_some(strays, "; ")));
  if (earlier != nullptr)
    for (std::string& change : changes(*earlier, view, torus, options.max_changes))
      remarks.push_back("since the tables in force: " + std::move(change));
  return remarks;
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  if (!options.qos) return refuse("qos-off", "torus-2QoS needs SL2VL maps in every port, and `qos` is off");

  std::optional<Attempt<Survey>> surveyed;
  std::optional<Earlier> earlier;
  parallel_tasks([&] { surveyed = survey(view, options); }, [&] { earlier = earlier_torus(options); });
  Attempt<Survey>& found = *surveyed;
  if (!found) return tl::unexpected<EngineFailure>(std::move(found.error()));
  const Torus& torus = found->torus;
  Attempt<void> whole;
  Attempt<VlCounts> vls;
  parallel_tasks([&] { whole = check_rings(view, torus); }, [&] { vls = count_vls(view, torus, options); });
  if (!whole) return tl::unexpected<EngineFailure>(std::move(whole.error()));
  if (!vls) return tl::unexpected<EngineFailure>(std::move(vls.error()));
  const RingTables rings(torus);
  if (auto proof = prove(view, torus, rings, *vls, options); !proof)
    return tl::unexpected<EngineFailure>(std::move(proof.error()));

  StepTables tables;
  parallel_tasks([&] { tables.lfts = fill_lfts(view, torus, rings, options, earlier ? &*earlier : nullptr); },
                 [&] { tables.sl2vl = sl2vl_tables(view, torus, *vls, options); },
                 [&] { tables.trees = slab_trees(torus, kTrees); },
                 [&] {
                   tables.sl = sl_rule(torus);
                   tables.two_level_ports = two_level_ports(view);
                 },
                 [&] { tables.remarks = describe(view, *found, options, earlier ? &*earlier : nullptr); });
  tables.multicast_sl_bits = 8;
  for (std::string& remark : vl_remarks(*vls)) tables.remarks.push_back(std::move(remark));
  return tables;
}

}  // namespace rch::engines::torus_2qos
