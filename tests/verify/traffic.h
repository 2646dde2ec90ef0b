#pragma once

// Packets on a small fabric while its tables change, one by one and the plain way: where packets can be, what
// they wait for, whether they go round. It shares nothing with verify/.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "fabric/block_writes.h"
#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::test {

class Traffic {
 public:
  enum class Packets {
    before,  ///< the service levels of `previous`, or of the target; installed maps
    during,  ///< service levels and maps of both
    after,   ///< service levels of both, target maps
  };

  /// Packets to LIDs of switches that count in credit loops: none, those to LIDs that hosts had, all.
  enum class ToSwitches { none, former_hosts, all };

  /// `previous`: tables of the same fabric that hosts have service levels from; null: they have the target's.
  Traffic(const fabric::Fabric& fabric, const fabric::RoutingTables& installed,
          const fabric::RoutingTables& target, const fabric::RoutingTables* previous,
          ToSwitches to_switches = ToSwitches::all);

  void meet(Packets packets) { packets_kind_ = packets; }
  void write(const fabric::BlockWrite& write);
  /// Every packet that the present entries do not keep on its way is gone.
  void wait();
  /// What is wrong now: "loop", "credit loop", or nothing. Packets of earlier entries are where they were.
  std::string trouble();
  /// From here on every switch sends packets by its present entry and by the target one.
  void be_transient() { transient_ = true; }
  /// All target entries are written.
  void finish() { now_ = target_.lfts.clone(); }

  const fabric::ForwardingTables& tables() const { return now_; }

 private:
  /// Sending switch, port, VL; and the service level of a packet there.
  using Channel = std::tuple<std::uint32_t, unsigned, unsigned>;
  using Spot = std::tuple<Channel, unsigned>;

  std::vector<Spot> next(std::uint32_t sw, unsigned in, Lid lid, unsigned sl) const;
  void leave(std::uint32_t sw, unsigned in, unsigned out, unsigned sl, std::vector<Spot>& spots) const;
  std::vector<Spot> after(const Spot& spot, Lid lid) const;
  void move(Lid lid, std::set<Spot>& spots) const;
  bool goes_round(Lid lid) const;
  void add(Lid lid, const fabric::RoutingTables* previous);
  bool was_of_a_host(Lid lid) const;
  using Waits = std::map<Channel, std::set<Channel>>;
  static bool have_cycle(Waits waits);

  const fabric::Fabric& fabric_;
  const fabric::RoutingTables& installed_;
  const fabric::RoutingTables& target_;
  fabric::ForwardingTables now_;
  bool transient_ = false;
  Packets packets_kind_ = Packets::before;
  std::vector<Lid> lids_;
  std::set<Lid> loops_only_;  ///< of them: those of switches, whose credit loops are another matter
  using Levels =
      std::map<Lid, std::map<std::uint32_t, std::set<unsigned>>>;  ///< by destination, source switch
  Levels sls_before_, sls_of_both_;
  std::map<Lid, std::set<Spot>> packets_;  ///< by destination
};

}  // namespace rch::test
