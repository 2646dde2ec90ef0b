#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "hw/attributes.h"

namespace rch::hw {

/// One attribute of one port, the payload that it shall have, and the fields of it that are compared.
struct Image {
  PortId port;
  Attribute attribute = Attribute::port_info;
  std::uint32_t modifier = 0;
  SmpData data{};
  std::span<const Field> compared;  ///< static storage

  /// The first compared field in which `seen` differs. PortState compares as "at least", for the other end of
  /// the link may have pulled the port further.
  std::optional<Field> first_difference(const SmpData& seen) const;
  /// True if a port that shows `seen` needs no Set.
  bool is_shown_by(const SmpData& seen) const { return !first_difference(seen); }
};

/// All fields of an attribute that is one block of a table.
inline constexpr std::array kWholeBlock{Field{0, 0, 64},  Field{8, 0, 64},  Field{16, 0, 64},
                                        Field{24, 0, 64}, Field{32, 0, 64}, Field{40, 0, 64},
                                        Field{48, 0, 64}, Field{56, 0, 64}};

/// The entries of a block of VL arbitration or P_Keys.
inline constexpr auto kBlockEntries = [] {
  std::array<Field, 32> entries{};
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = {static_cast<std::uint16_t>(2 * i), 0, 16};
  return entries;
}();

/// The one field of an SL2VL map.
inline constexpr std::array kWholeMap{Field{0, 0, 64}};

/// "NeighborMTU": a field of PortInfo or SwitchInfo by its name; "byte 12" in tables.
std::string describe_field(Attribute attribute, Field field);

/// "block 3 of its forwarding table": an attribute of a port, for messages.
std::string describe_attribute(Attribute attribute, std::uint32_t modifier);

}  // namespace rch::hw
