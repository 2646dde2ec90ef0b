#include "compare/matching.h"

#include <algorithm>

#include "fabric/difference.h"

namespace rch::compare {
namespace {

using fabric::Fabric;

std::vector<std::uint32_t> switches_of(const Fabric& from, const Fabric& to) {
  std::vector<std::uint32_t> out(from.switch_count(), Matching::kNone);
  for (std::uint32_t s = 0; s < out.size(); ++s) {
    const Guid guid = from.node(SwitchId(s)).guid;
    const bool stayed = s < to.switch_count() && to.node(SwitchId(s)).guid == guid;
    const auto sw = stayed ? std::optional(SwitchId(s)) : to.find_switch(guid);
    if (sw) out[s] = sw->value;
  }
  return out;
}

/// Both ports have a peer, and these are the same; or none has one.
bool same_peer(const Fabric& before, PortId port, const Fabric& after, PortId port_after) {
  const PortId peer = before.port(port).peer, peer_after = after.port(port_after).peer;
  if (peer.is_none() || peer_after.is_none()) return peer.is_none() == peer_after.is_none();
  const auto same = fabric::counterpart(after, before, before.port(peer));
  return same && *same == peer_after;
}

void note_moved_exits(const Fabric& before, const Fabric& after, Matching& matching) {
  matching.moved_exits.resize(before.switch_count());
  if (before.fingerprint() == after.fingerprint()) return;
  for (std::uint32_t s = 0; s < before.switch_count(); ++s) {
    if (matching.after_of[s] == Matching::kNone) continue;
    const SwitchId sw(s), now(matching.after_of[s]);
    for (unsigned p = 1; p <= before.node(sw).num_ports; ++p) {
      const PortNum number(static_cast<std::uint8_t>(p));
      if (p <= after.node(now).num_ports &&
          same_peer(before, before.port_id(sw, number), after, after.port_id(now, number)))
        continue;
      auto& bits = matching.moved_exits[s];
      bits.resize(4);
      bits[p / 64] |= std::uint64_t{1} << (p % 64);
    }
  }
}

/// The LID in `to` of the port that has `lid` in `from`, at the same place of its range; or kUnassignedLid.
Lid counterpart_lid(const Fabric& to, const Fabric& from, Lid lid) {
  const auto owner = from.lid_owner(lid);
  if (!owner) return kUnassignedLid;
  const fabric::Port& port = from.port(*owner);
  const auto same = fabric::counterpart(to, from, port);
  if (!same || to.port(*same).lid == kUnassignedLid) return kUnassignedLid;
  const auto offset = static_cast<unsigned>(lid.value - port.lid.value);
  if (offset >= 1U << to.port(*same).lmc) return kUnassignedLid;
  return Lid(static_cast<std::uint16_t>(to.port(*same).lid.value + offset));
}

void match_lids(const Side& before, const Side& after, Matching& matching) {
  const std::size_t top_before = std::max(before.tables->lfts.max_lid(), before.fabric->max_lid()).index();
  const std::size_t top_after = std::max(after.tables->lfts.max_lid(), after.fabric->max_lid()).index();
  std::vector<bool> is_taken(top_before + 1), is_matched(top_after + 1);
  std::vector<LidPair> pairs(top_after + 1);
  for (std::size_t l = 1; l <= top_after; ++l) {
    const Lid lid(static_cast<std::uint16_t>(l));
    pairs[l].after = lid;
    const Lid was = counterpart_lid(*before.fabric, *after.fabric, lid);
    if (was == kUnassignedLid) continue;
    pairs[l].before = was;
    pairs[l].is_one_port = true;
    is_matched[l] = true;
    is_taken[was.index()] = true;
  }
  for (std::size_t l = 1; l <= top_after; ++l)
    if (!is_matched[l] && l <= top_before && !is_taken[l]) {
      pairs[l].before = pairs[l].after;
      is_taken[l] = true;
    }
  for (std::size_t l = 1; l <= top_before; ++l)
    if (!is_taken[l]) pairs.push_back({Lid(static_cast<std::uint16_t>(l)), kUnassignedLid});
  matching.same_lids = std::ranges::all_of(pairs, [](const LidPair& pair) {
    return pair.before == pair.after || pair.before == kUnassignedLid || pair.after == kUnassignedLid;
  });
  matching.lids = std::move(pairs);
}

}  // namespace

bool Matching::stays(const verify::Source& source, const Fabric& before, const Fabric& after) const {
  const std::uint32_t now = after_of[source.sw.index()];
  if (now == kNone || source.attach.value > after.node(SwitchId(now)).num_ports) return false;
  return same_peer(before, before.port_id(source.sw, source.attach), after,
                   after.port_id(SwitchId(now), source.attach)) &&
         after.port(after.port(after.port_id(SwitchId(now), source.attach)).peer).lid != kUnassignedLid;
}

Matching match(const Side& before, const verify::Wiring& wiring_before, const Side& after,
               const verify::Wiring& wiring_after) {
  Matching matching;
  matching.after_of = switches_of(*before.fabric, *after.fabric);
  matching.before_of = switches_of(*after.fabric, *before.fabric);
  note_moved_exits(*before.fabric, *after.fabric, matching);
  match_lids(before, after, matching);
  matching.staying_hosts.resize(before.fabric->switch_count());
  for (const verify::Source& source : wiring_before.sources()) {
    const auto now = fabric::counterpart(*after.fabric, *before.fabric, before.fabric->port(source.port));
    if (!now || after.fabric->port(*now).lid == kUnassignedLid) continue;
    const PortId peer = after.fabric->port(*now).peer;
    if (peer.is_none() || !after.fabric->is_switch(after.fabric->port(peer).node)) continue;
    ++matching.common_hosts;
    if (matching.stays(source, *before.fabric, *after.fabric)) ++matching.staying_hosts[source.sw.index()];
  }
  matching.same_cables = before.fabric->fingerprint() == after.fabric->fingerprint() &&
                         wiring_before.slot_count() == wiring_after.slot_count() &&
                         wiring_before.sources().size() == matching.common_hosts &&
                         wiring_after.sources().size() == matching.common_hosts;
  return matching;
}

}  // namespace rch::compare
