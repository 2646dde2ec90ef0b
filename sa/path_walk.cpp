#include "sa/path_walk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sa/rates.h"

namespace rch::sa {
namespace {

using fabric::Fabric;

/// A unicast packet that takes more hops is in a loop (IBA 15.2.5).
constexpr int kMostHops = 64;

/// Service levels that a map does not drop. Where no map is planned, ports have the identity, which drops
/// none.
std::uint16_t carried(const fabric::Sl2VlMap& map) {
  constexpr std::uint8_t kManagementVl = 15;
  std::uint16_t sls = 0;
  for (std::size_t sl = 0; sl < map.size(); ++sl)
    sls = static_cast<std::uint16_t>(sls | (map[sl] != kManagementVl ? 1U << sl : 0U));
  return sls;
}

/// A packet on its way by the installed tables.
class Packet {
 public:
  Packet(const Snapshot& snapshot, PortId from, Lid to) : snapshot_(snapshot), to_(to) {
    const Fabric& fabric = snapshot.fabric();
    const auto owner = fabric.lid_owner(to);
    if (!owner || to > snapshot.plan.tables->lfts.max_lid()) return;
    owner_ = *owner;
    if (from == owner_)
      at_.peer = from;
    else if (const auto sw = fabric.switch_id(fabric.port(from).node))
      at_ = {.peer = from, .sw = *sw};
    else
      at_ = snapshot.links[from.index()];
  }

  // One step is leave() and arrive(). Each half asks memory for what the other one reads: it comes while
  // other packets have their turns.

  /// Looks up the port by which it leaves its switch. False if it has arrived, or cannot go on.
  bool leave() {
    if (at_.sw.is_none() || at_.peer == owner_ || hops_ == kMostHops) return false;
    ++hops_;
    const fabric::Node& node = snapshot_.fabric().node(at_.sw);
    out_ = snapshot_.plan.tables->lfts.at(at_.sw, to_);
    crossed_ = at_.sw;
    hop_ = {at_.peer, PortId(node.first_port.value + out_)};
    if (out_ > node.num_ports)
      at_ = {};
    else
      __builtin_prefetch(&snapshot_.links[hop_.out.index()]);
    return out_ <= node.num_ports;
  }
  /// Crosses the link at that port.
  void arrive() {
    if (out_ == 0)
      at_ = {.peer = hop_.out};
    else
      at_ = snapshot_.links[hop_.out.index()];
    if (!at_.sw.is_none()) __builtin_prefetch(snapshot_.plan.tables->lfts.row(at_.sw).data() + to_.index());
  }

  bool has_arrived() const { return !owner_.is_none() && at_.peer == owner_; }
  SwitchId at() const { return at_.sw; }         ///< none: in no switch
  PortId in() const { return at_.peer; }         ///< by which it entered that
  SwitchId crossed() const { return crossed_; }  ///< the last switch
  PathHop hop() const { return hop_; }           ///< its ports

 private:
  const Snapshot& snapshot_;
  const Lid to_;
  PortId owner_ = PortId::none();  ///< of the LID; none: no tables lead there
  Link at_;                        ///< it is in `sw`, which it entered by `peer`
  int hops_ = 0;
  SwitchId crossed_;
  PathHop hop_;
  std::uint8_t out_ = 0;  ///< the port of the switch
};

void take_link(PathTraits& path, const Snapshot& snapshot, PortId port) {
  const LinkTraits traits = both({.mtu = path.mtu, .rate = path.rate}, snapshot.links[port.index()].traits);
  path.mtu = traits.mtu;
  path.rate = traits.rate;
}

/// What the maps of a switch let through.
void cross(PathTraits& path, const Snapshot& snapshot, SwitchId sw, PathHop hop) {
  const fabric::Sl2VlTables& maps = snapshot.plan.tables->sl2vl;
  const Fabric& fabric = snapshot.fabric();
  if (!maps.empty())
    path.usable &= carried(maps.at(sw, fabric.port(hop.in).number, fabric.port(hop.out).number));
}

/// What the port adds from which a path begins.
void begin(PathTraits& path, const Snapshot& snapshot, PortId from) {
  const fabric::Sl2VlTables& maps = snapshot.plan.tables->sl2vl;
  if (!maps.empty() && !snapshot.fabric().is_switch(snapshot.fabric().port(from).node))
    path.usable &= carried(maps.end_port(from));
  take_link(path, snapshot, from);
}

/// A packet that notes what holds along its way.
class Walker {
 public:
  Walker(const Snapshot& snapshot, PortId from, Lid to) : snapshot_(snapshot), packet_(snapshot, from, to) {
    begin(path_, snapshot, from);
  }

  bool leave() { return packet_.leave(); }
  void arrive() {
    packet_.arrive();
    cross(path_, snapshot_, packet_.crossed(), packet_.hop());
    take_link(path_, snapshot_, packet_.hop().out);
  }
  std::optional<PathTraits> path() const {
    return packet_.has_arrived() ? std::optional(path_) : std::nullopt;
  }

 private:
  const Snapshot& snapshot_;
  Packet packet_;
  PathTraits path_;
};

}  // namespace

std::optional<PathTraits> walk(const Snapshot& snapshot, PortId from, Lid to) {
  Walker walker(snapshot, from, to);
  while (walker.leave()) walker.arrive();
  return walker.path();
}

BothWays walk_both(const Snapshot& snapshot, std::pair<PortId, Lid> from, std::pair<PortId, Lid> to) {
  std::array both{Walker(snapshot, from.first, to.second), Walker(snapshot, to.first, from.second)};
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (Walker& walker : both) {
      if (!walker.leave()) continue;
      walker.arrive();
      goes_on = true;
    }
  }
  return {both[0].path(), both[1].path()};
}

WaysTo::WaysTo(const Snapshot& snapshot, Lid to)
    : snapshot_(snapshot), to_(to), rests_(snapshot.fabric().switch_count()) {}

std::optional<PathTraits> WaysTo::from(PortId port) {
  passed_.clear();
  Packet packet(snapshot_, port, to_);
  while (!is_known(packet.at()) && packet.leave()) {
    passed_.emplace_back(packet.crossed(), packet.hop());
    packet.arrive();
  }
  Rest rest;
  const auto enter = [&](SwitchId sw, PortId in) {
    rest = rests_[sw.index()];
    cross(rest.path, snapshot_, sw, {in, rest.out});
  };
  if (is_known(packet.at()))
    enter(packet.at(), packet.in());
  else if (!packet.has_arrived())
    return std::nullopt;
  for (; !passed_.empty(); passed_.pop_back()) {
    const auto& [sw, hop] = passed_.back();
    take_link(rest.path, snapshot_, hop.out);
    ++rest.hops;
    rest.out = hop.out;
    rests_[sw.index()] = rest;
    enter(sw, hop.in);
  }
  if (rest.hops > kMostHops) return std::nullopt;
  begin(rest.path, snapshot_, port);
  return rest.path;
}

void ManyWays::look_ahead(std::span<const Lid> to) {
  std::vector<Walker> walkers;
  walkers.reserve(to.size());
  for (Lid lid : to) walkers.emplace_back(snapshot_, port_, lid);
  std::vector<Walker*> under_way;
  for (Walker& walker : walkers) under_way.push_back(&walker);
  while (!under_way.empty()) {
    std::erase_if(under_way, [](Walker* walker) { return !walker->leave(); });
    for (Walker* walker : under_way) walker->arrive();
  }
  last_ = 0;
  ahead_.clear();
  for (std::size_t i = 0; i < to.size(); ++i) ahead_.emplace_back(to[i], walkers[i].path());
}

std::optional<PathTraits> ManyWays::to(Lid lid) {
  const auto known = [&](std::size_t i) { return i < ahead_.size() && ahead_[i].first == lid; };
  if (!known(last_) && known(last_ + 1)) ++last_;
  if (!known(last_))
    last_ = static_cast<std::size_t>(
        std::ranges::find(ahead_, lid, &std::pair<Lid, std::optional<PathTraits>>::first) - ahead_.begin());
  return known(last_) ? ahead_[last_].second : walk(snapshot_, port_, lid);
}

std::optional<PathTraits> ManyWays::back(PortId from, Lid own) {
  const auto known = std::ranges::find(back_, own, &WaysTo::lid);
  return (known != back_.end() ? *known : back_.emplace_back(snapshot_, own)).from(from);
}

std::optional<std::vector<PathHop>> trace(const Snapshot& snapshot, PortId from, Lid to) {
  std::vector<PathHop> hops;
  Packet packet(snapshot, from, to);
  while (packet.leave()) {
    hops.push_back(packet.hop());
    packet.arrive();
  }
  if (!packet.has_arrived()) return std::nullopt;
  return hops;
}

}  // namespace rch::sa
