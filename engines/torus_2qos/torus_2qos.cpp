#include "engines/torus_2qos/torus_2qos.h"

#include <algorithm>

#include <fmt/format.h>

#include "engines/torus_2qos/checks.h"
#include "engines/torus_2qos/lft.h"
#include "engines/torus_2qos/qos.h"
#include "engines/torus_2qos/seeds.h"

// torus-2QoS, file by file: `lattice` is the empty grid; `seeds` anchors it in the fabric and `placement`
// finds every other switch its place; `torus` is the grid with switches and cables in it; `checks` refuses
// what the rules do not carry; `ring_tables`, `destinations` and `lft` make the forwarding tables; `qos` the
// service levels and SL2VL maps.
//
// Why it has no credit loops: within a dimension a dateline splits each ring's traffic onto two VLs by an SL
// bit that depends on the coordinates of the two ends alone, and dimensions are crossed in one order. Where a
// switch is missing one turn against that order is made, on a VL of its own.

namespace rch::engines::torus_2qos {
namespace {

/// Places every switch of the view, or refuses.
Attempt<Torus> discover(const fabric::SubFabric& view, const Options& options,
                        std::vector<std::string>& remarks) {
  auto lattice = Lattice::create(options.radix, options.wraps);
  if (!lattice) return tl::unexpected<EngineFailure>(std::move(lattice.error()));
  auto anchorage = anchor(view, *lattice, options);
  if (!anchorage) return tl::unexpected<EngineFailure>(std::move(anchorage.error()));

  const SettledSeed& seed = anchorage->usable.front();
  Placement seeded(view.switch_count(), lattice->size());
  for (const SettledSeed::Anchor& a : seed.anchors) seeded.put(a.sw, a.at);
  Placement placement = place_all(view.graph(), *lattice, std::move(seeded));
  if (auto placed = check_placed(view, *lattice, placement); !placed)
    return tl::unexpected<EngineFailure>(std::move(placed.error()));

  std::move(anchorage->remarks.begin(), anchorage->remarks.end(), std::back_inserter(remarks));
  remarks.push_back(fmt::format("seed {} puts {} at {}", seed.number, title(view, seed.anchors.front().sw),
                                lattice->name(seed.anchors.front().at)));
  for (std::string& remark : contradictions(view, *lattice, *anchorage, placement))
    remarks.push_back(std::move(remark));
  return Torus(view.graph(), std::move(*lattice), std::move(placement));
}

Attempt<void> check(const fabric::SubFabric& view, const Torus& torus) {
  return check_radix(view, torus).and_then([&] { return check_rings(view, torus); }).and_then([&] {
    return check_missing(torus);
  });
}

/// What the torus turned out to be: size, missing switches, links outside the torus.
void describe(const fabric::SubFabric& view, const Torus& torus, std::vector<std::string>& remarks) {
  const Lattice& lattice = torus.lattice();
  remarks.push_back(fmt::format("torus {}: {} of {} taken, {} between switches, {}", lattice.name(),
                                view.switch_count(), counted(lattice.size(), "position"),
                                counted(torus.cable_count(), "cable"),
                                counted(view.end_ports().size(), "end port")));
  std::vector<std::string> missing;
  for (Position p : torus.missing()) missing.push_back(lattice.name(p));
  if (!missing.empty()) remarks.push_back(fmt::format("no switch at {}", list_some(missing, " ")));

  std::vector<std::string> strays;
  for (const Torus::Stray& stray : torus.strays())
    strays.push_back(fmt::format("{} at {} to {} at {}", title(view, stray.a),
                                 lattice.name(torus.placement().position_of[stray.a.index()]),
                                 title(view, stray.b),
                                 lattice.name(torus.placement().position_of[stray.b.index()])));
  if (!strays.empty())
    remarks.push_back(fmt::format("links between switches that are not adjacent in the torus stay unused: {}",
                                  list_some(strays, "; ")));
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  if (!options.qos) return refuse("qos-off", "torus-2QoS needs SL2VL maps in every port, and `qos` is off");

  StepTables tables;
  auto torus = discover(view, options, tables.remarks);
  if (!torus) return tl::unexpected<EngineFailure>(std::move(torus.error()));
  if (auto fit = check(view, *torus); !fit) return tl::unexpected<EngineFailure>(std::move(fit.error()));
  const auto vls = count_vls(view, *torus, options);
  if (!vls) return tl::unexpected<EngineFailure>(vls.error());

  auto lfts = fill_lfts(view, *torus, options);
  if (!lfts) return tl::unexpected<EngineFailure>(std::move(lfts.error()));
  tables.lfts = std::move(*lfts);
  tables.sl = sl_rule(*torus);
  tables.sl2vl = sl2vl_tables(view, *torus, *vls, options);

  describe(view, *torus, tables.remarks);
  for (std::string& remark : vl_remarks(*vls)) tables.remarks.push_back(std::move(remark));
  return tables;
}

}  // namespace rch::engines::torus_2qos
