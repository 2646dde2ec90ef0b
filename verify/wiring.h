#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace rch::verify {

/// Where a table entry of a switch leads.
struct Exit {
  enum class Kind : std::uint8_t {
    to_switch,     ///< `to` is the next switch
    to_host,       ///< `to` is the PortId of a CA or router port
    own_port,      ///< entry 0: the switch keeps the packet
    no_link,       ///< nothing hangs on the port
    no_such_port,  ///< beyond the switch's ports, or 255: no entry
  };
  std::uint32_t to = 0;
  std::uint8_t in = 0;  ///< port by which the next switch is entered
  Kind kind = Kind::no_such_port;
};

/// A CA or router port that hangs on a switch: where packets start.
struct Source {
  PortId port;
  SwitchId sw;
  PortNum attach;
};

/// The cables of a fabric, read from its ports and peers alone, in the layout that the walks need.
///
/// A slot is a port of a switch, 0 included; a cell is an (in port, out port) pair of a switch. Both are
/// numbered through all switches.
class Wiring {
 public:
  /// `max_op_vls`: code 1..5 of the VLs configured at most. `entrances`: ports of switches without a peer by
  /// which packets come in anyway.
  Wiring(const fabric::Fabric& fabric, std::uint8_t max_op_vls, std::span<const PortId> entrances = {});

  std::size_t switch_count() const { return switches_.size(); }
  std::size_t slot_count() const { return slot_count_; }
  std::size_t cell_count() const { return cell_count_; }
  std::uint8_t num_ports(std::size_t sw) const { return static_cast<std::uint8_t>(switches_[sw].width - 1); }

  /// Any entry a table can hold is fine.
  const Exit& exit(std::size_t sw, std::uint8_t entry) const {
    const Switch& s = switches_[sw];
    return exits_[s.exits + std::min<std::uint32_t>(entry, s.width)];
  }
  /// The same for entries 0..num_ports + 1; the last stands for all beyond.
  const Exit* exits(std::size_t sw) const { return exits_.data() + switches_[sw].exits; }
  std::size_t slot(std::size_t sw, std::size_t port) const { return switches_[sw].slots + port; }
  std::size_t cell(std::size_t sw, std::size_t in, std::size_t out) const {
    return switches_[sw].cells + in * switches_[sw].width + out;
  }

  /// A cell by its parts.
  struct Crossing {
    std::size_t sw, in, out;
  };
  Crossing crossing(std::size_t cell) const {
    const auto next = std::ranges::upper_bound(switches_, cell, {}, &Switch::cells);
    const auto sw = static_cast<std::size_t>(next - switches_.begin()) - 1;
    const std::size_t at = cell - switches_[sw].cells;
    return {sw, at / switches_[sw].width, at % switches_[sw].width};
  }

  /// Data VLs that the link of a port carries: the lesser of both ends, 1..15.
  std::uint8_t data_vls(PortId port) const;
  /// Data VLs of packets that leave a switch by a port. To its port 0 they cross no link: 15.
  std::uint8_t data_vls(std::size_t sw, std::uint8_t port) const { return slot_vls_[slot(sw, port)]; }

  /// Sources with a LID, by switch and attach port.
  std::span<const Source> sources() const { return sources_; }
  std::span<const Source> sources_of(std::size_t sw) const {
    return std::span(sources_).subspan(source_begin_[sw], source_begin_[sw + 1] - source_begin_[sw]);
  }
  /// Ports of a switch by which packets of parts that are not known come in.
  std::span<const PortNum> entrances_of(std::size_t sw) const {
    return entrances_.empty() ? std::span<const PortNum>() : std::span(entrances_[sw]);
  }
  /// Packets start at this switch, or come in from parts that are not known.
  bool sends(std::size_t sw) const { return !sources_of(sw).empty() || !entrances_of(sw).empty(); }
  /// All sources of the switch are aggregation nodes, and it has some.
  bool is_bare(std::size_t sw) const { return bare_[sw] != 0; }
  /// The same as sends() for packets to LIDs of switches: those of hosts.
  bool sends_to_switches(std::size_t sw) const {
    return sends(sw) && (!is_bare(sw) || !entrances_of(sw).empty());
  }
  /// CA and router ports on a switch that have no LID: nobody can reach them.
  std::span<const Source> without_lid() const { return without_lid_; }

 private:
  struct Switch {
    std::uint32_t exits;  ///< width + 1 of them, the last for every entry beyond
    std::uint32_t slots;
    std::uint32_t cells;
    std::uint32_t width;  ///< ports, 0 included
  };

  void add_switch(std::size_t sw);
  Exit exit_of(PortId port) const;

  const fabric::Fabric* fabric_;
  std::uint8_t max_op_vls_;
  std::uint32_t slot_count_ = 0;
  std::uint32_t cell_count_ = 0;
  std::vector<Switch> switches_;
  std::vector<Exit> exits_;
  std::vector<std::uint8_t> slot_vls_;
  std::vector<Source> sources_;
  std::vector<std::uint32_t> source_begin_;
  std::vector<std::uint8_t> bare_;  ///< by switch
  std::vector<Source> without_lid_;
  std::vector<std::vector<PortNum>> entrances_;  ///< by switch; empty: there are none
};

}  // namespace rch::verify
