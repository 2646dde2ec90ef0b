#include "engines/tree/digits.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "engines/tree/nearer.h"

// On a tree that misses nothing the formula picks the same neighbour on all switches of a rank: the lane,
// worked out once by target, so that a row of a table is little more than a look-up by lane. What misses
// neighbours is dealt out by division, entry by entry.
//
// Several cables to the chosen neighbour take turns: that spreads targets evenly whatever their numbers are,
// and shifts still share no cable, for a shift sends to numbers that follow each other.

namespace rch::engines::tree {
namespace {

constexpr std::size_t kMostWays = std::size_t{1} << 24;  ///< more than there are LIDs: dividing by it gives 0

/// What switches of one rank have above them if nothing is missing.
struct Level {
  std::size_t neighbors = 0;
  std::uint32_t ways_up = 1;  ///< Pi: ways from a leaf up to a switch of this rank
};

std::vector<Level> find_levels(const Tree& tree) {
  std::vector<Level> levels(tree.lowest_rank() + std::size_t{1});
  for (SwitchId sw : tree.order()) {
    if (!tree.is_ranked(sw)) continue;
    Level& level = levels[tree.rank(sw)];
    level.neighbors = std::max(level.neighbors, tree.up(sw).size());
  }
  for (std::size_t rank = tree.leaf_rank(); rank > 0; --rank)
    levels[rank - 1].ways_up =
        static_cast<std::uint32_t>(std::min(kMostWays, levels[rank].ways_up * levels[rank].neighbors));
  return levels;
}

/// By target, which of the neighbours above it goes by, from the switches of one rank.
using Lanes = std::vector<std::uint8_t>;

std::vector<Lanes> find_lanes(std::span<const Level> levels, const Targets& targets) {
  std::vector<Lanes> lanes(levels.size());
  parallel_ranges(levels.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t rank = std::max<std::size_t>(begin, 1); rank < end; ++rank)
      for (const Target& target : targets.all)
        lanes[rank].push_back(
            static_cast<std::uint8_t>(target.number / levels[rank].ways_up % levels[rank].neighbors));
  });
  return lanes;
}

/// Which cable to one neighbour is next. Of the targets of one round a switch above the leaves carries no
/// more than one, so a round is one turn.
struct Turn {
  std::uint32_t round = 0;
  std::uint32_t count = 0;  ///< of rounds begun
};

/// A neighbour to send to.
struct Spoke {
  std::span<const fabric::SwitchLink> cables;
  Turn* turn;
  std::uint16_t lane = 0;  ///< of a neighbour above: the one that it serves on a tree that misses nothing

  std::uint8_t port(const Target& target, std::uint32_t round) const {
    if (cables.size() == 1) return cables.front().out.value;
    if (!target.compute) return cables[round % cables.size()].out.value;
    if (turn->count == 0 || turn->round != round) *turn = {round, turn->count + 1};
    return cables[(turn->count - 1) % cables.size()].out.value;
  }
};

class RowFiller {
 public:
  RowFiller(const Tree& tree, const Ways& ways, const Targets& targets, std::uint32_t turn)
      : tree_(tree),
        graph_(tree.view().graph()),
        ways_(ways),
        targets_(targets),
        levels_(find_levels(tree)),
        lanes_(find_lanes(levels_, targets)),
        turn_(turn) {}

  /// Rows of switches [begin, end), padding included.
  void fill(std::size_t begin, std::size_t end, const EarlierTree* earlier,
            fabric::ForwardingTables& lfts) const {
    NearerNeighbors nearer(tree_, ways_);
    std::vector<std::uint32_t> columns;
    for (std::size_t s = begin; s < end; ++s) {
      const SwitchId sw(static_cast<std::uint32_t>(s));
      if (earlier != nullptr && earlier->same_cables(sw)) {
        earlier->list(sw, columns);
        if (columns.empty() || takes_no_turns(sw)) {
          earlier->rows().copy_to(lfts, sw);
          if (!columns.empty()) mend(sw, columns, nearer, lfts.row(sw).data());
          continue;
        }
      }
      const std::span<std::uint8_t> row = lfts.row(sw);
      std::fill(row.begin(), row.end(), kNoPath);
      if (!tree_.is_ranked(sw)) continue;
      nearer.examine(sw);
      fill_row(sw, nearer, row.data());
    }
  }

 private:
  /// Targets of some columns, by place in targets_.all.
  struct Run {
    std::uint32_t begin, end;
  };

  Run run(std::uint32_t begin_column, std::uint32_t end_column) const {
    return {targets_.first[begin_column], targets_.first[end_column]};
  }

  /// An entry depends on those before it only where cables to one neighbour take turns.
  bool takes_no_turns(SwitchId sw) const {
    const auto is_single = [](const fabric::Neighbor& n) { return n.link_count == 1; };
    return std::ranges::all_of(tree_.up(sw), is_single) && std::ranges::all_of(tree_.down(sw), is_single);
  }

  /// Works out the entries of some columns.
  void mend(SwitchId sw, std::span<const std::uint32_t> columns, const NearerNeighbors& nearer,
            std::uint8_t* row) const {
    std::vector<Spoke> spokes;
    std::vector<Turn> turns(tree_.up(sw).size() + tree_.down(sw).size());
    for (const std::uint32_t c : columns) {
      if (c == tree_.column(sw)) continue;
      write(run(c, c + 1), kNoPath, row);
      send_towards(sw, nearer.towards(sw, c), c, c + 1, turns, spokes, row);
    }
  }

  void fill_row(SwitchId sw, const NearerNeighbors& nearer, std::uint8_t* row) const {
    std::vector<Spoke> spokes;
    std::vector<Turn> turns(tree_.up(sw).size() + tree_.down(sw).size());
    const auto columns = static_cast<std::uint32_t>(tree_.order().size());
    const std::uint32_t start = behind_own_leaves(nearer);
    const auto fill_columns = [&](std::uint32_t begin, std::uint32_t limit) {
      for (std::uint32_t c = begin, end = 0; c < limit; c = end) {
        end = std::min(nearer.run_end(c), limit);
        send_towards(sw, nearer.towards(c), c, end, turns, spokes, row);
      }
    };
    fill_columns(start, columns);
    fill_columns(0, start);
    const std::uint32_t own = tree_.column(sw);
    for (const Target& target : targets_.in(own, own + 1)) row[target.lid.index()] = target.attach.value;
  }

  /// Columns [begin, end), by the neighbours of `set`.
  void send_towards(SwitchId sw, const NeighborSet& set, std::uint32_t begin, std::uint32_t end,
                    std::vector<Turn>& turns, std::vector<Spoke>& spokes, std::uint8_t* row) const {
    if (set.none()) {
      for (std::uint32_t c = begin; c < end; ++c) step_aside(sw, c, row);
      return;
    }
    load(sw, set, turns, spokes);
    send(sw, set.first() < tree_.up(sw).size(), run(begin, end), spokes, row);
  }

  /// Turns begin behind the leaves below a switch: no shift sends to both sides of them at once, so there it
  /// does not matter that numbers do not go on evenly.
  std::uint32_t behind_own_leaves(const NearerNeighbors& nearer) const {
    const std::uint32_t first = tree_.column(tree_.leaves().front());
    std::uint32_t column = tree_.column(tree_.leaves().back()) + 1;
    while (column > first && !nearer.is_below(column - 1)) --column;
    return column;
  }

  void load(SwitchId sw, const NeighborSet& set, std::vector<Turn>& turns, std::vector<Spoke>& spokes) const {
    const auto up = tree_.up(sw), down = tree_.down(sw);
    const std::size_t digit = std::min<std::size_t>(tree_.rank(sw), kNoTuple.size() - 1);
    spokes.clear();
    set.for_each([&](std::size_t i) {
      if (i < up.size())
        spokes.push_back({graph_.links(up[i]), &turns[i], tree_.tuple(up[i].sw)[digit]});
      else
        spokes.push_back({graph_.links(down[i - up.size()]), &turns[i]});
    });
  }

  /// Targets that lie in the same direction.
  void send(SwitchId sw, bool up, Run run, std::span<const Spoke> spokes, std::uint8_t* row) const {
    const Level& level = levels_[tree_.rank(sw)];
    const bool single =
        std::ranges::all_of(spokes, [](const Spoke& spoke) { return spoke.cables.size() == 1; });
    if (single && spokes.size() == 1)
      write(run, spokes.front().cables.front().out.value, row);
    else if (single && up && spokes.size() == level.neighbors)
      write(run, spokes, lanes_[tree_.rank(sw)], row);
    else if (!single || !up || !write_lanes(run, level, spokes, lanes_[tree_.rank(sw)], row))
      deal(run, level.ways_up, spokes, row);
  }

  /// Where no neighbour above or below leads on.
  void step_aside(SwitchId sw, std::uint32_t column, std::uint8_t* row) const {
    if (ways_.aside.empty()) return;
    const auto next = ways_.next_aside(sw, column);
    if (!next) return;
    Turn turn;
    const Spoke spoke{graph_.links(*std::ranges::find(tree_.beside(sw), *next, &fabric::Neighbor::sw)),
                      &turn};
    deal(run(column, column + 1), 1, std::span(&spoke, 1), row);
  }

  // Writing bytes may change anything in the eyes of the compiler: the loops keep what they need in local
  // variables.

  void write(Run run, std::uint8_t port, std::uint8_t* row) const {
    const Target* const targets = targets_.all.data();
    for (std::uint32_t t = run.begin; t < run.end; ++t) row[targets[t].lid.index()] = port;
  }
  void write(Run run, std::span<const Spoke> spokes, const Lanes& lanes, std::uint8_t* row) const {
    std::array<std::uint8_t, 256> ports{};
    for (std::size_t i = 0; i < spokes.size(); ++i) ports[i] = spokes[i].cables.front().out.value;
    const Target* const targets = targets_.all.data();
    const std::uint8_t* const lane = lanes.data();
    for (std::uint32_t t = run.begin; t < run.end; ++t) row[targets[t].lid.index()] = ports[lane[t]];
  }
  /// Where neighbours are missing the others keep their lanes, and share those of the missing ones: so what
  /// comes or goes moves its own entries alone. False, and nothing is written, if the neighbours have no
  /// lanes of their own.
  bool write_lanes(Run run, const Level& level, std::span<const Spoke> spokes, const Lanes& lanes,
                   std::uint8_t* row) const {
    std::array<std::uint8_t, 256> ports{};
    for (const Spoke& spoke : spokes) {
      if (spoke.lane >= level.neighbors || ports[spoke.lane] != 0) return false;
      ports[spoke.lane] = spoke.cables.front().out.value;
    }
    const auto count = static_cast<std::uint32_t>(spokes.size());
    const auto neighbors = static_cast<std::uint32_t>(level.neighbors);
    for (std::uint32_t t = run.begin; t < run.end; ++t) {
      const Target& target = targets_.all[t];
      const std::uint8_t port = ports[lanes[t]];
      row[target.lid.index()] =
          port != 0 ? port
                    : spokes[(target.number / level.ways_up / neighbors + lanes[t] + turn_) % count]
                          .cables.front()
                          .out.value;
    }
    return true;
  }
  void deal(Run run, std::uint32_t ways_up, std::span<const Spoke> spokes, std::uint8_t* row) const {
    const Target* const targets = targets_.all.data();
    const auto count = static_cast<std::uint32_t>(spokes.size());
    for (std::uint32_t t = run.begin; t < run.end; ++t) {
      const std::uint32_t round = targets[t].number / ways_up;
      row[targets[t].lid.index()] = spokes[round % count].port(targets[t], round / count);
    }
  }

  const Tree& tree_;
  const fabric::SwitchGraph& graph_;
  const Ways& ways_;
  const Targets& targets_;
  std::vector<Level> levels_;  ///< by rank
  std::vector<Lanes> lanes_;   ///< by rank
  std::uint32_t turn_;
};

}  // namespace

fabric::ForwardingTables route_by_digits(const Tree& tree, const Ways& ways, const Targets& targets,
                                         const EarlierTree* earlier, std::uint32_t turn) {
  const fabric::SubFabric& view = tree.view();
  auto lfts = fabric::ForwardingTables::uninitialised(view.switch_count(), view.fabric().max_lid());
  const RowFiller filler(tree, ways, targets, turn);
  parallel_ranges(view.switch_count(), 4,
                  [&](std::size_t begin, std::size_t end) { filler.fill(begin, end, earlier, lfts); });
  return lfts;
}

}  // namespace rch::engines::tree
