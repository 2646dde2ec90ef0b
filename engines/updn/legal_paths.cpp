#include "engines/updn/legal_paths.h"

#include <algorithm>

#include "engines/common/sweep.h"

// Orientation has no cycles, so there is nothing to search: one sweep over the switches from the bottom up
// settles the ways down, and one from the top down all others. A step of a sweep takes the minimum of two
// rows, for all destinations at once; pieces of rows (blocks of destinations) are independent of each other
// and are the unit of parallel work (routing-engines 14.2).

namespace rch::engines::updn {
namespace {

constexpr std::uint8_t kUnknown = HopMatrix::kUnknown;
using common::Columns;
using common::for_blocks;
using common::one_more;
using common::relax;

constexpr std::size_t kBlock = 128;  ///< destinations

/// The same where no legal way is known; true if something got nearer.
bool relax_unknown(std::uint8_t* own, const std::uint8_t* neighbor, const std::uint8_t* legal,
                   std::size_t count) {
  unsigned changed = 0;
  for (std::size_t d = 0; d < count; ++d) {
    const std::uint8_t next = one_more(neighbor[d]);
    const bool nearer = legal[d] == kUnknown && next < own[d];
    own[d] = nearer ? next : own[d];
    changed |= nearer;
  }
  return changed != 0;
}

/// `hops` where `taken` has no way, else unknown: which rule an entry follows is decided by the first one.
std::vector<std::uint8_t> where_unknown(std::span<const std::uint8_t> hops,
                                        std::span<const std::uint8_t> taken) {
  std::vector<std::uint8_t> rest(hops.size());
  for (std::size_t d = 0; d < rest.size(); ++d) rest[d] = taken[d] == kUnknown ? hops[d] : kUnknown;
  return rest;
}

class Sweeps {
 public:
  Sweeps(const fabric::SwitchGraph& graph, const Orientation& orientation, LegalHops& hops)
      : graph_(graph), orientation_(orientation), hops_(hops) {}

  void run(const Columns& columns) {
    const auto order = orientation_.order();
    for (auto v = order.rbegin(); v != order.rend(); ++v) go_down(*v, columns);
    for (SwitchId v : order) go_up(v, columns);
  }

 private:
  void go_down(SwitchId v, const Columns& columns) {
    std::uint8_t* own = columns.of(hops_.down, v);
    if (v.index() - columns.begin < columns.count) own[v.index() - columns.begin] = 0;
    for (const fabric::Neighbor& n : graph_.neighbors(v))
      if (!orientation_.is_up(v, n.sw)) relax(own, columns.of(hops_.down, n.sw), columns.count);
  }

  void go_up(SwitchId v, const Columns& columns) {
    std::uint8_t* own = columns.of(hops_.all, v);
    for (const fabric::Neighbor& n : graph_.neighbors(v))
      if (orientation_.is_up(v, n.sw)) relax(own, columns.of(hops_.all, n.sw), columns.count);
    const std::uint8_t* down = columns.of(hops_.down, v);
    for (std::size_t d = 0; d < columns.count; ++d) own[d] = down[d] != kUnknown ? down[d] : own[d];
  }

  const fabric::SwitchGraph& graph_;
  const Orientation& orientation_;
  LegalHops& hops_;
};

HopMatrix unknown_hops(std::size_t switches) {
  return {switches, std::vector<std::uint8_t>(switches * switches, kUnknown)};
}

}  // namespace

LegalHops legal_hops(const fabric::SwitchGraph& graph, const Orientation& orientation) {
  const std::size_t count = graph.switch_count();
  LegalHops hops{unknown_hops(count), unknown_hops(count)};
  Sweeps sweeps(graph, orientation, hops);
  for_blocks(count, kBlock, [&](const Columns& columns) { sweeps.run(columns); });
  return hops;
}

HopMatrix joined_hops(const fabric::SwitchGraph& graph, const HopMatrix& legal) {
  HopMatrix joined = legal;
  const auto sweep = [&](const Columns& columns) {
    bool changed = false;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      const SwitchId v(s);
      for (const fabric::Neighbor& n : graph.neighbors(v))
        changed |= relax_unknown(columns.of(joined, v), columns.of(joined, n.sw), columns.of(legal, v),
                                 columns.count);
    }
    return changed;
  };
  for_blocks(graph.switch_count(), kBlock, [&](const Columns& columns) {
    while (sweep(columns)) {
    }
  });
  return joined;
}

void LegalPaths::add_to(common::Candidates& candidates, SwitchId sw) const {
  const auto neighbors = graph_.neighbors(sw);
  const auto climbing = where_unknown(hops_.all.row(sw), hops_.down.row(sw));
  const auto joining = joined_ != nullptr ? where_unknown(joined_->row(sw), hops_.all.row(sw)) : climbing;
  for (std::size_t c = 0; c < candidates.cables().size(); ++c) {
    const SwitchId to = neighbors[candidates.cables()[c].neighbor].sw;
    if (orientation_.is_up(sw, to))
      candidates.add_where_nearer(c, climbing, hops_.all.row(to));
    else
      candidates.add_where_nearer(c, hops_.down.row(sw), hops_.down.row(to));
    if (joined_ != nullptr) candidates.add_where_nearer(c, joining, joined_->row(to));
  }
}

}  // namespace rch::engines::updn
