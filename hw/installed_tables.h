#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "fabric/forwarding_tables.h"
#include "fabric/sl2vl.h"
#include "hw/known_tables.h"
#include "hw/live_fabric.h"
#include "hw/machine.h"
#include "hw/multicast_tables.h"
#include "hw/progress.h"
#include "hw/silent_nodes.h"

namespace rch::hw {

/// One SL2VL map as it is on the wire: SL 0 in the highest nibble.
using WireSl2Vl = std::uint64_t;
WireSl2Vl to_wire(const fabric::Sl2VlMap& map);
fabric::Sl2VlMap from_wire(WireSl2Vl wire);

/// One SL2VL table of a switch.
struct Sl2VlPlace {
  SwitchId sw;
  PortNum in;
  PortNum out;

  std::uint32_t modifier() const { return static_cast<std::uint32_t>(in.value << 8U | out.value); }
};

/// Every table of a switch that traffic can meet: `out` is cabled, `in` is cabled or port 0. ibsim answers
/// for others with foreign memory, so nothing else may be asked for (ibsim's umad2sim.c).
std::vector<Sl2VlPlace> sl2vl_places(const fabric::Fabric& fabric);
/// CA and router ports, and switch ports 0, that were seen.
std::vector<PortId> seen_end_ports(const LiveFabric& live);
/// Tells whether such a port maps service levels by a table of its own, as CAs, routers and enhanced ports 0
/// may.
bool has_end_port_map(const LiveFabric& live, PortId port);

/// What the switches and end ports hold now.
struct InstalledTables {
  fabric::ForwardingTables lfts;  ///< row by switch; no path beyond its LinearFDBTop, whatever stands there
  /// By switch: the blocks that hold what its row says, counted from LID 0. The others have entries beyond
  /// LinearFDBTop that nobody read, or that are left over and would come into effect with a higher top.
  std::vector<std::size_t> known_blocks;
  std::vector<WireSl2Vl> sl2vl;           ///< parallel to sl2vl_places(); empty if not asked for
  std::vector<WireSl2Vl> end_port_sl2vl;  ///< by PortId; meaningful where has_end_port_map()
  std::vector<SmpData> blocks;            ///< parallel to InstalledScope::blocks
  MulticastTables multicast;
};

/// What is read.
struct InstalledScope {
  Lid top = kMaxUnicastLid;  ///< forwarding blocks up to the one of this LID
  bool sl2vl = false;
  std::optional<Lid> multicast_top{};  ///< set: what is in effect now, or with this MulticastFDBTop
  /// Blocks of VL arbitration and P_Keys. Only port, attribute and modifier count.
  std::span<const Image> blocks{};
  const WrittenTables* written = nullptr;  ///< what is known of them is not read; null: nothing
};

/// Reads tables back, but for those that are known. Blocks beyond a switch's LinearFDBTop are not in effect
/// and are not read.
///
/// States:
///   reading   all Gets may be on the wire at once. The last answer ends it. A node that gives none, or
///   refuses,
///             is asked no more, and noted (note_fault).
///   finished  take() has the tables, or names the first port and table that could not be read.
class InstalledReader : public Machine {
 public:
  /// Keeps a reference to `live`.
  InstalledReader(const LiveFabric& live, const InstalledScope& scope);

  std::optional<SmpRequest> next_request(TimePoint now) override;
  void on_answer(RequestTag tag, const SmpAnswer& answer) override;
  bool finished() const override { return progress_.complete(silent_.open()); }

  const Progress& progress() const { return progress_; }
  /// To be called once, when finished. Fails (fabric).
  Result<InstalledTables> take();

 private:
  /// One Get. `slot` is where the answer goes, by attribute.
  struct Read {
    PortId port;
    Attribute attribute;
    std::uint32_t modifier;
    std::uint32_t slot;
  };

  void plan_lfts(Lid top);
  void plan_sl2vl();
  void plan_blocks(std::span<const Image> blocks);
  void plan_multicast(Lid top);
  void add(PortId port, Attribute attribute, std::uint32_t modifier, std::size_t slot) {
    reads_.push_back({port, attribute, modifier, static_cast<std::uint32_t>(slot)});
  }
  NodeId node_of(const Read& read) const { return live_.fabric.port(read.port).node; }
  void store(const Read& read, const SmpData& data);
  void store_entries(const Read& read, const SmpData& data);

  const LiveFabric& live_;
  KnownTables known_;
  std::vector<Read> reads_;
  Progress progress_;
  InstalledTables tables_;
  SilentNodes silent_;
  std::optional<Error> error_;
};

}  // namespace rch::hw
