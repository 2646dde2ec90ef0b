#pragma once

#include <optional>
#include <span>
#include <vector>

#include "parsers/common/numbers.h"
#include "parsers/common/value.h"
#include "parsers/qos_policy/qos_policy.h"

namespace rch::parsers::qos_policy {

/// What the numbers of a list are.
struct RangeKind {
  enum Special { plain, guid, pkey };  ///< of a P_Key the low 15 bits count
  NumberKind number;
  Special special = plain;
};

inline constexpr RangeKind kGuids{{"a port GUID"}, RangeKind::guid};
inline constexpr RangeKind kPkeys{{"a P_Key", 0, 0xFFFF}, RangeKind::pkey};
inline constexpr RangeKind kServiceIds{{"a service id"}};
inline constexpr NumberKind kSl{"an SL", 0, 15};

/// `5` or `5-7` as written.
struct WrittenRange {
  Token low;
  std::optional<Token> high;
};

/// Turns reversed ranges, with a warning. Nothing, reported, if a number is none or out of range.
std::optional<std::vector<Range>> convert_ranges(std::span<const WrittenRange> written, const RangeKind& kind,
                                                 Diagnostics& diagnostics);

/// One value each; nothing, reported, if it does not fit.
std::optional<std::vector<Range>> read_ranges(const Value& value, const RangeKind& kind,
                                              Diagnostics& diagnostics);
std::optional<Number> read_one_number(const Value& value, const NumberKind& kind, Diagnostics& diagnostics);
std::optional<Name> read_one_name(const Value& value, Diagnostics& diagnostics);
std::optional<std::vector<Name>> read_names(const Value& value, Diagnostics& diagnostics);
/// Names that something outside the file has; a blank outside quotes is reported.
std::optional<std::vector<Token>> read_partitions(const Value& value, Diagnostics& diagnostics);
std::optional<std::vector<PortName>> read_port_names(const Value& value, Diagnostics& diagnostics);
std::optional<std::vector<NodeType>> read_node_types(const Value& value, Diagnostics& diagnostics);

/// Values of qos-setup: checked only.
void check_weights(const Value& value, Diagnostics& diagnostics);
void check_sl2vl(const Value& value, Diagnostics& diagnostics);
void check_ports(const Value& value, Diagnostics& diagnostics);

}  // namespace rch::parsers::qos_policy
