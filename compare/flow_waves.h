#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "verify/switch_order.h"
#include "verify/wiring.h"

namespace rch::compare {

/// Columns of the tables that are walked together: one cache line of each row.
inline constexpr std::size_t kColumns = 64;

/// By switch and table entry: the switch that a packet comes to next, or kOut where it leaves the switches
/// (to a host, to a port without a link, or nowhere).
class Onward {
 public:
  static constexpr std::uint16_t kOut = 0xFFFF;

  explicit Onward(const verify::Wiring& wiring);

  /// Of one switch, by entry.
  class Row {
   public:
    Row(const std::uint16_t* to, std::uint32_t last) : to_(to), last_(last) {}
    std::uint16_t operator[](std::uint32_t entry) const { return to_[entry < last_ ? entry : last_]; }

   private:
    const std::uint16_t* to_;
    std::uint32_t last_;  ///< stands for all entries beyond the ports
  };
  Row row(std::size_t sw) const { return {to_.data() + begin_[sw], begin_[sw + 1] - begin_[sw] - 1}; }
  std::uint16_t at(std::size_t sw, std::uint8_t entry) const { return row(sw)[entry]; }

 private:
  std::vector<std::uint16_t> to_;
  std::vector<std::uint32_t> begin_;  ///< by switch, and one past the last
};

/// What a destination is on one side.
struct Target {
  std::uint32_t sw = 0;     ///< that it hangs on
  std::uint8_t attach = 0;  ///< the port there
  bool is_host = false;     ///< a CA or router port on a switch; nothing else is walked to
};

/// Sums over pairs of hosts.
struct PairSums {
  /// By slot of the wiring: pairs whose path leaves by that port. All pairs of 49,151 LIDs fit.
  std::vector<std::uint32_t> flows;
  std::vector<std::uint64_t> hops;  ///< pairs by cables on their path, those to hosts included

  void merge(const PairSums& other);
};

/// Takes the packets of all hosts to 64 destinations at once, one hop of all of them after the other.
///
/// Only packets are followed, not all switches: those of a leaf meet again at few switches of the next level,
/// and most switches of a tree see no packet to a destination. Packets do not carry whence they come, so the
/// order of hops needs no tree. What does not arrive is left to single_column.h.
class FlowWaves {
 public:
  FlowWaves(const verify::Wiring& wiring, const verify::SwitchOrder& order, const Onward& onward);

  struct Walk {
    const std::uint8_t* entries = nullptr;  ///< by switch, kColumns of them
    std::span<const Target> targets;        ///< kColumns
    std::uint64_t columns = 0;              ///< bit c: column c is walked
    const std::uint16_t* hosts = nullptr;   ///< by switch: how many send
    std::uint64_t own = 0;  ///< bit c: the target is itself among the hosts of its switch, and does not send
    /// By switch: columns in which packets are taken out there. Null: none are.
    const std::uint64_t* taken_out = nullptr;
    PairSums* sums = nullptr;  ///< null: only arrivals are counted
    bool is_undone = false;    ///< the same walk was summed up before, and is taken back
  };
  struct Ends {
    std::array<std::uint32_t, kColumns> arrived{};  ///< pairs, by column
    std::uint64_t lost = 0;                         ///< columns in which some packet does not arrive
  };
  Ends walk(const Walk& walk);

 private:
  /// Longer paths count as lost: there may be a forwarding loop.
  static constexpr std::size_t kMostHops = 64;

  using Packets = std::vector<std::uint16_t>;  ///< by switch, kColumns each

  void start(const Walk& walk, Ends& ends);
  void step(const Walk& walk, std::size_t hop, Ends& ends);
  void send_all(const Walk& walk, std::uint32_t sw, std::uint64_t columns, std::uint16_t hosts, Ends& ends);
  template <class Take>
  void send_some(const Walk& walk, std::size_t hop, std::uint32_t sw, std::uint64_t columns, Take take,
                 Ends& ends);
  void add_flows(const Walk& walk, std::uint32_t sw, std::size_t port, std::uint32_t flows) const;
  void end(const Walk& walk, std::size_t hop, std::uint32_t sw, std::size_t column, std::uint16_t packets,
           Ends& ends) const;
  void mark(std::uint16_t sw, std::uint64_t columns);
  void lose_rest(Ends& ends);

  const verify::Wiring& wiring_;
  const Onward& onward_;
  std::vector<std::uint32_t> senders_;            ///< switches with hosts, neighbours close to each other
  std::vector<std::vector<std::uint8_t>> links_;  ///< by switch with hosts: ports that lead to switches
  Packets now_, next_;
  std::vector<std::uint32_t> active_, active_next_;  ///< switches with packets
  /// By switch: columns with packets, now and next. 0 for a switch that is not active.
  std::vector<std::uint64_t> columns_, columns_next_;
};

}  // namespace rch::compare
