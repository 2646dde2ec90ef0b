// Why a plan always exists. Every round is judged together with all entries that are still installed and all
// that are already on target, so the state after it is safe. Taking entries away from a safe state leaves it
// safe. Target entries alone are a part of the target tables, which are proven. So step 5 never fails once
// step 2 could begin, and step 2 can begin if the installed tables are safe.
//
// Packets outlive entries. Within a round that is judged: a packet that an installed entry sent meets a
// target entry at its next switch. After the barrier it is not, so a round that others follow ends with a
// packet lifetime: switches drop what they have not sent by then.
//
// Why steps 2 and 3 come first: each destination on target takes its installed paths out of the graph, and a
// destination written outwards has no packet that goes from a target entry to an installed one. Drained LIDs
// lose traffic.

#include "verify/transition/update_plan.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "verify/transition/block_writer.h"

namespace rch::verify {
namespace {

/// Indices of moves, ascending.
using Selection = std::vector<std::uint32_t>;

bool contains(const Selection& moves, std::uint32_t move) { return std::ranges::binary_search(moves, move); }

/// Hops to where the target path of a move ends, by switch. Target tables have no forwarding loops.
std::vector<std::uint32_t> distances(const Move& move, const Wiring& wiring) {
  constexpr std::uint32_t kOpen = 0xFFFFFFFF;
  std::vector<std::uint32_t> out(move.target.size(), kOpen);
  std::vector<std::size_t> way;
  for (std::size_t s = 0; s < out.size(); ++s) {
    std::uint32_t beyond = 0;
    for (std::size_t at = s; way.size() < out.size();) {
      if (out[at] != kOpen) {
        beyond = out[at] + 1;
        break;
      }
      way.push_back(at);
      const Exit& exit = wiring.exit(at, move.target[at]);
      if (exit.kind != Exit::Kind::to_switch) break;
      at = exit.to;
    }
    for (; !way.empty(); way.pop_back()) out[way.back()] = beyond++;
  }
  return out;
}

/// Removes replaced entries, or all that lead to a switch; a packet lifetime later writes what is to be
/// there.
void stop_and_write(const Change& change, const TransientStates& states, bool all, UpdatePlan& plan) {
  std::vector<fabric::LftBlock> every(change.blocks.begin(), change.blocks.end());
  if (all) {
    every.clear();
    for (std::size_t block = 0; block < change.target.lfts.blocks(); ++block)
      for (std::uint32_t s = 0; s < change.target.lfts.switch_count(); ++s)
        every.push_back({SwitchId(s), static_cast<std::uint16_t>(block)});
  }
  Change whole = change;
  whole.blocks = every;
  BlockWriter writer(whole);
  const auto is_cut = [&](SwitchId sw, Lid lid, std::uint8_t now) {
    if (states.wiring().exit(sw.index(), now).kind != Exit::Kind::to_switch) return false;
    return all || now != change.target.lfts.at(sw, lid);
  };
  plan.outwards.clear();
  plan.rounds.assign(2, {});
  plan.rounds[0].waits = plan.rounds[0].drains = true;
  IdSet<Lid> cut(std::size_t{0x10000});
  const auto without_cut = [&](SwitchId sw, Lid lid, std::uint8_t now) {
    if (!is_cut(sw, lid, now)) return now;
    cut.insert(lid);
    return kNoPath;
  };
  for (const std::size_t number : writer.numbers()) writer.write(number, without_cut, plan.rounds[0]);
  for (const std::size_t number : writer.numbers()) writer.finish(number, plan.rounds[1]);
  plan.drained.clear();
  cut.for_each([&](Lid lid) { plan.drained.push_back(lid); });
}

class UpdatePlanner {
 public:
  UpdatePlanner(const Change& change, TransientStates& states)
      : change_(change),
        states_(states),
        moves_(states.moves().all()),
        stages_(moves_.size(), Stage::installed),
        rest_(moves_.size()),
        writer_(change) {
    std::iota(rest_.begin(), rest_.end(), 0U);
    for (const Move& move : moves_) plan_.destinations += move.lids.size();
  }

  UpdatePlan run() {
    plan_.at_once = settle(Stage::both, Packets::during);
    if (plan_.at_once) {
      if (!begin()) return std::move(plan_);
      looping_ = states_.looping(Stage::both);
      while (in_one_round() || outwards() || drain_switches()) {
      }
      const bool all_written = rest_.empty() && !moves_.empty();
      if (!all_written && states_.settle(drained())) return stop_all();
      drain(rest_);
    }
    write_rest();
    if (!plan_.rounds.empty()) plan_.rounds.back().waits = false;
    return std::move(plan_);
  }

 private:
  std::optional<Hazard> settle(Stage stage, Packets packets) {
    return states_.settle(std::vector<Stage>(moves_.size(), stage), packets);
  }

  /// True if the states before the first round and after the last one are safe. Repairs entries that lead
  /// nowhere if that is, too.
  bool begin() {
    if (!change_.previous.empty()) {
      plan_.only_static = settle(Stage::target, Packets::after);
      plan_.hosts_at_risk = plan_.only_static.has_value();
      if (plan_.only_static) return false;
    }
    states_.set_repaired(true);
    if (!states_.settle(stages_)) {
      fabric::WriteRound round;
      for (const std::size_t number : numbers_with_losses())
        writer_.write(
            number,
            [&](SwitchId sw, Lid lid, std::uint8_t now) {
              return is_open(lid) && !loses(sw, now) ? now : target(sw, lid);
            },
            round);
      push(std::move(round));
      return true;
    }
    states_.set_repaired(false);
    plan_.only_static = states_.settle(stages_, Packets::before);
    const bool others_during = !change_.previous.empty() || !change_.installed.sl2vl.empty();
    if (!plan_.only_static && others_during) states_.settle(stages_);
    return !plan_.only_static;
  }

  /// Other moves than `chosen` that can be written in one round. Whatever else is written, those that loop
  /// cannot.
  Selection ready(const Selection& chosen) const {
    std::vector<bool> left_out = looping_;
    for (const std::uint32_t m : chosen) left_out[m] = true;
    Selection ready;
    std::ranges::copy_if(rest_, std::back_inserter(ready), [&](std::uint32_t m) { return !left_out[m]; });
    return ready;
  }

  std::vector<Selection> by_block(const Selection& moves) const {
    std::vector<Selection> atoms;
    for (const std::uint32_t m : moves) {
      if (atoms.empty() || moves_[atoms.back().front()].block() != moves_[m].block()) atoms.emplace_back();
      atoms.back().push_back(m);
    }
    return atoms;
  }

  static std::vector<Selection> one_by_one(const Selection& moves) {
    std::vector<Selection> atoms;
    for (const std::uint32_t m : moves) atoms.push_back({m});
    return atoms;
  }

  /// What the rounds until now wrote has arrived.
  void settle_written() {
    if (std::exchange(is_written_, false)) states_.settle(stages_);
  }

  /// One round of as many moves as are safe together: first whole blocks, then single ones. False if none is.
  bool in_one_round() {
    Selection chosen;
    if (ready(chosen).empty()) return false;
    settle_written();
    take(by_block(ready(chosen)), Stage::both, chosen);
    take(one_by_one(ready(chosen)), Stage::both, chosen);
    if (chosen.empty()) return false;
    std::ranges::sort(chosen);
    write(chosen, [](SwitchId, std::size_t) { return true; });
    wait();
    return true;
  }

  /// All of them if that is safe; else as many as possible of the first half, then of the second.
  void take(std::span<const Selection> atoms, Stage stage, Selection& chosen) {
    Selection together;
    for (const Selection& atom : atoms) together.insert(together.end(), atom.begin(), atom.end());
    if (together.empty()) return;
    if (states_.add(together, stage)) {
      chosen.insert(chosen.end(), together.begin(), together.end());
    } else if (atoms.size() > 1) {
      take(atoms.first(atoms.size() / 2), stage, chosen);
      take(atoms.subspan(atoms.size() / 2), stage, chosen);
    }
  }

  /// Moves that are safe together from their destinations outwards, a round for each distance. False if none
  /// is.
  bool outwards() {
    if (rest_.empty()) return false;
    Selection chosen;
    // Mostly all go together, even besides packets of the round before.
    if (states_.add(rest_, Stage::downstream)) {
      chosen = rest_;
      if (is_written_ && !plan_.rounds.empty() && !plan_.rounds.back().drains)
        plan_.rounds.back().waits = false;
    } else {
      settle_written();
      take(one_by_one(rest_), Stage::downstream, chosen);
    }
    std::vector<std::vector<std::uint32_t>> distance;  // by place in `chosen`, then by switch
    std::uint32_t furthest = 0;
    for (const std::uint32_t m : chosen) {
      distance.push_back(distances(moves_[m], states_.wiring()));
      furthest = std::max(furthest, *std::ranges::max_element(distance.back()));
      plan_.outwards.insert(plan_.outwards.end(), moves_[m].lids.begin(), moves_[m].lids.end());
    }
    if (chosen.empty()) return false;
    for (std::uint32_t d = 0; d <= furthest; ++d)
      write(chosen, [&](SwitchId sw, std::size_t place) { return distance[place][sw.index()] <= d; });
    wait();
    return true;
  }

  /// Takes away the entries for LIDs of switches that keep those for hosts from being written. False if none
  /// does.
  bool drain_switches() {
    Selection chosen;
    std::ranges::copy_if(rest_, std::back_inserter(chosen),
                         [&](std::uint32_t m) { return moves_[m].to_switch && moves_[m].depends; });
    if (chosen.empty() || chosen.size() == rest_.size()) return false;
    drain(chosen);
    is_written_ = true;
    for (const std::uint32_t m : chosen) stages_[m] = Stage::drained;
    std::erase_if(rest_, [&](std::uint32_t m) { return stages_[m] == Stage::drained; });
    return true;
  }

  std::vector<Stage> drained() const {
    std::vector<Stage> stages = stages_;
    for (const std::uint32_t m : rest_) stages[m] = Stage::drained;
    return stages;
  }

  /// Packets that entries common to both tables send are unsafe while maps or service levels change.
  UpdatePlan stop_all() {
    stop_and_write(change_, states_, true, plan_);
    return std::move(plan_);
  }

  void drain(const Selection& moves) {
    fabric::WriteRound round;
    round.waits = round.drains = !moves.empty();
    for (const Selection& block : by_block(moves))
      writer_.write(
          moves_[block.front()].block(),
          [&](SwitchId sw, Lid lid, std::uint8_t now) {
            return contains(moves, states_.moves().of(lid)) && now != target(sw, lid) ? kNoPath : now;
          },
          round);
    for (const std::uint32_t m : moves)
      plan_.drained.insert(plan_.drained.end(), moves_[m].lids.begin(), moves_[m].lids.end());
    push(std::move(round));
  }

  /// A round of the target entries of some moves, where `goes(switch, place in chosen)` holds. Entries of no
  /// move go along.
  template <class Goes>
  void write(const Selection& chosen, const Goes& goes) {
    fabric::WriteRound round;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::size_t number = moves_[chosen[i]].block();
      if (i > 0 && moves_[chosen[i - 1]].block() == number) continue;
      writer_.write(
          number,
          [&](SwitchId sw, Lid lid, std::uint8_t now) {
            const std::uint32_t move = states_.moves().of(lid);
            if (move == Moves::kNone) return target(sw, lid);
            const auto at = std::ranges::lower_bound(chosen, move);
            if (at == chosen.end() || *at != move) return now;
            return goes(sw, static_cast<std::size_t>(at - chosen.begin())) ? target(sw, lid) : now;
          },
          round);
    }
    push(std::move(round));
    is_written_ = true;
    for (const std::uint32_t m : chosen) stages_[m] = Stage::target;
    std::erase_if(rest_, [&](std::uint32_t m) { return stages_[m] == Stage::target; });
  }

  void write_rest() {
    fabric::WriteRound round;
    for (const std::size_t number : numbers_with_losses()) writer_.finish(number, round);
    for (const std::size_t number : writer_.numbers()) writer_.finish(number, round);
    push(std::move(round));
  }

  void wait() {
    if (!plan_.rounds.empty()) plan_.rounds.back().waits = true;
  }

  void push(fabric::WriteRound round) {
    if (!round.writes.empty()) plan_.rounds.push_back(std::move(round));
  }

  std::uint8_t target(SwitchId sw, Lid lid) const { return change_.target.lfts.at(sw, lid); }
  bool loses(SwitchId sw, std::uint8_t entry) const {
    const Exit::Kind kind = states_.wiring().exit(sw.index(), entry).kind;
    return kind == Exit::Kind::no_link || kind == Exit::Kind::no_such_port;
  }
  /// The LID belongs to a move that is not done.
  bool is_open(Lid lid) const {
    const std::uint32_t move = states_.moves().of(lid);
    return move != Moves::kNone && stages_[move] != Stage::target;
  }

  /// Numbers of blocks with installed entries that lead nowhere and shall lead somewhere.
  std::vector<std::size_t> numbers_with_losses() const {
    std::vector<std::size_t> out;
    for (const fabric::LftBlock& at : change_.blocks) {
      if (!out.empty() && out.back() == at.block) continue;
      const auto installed = block_of(change_.installed, at);
      for (std::size_t i = 0; i < kBlock; ++i) {
        const Lid lid(static_cast<std::uint16_t>(at.block * kBlock + i));
        if (!loses(at.sw, installed[i]) || installed[i] == target(at.sw, lid) || !is_open(lid)) continue;
        out.push_back(at.block);
        break;
      }
    }
    return out;
  }

  const Change& change_;
  TransientStates& states_;
  std::span<const Move> moves_;
  std::vector<Stage> stages_;
  bool is_written_ = false;    ///< more is written than settle() knows
  Selection rest_;             ///< not done
  std::vector<bool> looping_;  ///< by move: packets can be caught in a loop while it is written in one round
  BlockWriter writer_;
  UpdatePlan plan_;
};

/// Only target tables, and all service levels that packets may have.
std::optional<Hazard> hazard_at_the_end(const Change& change) {
  const std::unique_ptr<TransientStates> states = make_transient_states(change, nullptr);
  return states->settle(std::vector<Stage>(states->moves().all().size(), Stage::target), Packets::after);
}

/// What parts that are not known add. Hosts may be in danger by themselves, with the service levels that they
/// have from before: then those of the target count, which they get when they ask again.
std::optional<Hazard> hazard_of_entrances(const Change& change) {
  std::optional<Hazard> hazard = hazard_at_the_end(change);
  if (!hazard || change.previous.empty()) return hazard;
  Change of_hosts = change;
  of_hosts.entrances = {};
  if (!hazard_at_the_end(of_hosts)) return hazard;
  Change later = change;
  later.previous.clear();
  return hazard_at_the_end(later);
}

/// LIDs whose packets must not come back from a part that is not in the fabric. By two entrances such a part
/// joins channels, so it may close a credit loop with packets for any LID. By one, packets may come back that
/// some switch gets another entry for.
IdSet<Lid> lids_to_keep_out(const Change& change) {
  IdSet<Lid> lids(std::size_t{0x10000});
  const bool joins = change.entrances.size() > 1;
  for (const fabric::LftBlock& at : change.blocks) {
    const auto installed = block_of(change.installed, at), target = block_of(change.target, at);
    for (std::size_t i = 0; i < kBlock; ++i)
      if (joins || (installed[i] != target[i] && target[i] != kNoPath))
        lids.insert(Lid(static_cast<std::uint16_t>(at.block * kBlock + i)));
  }
  return lids;
}

/// Takes entries away that lead to an entrance. `installed` loses them; `cut`: their LIDs.
fabric::WriteRound cut_entrances(const Change& change, fabric::RoutingTables& installed, IdSet<Lid>& cut) {
  const IdSet<Lid> kept_out = lids_to_keep_out(change);
  fabric::WriteRound round{.writes = {}, .waits = true, .drains = true};
  for (const fabric::LftBlock& at : change.blocks) {
    const std::span<const std::uint8_t> row = change.installed.lfts.row(at.sw);
    bool differs = false;
    for (std::size_t i = at.block * kBlock; i < (at.block + std::size_t{1}) * kBlock; ++i) {
      const Lid lid(static_cast<std::uint16_t>(i));
      const auto leads_there = [&](PortId port) {
        return fabric::Fabric::node_id(at.sw) == change.fabric.port(port).node &&
               change.fabric.port(port).number.value == row[i];
      };
      if (!kept_out.contains(lid) || std::ranges::none_of(change.entrances, leads_there)) continue;
      installed.lfts.row(at.sw)[i] = kNoPath;
      cut.insert(lid);
      differs = true;
    }
    if (!differs) continue;
    fabric::BlockWrite& write = round.writes.emplace_back(fabric::BlockWrite{at, {}});
    std::ranges::copy(block_of(installed, at), write.entries.begin());
  }
  return round;
}

Change for_fewer_packets(Change change) {
  if (change.switch_packets == SwitchPackets::all) change.switch_packets = SwitchPackets::to_former_hosts;
  return change;
}

/// LIDs that are not of switches.
std::size_t drained_of_hosts(const Change& change, const UpdatePlan& plan) {
  return static_cast<std::size_t>(std::ranges::count_if(plan.drained, [&](Lid lid) {
    const auto owner = change.fabric.lid_owner(lid);
    return !owner || !change.fabric.is_switch(change.fabric.port(*owner).node);
  }));
}

/// Judged for the packets that the change names.
UpdatePlan plan_judged(const Change& change, const ChannelDependencyGraph* proven) {
  UpdatePlan plan;
  if (only_adds(change)) {
    plan.judged = false;
    if (!change.blocks.empty()) plan.rounds.push_back(fabric::one_round(change.blocks, change.target.lfts));
  } else {
    const std::unique_ptr<TransientStates> states = make_transient_states(change, proven);
    plan = UpdatePlanner(change, *states).run();
    if (plan.only_static)
      stop_and_write(change, *states, plan.hosts_at_risk || !change.installed.sl2vl.empty(), plan);
    std::ranges::sort(plan.drained);
  }
  plan.switch_packets = change.switch_packets;
  if (change.installed.sl2vl.empty()) return plan;
  const auto first = static_cast<std::size_t>(
      std::ranges::find(plan.rounds, false, &fabric::WriteRound::drains) - plan.rounds.begin());
  plan.rounds.resize(std::max(plan.rounds.size(), first + 1));
  plan.rounds[first].maps_first = true;
  return plan;
}

/// Hosts do not lose packets for the sake of packets to LIDs of switches (docs/decisions/0032).
UpdatePlan plan_known(const Change& change, const ChannelDependencyGraph* proven) {
  if (change.switch_packets != SwitchPackets::all) return plan_judged(change, proven);
  if (!only_adds(change) && loses_packets(change)) return plan_judged(for_fewer_packets(change), proven);
  UpdatePlan plan = plan_judged(change, proven);
  const std::size_t drained = drained_of_hosts(change, plan);
  if (!plan.only_static && drained == 0) return plan;
  UpdatePlan for_hosts = plan_judged(for_fewer_packets(change), proven);
  if (!plan.only_static && drained_of_hosts(change, for_hosts) >= drained) return plan;
  for_hosts.to_switches = std::move(plan.only_static);
  return for_hosts;
}

}  // namespace

UpdatePlan plan_update(const Change& change, const ChannelDependencyGraph* proven) {
  if (change.entrances.empty() || change.blocks.empty()) return plan_known(change, proven);
  if (const std::optional<Hazard> hazard = hazard_of_entrances(for_fewer_packets(change))) {
    Change closed = change;
    closed.entrances = {};
    UpdatePlan plan = plan_known(closed, proven);
    plan.closes = hazard;
    return plan;
  }
  fabric::RoutingTables installed;
  installed.lfts = change.installed.lfts.clone();
  installed.sl2vl = change.installed.sl2vl;
  IdSet<Lid> cut(std::size_t{0x10000});
  fabric::WriteRound first = cut_entrances(change, installed, cut);
  const Change rest{change.fabric,   installed,         change.target,
                    change.blocks,   change.max_op_vls, change.switch_packets,
                    change.previous, change.entrances,  change.levels};
  UpdatePlan plan = plan_known(for_fewer_packets(rest), proven);
  if (first.writes.empty()) return plan;
  plan.rounds.insert(plan.rounds.begin(), std::move(first));
  for (const Lid lid : plan.drained) cut.insert(lid);
  plan.drained.clear();
  cut.for_each([&](Lid lid) { plan.drained.push_back(lid); });
  return plan;
}

}  // namespace rch::verify
