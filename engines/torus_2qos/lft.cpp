#include "engines/torus_2qos/lft.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/parallel.h"
#include "engines/torus_2qos/destinations.h"

namespace rch::engines::torus_2qos {
namespace {

// A table is made in two strides. First a byte map over all positions says which way each lies (torus-2qos
// 8): the coordinates are tried in the order x, y, z, and because the map is in coordinate order too, a way
// that holds for a whole plane or row is filled in at once. Then one pass over the LIDs looks each one up by
// its position. The map is as small as the torus (4 KB for 16x16x16) and the table is written front to back
// once.
//
// The map holds ports where no cables run in parallel; else it holds directions. Then the destinations that
// lie in one direction take turns on its cables, in the order of their numbers, so that no cable carries more
// than one beyond another. A row depends on its own rings and ports alone.

/// Byte per way out, in the order of Direction, kNoWay last.
using WayCodes = std::array<std::uint8_t, kDirections + 1>;

/// The byte map of one source switch. `map` is by position; the entry of the source itself is not set.
void map_positions(const RingTables& rings, const Lattice& lattice, Position from, const WayCodes& code,
                   std::uint8_t* map) {
  const std::uint32_t row = lattice.radix(2);
  const std::uint32_t plane = lattice.radix(1) * row;
  const Coordinates& at = lattice.coordinates(from);
  const auto ways_x = rings.ways(0, from);
  const auto ways_y = rings.ways(1, from);
  const auto ways_z = rings.ways(2, from);
  for (std::uint32_t x = 0; x < ways_x.size(); ++x, map += plane) {
    if (x != at[0] && ways_x[x] != RingTables::kNoWay) {
      std::memset(map, code[ways_x[x]], plane);
      continue;
    }
    for (std::uint32_t y = 0; y < ways_y.size(); ++y) {
      if (y != at[1] && ways_y[y] != RingTables::kNoWay) {
        std::memset(map + std::size_t{y} * row, code[ways_y[y]], row);
      } else {
        for (std::uint32_t z = 0; z < row; ++z) map[y * row + z] = code[ways_z[z]];
      }
    }
  }
}

class Filler {
 public:
  Filler(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings, const Destinations& list)
      : view_(view), torus_(torus), rings_(rings), list_(list) {}

  /// Fills the table of one switch; `map` is scratch space of a byte per position and one more.
  void fill(SwitchId sw, std::span<std::uint8_t> table, std::vector<std::uint8_t>& map) const {
    const Position from = torus_.placement().position_of[sw.index()];
    const bool parallel = !list_.number.empty();
    WayCodes code{};
    for (std::uint8_t way = 0; way <= kDirections; ++way) code[way] = parallel ? way : port(from, way, 0);
    map_positions(rings_, torus_.lattice(), from, code, map.data());
    map[from.index()] = map[list_.nowhere] = code[RingTables::kNoWay];

    if (parallel) {
      write_parallel(from, map, table);
    } else {
      for (std::size_t lid = 0; lid < table.size(); ++lid) table[lid] = map[list_.position[lid]];
    }
    write_local(sw, table);
  }

 private:
  std::uint8_t port(Position from, std::uint8_t way, std::size_t turn) const {
    if (way == RingTables::kNoWay) return kNoPath;
    const auto ports = torus_.ports(from, Direction(way));
    return ports.empty() ? kNoPath : ports[turn % ports.size()].value;
  }

  void write_parallel(Position from, const std::vector<std::uint8_t>& map,
                      std::span<std::uint8_t> table) const {
    std::vector<std::uint8_t> port_of(list_.position_of.size() + 1, kNoPath);  // by number
    std::array<std::size_t, kDirections + 1> turns{};
    for (std::size_t number = 0; number < list_.position_of.size(); ++number) {
      if (number == list_.first_switch) turns.fill(0);
      const std::uint8_t way = map[list_.position_of[number]];
      port_of[number] = port(from, way, turns[way]++);
    }
    for (std::size_t lid = 0; lid < table.size(); ++lid) table[lid] = port_of[list_.number[lid]];
  }

  /// The switch's own LIDs and those of its end ports. A run of LIDs that hang here starts at the switch's
  /// LID; where end ports follow without a gap, they are overwritten next.
  void write_local(SwitchId sw, std::span<std::uint8_t> table) const {
    const std::uint16_t here = torus_.placement().position_of[sw.index()].value;
    if (const Lid lid = view_.switch_lid(sw); lid != kUnassignedLid)
      for (std::size_t k = lid.index(); k < table.size() && list_.position[k] == here; ++k) table[k] = 0;
    for (const fabric::EndPort& end : view_.end_ports_of(sw)) {
      if (end.lid == kUnassignedLid) continue;
      std::fill_n(table.begin() + static_cast<std::ptrdiff_t>(end.lid.index()), std::size_t{1} << end.lmc,
                  end.attach.value);
    }
  }

  const fabric::SubFabric& view_;
  const Torus& torus_;
  const RingTables& rings_;
  const Destinations& list_;
};

/// Finds the rows that tables in force have already.
class Stale {
 public:
  Stale(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings, const Options& options,
        const Earlier& earlier)
      : view_(view),
        torus_(torus),
        rings_(rings),
        installed_(earlier.installed),
        before_(earlier.survey.torus),
        rings_before_(before_),
        list_(list_destinations(installed_.changes->before(), before_, options)) {}

  /// False if rows cannot be taken over unseen: other rules made them, or switches, their places or
  /// destinations differ.
  bool comparable(const Destinations& list) const {
    if (!installed_.same_rules || !view_.is_whole() || !installed_.changes->before().is_whole()) return false;
    if (view_.switch_count() != installed_.changes->before().switch_count() ||
        view_.fabric().max_lid() != installed_.lfts->max_lid() ||
        torus_.placement().position_of != before_.placement().position_of)
      return false;
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s)
      if (view_.node(SwitchId(s)).guid != installed_.changes->before().node(SwitchId(s)).guid) return false;
    return list_ == list;
  }

  /// True unless the ways of all its rings and all its ports are what they were.
  bool operator()(SwitchId sw) const {
    const Position at = torus_.placement().position_of[sw.index()];
    for (std::size_t d = 0; d < kDimensions; ++d)
      if (!std::ranges::equal(rings_.ways(d, at), rings_before_.ways(d, at))) return true;
    for (std::uint8_t way = 0; way < kDirections; ++way)
      if (!std::ranges::equal(torus_.ports(at, Direction(way)), before_.ports(at, Direction(way))))
        return true;
    return !std::ranges::equal(view_.end_ports_of(sw), installed_.changes->before().end_ports_of(sw),
                               [](const fabric::EndPort& a, const fabric::EndPort& b) {
                                 return a.lid == b.lid && a.lmc == b.lmc && a.attach == b.attach;
                               });
  }

 private:
  const fabric::SubFabric& view_;
  const Torus& torus_;
  const RingTables& rings_;
  const common::InstalledTables& installed_;
  const Torus& before_;
  RingTables rings_before_;
  Destinations list_;
};

}  // namespace

fabric::ForwardingTables fill_lfts(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                                   const Options& options, const Earlier* earlier) {
  Destinations list;
  std::optional<Stale> stale;
  parallel_tasks([&] { list = list_destinations(view, torus, options); },
                 [&] {
                   if (earlier != nullptr) stale.emplace(view, torus, rings, options, *earlier);
                 });
  if (stale && !stale->comparable(list)) stale.reset();
  auto lfts = stale ? earlier->installed.lfts->clone()
                    : fabric::ForwardingTables::uninitialised(view.switch_count(), view.fabric().max_lid());

  const Filler filler(view, torus, rings, list);
  parallel_ranges(view.switch_count(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint8_t> map;
    for (std::size_t s = begin; s < end; ++s) {
      const SwitchId sw(static_cast<std::uint32_t>(s));
      if (stale && !(*stale)(sw)) continue;
      map.resize(torus.lattice().size() + 1);
      filler.fill(sw, lfts.fresh_row(sw), map);
    }
  });
  return lfts;
}

}  // namespace rch::engines::torus_2qos
