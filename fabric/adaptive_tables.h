#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace rch::fabric {

/// Ports of one switch by number, as an element of its adaptive routing group table has them.
class PortMask {
 public:
  bool contains(std::uint8_t port) const { return (words_[port / 64U] >> port % 64U & 1U) != 0; }
  void insert(std::uint8_t port) { words_[port / 64U] |= std::uint64_t{1} << port % 64U; }
  void erase(std::uint8_t port) { words_[port / 64U] &= ~(std::uint64_t{1} << port % 64U); }
  bool empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  std::size_t count() const {
    std::size_t ports = 0;
    for (const std::uint64_t word : words_) ports += static_cast<std::size_t>(std::popcount(word));
    return ports;
  }
  PortMask& operator|=(const PortMask& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }
  /// Calls f(port) in ascending order.
  template <class F>
  void for_each(const F& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
        f(static_cast<std::uint8_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
  }
  friend auto operator<=>(const PortMask&, const PortMask&) = default;

 private:
  std::array<std::uint64_t, 4> words_{};
};

/// A group that entries of one switch name.
struct PortGroup {
  PortMask ports;  ///< of all its sub-groups
  /// The entries have the state `static`: the switch takes another port of the group only where fast recovery
  /// is on and the port of the entry is down.
  bool is_static = false;
  friend auto operator<=>(const PortGroup&, const PortGroup&) = default;
};

/// How a switch uses its groups (AdaptiveRoutingInfo, attribute 0xFF20).
struct AdaptiveSwitch {
  bool enabled = false;
  bool fast_recovery = false;
  std::uint16_t sls = 0xFFFF;     ///< service levels that are routed adaptively, one bit each
  std::vector<PortGroup> groups;  ///< distinct; in the order in which they were added
};

/// Groups of ports beside the entries of forwarding tables: an adaptive switch sends a packet by the port of
/// its entry or by any port of the group that the entry names, as it likes.
///
/// Destinations that have equal groups on all switches, such as those of one leaf, share a column: one number
/// of a group for each switch. So groups take a fraction of the memory of the entries.
class AdaptiveTables {
 public:
  /// Number of no group: the entry alone says where packets go.
  static constexpr std::uint16_t kNoGroup = 0xFFFF;
  static constexpr std::uint32_t kNoColumn = 0xFFFFFFFF;

  /// No switch routes adaptively.
  AdaptiveTables() = default;
  AdaptiveTables(std::size_t switch_count, Lid max_lid)
      : switches_(switch_count), column_of_(max_lid.index() + 1, kNoColumn) {}

  bool empty() const { return switches_.empty(); }
  std::size_t switch_count() const { return switches_.size(); }
  /// Not for empty tables.
  Lid max_lid() const { return Lid(static_cast<std::uint16_t>(column_of_.size() - 1)); }
  AdaptiveSwitch& at(SwitchId sw) { return switches_[sw.index()]; }
  const AdaptiveSwitch& at(SwitchId sw) const { return switches_[sw.index()]; }

  /// Number of an equal group of the switch, which is added if there is none.
  std::uint16_t group_number(SwitchId sw, const PortGroup& group);
  /// Adds a column, a number of a group or kNoGroup for each switch, and returns its number.
  std::uint32_t add_column(std::span<const std::uint16_t> groups);
  std::size_t column_count() const { return switches_.empty() ? 0 : cells_.size() / switches_.size(); }
  std::span<const std::uint16_t> column(std::uint32_t column) const {
    return std::span(cells_).subspan(column * switches_.size(), switches_.size());
  }
  void set_column(Lid lid, std::uint32_t column) { column_of_[lid.index()] = column; }
  std::uint32_t column_of(Lid lid) const {
    return lid.index() < column_of_.size() ? column_of_[lid.index()] : kNoColumn;
  }

  /// Group that the entry of a switch for a LID names; null: none.
  const PortGroup* group(SwitchId sw, Lid lid) const {
    const std::uint32_t of_lid = column_of(lid);
    if (of_lid == kNoColumn || sw.index() >= switches_.size()) return nullptr;
    const std::uint16_t number = cells_[of_lid * switches_.size() + sw.index()];
    return number == kNoGroup ? nullptr : &switches_[sw.index()].groups[number];
  }
  std::size_t byte_count() const;

 private:
  std::vector<AdaptiveSwitch> switches_;
  std::vector<std::uint32_t> column_of_;  ///< by LID
  std::vector<std::uint16_t> cells_;      ///< by column, then switch
};

}  // namespace rch::fabric
