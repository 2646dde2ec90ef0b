#include "chains/repaired_paths.h"

#include <algorithm>
#include <utility>

#include "verify/verify.h"

namespace rch::chains {
namespace {

using engines::common::ChannelId;
using engines::common::Channels;
using fabric::Fabric;
using fabric::RoutingTables;

constexpr std::uint32_t kFar = 0xFFFFFFFF;
/// Ways that the search for one switch tries before it gives up.
constexpr unsigned kMostWays = 20'000;
/// Orders of LIDs that are tried where not all are repaired, and LIDs times switches up to which.
constexpr unsigned kMostOrders = 8;
constexpr std::size_t kSmall = 1'000'000;

/// Dependencies, one bit each: whether packets take one lane after another.
class LaneDependencies {
 public:
  LaneDependencies(const Channels& channels, std::size_t lanes)
      : channels_(channels), lanes_(lanes), bits_(channels.dependency_count() * lanes * lanes) {}

  bool contains(const GrowingCdg::Edge& edge) const { return bits_[at(edge)]; }
  void insert(const GrowingCdg::Edge& edge) { bits_[at(edge)] = true; }

 private:
  std::size_t at(const GrowingCdg::Edge& edge) const {
    const std::size_t pair = channels_.dependency(ChannelId(edge.first / 16), ChannelId(edge.second / 16));
    return (pair * lanes_ + edge.first % 16 % lanes_) * lanes_ + edge.second % 16 % lanes_;
  }

  const Channels& channels_;
  std::size_t lanes_;
  std::vector<bool> bits_;
};

/// Lanes that packets of these tables may be on, counted from 0.
std::size_t lanes_of(const RoutingTables& tables) {
  if (tables.sl2vl.empty()) {
    const auto level = fabric::common_path_sl(tables);
    return level ? fabric::kIdentitySl2Vl[*level] + std::size_t{1} : 16;
  }
  std::size_t lanes = 1;
  for (const fabric::Sl2VlMap& map : tables.sl2vl.maps())
    for (const std::uint8_t vl : map) lanes = std::max<std::size_t>(lanes, vl % 16 + std::size_t{1});
  return lanes;
}

/// One LID at a time: which switches lose packets to it, and by which entries they need not.
class PathRepair {
 public:
  PathRepair(const Fabric& fabric, const Channels& channels, CarriedTables& carried)
      : fabric_(fabric),
        channels_(channels),
        tables_(carried.tables),
        moved_(carried.moved),
        answers_(carried.answers),
        cdg_(channels.size() * 16, carried.dependencies),
        known_(channels, lanes_of(carried.tables)),
        loads_(channels.size()),
        installed_(fabric.switch_count()),
        now_(fabric.switch_count()),
        distance_(fabric.switch_count()),
        state_(fabric.switch_count()),
        first_behind_(fabric.switch_count()),
        next_behind_(fabric.switch_count()),
        seen_(fabric.switch_count()) {
    for (const GrowingCdg::Edge& edge : carried.dependencies) known_.insert(edge);
  }

  void repair(Lid lid, RepairedPaths& result) {
    if (!begin(lid)) return;
    if (lost_.empty() && installed_[to_.index()] == delivery_) return;
    const bool to_host = delivery_ != 0;
    if (to_host) result.lost_pairs += hosts_without_path();
    fabric::path_sls_to(fabric_, tables_, lid, sls_);
    list_what_is_behind();
    resolve();
    search_for_others();
    // Whatever order the rest is written in, some packets may loop: rounds see to that.
    at_once_ = false;
    const bool all = search_for_others();
    at_once_ = true;
    if (!all) result.unreached.push_back(lid);
    for (const SwitchId sw :
         answers_&& to_host ? std::span<const SwitchId>(lost_) : std::span<const SwitchId>())
      if (state_[sw.index()] == State::offered) settle(sw);
    if (to_host) result.left_pairs += hosts_without_path();
    write(lid, result);
  }

 private:
  enum class State : std::uint8_t {
    open,
    arrives,  ///< packets arrive by installed entries
    lost,     ///< they do not
    offered,  ///< a new entry is known and nothing uses it yet
    settled,  ///< the dependencies of the new entry are in the CDG
  };

  bool has_hosts(SwitchId sw) const { return !fabric_.end_ports_of(sw).empty(); }

  std::uint64_t hosts_without_path() const {
    std::uint64_t hosts = 0;
    for (const SwitchId sw : lost_)
      if (state_[sw.index()] != State::settled) hosts += fabric_.end_ports_of(sw).size();
    return hosts;
  }

  /// Reads the entries for a LID, and tells which switches lose packets to it. False: nobody has it.
  bool begin(Lid lid) {
    const auto owner = fabric_.lid_owner(lid);
    if (!owner) return false;
    const fabric::Port& port = fabric_.port(*owner);
    if (const auto sw = fabric_.switch_id(port.node)) {
      to_ = *sw;
      delivery_ = 0;
    } else {
      if (port.peer.is_none() || !fabric_.is_switch(fabric_.port(port.peer).node)) return false;
      to_ = *fabric_.switch_id(fabric_.port(port.peer).node);
      delivery_ = fabric_.port(port.peer).number.value;
    }
    for (std::uint32_t s = 0; s < installed_.size(); ++s) installed_[s] = tables_.lfts.at(SwitchId(s), lid);
    now_ = installed_;
    now_[to_.index()] = delivery_;
    std::ranges::fill(state_, State::open);
    std::ranges::fill(distance_, kFar);
    state_[to_.index()] = State::arrives;
    distance_[to_.index()] = 0;
    lost_.clear();
    for (std::uint32_t s = 0; s < installed_.size(); ++s) follow_installed(SwitchId(s));
    return true;
  }

  ChannelId installed_channel(SwitchId sw) const {
    const ChannelId c = channels_.at(sw, installed_[sw.index()]);
    return c.is_none() || moved_[c.index()] ? ChannelId::none() : c;
  }
  ChannelId channel(SwitchId sw) const { return channels_.at(sw, now_[sw.index()]); }

  void follow_installed(SwitchId from) {
    way_.clear();
    SwitchId at = from;
    for (; !at.is_none() && state_[at.index()] == State::open && way_.size() < installed_.size();) {
      way_.push_back(at);
      state_[at.index()] = State::lost;  // until it is known; also ends loops
      const ChannelId c = installed_channel(at);
      at = c.is_none() ? SwitchId::none() : channels_.to(c);
    }
    const bool arrives = !at.is_none() && state_[at.index()] == State::arrives;
    std::uint32_t hops = arrives ? distance_[at.index()] : 0;
    for (std::size_t i = way_.size(); i-- > 0;) {
      if (!arrives) {
        lost_.push_back(way_[i]);
        continue;
      }
      state_[way_[i].index()] = State::arrives;
      distance_[way_[i].index()] = ++hops;
    }
  }

  /// By switch that loses packets: those that send to it by an installed entry.
  void list_what_is_behind() {
    std::ranges::fill(first_behind_, SwitchId::none());
    std::ranges::sort(lost_);
    for (const SwitchId sw : lost_) {
      const ChannelId c = installed_channel(sw);
      if (c.is_none()) continue;
      const SwitchId next = channels_.to(c);
      next_behind_[sw.index()] = std::exchange(first_behind_[next.index()], sw);
    }
  }

  void offer(std::uint32_t distance, SwitchId sw) {
    if (offers_.size() <= distance) offers_.resize(distance + std::size_t{1});
    offers_[distance].push_back(sw);
  }
  void offer_to_neighbors(SwitchId sw) {
    for (const fabric::Neighbor& neighbor : fabric_.graph().neighbors(sw))
      if (state_[neighbor.sw.index()] == State::lost) offer(distance_[sw.index()] + 1, neighbor.sw);
  }

  /// Entries from the destination outwards. A switch with hosts takes one that fits; one without hosts offers
  /// the first, which fits or not when somebody uses it.
  void resolve() {
    for (auto& at : offers_) at.clear();
    for (const SwitchId sw : lost_)
      for (const fabric::Neighbor& neighbor : fabric_.graph().neighbors(sw))
        if (state_[neighbor.sw.index()] == State::arrives) offer(distance_[neighbor.sw.index()] + 1, sw);
    for (std::uint32_t distance = 0; distance < offers_.size(); ++distance)
      for (std::size_t i = 0; i < offers_[distance].size(); ++i) {
        const SwitchId sw = offers_[distance][i];
        if (state_[sw.index()] != State::lost || !choose(sw, distance)) continue;
        distance_[sw.index()] = distance;
        offer_to_neighbors(sw);
      }
  }

  bool choose(SwitchId sw, std::uint32_t distance) {
    choices_.clear();
    channels_.for_each_leaving(sw, [&](ChannelId c) {
      const SwitchId next = channels_.to(c);
      const State state = state_[next.index()];
      if (state != State::lost && state != State::open && distance_[next.index()] + 1 == distance)
        choices_.push_back(c);
    });
    std::ranges::stable_sort(choices_, {}, [&](ChannelId c) { return loads_[c.index()]; });
    for (const ChannelId c : choices_) {
      now_[sw.index()] = channels_.port(c).value;
      if (!has_hosts(sw)) {
        state_[sw.index()] = State::offered;
        return true;
      }
      if (settle(sw)) return true;
    }
    now_[sw.index()] = installed_[sw.index()];
    return false;
  }

  /// Brings the new entries from `sw` on into the CDG, with all packets that may meet them. False, and
  /// nothing changes: they would close a cycle.
  bool settle(SwitchId sw) {
    added_.clear();
    fresh_.clear();
    for (SwitchId at = sw; state_[at.index()] != State::arrives && state_[at.index()] != State::settled;
         at = channels_.to(channel(at))) {
      fresh_.push_back(at);
      if (fresh_.size() > installed_.size()) return false;
    }
    if (at_once_ && closes_loop()) return false;
    if (has_hosts(sw) || answers_) send(sw);
    for (const SwitchId at : fresh_) send_from_behind(at);
    if (!cdg_.try_add(added_)) return false;
    for (const GrowingCdg::Edge& edge : added_) known_.insert(edge);
    for (const SwitchId at : fresh_) {
      state_[at.index()] = State::settled;
      ++loads_[channel(at).index()];
    }
    return true;
  }

  void add(std::uint32_t from, std::uint32_t to) {
    const GrowingCdg::Edge edge{from, to};
    if (!known_.contains(edge) && std::ranges::find(added_, edge) == added_.end()) added_.push_back(edge);
  }

  /// Dependencies of packets of the hosts at a switch.
  void send(SwitchId sw) {
    const ChannelId first = channel(sw);
    if (first.is_none()) return;
    std::uint16_t lanes = 0;
    const auto enter_by = [&](PortNum in) {
      lanes = static_cast<std::uint16_t>(
          lanes | 1U << tables_.vl(sw, in, channels_.port(first), sls_[sw.index()]) % 16);
    };
    for (const fabric::EndPort& host : fabric_.end_ports_of(sw))
      enter_by(fabric_.port(fabric_.port(host.port).peer).number);
    if (answers_) enter_by(PortNum(0));
    for (std::uint8_t vl = 0; vl < 16; ++vl)
      if ((lanes >> vl & 1U) != 0) follow(first, vl, sls_[sw.index()]);
  }

  /// The same from a channel on. While entries are written, a switch may have the installed one or the new
  /// one.
  void follow(ChannelId channel, std::uint8_t vl, std::uint8_t sl) {
    met_.assign(1, {channel, vl});
    for (std::size_t i = 0; i < met_.size(); ++i) {
      const auto [at, lane] = met_[i];
      const SwitchId sw = channels_.to(at);
      if (sw == to_) continue;
      go_on(at, lane, sl, this->channel(sw));
      if (at_once_ && state_[sw.index()] != State::arrives) go_on(at, lane, sl, installed_channel(sw));
    }
  }
  void go_on(ChannelId at, std::uint8_t vl, std::uint8_t sl, ChannelId next) {
    if (next.is_none()) return;
    const PortNum in = channels_.port(channels_.back(at));
    const auto next_vl =
        static_cast<std::uint8_t>(tables_.vl(channels_.to(at), in, channels_.port(next), sl) % 16);
    add(lane_of(at, vl), lane_of(next, next_vl));
    const std::pair further(next, next_vl);
    if (std::ranges::find(met_, further) == met_.end()) met_.push_back(further);
  }

  /// Packets can come back to a switch with a new entry while some switches have the installed entry still.
  bool closes_loop() {
    for (const SwitchId from : fresh_) {
      ++round_;
      reached_.assign(1, channels_.to(channel(from)));
      for (std::size_t i = 0; i < reached_.size(); ++i) {
        const SwitchId at = reached_[i];
        if (at == from) return true;
        if (at == to_) continue;
        for (const ChannelId c : {channel(at), installed_channel(at)})
          if (!c.is_none() && std::exchange(seen_[channels_.to(c).index()], round_) != round_)
            reached_.push_back(channels_.to(c));
      }
    }
    return false;
  }

  /// Dependencies of packets that come to a switch by entries that are not written yet.
  void send_from_behind(SwitchId sw) {
    for (SwitchId from = first_behind_[sw.index()]; !from.is_none(); from = next_behind_[from.index()]) {
      behind_.assign(1, from);
      const ChannelId last = installed_channel(from);
      std::uint16_t levels = 0;
      for (std::size_t i = 0; i < behind_.size() && i < installed_.size(); ++i) {
        const SwitchId at = behind_[i];
        if (has_hosts(at)) levels = static_cast<std::uint16_t>(levels | 1U << sls_[at.index()] % 16);
        for (SwitchId more = first_behind_[at.index()]; !more.is_none(); more = next_behind_[more.index()])
          behind_.push_back(more);
      }
      for (std::uint8_t sl = 0; sl < 16; ++sl)
        if ((levels >> sl & 1U) != 0) enter(from, last, sl);
    }
  }

  /// Packets of a service level on the link from `from`, by whatever port they came in there.
  void enter(SwitchId from, ChannelId link, std::uint8_t sl) {
    std::uint16_t lanes = 0;
    for (unsigned in = 1; in <= fabric_.node(from).num_ports; ++in) {
      const PortNum port(static_cast<std::uint8_t>(in));
      if (fabric_.port(fabric_.port_id(from, port)).peer.is_none()) continue;
      lanes = static_cast<std::uint16_t>(lanes | 1U << tables_.vl(from, port, channels_.port(link), sl) % 16);
      if (tables_.sl2vl.empty()) break;
    }
    for (std::uint8_t vl = 0; vl < 16; ++vl)
      if ((lanes >> vl & 1U) != 0) follow(link, vl, sl);
  }

  /// Switches with hosts that the first choices left without an entry. False: some stay so.
  bool search_for_others() {
    bool all = true;
    for (const SwitchId sw : lost_)
      if (has_hosts(sw) && state_[sw.index()] != State::settled) all = search_from(sw) && all;
    return all;
  }

  /// Tries all ways from a switch over switches without hosts that carry nothing for the LID yet.
  bool search_from(SwitchId sw) {
    ways_ = 0;
    on_way_.clear();
    return extend(sw, sw);
  }
  bool extend(SwitchId source, SwitchId at) {
    const std::uint8_t before = now_[at.index()];
    on_way_.push_back(at);
    bool found = false;
    channels_.for_each_leaving(at, [&](ChannelId c) {
      if (found || ++ways_ > kMostWays) return;
      const SwitchId next = channels_.to(c);
      const State state = state_[next.index()];
      now_[at.index()] = channels_.port(c).value;
      if (state == State::arrives || state == State::settled) {
        found = settle(source);
      } else if (std::ranges::find(on_way_, next) == on_way_.end() && !has_hosts(next)) {
        found = extend(source, next);
      }
    });
    on_way_.pop_back();
    if (!found) now_[at.index()] = before;
    return found;
  }

  void write(Lid lid, RepairedPaths& result) {
    const std::uint64_t before = result.entries;
    const auto set = [&](SwitchId sw) {
      if (now_[sw.index()] == installed_[sw.index()]) return;
      tables_.lfts.row(sw)[lid.index()] = now_[sw.index()];
      ++result.entries;
    };
    set(to_);
    for (const SwitchId sw : lost_)
      if (state_[sw.index()] == State::settled) set(sw);
    if (result.entries > before) ++result.lids;
  }

  const Fabric& fabric_;
  const Channels& channels_;
  RoutingTables& tables_;
  const std::vector<bool>& moved_;
  bool answers_;
  GrowingCdg cdg_;
  LaneDependencies known_;
  std::vector<std::uint32_t> loads_;  ///< by channel: LIDs that the repair leads there

  // Of the LID at hand:
  SwitchId to_;
  std::uint8_t delivery_ = 0;                  ///< entry of the switch that the LID is at
  std::vector<std::uint8_t> installed_, now_;  ///< entries by switch
  std::vector<std::uint32_t> distance_;        ///< by switch
  std::vector<State> state_;
  std::vector<SwitchId> lost_;
  std::vector<SwitchId> first_behind_, next_behind_;
  std::vector<std::uint8_t> sls_;              ///< by source switch
  std::vector<std::vector<SwitchId>> offers_;  ///< by distance
  std::vector<SwitchId> way_, fresh_, behind_, on_way_, reached_;
  std::vector<std::pair<ChannelId, std::uint8_t>> met_;
  std::vector<std::uint32_t> seen_;  ///< by switch: the last round that met it
  std::uint32_t round_ = 0;
  bool at_once_ = true;  ///< only entries that can be written in any order
  std::vector<ChannelId> choices_;
  std::vector<GrowingCdg::Edge> added_;
  unsigned ways_ = 0;
};

/// Those in `first`, then the others.
RepairedPaths repair_in_order(const Fabric& fabric, const Channels& channels, std::span<const Lid> first,
                              CarriedTables& carried) {
  RepairedPaths result;
  PathRepair paths(fabric, channels, carried);
  for (const Lid lid : first) paths.repair(lid, result);
  carried.suspects.for_each([&](Lid lid) {
    if (std::ranges::find(first, lid) == first.end()) paths.repair(lid, result);
  });
  return result;
}

}  // namespace

RepairedPaths repair_paths(const Fabric& fabric, const Channels& channels, CarriedTables& carried) {
  const fabric::ForwardingTables before = carried.tables.lfts.clone();
  const bool is_small = carried.suspects.count() * fabric.switch_count() <= kSmall;
  RepairedPaths best = repair_in_order(fabric, channels, {}, carried);
  std::vector<Lid> first;
  for (unsigned again = 0; again < kMostOrders && is_small && !best.unreached.empty(); ++again) {
    // LIDs for which nothing was left choose before the others.
    for (const Lid lid : best.unreached)
      if (std::ranges::find(first, lid) == first.end()) first.insert(first.begin(), lid);
    fabric::ForwardingTables after = std::exchange(carried.tables.lfts, before.clone());
    RepairedPaths other = repair_in_order(fabric, channels, first, carried);
    if (other.unreached.size() < best.unreached.size())
      best = std::move(other);
    else
      carried.tables.lfts = std::move(after);
  }
  return best;
}

bool reach_switches(const Fabric& fabric, std::uint8_t max_op_vls, RoutingTables& tables) {
  const Channels channels(fabric.graph());
  CarriedTables carried;
  carried.tables.lfts = tables.lfts.clone();
  carried.tables.sl2vl = tables.sl2vl;
  carried.tables.steps = tables.steps;
  carried.moved.assign(channels.size(), false);
  carried.suspects = IdSet<Lid>(fabric.max_lid().index() + 1);
  const auto lane = [&](PortId port, std::uint8_t vl) {
    const fabric::Port& at = fabric.port(port);
    return lane_of(channels.at(*fabric.switch_id(at.node), at.number.value), vl);
  };
  for (const verify::ChannelDependency& d :
       verify::channel_dependencies(fabric, tables, {.max_op_vls = max_op_vls}))
    carried.dependencies.emplace_back(lane(d.from, d.from_vl), lane(d.to, d.to_vl));
  for (std::size_t lid = 1; lid <= fabric.max_lid().index(); ++lid)
    carried.suspects.insert(Lid(static_cast<std::uint16_t>(lid)));
  carried.answers = true;
  if (repair_paths(fabric, channels, carried).entries == 0) return false;
  tables.lfts = std::move(carried.tables.lfts);
  return true;
}

}  // namespace rch::chains
