#include "engines/updn/legal_paths.h"

#include <algorithm>
#include <utility>

#include "engines/common/sweep.h"

// An orientation has no cycles, so nothing needs a search. One sweep over the switches from the bottom up
// settles the paths that only go down, and one from the top down settles all others. A step of a sweep takes
// the minimum of two rows for a block of destinations. Blocks are independent and are the unit of parallel
// work.

namespace rch::engines::updn {
namespace {

constexpr std::uint8_t kUnknown = HopMatrix::kUnknown;
using common::Columns;
using common::for_blocks;
using common::one_more;
using common::relax;

constexpr std::size_t kBlock = 256;  ///< destinations

/// Relaxes where no legal path is known; true if some hop count fell.
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

/// `hops` where `taken` is unknown, else unknown.
std::vector<std::uint8_t> where_unknown(std::span<const std::uint8_t> hops,
                                        std::span<const std::uint8_t> taken) {
  std::vector<std::uint8_t> rest(hops.size());
  for (std::size_t d = 0; d < rest.size(); ++d) rest[d] = taken[d] == kUnknown ? hops[d] : kUnknown;
  return rest;
}

/// By switch and place of a destination in a list.
HopMatrix unknown_hops(std::size_t switches, std::size_t destinations) {
  return {destinations, std::vector<std::uint8_t>(switches * destinations, kUnknown)};
}

/// Hops along the links of a graph and further `arcs`.
class Sweeps {
 public:
  Sweeps(const fabric::SwitchGraph& graph, std::span<const common::Arc> arcs, const Orientation& orientation)
      : graph_(graph), orientation_(orientation), arcs_(arcs.begin(), arcs.end()) {
    std::ranges::stable_sort(arcs_, {}, &common::Arc::from);
  }

  /// Columns in the order of `destinations`.
  LegalHops run(std::span<const SwitchId> destinations) const {
    const std::size_t switches = graph_.switch_count(), count = destinations.size();
    LegalHops hops{unknown_hops(switches, count), unknown_hops(switches, count)};
    if (count == 0) return hops;
    for (std::size_t d = 0; d < count; ++d) hops.down.hops[destinations[d].index() * count + d] = 0;
    const auto order = orientation_.order();
    for_blocks(count, kBlock, [&](const Columns& columns) {
      Rows rows;
      for (auto v = order.rbegin(); v != order.rend(); ++v) go_down(*v, columns, hops, rows);
      for (SwitchId v : order) go_up(v, columns, hops, rows);
    });
    return hops;
  }

 private:
  using Rows = std::vector<const std::uint8_t*>;

  /// The rows of the neighbors above, or of those below.
  [[gnu::always_inline]] void find_rows(SwitchId v, bool up, const Columns& columns, const HopMatrix& hops,
                                        Rows& rows) const {
    rows.clear();
    const auto add = [&](SwitchId to) {
      if (orientation_.is_up(v, to) == up) rows.push_back(columns.of(hops, to));
    };
    for (const fabric::Neighbor& n : graph_.neighbors(v)) add(n.sw);
    for (const common::Arc& arc : common::arcs_at<&common::Arc::from>(arcs_, v)) add(arc.to);
  }

  void go_down(SwitchId v, const Columns& columns, LegalHops& hops, Rows& rows) const {
    find_rows(v, false, columns, hops.down, rows);
    relax(columns.of(hops.down, v), rows, columns.count);
  }

  void go_up(SwitchId v, const Columns& columns, LegalHops& hops, Rows& rows) const {
    std::uint8_t* own = columns.of(hops.all, v);
    find_rows(v, true, columns, hops.all, rows);
    relax(own, rows, columns.count);
    const std::uint8_t* down = columns.of(hops.down, v);
    for (std::size_t d = 0; d < columns.count; ++d) own[d] = down[d] != kUnknown ? down[d] : own[d];
  }

  const fabric::SwitchGraph& graph_;
  const Orientation& orientation_;
  std::vector<common::Arc> arcs_;  ///< by `from`
};

/// Destinations that some arc brings nearer to the switch that it leaves. The hops to all others are the same
/// with these arcs as without.
std::vector<SwitchId> nearer_destinations(const LegalHops& hops, std::span<const common::Arc> arcs,
                                          const Orientation& orientation) {
  std::vector<std::uint8_t> nearer(hops.down.switch_count);
  for (const common::Arc& arc : arcs) {
    const bool up = orientation.is_up(arc.from, arc.to);
    const HopMatrix& legal = up ? hops.all : hops.down;
    const auto own = legal.row(arc.from), to = legal.row(arc.to), down = hops.down.row(arc.from);
    for (std::size_t d = 0; d < nearer.size(); ++d)
      nearer[d] |= one_more(to[d]) < own[d] && (!up || down[d] == kUnknown);
  }
  std::vector<SwitchId> found;
  for (std::uint32_t d = 0; d < nearer.size(); ++d)
    if (nearer[d] != 0) found.push_back(SwitchId(d));
  return found;
}

/// Entries in which a few columns, those of `destinations`, differ from a matrix.
void compare(const HopMatrix& hops, const HopMatrix& columns, std::span<const SwitchId> destinations,
             std::vector<common::ChangedHop>& changed) {
  for (std::uint32_t s = 0; s < hops.switch_count; ++s)
    for (std::size_t d = 0; d < destinations.size(); ++d)
      if (columns.row(SwitchId(s))[d] != hops.at(SwitchId(s), destinations[d]))
        changed.push_back({SwitchId(s), destinations[d]});
}

void replace(HopMatrix& hops, const HopMatrix& columns, std::span<const SwitchId> destinations) {
  for (std::uint32_t s = 0; s < hops.switch_count; ++s)
    for (std::size_t d = 0; d < destinations.size(); ++d)
      hops.hops[s * hops.switch_count + destinations[d].index()] = columns.row(SwitchId(s))[d];
}

std::vector<SwitchId> first_ids(std::size_t count) {
  std::vector<SwitchId> ids;
  for (std::uint32_t s = 0; s < count; ++s) ids.push_back(SwitchId(s));
  return ids;
}

}  // namespace

LegalHops legal_hops(const fabric::SwitchGraph& graph, const Orientation& orientation) {
  return Sweeps(graph, {}, orientation).run(first_ids(graph.switch_count()));
}

UpdatedLegalHops update_legal_hops(const common::Rerouting& rerouting, const Orientation& orientation) {
  const fabric::SwitchGraph& graph = rerouting.common();
  UpdatedLegalHops updated{legal_hops(graph, orientation), {}};
  const auto add = [&](std::span<const common::Arc> arcs, bool stay) {
    const std::vector<SwitchId> destinations = nearer_destinations(updated.now, arcs, orientation);
    if (destinations.empty()) return;
    const LegalHops columns = Sweeps(graph, arcs, orientation).run(destinations);
    compare(updated.now.down, columns.down, destinations, updated.changed);
    compare(updated.now.all, columns.all, destinations, updated.changed);
    if (!stay) return;
    replace(updated.now.down, columns.down, destinations);
    replace(updated.now.all, columns.all, destinations);
  };
  add(rerouting.lost(), false);
  add(rerouting.added(), true);
  const std::size_t count = rerouting.now().graph().switch_count();
  updated.now.down = common::first_switches(std::move(updated.now.down), count);
  updated.now.all = common::first_switches(std::move(updated.now.all), count);
  return updated;
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
  const auto up = where_unknown(hops_.all.row(sw), hops_.down.row(sw));
  const auto joining = joined_ != nullptr ? where_unknown(joined_->row(sw), hops_.all.row(sw)) : up;
  std::vector<common::HopRows> rows;
  for (std::size_t c = 0; c < candidates.outputs().size(); ++c) {
    const SwitchId to = neighbors[candidates.outputs()[c].neighbor].sw;
    if (orientation_.is_up(sw, to))
      rows.push_back({c, up.data(), hops_.all.row(to).data()});
    else
      rows.push_back({c, hops_.down.row(sw).data(), hops_.down.row(to).data()});
    if (joined_ != nullptr) rows.push_back({c, joining.data(), joined_->row(to).data()});
  }
  candidates.sets().add_where_nearer(std::move(rows));
}

}  // namespace rch::engines::updn
