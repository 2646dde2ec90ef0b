#include "engines/torus_2qos/lft.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/parallel.h"
#include "engines/torus_2qos/destinations.h"

namespace rch::engines::torus_2qos {
namespace {

// A table is built in two steps. First a byte map over all positions gives the port or direction towards each
// (docs/torus.md). Dimensions are tried in the order x, y, z, and the map is in coordinate order. So a
// direction that holds for a whole plane or row is filled in at once. Then one pass over the LIDs looks each
// one up by its position. The map is as small as the torus (4 KB for 16x16x16), and the table is written
// once, in sequence.
//
// With parallel links the map holds directions. Destinations of one direction use its links in turn, in the
// order of their numbers, so the links differ by one destination at most. A row depends on its own rings and
// ports alone.

/// Byte per direction, kNoDirection last.
using DirectionCodes = std::array<std::uint8_t, kDirections + 1>;

/// The byte map of one source switch. `map` is by position; the entry of the source itself is not set.
void map_positions(const RingTables& rings, const Geometry& geometry, Position from,
                   const DirectionCodes& code, std::uint8_t* map) {
  const std::uint32_t row = geometry.radix(2);
  const std::uint32_t plane = geometry.radix(1) * row;
  const Coordinates& at = geometry.coordinates(from);
  const auto along_x = rings.directions(0, from);
  const auto along_y = rings.directions(1, from);
  const auto along_z = rings.directions(2, from);
  for (std::uint32_t x = 0; x < along_x.size(); ++x, map += plane) {
    if (x != at[0] && along_x[x] != RingTables::kNoDirection) {
      std::memset(map, code[along_x[x]], plane);
      continue;
    }
    for (std::uint32_t y = 0; y < along_y.size(); ++y) {
      if (y != at[1] && along_y[y] != RingTables::kNoDirection) {
        std::memset(map + std::size_t{y} * row, code[along_y[y]], row);
      } else {
        for (std::uint32_t z = 0; z < row; ++z) map[y * row + z] = code[along_z[z]];
      }
    }
  }
}

class RowBuilder {
 public:
  RowBuilder(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
             const Destinations& list)
      : view_(view), torus_(torus), rings_(rings), list_(list) {}

  /// Builds the table of one switch. `map` is scratch space: a byte per position and one more.
  void build(SwitchId sw, std::span<std::uint8_t> table, std::vector<std::uint8_t>& map) const {
    const Position from = torus_.position_of(sw);
    const bool parallel = !list_.number.empty();
    DirectionCodes code{};
    for (std::uint8_t d = 0; d <= kDirections; ++d) code[d] = parallel ? d : port(from, d, 0);
    map_positions(rings_, torus_.geometry(), from, code, map.data());
    map[from.index()] = map[list_.unrouted] = code[RingTables::kNoDirection];

    if (parallel) {
      write_parallel(from, map, table);
    } else {
      for (std::size_t lid = 0; lid < table.size(); ++lid) table[lid] = map[list_.position[lid]];
    }
    write_local(sw, table);
  }

 private:
  std::uint8_t port(Position from, std::uint8_t direction, std::size_t use) const {
    if (direction == RingTables::kNoDirection) return kNoPath;
    const auto ports = torus_.ports(from, Direction(direction));
    return ports.empty() ? kNoPath : ports[use % ports.size()].value;
  }

  void write_parallel(Position from, const std::vector<std::uint8_t>& map,
                      std::span<std::uint8_t> table) const {
    std::vector<std::uint8_t> port_of(list_.position_of.size() + 1, kNoPath);  // by number
    std::array<std::size_t, kDirections + 1> uses{};  // by direction, for the round robin
    for (std::size_t number = 0; number < list_.position_of.size(); ++number) {
      if (number == list_.first_switch) uses.fill(0);
      const std::uint8_t direction = map[list_.position_of[number]];
      port_of[number] = port(from, direction, uses[direction]++);
    }
    for (std::size_t lid = 0; lid < table.size(); ++lid) table[lid] = port_of[list_.number[lid]];
  }

  /// Writes the switch's own LIDs, then those of its end ports, which may follow without a gap.
  void write_local(SwitchId sw, std::span<std::uint8_t> table) const {
    const std::uint16_t here = torus_.position_of(sw).value;
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

/// Compares the rows of installed and target tables by what they depend on.
class ChangedRows {
 public:
  ChangedRows(const Torus& torus, const RingTables& rings, const Options& options,
              const InstalledTorus& installed)
      : torus_(torus),
        rings_(rings),
        installed_(installed.installed),
        before_(installed.discovered.torus),
        rings_before_(before_),
        list_(list_destinations(installed_.changes->before(), before_, options)) {}

  /// False if no row can be kept: other rules made them, or switches, positions or destinations differ.
  bool comparable(const Destinations& list) const {
    const common::ChangeSet& changes = *installed_.changes;
    return installed_.same_rules && changes.now().is_whole() && changes.before().is_whole() &&
           changes.switches().is_identity() &&
           changes.now().fabric().max_lid() == installed_.lfts->max_lid() &&
           torus_.placement().position_of == before_.placement().position_of && list_ == list;
  }

  /// True unless the directions on all rings of the switch and all its ports are the same.
  bool contains(SwitchId sw) const {
    const Position at = torus_.position_of(sw);
    for (std::size_t d = 0; d < kDimensions; ++d)
      if (!std::ranges::equal(rings_.directions(d, at), rings_before_.directions(d, at))) return true;
    return !installed_.changes->links().same(sw) || !installed_.changes->same_lids(sw);
  }

 private:
  const Torus& torus_;
  const RingTables& rings_;
  const common::InstalledTables& installed_;
  const Torus& before_;
  RingTables rings_before_;
  Destinations list_;
};

}  // namespace

fabric::ForwardingTables make_lfts(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                                   const Options& options, const InstalledTorus* installed) {
  Destinations list;
  std::optional<ChangedRows> changed;
  parallel_tasks([&] { list = list_destinations(view, torus, options); },
                 [&] {
                   if (installed != nullptr) changed.emplace(torus, rings, options, *installed);
                 });
  if (changed && !changed->comparable(list)) changed.reset();
  auto lfts = changed ? installed->installed.lfts->clone()
                      : fabric::ForwardingTables::uninitialised(view.switch_count(), view.fabric().max_lid());

  const RowBuilder builder(view, torus, rings, list);
  parallel_ranges(view.switch_count(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint8_t> map;
    for (std::size_t s = begin; s < end; ++s) {
      const SwitchId sw(static_cast<std::uint32_t>(s));
      if (changed && !changed->contains(sw)) continue;
      map.resize(torus.geometry().size() + 1);
      builder.build(sw, lfts.fresh_row(sw), map);
    }
  });
  return lfts;
}

}  // namespace rch::engines::torus_2qos
