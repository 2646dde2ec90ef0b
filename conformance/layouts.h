#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace rch::conformance {

/// What the answer to a query by one component must be.
enum class Use : std::uint8_t {
  match,  ///< the records that have the value, and no others; none for a value that no record has
  own,    ///< the record that the value is from is among them: a request parameter or a value that may be met
  within,    ///< the same, and none for a value that no record has
  selector,  ///< a selector; the next component is its value: exactly the own value is met, more than it is
             ///< not
  changing,  ///< moves by itself: cannot be asked for
  index,    ///< like match, never a value that no record has: OpenSM 3.3.23 reads beyond its tables, and ends
  trusted,  ///< like match, for requests with the SA_Key only
};

/// A component of a record: its bit of the component mask, and its place.
struct Component {
  std::uint8_t number;
  std::string_view name;
  std::uint16_t first_bit;  ///< from the most significant bit of byte 0
  std::uint16_t width;
  Use use = Use::match;
};

/// A record. The places are those of IBTA vol. 1, 15.2.5; the numbers are in the order of the fields,
/// reserved ones included.
struct Record {
  std::string_view name;
  std::uint16_t attribute;
  std::size_t size;
  std::span<const Component> components;
};

/// A value of a component: its bits, right-aligned.
using Value = std::vector<std::uint8_t>;
Value value_of(std::span<const std::uint8_t> record, const Component& component);
void set_value(std::span<std::uint8_t> record, const Component& component, const Value& value);

/// Records of which the state of the fabric alone decides what there is.
extern const std::span<const Record> kFabricRecords;
extern const Record kPathRecord, kMcMemberRecord, kServiceRecord, kInformInfoRecord, kPKeyTableRecord;

}  // namespace rch::conformance
