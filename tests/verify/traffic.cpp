#include "traffic.h"

#include <algorithm>

namespace rch::test {

Traffic::Traffic(const fabric::Fabric& fabric, const fabric::RoutingTables& installed,
                 const fabric::RoutingTables& target, const fabric::RoutingTables* previous,
                 ToSwitches to_switches)
    : fabric_(fabric), installed_(installed), target_(target), now_(installed.lfts.clone()) {
  std::set<Lid> of_hosts, of_switches;
  for (const fabric::EndPort& to : fabric.end_ports())
    for (unsigned k = 0; k < 1U << to.lmc; ++k)
      of_hosts.insert(Lid(static_cast<std::uint16_t>(to.lid.value + k)));
  for (const Lid lid : of_hosts) add(lid, previous);
  for (std::uint16_t l = 1; l < installed.lfts.stride(); ++l) {
    const Lid lid(l);
    if (of_hosts.contains(lid)) continue;
    const auto owner = fabric.lid_owner(lid);
    if (owner && !(to_switches != ToSwitches::none && was_of_a_host(lid))) {
      if (goes_round(lid)) continue;  // whatever is written
      if (to_switches != ToSwitches::all) loops_only_.insert(lid);
    }
    add(lid, previous);
  }
}

void Traffic::add(Lid lid, const fabric::RoutingTables* previous) {
  lids_.push_back(lid);
  for (const fabric::EndPort& from : fabric_.end_ports()) {
    const auto sl = [&](const fabric::RoutingTables& tables) {
      return fabric::path_sl(fabric_, tables, from.sw, lid);
    };
    const unsigned first = sl(previous != nullptr ? *previous : target_);
    sls_before_[lid][from.sw.value] = {first};
    sls_of_both_[lid][from.sw.value] = {first, sl(target_)};
  }
}

/// By the installed entries; those of nobody are taken for such.
bool Traffic::was_of_a_host(Lid lid) const {
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    const unsigned out = installed_.lfts.at(SwitchId(s), lid);
    if (out == 0 || out > fabric_.node(SwitchId(s)).num_ports) continue;
    const PortId peer =
        fabric_.port(fabric_.port_id(SwitchId(s), PortNum(static_cast<std::uint8_t>(out)))).peer;
    if (!peer.is_none() && !fabric_.is_switch(fabric_.port(peer).node)) return true;
  }
  return false;
}

void Traffic::write(const fabric::BlockWrite& write) {
  std::ranges::copy(write.entries, now_.row(write.at.sw).begin() + write.at.block * 64);
}

void Traffic::wait() { packets_.clear(); }

/// Where a packet goes that stands in `sw`, having come by port `in`; nowhere if it is delivered or lost.
std::vector<Traffic::Spot> Traffic::next(std::uint32_t sw, unsigned in, Lid lid, unsigned sl) const {
  std::vector<Spot> spots;
  leave(sw, in, now_.at(SwitchId(sw), lid), sl, spots);
  if (transient_) leave(sw, in, target_.lfts.at(SwitchId(sw), lid), sl, spots);
  return spots;
}

void Traffic::leave(std::uint32_t sw, unsigned in, unsigned out, unsigned sl,
                    std::vector<Spot>& spots) const {
  if (out == 0 || out > fabric_.node(SwitchId(sw)).num_ports) return;
  const PortNum from(static_cast<std::uint8_t>(in)), to(static_cast<std::uint8_t>(out));
  const PortId peer = fabric_.port(fabric_.port_id(SwitchId(sw), to)).peer;
  if (peer.is_none() || !fabric_.is_switch(fabric_.port(peer).node)) return;
  std::set<unsigned> vls;
  const auto add = [&](const fabric::RoutingTables& tables) {
    vls.insert(tables.vl(SwitchId(sw), from, to, static_cast<std::uint8_t>(sl)));
  };
  if (packets_kind_ != Packets::before || installed_.sl2vl.empty()) add(target_);
  if (packets_kind_ != Packets::after && !installed_.sl2vl.empty()) add(installed_);
  for (const unsigned vl : vls) spots.push_back({{sw, out, vl}, sl});
}

std::vector<Traffic::Spot> Traffic::after(const Spot& spot, Lid lid) const {
  const auto& [channel, sl] = spot;
  const auto& [sw, out, vl] = channel;
  const fabric::Port& port =
      fabric_.port(fabric_.port_id(SwitchId(sw), PortNum(static_cast<std::uint8_t>(out))));
  const fabric::Port& peer = fabric_.port(port.peer);
  return next(peer.node.value, peer.number.value, lid, sl);
}

/// New packets come in, and all go as far as they can; those that were somewhere may still be there.
void Traffic::move(Lid lid, std::set<Spot>& spots) const {
  std::vector<Spot> open(spots.begin(), spots.end());
  const auto reach = [&](const std::vector<Spot>& reached) {
    for (const Spot& spot : reached)
      if (spots.insert(spot).second) open.push_back(spot);
  };
  for (const fabric::EndPort& from : fabric_.end_ports())
    for (const unsigned sl :
         (packets_kind_ == Packets::before ? sls_before_ : sls_of_both_).at(lid).at(from.sw.value))
      reach(next(from.sw.value, from.attach.value, lid, sl));
  while (!open.empty()) {
    const Spot spot = open.back();
    open.pop_back();
    reach(after(spot, lid));
  }
}

/// Entries alone: does a packet of some source come back to a switch?
bool Traffic::goes_round(Lid lid) const {
  for (const fabric::EndPort& from : fabric_.end_ports()) {
    std::set<std::uint32_t> met;
    for (std::uint32_t sw = from.sw.value;;) {
      if (!met.insert(sw).second) return true;
      const unsigned out = now_.at(SwitchId(sw), lid);
      if (out == 0 || out > fabric_.node(SwitchId(sw)).num_ports) break;
      const PortId peer =
          fabric_.port(fabric_.port_id(SwitchId(sw), PortNum(static_cast<std::uint8_t>(out)))).peer;
      if (peer.is_none() || !fabric_.is_switch(fabric_.port(peer).node)) break;
      sw = fabric_.port(peer).node.value;
    }
  }
  return false;
}

std::string Traffic::trouble() {
  Waits waits;
  for (const Lid lid : lids_) {
    if (goes_round(lid)) return "loop";
    move(lid, packets_[lid]);
    Waits own;
    for (const Spot& spot : packets_[lid])
      for (const Spot& then : after(spot, lid)) own[std::get<0>(spot)].insert(std::get<0>(then));
    if (loops_only_.contains(lid)) {
      if (have_cycle(own)) return "loop";
      continue;
    }
    for (const auto& [channel, others] : own) waits[channel].insert(others.begin(), others.end());
  }
  return have_cycle(std::move(waits)) ? "credit loop" : "";
}

/// Channels that wait for nothing are taken away until none is left, or only cycles and what leads to them.
bool Traffic::have_cycle(Waits waits) {
  for (bool any = true; any;) {
    any = false;
    for (auto entry = waits.begin(); entry != waits.end();) {
      std::erase_if(entry->second, [&](const Channel& c) { return !waits.contains(c); });
      const bool free = entry->second.empty();
      any = any || free;
      entry = free ? waits.erase(entry) : std::next(entry);
    }
  }
  return !waits.empty();
}

}  // namespace rch::test
