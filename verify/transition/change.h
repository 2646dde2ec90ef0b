#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fabric/block_writes.h"
#include "fabric/fabric.h"
#include "fabric/routing_tables.h"
#include "verify/columns.h"
#include "verify/dependencies.h"

namespace rch::verify {

constexpr std::size_t kBlock = fabric::ForwardingTables::kBlock;

/// Tables that hosts have their service levels from, on the fabric of that time.
struct PreviousTables {
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;
};

/// Whose packets to LIDs of switches count in credit loops.
enum class SwitchPackets : std::uint8_t {
  none,             ///< they close credit loops in the target tables
  to_former_hosts,  ///< those to LIDs that hosts had until now: hosts go on sending to them
  all,
};

/// Tables that replace installed ones under traffic.
struct Change {
  const fabric::Fabric& fabric;  ///< as it is now, with the LIDs of the target
  /// Entries may be anything. Rows are at least as long as those of the target; kNoPath where nothing is
  /// known. No SL2VL maps: they are not changed. Steps do not count.
  const fabric::RoutingTables& installed;
  const fabric::RoutingTables& target;  ///< proven
  /// To be written: those that differ and those that are not known, by block, then switch.
  std::span<const fabric::LftBlock> blocks;
  std::uint8_t max_op_vls = 5;
  SwitchPackets switch_packets = SwitchPackets::all;
  /// Hosts keep service levels until they ask for a path record again: each has those of any of these. Empty:
  /// those of the target are in use.
  std::vector<PreviousTables> previous{};
  /// Switch ports that are up and lead to parts that are not in the fabric. Packets for any LID, with any
  /// service level in use, may come in there.
  std::span<const PortId> entrances{};
  /// The target with the service levels of its paths, where `fabric` has more switches than it. Packets from
  /// these may have any service level in use. None: `fabric` and `target` themselves.
  std::optional<PreviousTables> levels{};
};

/// Entries of one block of some tables.
inline std::span<const std::uint8_t> block_of(const fabric::RoutingTables& tables,
                                              const fabric::LftBlock& at) {
  return tables.lfts.row(at.sw).subspan(at.block * kBlock, kBlock);
}

/// How far the entries for a destination have got.
enum class Stage : std::uint8_t {
  installed,   ///< nothing is written yet
  both,        ///< being written: each switch has the installed entry or the target entry
  downstream,  ///< being written from the destination outwards: behind a target entry are only target entries
  target,      ///< written everywhere
  drained,     ///< entries that differ are removed everywhere
};

/// Destinations that change alike: LIDs of one switch and of one block, with the same entries everywhere
/// else.
///
/// LIDs of CA and router ports, of switches, and of nobody: those whose port is gone or has another LID now.
/// Packets to a LID of a switch must not loop, unless they do already.
struct Move {
  std::vector<Lid> lids;                    ///< ascending
  std::span<const std::uint8_t> installed;  ///< entries by switch; 0 at the destination switch
  std::span<const std::uint8_t> target;
  std::size_t differing = 0;  ///< switches with another entry in the target
  bool replaces =
      true;  ///< some entry that leads to a switch, or unknown to the proof; else entries are only added
  bool depends = true;     ///< packets to it can close credit loops with others
  bool to_switch = false;  ///< of a switch, and no host had it until now
  bool proven = true;      ///< the proof of the target tables holds packets to it

  std::size_t block() const { return lids.front().index() / kBlock; }
};

/// Destinations whose entries differ, as moves, and all others to which packets count in credit loops.
class Moves {
 public:
  Moves(const Change& change, const Wiring& wiring);

  std::span<const Move> all() const { return moves_; }  ///< by lowest LID
  std::span<const Destination> others() const { return others_; }
  /// The LIDs of switches among these: the proof of the target tables holds no packets to them.
  std::span<const Destination> other_switches() const { return std::span(others_).subspan(other_hosts_); }
  /// Move of a LID; kNone if its entries do not change.
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::uint32_t of(Lid lid) const { return of_lid_[lid.index()]; }

 private:
  void find_changing(const Change& change, const Wiring& wiring);
  void group(const Change& change, const Wiring& wiring);
  /// Sets `replaces` and `depends`. Clears `lids` of what need not be judged.
  void classify(const Change& change, const Wiring& wiring, Move& move) const;

  IdSet<Lid> of_hosts_{0x10000};
  std::vector<Destination> changing_;
  std::vector<Destination> others_;  ///< of hosts, then of switches
  std::size_t other_hosts_ = 0;
  std::vector<Columns> columns_;  ///< of the changing ones: installed, target
  std::vector<Move> moves_;
  std::vector<std::uint32_t> of_lid_;
};

/// Packets to some host get lost now that target entries bring on their way.
bool loses_packets(const Change& change);

/// True if no installed path uses a replaced entry: then every transient state is a part of the target
/// tables, whatever is written first. Cheap, and true of most fresh fabrics.
bool only_adds(const Change& change);

}  // namespace rch::verify
