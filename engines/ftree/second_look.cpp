#include "engines/ftree/second_look.h"

#include <algorithm>

#include "engines/ftree/as_opensm.h"
#include "engines/tree/digits.h"
#include "engines/tree/shape.h"
#include "engines/tree/spread.h"

// The formula knows nothing of what is missing elsewhere, so what it displaces now and then meets on one
// cable. Nothing less than following all flows tells, and which displacement is better is chance: a few are
// tried. OpenSM's search goes by what it has counted, and is the measure: routes up, then down, as the
// formula's. Work: (1 + tries) tables and, for each, hosts^2 paths three times.

namespace rch::engines::ftree {
namespace {

using fabric::ForwardingTables;
using tree::Tree;

constexpr std::uint32_t kTurns = 8;

/// Cables between switches of one rank might close credit loops in OpenSM's search, which routes one LID a
/// port. On a regular tree nothing beats the formula.
bool is_comparable(const Tree& tree) {
  const fabric::SubFabric& view = tree.view();
  return std::ranges::all_of(tree.order(), [&](SwitchId sw) { return tree.beside(sw).empty(); }) &&
         std::ranges::all_of(view.end_ports(), [](const fabric::EndPort& end) { return end.lmc == 0; }) &&
         tree::find_irregularity(tree);
}

bool reaches_all_of(const ForwardingTables& tables, const ForwardingTables& other) {
  for (std::uint32_t s = 0; s < tables.switch_count(); ++s) {
    const auto row = tables.row(SwitchId(s)), theirs = other.row(SwitchId(s));
    for (std::size_t lid = 0; lid < row.size(); ++lid)
      if (row[lid] == kNoPath && theirs[lid] != kNoPath) return false;
  }
  return true;
}

}  // namespace

ForwardingTables look_again(const Tree& tree, const tree::Ways& ways, const tree::Targets& targets,
                            ForwardingTables by_formula) {
  if (!is_comparable(tree)) return by_formula;
  ForwardingTables counted = route_as_opensm(tree, Options{});
  if (!reaches_all_of(counted, by_formula)) return by_formula;
  const tree::Spread wanted = spread_of(tree, counted);
  for (std::uint32_t turn = 0; !spread_of(tree, by_formula).no_worse_than(wanted);) {
    if (++turn == kTurns) return counted;
    by_formula = tree::route_by_digits(tree, ways, targets, nullptr, turn);
  }
  return by_formula;
}

}  // namespace rch::engines::ftree
