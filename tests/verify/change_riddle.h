#pragma once

// Random changes of tables on small irregular fabrics: up/down routes whose ranks are drawn anew, as after a
// lost cable (docs/decisions/0009).

#include <random>

#include "fabric/fabric_builder.h"
#include "hand_tables.h"
#include "verify/transition/change.h"
#include "verify/verify.h"

namespace rch::test {

/// Which destinations change: ports of hosts, or also LIDs of switches and LIDs that change their owner.
enum class Owners { hosts, all };

/// One change. Everything comes from `seed`.
class ChangeRiddle {
 public:
  explicit ChangeRiddle(std::uint64_t seed, Owners owners = Owners::hosts)
      : random_(seed), fabric_(make_fabric(owners)) {
    installed_ = updown();
    target_ = updown();
    if (one_in(3)) keep_some();
    if (one_in(3)) lose_entries();
    if (one_in(3)) set_levels();
    if (one_in(5)) set_maps();
    if (owners == Owners::all) route_switches();
    if (owners == Owners::all && one_in(2)) change_owners();
    switch_lids_sound_ = verify::verify(fabric_, target_).switch_lids.sound();
    for (std::size_t block = 0; block < target_.lfts.blocks(); ++block)
      for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
        const auto was = installed_.lfts.row(SwitchId(s)).subspan(block * 64, 64);
        const auto is = target_.lfts.row(SwitchId(s)).subspan(block * 64, 64);
        if (!std::ranges::equal(was, is)) blocks_.push_back({SwitchId(s), static_cast<std::uint16_t>(block)});
      }
  }

  const fabric::Fabric& fabric() const { return fabric_; }
  const fabric::RoutingTables& installed() const { return installed_; }
  const fabric::RoutingTables& target() const { return target_; }
  bool switch_lids_sound() const { return switch_lids_sound_; }
  /// Tables that hosts have their service levels from; null: not known.
  const fabric::RoutingTables* previous() const { return previous_known_ ? &installed_ : nullptr; }
  verify::Change change() const {
    verify::Change change{fabric_, installed_, target_, blocks_};
    if (!switch_lids_sound_) change.switch_packets = verify::SwitchPackets::none;
    if (previous_known_) change.previous.push_back(verify::PreviousTables{fabric_, installed_});
    return change;
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

  /// 4 to 10 switches in one piece, one or two hosts each, LIDs in three blocks. Where destinations are not
  /// of hosts alone, some switches have no host.
  fabric::Fabric make_fabric(Owners owners) {
    Shape shape;
    const std::uint32_t switches = 4 + below(7);
    for (std::uint32_t s = 0; s < switches; ++s)
      shape.hosts.push_back(owners == Owners::all && s > 1 && one_in(4) ? 0 : 1 + below(2));
    for (std::uint32_t s = 1; s < switches; ++s) shape.cables.push_back({s, below(s)});
    for (std::uint32_t extra = 2 + below(switches); extra > 0; --extra) {
      const std::uint32_t a = below(switches), b = below(switches);
      if (a != b) shape.cables.push_back({a, b});
    }
    const fabric::Fabric plain = build(shape);
    std::vector<fabric::LidAssignment> lids;
    std::uint32_t next = 1;
    const auto add = [&](PortId port) {
      lids.push_back({port, Lid(static_cast<std::uint16_t>(next % 3 * 64 + next / 3 + 1)), 0});
      ++next;
    };
    for (std::uint32_t s = 0; s < switches; ++s) add(plain.port_id(SwitchId(s), PortNum(0)));
    for (const fabric::EndPort& host : plain.end_ports()) add(host.port);
    return *fabric::with_lids(plain, lids);
  }

  /// Up/down routes to all hosts.
  fabric::RoutingTables updown() {
    fabric::RoutingTables tables = empty_tables(fabric_);
    add_updown(tables, fabric_.end_ports());
    return tables;
  }

  /// Up/down routes from a random root: down wherever that leads to the destination, else up.
  void add_updown(fabric::RoutingTables& tables, std::span<const fabric::EndPort> destinations) {
    const auto n = static_cast<std::uint32_t>(fabric_.switch_count());
    std::vector<std::uint32_t> rank(n, n), order{below(n)};
    rank[order[0]] = 0;
    for (std::size_t head = 0; head < order.size(); ++head)
      for_cables(order[head], [&](unsigned, std::uint32_t to, unsigned) {
        if (rank[to] != n) return;
        rank[to] = rank[order[head]] + 1;
        order.push_back(to);
      });
    const auto above = [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(rank[a], a) < std::pair(rank[b], b);
    };
    std::ranges::sort(order, above);
    for (const fabric::EndPort& host : destinations) {
      std::vector<std::uint32_t> hops(n, n * n);
      hops[host.sw.value] = 0;
      set_entry(tables, host.sw.value, host.lid, host.attach.value);
      std::vector<bool> down(n);
      down[host.sw.value] = true;
      // From the lowest switch to the highest those that reach it downwards, then back those that go up.
      for (auto s = order.rbegin(); s != order.rend(); ++s)
        choose(tables, host.lid, *s, hops, [&](std::uint32_t to) { return above(*s, to) && down[to]; }),
            down[*s] = hops[*s] < n * n;
      for (const std::uint32_t s : order)
        if (!down[s]) choose(tables, host.lid, s, hops, [&](std::uint32_t to) { return above(to, s); });
    }
  }

  void route_switches() {
    std::vector<fabric::EndPort> ports;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const PortId port = fabric_.port_id(SwitchId(s), PortNum(0));
      ports.push_back({port, SwitchId(s), PortNum(0), 0, fabric_.port(port).lid});
    }
    add_updown(installed_, ports);
    add_updown(target_, ports);
  }

  /// Until now LIDs belonged to other ports; some of them belong to nobody any more.
  void change_owners() {
    std::vector<Lid> lids{Lid(60), Lid(120), Lid(190)};  // of nobody
    for (const fabric::Port& port : fabric_.ports())
      if (port.lid != kUnassignedLid) lids.push_back(port.lid);
    for (std::uint32_t count = 1 + below(3); count > 0; --count) {
      const Lid a = lids[below(static_cast<std::uint32_t>(lids.size()))];
      const Lid b = lids[below(static_cast<std::uint32_t>(lids.size()))];
      for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
        const std::uint8_t entry = installed_.lfts.at(SwitchId(s), a);
        set_entry(installed_, s, a, installed_.lfts.at(SwitchId(s), b));
        set_entry(installed_, s, b, entry);
      }
    }
  }

  /// Sends `lid` from `s` by the best cable that `may` be taken, any of the best.
  template <class May>
  void choose(fabric::RoutingTables& tables, Lid lid, std::uint32_t s, std::vector<std::uint32_t>& hops,
              const May& may) {
    if (hops[s] == 0) return;
    std::uint32_t tied = 0;
    for_cables(s, [&](unsigned port, std::uint32_t to, unsigned) {
      if (!may(to) || hops[to] + 1 > hops[s]) return;
      tied = hops[to] + 1 < hops[s] ? 1 : tied + 1;
      hops[s] = hops[to] + 1;
      if (one_in(tied)) set_entry(tables, s, lid, static_cast<std::uint8_t>(port));
    });
  }

  template <class F>
  void for_cables(std::uint32_t s, const F& f) const {
    for (unsigned p = 1; p <= fabric_.node(SwitchId(s)).num_ports; ++p) {
      const PortId peer =
          fabric_.port(fabric_.port_id(SwitchId(s), PortNum(static_cast<std::uint8_t>(p)))).peer;
      if (peer.is_none() || !fabric_.is_switch(fabric_.port(peer).node)) continue;
      f(p, fabric_.port(peer).node.value, fabric_.port(peer).number.value);
    }
  }

  /// Some destinations do not change.
  void keep_some() {
    for (const fabric::EndPort& host : fabric_.end_ports())
      if (!one_in(3))
        for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
          set_entry(installed_, s, host.lid, target_.lfts.at(SwitchId(s), host.lid));
  }

  /// Installed entries that lead nowhere, or that nobody can explain.
  void lose_entries() {
    for (std::uint32_t count = 1 + below(8); count > 0; --count) {
      const fabric::EndPort& host =
          fabric_.end_ports()[below(static_cast<std::uint32_t>(fabric_.end_ports().size()))];
      const std::uint8_t nonsense[] = {kNoPath, 200, 0, 1};
      set_entry(installed_, below(static_cast<std::uint32_t>(fabric_.switch_count())), host.lid,
                nonsense[below(4)]);
    }
  }

  /// Service levels, and with them VLs, that change.
  void set_levels() {
    for (fabric::RoutingTables* tables : {&installed_, &target_}) {
      tables->steps.front().sl.base = static_cast<std::uint8_t>(below(2));
      fabric::RoutingTables levelled{tables->lfts.clone(), tables->sl2vl, tables->steps};
      add_level(levelled);
      if (verify::verify(fabric_, levelled).clean()) *tables = std::move(levelled);
    }
    previous_known_ = one_in(2);
  }

  /// Other routes to some hosts, which need a service level of their own.
  void add_level(fabric::RoutingTables& tables) {
    const fabric::RoutingTables other = updown();
    std::vector<Lid> lids;
    for (const fabric::EndPort& host : fabric_.end_ports()) {
      if (one_in(2)) continue;
      lids.push_back(host.lid);
      for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
        set_entry(tables, s, host.lid, other.lfts.at(SwitchId(s), host.lid));
    }
    add_step(tables, fabric_, 2, lids);
    tables.steps.back().sl.base = tables.steps.front().sl.base ^ 1U;
  }

  /// Two VLs changed for each other everywhere, and random VLs for some turns of a switch.
  void set_maps() {
    std::vector<std::uint8_t> ports;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
      ports.push_back(fabric_.node(SwitchId(s)).num_ports);
    for (fabric::RoutingTables* tables : {&installed_, &target_}) {
      fabric::Sl2VlMap all = fabric::kIdentitySl2Vl;
      if (one_in(2)) std::swap(all[0], all[1]);
      tables->sl2vl = fabric::Sl2VlTables(ports, all);
      if (one_in(2)) continue;
      fabric::Sl2VlMap map{};
      for (std::uint8_t& vl : map) vl = static_cast<std::uint8_t>(below(3));
      const auto id = tables->sl2vl.intern(map);
      const std::uint32_t sw = below(static_cast<std::uint32_t>(ports.size()));
      for (unsigned in = 0; in <= ports[sw]; ++in)
        for (unsigned out = 1; out <= ports[sw]; ++out)
          if (one_in(2))
            tables->sl2vl.set(SwitchId(sw), PortNum(static_cast<std::uint8_t>(in)),
                              PortNum(static_cast<std::uint8_t>(out)), id);
    }
  }

  std::mt19937_64 random_;
  fabric::Fabric fabric_;
  fabric::RoutingTables installed_;
  fabric::RoutingTables target_;
  std::vector<fabric::LftBlock> blocks_;
  bool previous_known_ = false;
  bool switch_lids_sound_ = true;
};

}  // namespace rch::test
