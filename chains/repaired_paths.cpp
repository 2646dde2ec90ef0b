#include "chains/repaired_paths.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "fabric/aggregation_nodes.h"
#include "fabric/parts.h"
#include "verify/verify.h"

namespace rch::chains {
namespace {

using engines::common::ChannelId;
using engines::common::Channels;
using fabric::Fabric;
using fabric::RoutingTables;

constexpr std::uint32_t kFar = 0xFFFFFFFF;
/// Ways that the search for one switch tries before it gives up, and that a repair tries where all entries
/// for a LID are chosen together.
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
  void erase(const GrowingCdg::Edge& edge) { bits_[at(edge)] = false; }

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

/// One LID at a time: which switches lose packets to it, and by which entries they need not. Only switches
/// that lose some, their neighbors, and those on the ways from there are looked at.
class PathRepair {
 public:
  PathRepair(const Fabric& fabric, const Channels& channels, CarriedTables& carried)
      : fabric_(fabric),
        channels_(channels),
        tables_(carried.tables),
        moved_(carried.moved),
        closed_(carried.closed),
        over_(carried.over),
        answers_(carried.answers),
        most_work_(carried.work_left),
        parts_(fabric::parts(fabric.graph())),
        aggregation_(fabric),
        hosts_(parts_.count),
        closed_hosts_(parts_.count),
        cdg_(channels.size() * 16, carried.dependencies),
        known_(channels, lanes_of(carried.tables)),
        loads_(channels.size()),
        read_(fabric.switch_count()),
        entries_(fabric.switch_count()),
        next_behind_(fabric.switch_count()),
        seen_(fabric.switch_count()) {
    for (const GrowingCdg::Edge& edge : carried.dependencies) known_.insert(edge);
    for (const fabric::EndPort& end : fabric.end_ports()) ++hosts_[parts_.of[end.sw.index()]];
    for (const SwitchId sw : closed_) closed_hosts_[parts_.of[sw.index()]] += fabric.end_ports_of(sw).size();
    steps_ = carried.dependencies.size();
  }

  /// Work done so far (CarriedTables::work_left).
  std::uint64_t work() const { return cdg_.work() + steps_; }

  /// `ends`: the switches where paths to the LID end; nothing if they are not known.
  void repair(Lid lid, std::optional<std::span<const PathEnd>> ends, RepairedPaths& result) {
    if (!begin(lid)) return;
    const bool to_host = delivery_ != 0;
    const std::uint32_t part = parts_.of[to_.index()];
    if (state(to_) == State::closed) {
      const std::uint64_t pairs = to_host ? hosts_[part] - 1 : 0;
      result.lost_pairs += pairs;
      result.left_pairs += pairs;
      return;
    }
    if (ends)
      lose_behind(*ends);
    else
      for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
        if (is_joined(SwitchId(s))) follow_installed(SwitchId(s));
    if (to_host) result.lost_pairs += closed_hosts_[part] + hosts_without_path();
    if (to_host) result.left_pairs += closed_hosts_[part];
    if (lost_.empty() && entry(to_).installed == delivery_) return;
    fabric::path_sls_to(fabric_, tables_, lid, sls_);
    list_what_is_behind();
    const bool all = search_over() || search() || (!is_spent() && (search_all_together() || search()));
    if (!all && hosts_left() > 0) result.unreached.push_back(lid);
    for (const SwitchId sw :
         answers_&& to_host ? std::span<const SwitchId>(lost_) : std::span<const SwitchId>())
      if (state(sw) == State::offered) settle(sw);
    if (to_host) result.left_pairs += hosts_left();
    write(lid, result);
  }

 private:
  bool is_spent() const { return work() > most_work_; }

  enum class State : std::uint8_t {
    open,
    arrives,  ///< packets arrive by installed entries
    lost,     ///< they do not
    offered,  ///< a new entry is known and nothing uses it yet
    settled,  ///< the dependencies of the new entry are in the CDG
    closed,   ///< CarriedTables::closed
  };

  /// One settle() did this; unsettle() takes it back.
  struct Settled {
    std::vector<SwitchId> switches;
    std::vector<GrowingCdg::Edge> added;
  };

  /// A switch, as far as the LID at hand concerns it.
  struct Entry {
    State state = State::open;
    std::uint8_t installed = kNoPath, now = kNoPath;
    std::uint32_t distance = kFar;
    SwitchId first_behind = SwitchId::none();
  };
  Entry& entry(SwitchId sw) {
    Entry& entry = entries_[sw.index()];
    if (std::exchange(read_[sw.index()], lid_round_) != lid_round_) {
      const std::uint8_t port = tables_.lfts.at(sw, lid_);
      entry = {.installed = port, .now = port};
    }
    return entry;
  }
  State& state(SwitchId sw) { return entry(sw).state; }

  /// Cables lead from the switch to the LID at hand.
  bool is_joined(SwitchId sw) const { return parts_.of[sw.index()] == parts_.of[to_.index()]; }

  bool has_hosts(SwitchId sw) const { return !fabric_.end_ports_of(sw).empty(); }

  /// Hosts of the switch need a path to the LID at hand. Some pairs of aggregation nodes need none.
  bool needs_path(SwitchId sw) const { return has_hosts(sw) && aggregation_.needs_path(sw, to_); }

  std::uint64_t hosts_without_path() {
    std::uint64_t hosts = 0;
    for (const SwitchId sw : lost_)
      if (state(sw) != State::settled && needs_path(sw)) hosts += fabric_.end_ports_of(sw).size();
    return hosts;
  }

  /// Hosts that have no path when all entries are written: that of their switch leads to no new one either.
  std::uint64_t hosts_left() {
    std::uint64_t hosts = 0;
    for (const SwitchId sw : lost_)
      if (needs_path(sw) && !leads_to_new_entry(sw)) hosts += fabric_.end_ports_of(sw).size();
    return hosts;
  }
  /// Packets of the switch count in the CDG by then: they come from behind (send_from_behind()).
  bool leads_to_new_entry(SwitchId sw) {
    for (std::size_t hops = 0; hops < entries_.size(); ++hops) {
      if (state(sw) == State::arrives || state(sw) == State::settled) return true;
      const ChannelId c = installed_channel(sw);
      if (c.is_none()) return false;
      sw = channels_.to(c);
    }
    return false;
  }

  /// False: nobody has the LID.
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
    lid_ = lid;
    ++lid_round_;
    lost_.clear();
    trail_.clear();
    Entry& here = entry(to_);
    here.now = delivery_;
    here.state = State::arrives;
    here.distance = 0;
    for (const SwitchId sw : closed_) state(sw) = State::closed;
    return true;
  }

  /// The switches whose installed paths lead to one of `ends` lose packets, and no others.
  void lose_behind(std::span<const PathEnd> ends) {
    const auto lose = [&](SwitchId sw) {
      if (state(sw) != State::open || !is_joined(sw)) return;
      state(sw) = State::lost;
      lost_.push_back(sw);
    };
    for (const PathEnd& end : ends) lose(end.sw);
    for (std::size_t i = 0; i < lost_.size(); ++i)
      channels_.for_each_leaving(lost_[i], [&](ChannelId c) {
        const SwitchId before = channels_.to(c);
        if (before != to_ && installed_channel(before) == channels_.back(c)) lose(before);
      });
    for (std::size_t i = 0; i < lost_.size(); ++i)
      channels_.for_each_leaving(lost_[i], [&](ChannelId c) { follow_installed(channels_.to(c)); });
  }

  ChannelId installed_channel(SwitchId sw) {
    const ChannelId c = channels_.at(sw, entry(sw).installed);
    return c.is_none() || moved_[c.index()] ? ChannelId::none() : c;
  }
  ChannelId channel(SwitchId sw) { return channels_.at(sw, entry(sw).now); }

  void follow_installed(SwitchId from) {
    way_.clear();
    SwitchId at = from;
    while (!at.is_none() && state(at) == State::open) {
      way_.push_back(at);
      state(at) = State::lost;  // until it is known; also ends loops
      const ChannelId c = installed_channel(at);
      at = c.is_none() ? SwitchId::none() : channels_.to(c);
    }
    const bool arrives = !at.is_none() && state(at) == State::arrives;
    std::uint32_t hops = arrives ? entry(at).distance : 0;
    for (std::size_t i = way_.size(); i-- > 0;) {
      if (!arrives) {
        lost_.push_back(way_[i]);
        continue;
      }
      state(way_[i]) = State::arrives;
      entry(way_[i]).distance = ++hops;
    }
  }

  /// By switch that loses packets: those that send to it by an installed entry.
  void list_what_is_behind() {
    std::ranges::sort(lost_);
    for (const SwitchId sw : lost_) {
      const ChannelId c = installed_channel(sw);
      if (c.is_none()) continue;
      const SwitchId next = channels_.to(c);
      next_behind_[sw.index()] = std::exchange(entry(next).first_behind, sw);
    }
  }

  /// Leads packets along the paths to CarriedTables::over. False, and nothing changes: some do not arrive.
  bool search_over() {
    if (over_.is_none()) return false;
    for (const SwitchId sw : lost_) {
      entry(sw).now = tables_.lfts.at(sw, over_);
      state(sw) = State::offered;
    }
    at_once_ = false;
    const bool all = std::ranges::all_of(lost_, [&](SwitchId sw) {
      return !needs_path(sw) || state(sw) == State::settled || (arrives_from(sw) && settle(sw));
    });
    at_once_ = true;
    if (!all) take_all_back();
    return all;
  }
  bool arrives_from(SwitchId sw) {
    for (std::size_t hops = 0; hops <= entries_.size(); ++hops) {
      if (state(sw) == State::arrives || state(sw) == State::settled) return true;
      const ChannelId c = channel(sw);
      if (state(sw) != State::offered || c.is_none()) return false;
      sw = channels_.to(c);
    }
    return false;
  }
  void take_all_back() {
    while (!trail_.empty()) unsettle();
    for (const SwitchId sw : lost_) {
      state(sw) = State::lost;
      entry(sw).now = entry(sw).installed;
    }
  }

  /// First entries that may be written in any order. False: some switch with hosts has no path.
  bool search() {
    resolve();
    search_for_others();
    // Whatever order the rest is written in, some packets may loop: rounds see to that.
    at_once_ = false;
    const bool all = search_for_others();
    at_once_ = true;
    return all;
  }

  void offer(std::uint32_t distance, SwitchId sw) {
    if (offers_.size() <= distance) offers_.resize(distance + std::size_t{1});
    offers_[distance].push_back(sw);
  }
  void offer_to_neighbors(SwitchId sw) {
    for (const fabric::Neighbor& neighbor : fabric_.graph().neighbors(sw))
      if (state(neighbor.sw) == State::lost) offer(entry(sw).distance + 1, neighbor.sw);
  }

  /// Entries from the destination outwards. A switch with hosts takes one that fits; one without hosts offers
  /// the first, which fits or not when somebody uses it.
  void resolve() {
    for (auto& at : offers_) at.clear();
    for (const SwitchId sw : lost_)
      for (const fabric::Neighbor& neighbor : fabric_.graph().neighbors(sw))
        if (state(neighbor.sw) == State::arrives) offer(entry(neighbor.sw).distance + 1, sw);
    for (std::uint32_t distance = 0; distance < offers_.size(); ++distance)
      for (std::size_t i = 0; i < offers_[distance].size(); ++i) {
        const SwitchId sw = offers_[distance][i];
        if (state(sw) != State::lost || !choose(sw, distance)) continue;
        entry(sw).distance = distance;
        offer_to_neighbors(sw);
      }
  }

  static bool has_path(State state) {
    return state == State::arrives || state == State::offered || state == State::settled;
  }
  bool choose(SwitchId sw, std::uint32_t distance) {
    choices_.clear();
    channels_.for_each_leaving(sw, [&](ChannelId c) {
      const SwitchId next = channels_.to(c);
      const State there = state(next);
      if (has_path(there) && entry(next).distance + 1 == distance) choices_.push_back(c);
    });
    std::ranges::stable_sort(choices_, {}, [&](ChannelId c) { return loads_[c.index()]; });
    for (const ChannelId c : choices_) {
      entry(sw).now = channels_.port(c).value;
      if (!needs_path(sw)) {
        state(sw) = State::offered;
        return true;
      }
      if (settle(sw)) return true;
    }
    entry(sw).now = entry(sw).installed;
    return false;
  }

  /// Brings the new entries from `sw` on into the CDG, with all packets that may meet them. False, and
  /// nothing changes: they would close a cycle.
  bool settle(SwitchId sw) {
    added_.clear();
    fresh_.clear();
    for (SwitchId at = sw; state(at) != State::arrives && state(at) != State::settled;
         at = channels_.to(channel(at))) {
      fresh_.push_back(at);
      if (fresh_.size() > entries_.size()) return false;
    }
    if (at_once_ && closes_loop()) return false;
    for (const SwitchId at : fresh_) {
      if (has_hosts(at) || answers_) send(at);
      send_from_behind(at);
    }
    if (!cdg_.try_add(added_)) return false;
    for (const GrowingCdg::Edge& edge : added_) known_.insert(edge);
    for (const SwitchId at : fresh_) {
      state(at) = State::settled;
      ++loads_[channel(at).index()];
    }
    trail_.push_back({fresh_, added_});
    return true;
  }
  /// Takes back what the last settle() did.
  void unsettle() {
    const Settled last = std::move(trail_.back());
    trail_.pop_back();
    cdg_.take_back(last.added);
    for (const GrowingCdg::Edge& edge : last.added) known_.erase(edge);
    for (const SwitchId sw : last.switches) {
      --loads_[channel(sw).index()];
      state(sw) = State::lost;
    }
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
      ++steps_;
      if (sw == to_) continue;
      go_on(at, lane, sl, this->channel(sw));
      if (at_once_ && state(sw) != State::arrives) go_on(at, lane, sl, installed_channel(sw));
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
    for (SwitchId from = entry(sw).first_behind; !from.is_none(); from = next_behind_[from.index()]) {
      behind_.assign(1, from);
      const ChannelId last = installed_channel(from);
      std::uint16_t levels = 0;
      for (std::size_t i = 0; i < behind_.size() && i < entries_.size(); ++i) {
        const SwitchId at = behind_[i];
        if (has_hosts(at)) levels = static_cast<std::uint16_t>(levels | 1U << sls_[at.index()] % 16);
        for (SwitchId more = entry(at).first_behind; !more.is_none(); more = next_behind_[more.index()])
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
      if (needs_path(sw) && state(sw) != State::settled) all = search_from(sw) && all;
    return all;
  }

  /// Tries all ways from a switch over switches without hosts that carry nothing for the LID yet.
  bool search_from(SwitchId sw) {
    ways_ = 0;
    on_way_.clear();
    return extend(sw, sw);
  }
  bool extend(SwitchId source, SwitchId at) {
    const std::uint8_t before = entry(at).now;
    on_way_.push_back(at);
    bool found = false;
    channels_.for_each_leaving(at, [&](ChannelId c) {
      if (found || ++ways_ > kMostWays || is_spent()) return;
      const SwitchId next = channels_.to(c);
      const State there = state(next);
      entry(at).now = channels_.port(c).value;
      if (there == State::arrives || there == State::settled) {
        found = settle(source);
      } else if (there != State::closed && std::ranges::find(on_way_, next) == on_way_.end() &&
                 !has_hosts(next)) {
        found = extend(source, next);
      }
    });
    on_way_.pop_back();
    if (!found) entry(at).now = before;
    return found;
  }

  /// Tries all combinations of entries, one after the other. False: there is none, or too many were tried;
  /// then no switch has a new entry.
  bool search_all_together() {
    take_all_back();
    on_way_.clear();
    at_once_ = false;
    const bool all = settle_others();
    at_once_ = true;
    return all;
  }
  bool settle_others() {
    const auto open = std::ranges::find_if(
        lost_, [&](SwitchId sw) { return needs_path(sw) && state(sw) != State::settled; });
    return open == lost_.end() || lead(*open, *open);
  }
  /// Leads the packets of `source` on from `at`, and then those of the switches without a path.
  bool lead(SwitchId source, SwitchId at) {
    const std::uint8_t before = entry(at).now;
    on_way_.push_back(at);
    bool found = false;
    channels_.for_each_leaving(at, [&](ChannelId c) {
      if (found || ++ways_together_ > kMostWays || is_spent()) return;
      const SwitchId next = channels_.to(c);
      entry(at).now = channels_.port(c).value;
      if (state(next) == State::lost) {
        found = std::ranges::find(on_way_, next) == on_way_.end() && lead(source, next);
      } else if (has_path(state(next)) && settle(source)) {
        std::vector<SwitchId> way = std::exchange(on_way_, {});
        found = settle_others();
        on_way_ = std::move(way);
        if (!found) unsettle();
      }
    });
    on_way_.pop_back();
    if (!found) entry(at).now = before;
    return found;
  }

  /// The installed entry leads over a cable that was exchanged, perhaps to its own switch: packets by it may
  /// loop or close a cycle.
  bool leads_elsewhere(SwitchId sw) {
    const std::uint8_t port = entry(sw).installed;
    if (port == 0 || port > fabric_.node(sw).num_ports) return false;
    const PortId peer = fabric_.port(fabric_.port_id(sw, PortNum(port))).peer;
    if (peer.is_none() || !fabric_.is_switch(fabric_.port(peer).node)) return false;
    const ChannelId c = channels_.at(sw, port);
    return c.is_none() || moved_[c.index()];
  }

  void write(Lid lid, RepairedPaths& result) {
    const std::uint64_t before = result.entries;
    const auto set = [&](SwitchId sw) {
      if (entry(sw).now == entry(sw).installed) return;
      tables_.lfts.row(sw)[lid.index()] = entry(sw).now;
      ++result.entries;
    };
    set(to_);
    for (const SwitchId sw : lost_) {
      if (leads_elsewhere(sw) && state(sw) != State::settled) entry(sw).now = kNoPath;
      if (state(sw) == State::settled || entry(sw).now == kNoPath) set(sw);
    }
    if (result.entries > before) ++result.lids;
  }

  const Fabric& fabric_;
  const Channels& channels_;
  RoutingTables& tables_;
  const std::vector<bool>& moved_;
  const std::vector<SwitchId>& closed_;
  Lid over_;
  bool answers_;
  std::uint64_t most_work_, steps_ = 0;
  fabric::Parts parts_;
  fabric::AggregationNodes aggregation_;
  std::vector<std::uint64_t> hosts_, closed_hosts_;  ///< by part: hosts, and those on closed switches
  GrowingCdg cdg_;
  LaneDependencies known_;
  std::vector<std::uint32_t> loads_;  ///< by channel: LIDs that the repair leads there
  unsigned ways_together_ = 0;

  // State that belongs to the LID at hand:
  Lid lid_;
  std::uint32_t lid_round_ = 0;
  SwitchId to_;
  std::uint8_t delivery_ = 0;        ///< entry of the switch that the LID is at
  std::vector<std::uint32_t> read_;  ///< by switch: the last LID whose entry was read, by its number
  std::vector<Entry> entries_;       ///< by switch; counts where it was read
  std::vector<SwitchId> lost_;
  std::vector<SwitchId> next_behind_;
  std::vector<Settled> trail_;
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

/// LIDs in `first`, then the others.
RepairedPaths repair_in_order(const Fabric& fabric, const Channels& channels, std::span<const Lid> first,
                              CarriedTables& carried) {
  RepairedPaths result;
  PathRepair paths(fabric, channels, carried);
  const auto repair = [&](Lid lid) {
    if (carried.whole.contains(lid)) return;
    if (carried.unsure.contains(lid)) return paths.repair(lid, {}, result);
    const auto first_end = std::ranges::lower_bound(carried.ends, lid, {}, &PathEnd::lid);
    const auto last_end =
        std::find_if(first_end, carried.ends.end(), [&](const PathEnd& end) { return end.lid != lid; });
    if (first_end != last_end) paths.repair(lid, std::span<const PathEnd>(first_end, last_end), result);
  };
  const auto goes_on = [&] { return !carried.all_or_none || result.unreached.empty(); };
  for (const Lid lid : first)
    if (goes_on()) repair(lid);
  carried.suspects().for_each([&](Lid lid) {
    if (goes_on() && std::ranges::find(first, lid) == first.end()) repair(lid);
  });
  carried.work_left -= std::min(carried.work_left, paths.work());
  return result;
}

}  // namespace

IdSet<Lid> CarriedTables::suspects() const {
  IdSet<Lid> lids = unsure;
  for (const PathEnd& end : ends) lids.insert(end.lid);
  return lids;
}

RepairedPaths repair_paths(const Fabric& fabric, const Channels& channels, CarriedTables& carried) {
  const fabric::ForwardingTables before = carried.tables.lfts.clone();
  const bool is_small = carried.suspects().count() * fabric.switch_count() <= kSmall;
  RepairedPaths best = repair_in_order(fabric, channels, {}, carried);
  std::vector<Lid> first, unreached = best.unreached;
  for (unsigned again = 0; again < kMostOrders && is_small && carried.work_left > 0; ++again) {
    // LIDs for which nothing was left choose before the others.
    const std::size_t known = first.size();
    for (const Lid lid : unreached)
      if (std::ranges::find(first, lid) == first.end()) first.insert(first.begin(), lid);
    if (first.size() == known) break;
    fabric::ForwardingTables after = std::exchange(carried.tables.lfts, before.clone());
    RepairedPaths other = repair_in_order(fabric, channels, first, carried);
    unreached = other.unreached;
    if (other.unreached.size() < best.unreached.size())
      best = std::move(other);
    else
      carried.tables.lfts = std::move(after);
  }
  return best;
}

}  // namespace rch::chains
