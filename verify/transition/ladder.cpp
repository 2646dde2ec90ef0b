// Why this always ends well. Every batch is judged together with all that is held still and all that is
// wanted already, so the state behind it is sound. Taking entries away from a sound state leaves it sound;
// writing wanted entries among nothing but wanted ones makes a part of the wanted tables, which are proven.
// So step 4 never fails once step 2 could begin, and step 2 can begin if the held tables are sound.
//
// Packets outlive entries. Inside a batch that is part of the mix: a packet that went by a held entry meets
// the wanted one at its next switch. Behind the barrier the mix is forgotten, so a batch that others follow
// is given a packet lifetime: what the switches have not sent on by then they drop.
//
// Why steps 2 and 3 come first: each destination that is done takes its held ways out of the mix, and a
// destination written outwards has no packet that leaves a wanted entry for a held one. What is drained loses
// traffic.

#include "verify/transition/ladder.h"

#include <algorithm>
#include <numeric>

#include "verify/transition/block_writer.h"

namespace rch::verify {
namespace {

constexpr std::size_t kBlock = fabric::ForwardingTables::kBlock;

/// Indices of moves, ascending.
using Selection = std::vector<std::uint32_t>;

/// Hops to where the wanted way of a move ends, by switch. Wanted tables send nothing in circles.
std::vector<std::uint32_t> distances(const Move& move, const Wiring& wiring) {
  constexpr std::uint32_t kOpen = 0xFFFFFFFF;
  std::vector<std::uint32_t> out(move.wanted.size(), kOpen);
  std::vector<std::size_t> way;
  for (std::size_t s = 0; s < out.size(); ++s) {
    std::uint32_t beyond = 0;
    for (std::size_t at = s; way.size() < out.size();) {
      if (out[at] != kOpen) {
        beyond = out[at] + 1;
        break;
      }
      way.push_back(at);
      const Exit& exit = wiring.exit(at, move.wanted[at]);
      if (exit.kind != Exit::Kind::to_switch) break;
      at = exit.to;
    }
    for (; !way.empty(); way.pop_back()) out[way.back()] = beyond++;
  }
  return out;
}

class Climb {
 public:
  Climb(const Change& change, Mixes& mixes)
      : change_(change),
        mixes_(mixes),
        moves_(mixes.moves().all()),
        stages_(moves_.size(), Stage::held),
        rest_(moves_.size()),
        writer_(change) {
    std::iota(rest_.begin(), rest_.end(), 0U);
    for (const Move& move : moves_) ladder_.destinations += move.lids.size();
  }

  Ladder run() {
    ladder_.at_once = mixes_.settle(std::vector<Stage>(moves_.size(), Stage::both));
    if (ladder_.at_once) {
      if (!begin()) return std::move(ladder_);
      while (batch_of(blocks())) {
      }
      while (batch_of(destinations()) || outwards()) {
      }
      drain();
    }
    write_rest();
    if (!ladder_.batches.empty()) ladder_.batches.back().waits = false;
    return std::move(ladder_);
  }

 private:
  /// The state before the first batch is sound. Entries that lead nowhere are repaired if that is, too.
  bool begin() {
    mixes_.set_repaired(true);
    if (!mixes_.settle(stages_)) {
      fabric::Batch batch;
      for (const std::size_t number : numbers_with_losses())
        writer_.write(
            number,
            [&](SwitchId sw, Lid lid, std::uint8_t now) {
              return is_open(lid) && !loses(sw, now) ? now : wanted(sw, lid);
            },
            batch);
      push(std::move(batch));
      return true;
    }
    mixes_.set_repaired(false);
    ladder_.only_static = mixes_.settle(stages_);
    return !ladder_.only_static;
  }

  std::vector<Selection> blocks() const {
    std::vector<Selection> atoms;
    for (const std::uint32_t m : rest_) {
      if (atoms.empty() || moves_[atoms.back().front()].block() != moves_[m].block()) atoms.emplace_back();
      atoms.back().push_back(m);
    }
    return atoms;
  }

  std::vector<Selection> destinations() const {
    std::vector<Selection> atoms;
    for (const std::uint32_t m : rest_) atoms.push_back({m});
    return atoms;
  }

  /// One batch of as many atoms as go together. False if none goes.
  bool batch_of(const std::vector<Selection>& atoms) {
    mixes_.settle(stages_);
    Selection chosen;
    take(atoms, chosen);
    if (chosen.empty()) return false;
    std::ranges::sort(chosen);
    write(chosen, [](SwitchId, std::size_t) { return true; });
    wait();
    return true;
  }

  /// All of them if they go together; else as many as possible of the first half, then of the second.
  void take(std::span<const Selection> atoms, Selection& chosen) {
    Selection together;
    for (const Selection& atom : atoms) together.insert(together.end(), atom.begin(), atom.end());
    if (together.empty()) return;
    if (mixes_.add(together, Stage::both)) {
      chosen.insert(chosen.end(), together.begin(), together.end());
    } else if (atoms.size() > 1) {
      take(atoms.first(atoms.size() / 2), chosen);
      take(atoms.subspan(atoms.size() / 2), chosen);
    }
  }

  /// Moves that go together from their destinations outwards, a batch for each distance. False if none does.
  bool outwards() {
    mixes_.settle(stages_);
    Selection chosen;
    std::vector<std::vector<std::uint32_t>> distance;  // by place in `chosen`, then by switch
    std::uint32_t furthest = 0;
    for (const std::uint32_t m : rest_) {
      if (!mixes_.add(Selection{m}, Stage::downstream)) continue;
      chosen.push_back(m);
      distance.push_back(distances(moves_[m], mixes_.wiring()));
      furthest = std::max(furthest, *std::ranges::max_element(distance.back()));
      ladder_.outwards.insert(ladder_.outwards.end(), moves_[m].lids.begin(), moves_[m].lids.end());
    }
    if (chosen.empty()) return false;
    for (std::uint32_t d = 0; d <= furthest; ++d)
      write(chosen, [&](SwitchId sw, std::size_t place) { return distance[place][sw.index()] <= d; });
    wait();
    return true;
  }

  void drain() {
    fabric::Batch batch;
    batch.waits = true;
    for (const Selection& block : blocks())
      writer_.write(
          moves_[block.front()].block(),
          [&](SwitchId sw, Lid lid, std::uint8_t now) {
            return is_open(lid) && now != wanted(sw, lid) ? kNoPath : now;
          },
          batch);
    for (const std::uint32_t m : rest_)
      ladder_.drained.insert(ladder_.drained.end(), moves_[m].lids.begin(), moves_[m].lids.end());
    push(std::move(batch));
  }

  /// A batch of the wanted entries of some moves, where `goes(switch, place in chosen)` holds. Entries of no
  /// move go along.
  template <class Goes>
  void write(const Selection& chosen, const Goes& goes) {
    fabric::Batch batch;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::size_t number = moves_[chosen[i]].block();
      if (i > 0 && moves_[chosen[i - 1]].block() == number) continue;
      writer_.write(
          number,
          [&](SwitchId sw, Lid lid, std::uint8_t now) {
            const std::uint32_t move = mixes_.moves().of(lid);
            if (move == Moves::kNone) return wanted(sw, lid);
            const auto at = std::ranges::lower_bound(chosen, move);
            if (at == chosen.end() || *at != move) return now;
            return goes(sw, static_cast<std::size_t>(at - chosen.begin())) ? wanted(sw, lid) : now;
          },
          batch);
    }
    push(std::move(batch));
    for (const std::uint32_t m : chosen) stages_[m] = Stage::wanted;
    std::erase_if(rest_, [&](std::uint32_t m) { return stages_[m] == Stage::wanted; });
  }

  void write_rest() {
    fabric::Batch batch;
    for (const std::size_t number : numbers_with_losses()) writer_.finish(number, batch);
    for (const std::size_t number : writer_.numbers()) writer_.finish(number, batch);
    push(std::move(batch));
  }

  void wait() {
    if (!ladder_.batches.empty()) ladder_.batches.back().waits = true;
  }

  void push(fabric::Batch batch) {
    if (!batch.writes.empty()) ladder_.batches.push_back(std::move(batch));
  }

  std::uint8_t wanted(SwitchId sw, Lid lid) const { return change_.wanted.lfts.at(sw, lid); }
  bool loses(SwitchId sw, std::uint8_t entry) const {
    const Exit::Kind kind = mixes_.wiring().exit(sw.index(), entry).kind;
    return kind == Exit::Kind::no_link || kind == Exit::Kind::no_such_port;
  }
  /// The LID belongs to a move that is not done.
  bool is_open(Lid lid) const {
    const std::uint32_t move = mixes_.moves().of(lid);
    return move != Moves::kNone && stages_[move] != Stage::wanted;
  }

  /// Numbers of blocks with held entries that lead nowhere and shall lead somewhere.
  std::vector<std::size_t> numbers_with_losses() const {
    std::vector<std::size_t> out;
    for (const fabric::LftBlock& at : change_.blocks) {
      if (!out.empty() && out.back() == at.block) continue;
      const auto held = block_of(change_.held, at);
      for (std::size_t i = 0; i < kBlock; ++i) {
        const Lid lid(static_cast<std::uint16_t>(at.block * kBlock + i));
        if (!loses(at.sw, held[i]) || held[i] == wanted(at.sw, lid) || !is_open(lid)) continue;
        out.push_back(at.block);
        break;
      }
    }
    return out;
  }

  const Change& change_;
  Mixes& mixes_;
  std::span<const Move> moves_;
  std::vector<Stage> stages_;
  Selection rest_;  ///< not done
  BlockWriter writer_;
  Ladder ladder_;
};

/// Takes away what is replaced, and with SL2VL maps that change every entry that leads to a switch.
void stop_and_write(const Change& change, const Mixes& mixes, Ladder& ladder) {
  const bool all = !change.held.sl2vl.empty();
  std::vector<fabric::LftBlock> every(change.blocks.begin(), change.blocks.end());
  if (all) {
    every.clear();
    for (std::size_t block = 0; block < change.wanted.lfts.blocks(); ++block)
      for (std::uint32_t s = 0; s < change.wanted.lfts.switch_count(); ++s)
        every.push_back({SwitchId(s), static_cast<std::uint16_t>(block)});
  }
  const Change whole{change.fabric, change.held, change.wanted, every, change.max_op_vls};
  BlockWriter writer(whole);
  const auto is_cut = [&](SwitchId sw, Lid lid, std::uint8_t now) {
    if (mixes.wiring().exit(sw.index(), now).kind != Exit::Kind::to_switch) return false;
    return all || now != change.wanted.lfts.at(sw, lid);
  };
  ladder.batches.assign(2, {});
  ladder.batches[0].waits = true;
  for (const std::size_t number : writer.numbers())
    writer.write(
        number, [&](SwitchId sw, Lid lid, std::uint8_t now) { return is_cut(sw, lid, now) ? kNoPath : now; },
        ladder.batches[0]);
  for (const std::size_t number : writer.numbers()) writer.finish(number, ladder.batches[1]);
  for (const Move& move : mixes.moves().all())
    ladder.drained.insert(ladder.drained.end(), move.lids.begin(), move.lids.end());
  if (all)
    for (const Destination& d : mixes.moves().others()) ladder.drained.push_back(d.lid);
}

}  // namespace

Ladder plan_ladder(const Change& change, const ChannelGraph* proven) {
  Ladder ladder;
  if (only_adds(change, Wiring(change.fabric, change.max_op_vls))) {
    ladder.judged = false;
    if (!change.blocks.empty())
      ladder.batches.push_back(fabric::one_batch(change.blocks, change.wanted.lfts));
  } else {
    const std::unique_ptr<Mixes> mixes = make_mixes(change, proven);
    ladder = Climb(change, *mixes).run();
    if (ladder.only_static) stop_and_write(change, *mixes, ladder);
    std::ranges::sort(ladder.drained);
  }
  if (change.held.sl2vl.empty()) return ladder;
  const std::size_t first = ladder.only_static ? 1 : 0;
  ladder.batches.resize(std::max(ladder.batches.size(), first + 1));
  ladder.batches[first].maps_first = true;
  return ladder;
}

}  // namespace rch::verify
