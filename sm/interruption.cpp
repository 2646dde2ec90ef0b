#include "sm/interruption.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "base/bitset.h"
#include "base/parallel.h"

namespace rch::sm {
namespace {

using fabric::Fabric;
using fabric::ForwardingTables;

/// Which switches forward packets to one LID so that they arrive.
class Arrivals {
 public:
  Arrivals(const Fabric& fabric, Lid lid, PortId host)
      : fabric_(fabric), lid_(lid), attach_(fabric.port(host).peer), states_(fabric.switch_count()) {
    to_ = attach_.is_none() ? std::nullopt : fabric.switch_id(fabric.port(attach_).node);
  }

  /// Fails to reach a host that hangs on no switch.
  const std::vector<bool>& by(const ForwardingTables& tables) {
    std::ranges::fill(states_, State::open);
    arrives_.assign(states_.size(), false);
    for (std::uint32_t s = 0; to_ && s < states_.size(); ++s) arrives_[s] = follow(tables, SwitchId(s));
    return arrives_;
  }

 private:
  enum class State : std::uint8_t { open, walked, arrives, lost };

  bool follow(const ForwardingTables& tables, SwitchId from) {
    path_.clear();
    State end = State::lost;
    for (SwitchId at = from;;) {
      const State state = states_[at.index()];
      if (state != State::open) {
        end = state == State::arrives ? State::arrives : State::lost;  // walked: a loop
        break;
      }
      states_[at.index()] = State::walked;
      path_.push_back(at);
      const std::uint8_t out = tables.at(at, lid_);
      if (out == 0 || out > fabric_.node(at).num_ports) break;
      if (at == *to_ && out == fabric_.port(attach_).number.value) {
        end = State::arrives;
        break;
      }
      const PortId peer = fabric_.port(fabric_.port_id(at, PortNum(out))).peer;
      const auto next = peer.is_none() ? std::nullopt : fabric_.switch_id(fabric_.port(peer).node);
      if (!next) break;
      at = *next;
    }
    for (const SwitchId sw : path_) states_[sw.index()] = end;
    return end == State::arrives;
  }

  const Fabric& fabric_;
  Lid lid_;
  PortId attach_;
  std::optional<SwitchId> to_;
  std::vector<State> states_;
  std::vector<bool> arrives_;
  std::vector<SwitchId> path_;
};

/// LIDs to which some switch has no installed entry, and has one in the target.
void insert_gaps(const TableUpdate& update, IdSet<Lid>& lids) {
  const std::size_t count = std::min<std::size_t>(lids.universe(), update.target.max_lid().index() + 1);
  for (std::uint32_t s = 0; s < update.fabric.switch_count(); ++s)
    for (std::size_t l = 1; l < count; ++l) {
      const Lid lid(static_cast<std::uint16_t>(l));
      if (update.installed.at(SwitchId(s), lid) == kNoPath && update.target.at(SwitchId(s), lid) != kNoPath)
        lids.insert(lid);
    }
}

/// Counts the pairs that `before` joins and `tables` do not.
std::uint64_t lost_pairs(const Fabric& fabric, const ForwardingTables& before, const ForwardingTables& tables,
                         std::span<const Lid> lids) {
  std::atomic<std::uint64_t> pairs = 0;
  parallel_ranges(lids.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto owner = fabric.lid_owner(lids[i]);
      if (!owner || fabric.is_switch(fabric.port(*owner).node)) continue;
      Arrivals arrivals(fabric, lids[i], *owner);
      const std::vector<bool> had = arrivals.by(before);
      const std::vector<bool>& now = arrivals.by(tables);
      for (const fabric::EndPort& host : fabric.end_ports())
        if (host.port != *owner && had[host.sw.index()] && !now[host.sw.index()]) ++pairs;
    }
  });
  return pairs;
}

/// Counts the pairs that the target joins and `tables` do not.
std::uint64_t pairs_without_path(const TableUpdate& update, const ForwardingTables& tables,
                                 std::span<const Lid> lids) {
  return lost_pairs(update.fabric, update.target, tables, lids);
}

}  // namespace

Interruption interruption_of(const TableUpdate& update) {
  if (update.plan.drained.empty() && !update.resumes) return {};
  IdSet<Lid> without_path(update.fabric.max_lid().index() + 1);
  for (const Lid lid : update.plan.drained)
    if (lid.index() < without_path.universe()) without_path.insert(lid);
  if (update.resumes) insert_gaps(update, without_path);
  std::vector<Lid> lids;
  without_path.for_each([&](Lid lid) { lids.push_back(lid); });
  Interruption found{.lids = lids.size(), .which = lids};
  if (lids.empty()) return found;
  if (update.resumes) found.pairs = pairs_without_path(update, update.installed, lids);
  ForwardingTables tables = update.installed.clone();
  for (const fabric::WriteRound& round : update.plan.rounds) {
    for (const fabric::BlockWrite& write : round.writes)
      std::ranges::copy(write.entries,
                        tables.row(write.at.sw).subspan(write.at.block * ForwardingTables::kBlock).begin());
    if (round.drains) found.pairs = std::max(found.pairs, pairs_without_path(update, tables, lids));
  }
  return found;
}

std::uint64_t pairs_lost_by(const TableUpdate& update) {
  std::vector<Lid> lids;
  for (const fabric::EndPort& host : update.fabric.end_ports()) {
    const fabric::Port& port = update.fabric.port(host.port);
    for (std::uint32_t l = 0; port.lid != kUnassignedLid && l < (1U << port.lmc); ++l)
      lids.emplace_back(static_cast<std::uint16_t>(port.lid.value + l));
  }
  return lost_pairs(update.fabric, update.installed, update.target, lids);
}

}  // namespace rch::sm
