#pragma once

#include <cstdint>
#include <span>

#include "hw/mad.h"
#include "sa/mad.h"

namespace rch::sa {

class Listing;

/// A component of a record that compares bit by bit: its bit of the component mask, and its place.
struct Component {
  std::uint8_t number;
  std::uint16_t first_bit;  ///< from the most significant bit of byte 0
  std::uint16_t width;

  constexpr Component(std::uint8_t n, std::size_t byte, std::size_t bit, std::size_t bits)
      : number(n),
        first_bit(static_cast<std::uint16_t>(8 * byte + bit)),
        width(static_cast<std::uint16_t>(bits)) {}
  /// A field of an attribute that starts at byte `base` of the record.
  constexpr Component(std::uint8_t n, std::size_t base, hw::Field field)
      : Component(n, base + field.byte, field.bit, field.width) {}
};

/// A record that is made from the tables of a snapshot. Component 0 of all of them is the LID, at byte 0: it
/// selects the port, whichever of its LIDs it is, and is not in `components` (IBA 15.4).
struct RecordType {
  Attribute attribute{};
  std::size_t size = 0;  ///< with the padding
  std::span<const Component> components;
  void (*list)(Listing&) = nullptr;  ///< offers records by LID, port, block
  /// With bit 31 of the modifier this component matches where all its bits are set (IBA 15.2.5). 0: none.
  std::uint8_t bits_component = 0;
};

/// Bytes of the largest record of these.
inline constexpr std::size_t kLargestRecord = 112;

extern const RecordType kNodeRecord, kPortInfoRecord, kSwitchInfoRecord, kLinearTableRecord,
    kMulticastTableRecord, kSl2VlRecord, kVlArbitrationRecord, kPKeyTableRecord, kGuidInfoRecord,
    kSmInfoRecord, kLinkRecord;

}  // namespace rch::sa
