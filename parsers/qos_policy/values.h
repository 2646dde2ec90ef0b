#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "parsers/common/numbers.h"
#include "parsers/common/value.h"
#include "parsers/qos_policy/qos_policy.h"

namespace rch::parsers::qos_policy {

inline constexpr NumberKind kServiceId{"a service id"};
inline constexpr NumberKind kSl{"an SL", 0, 15};
inline constexpr std::string_view kUnpublished = "is not supported: its syntax is not published";

/// `5` or `5-7` as written.
struct WrittenRange {
  Token low;
  std::optional<Token> high;
};

/// Reads what was written as numbers of a kind, GUIDs or P_Keys. Turns reversed ranges, with a warning.
/// Nothing, reported, if a number is none or out of range.
using Ranges = std::optional<std::vector<Range>>;
Ranges convert_ranges(std::span<const WrittenRange> written, const NumberKind& kind,
                      Diagnostics& diagnostics);
Ranges convert_guids(std::span<const WrittenRange> written, const NumberKind&, Diagnostics& diagnostics);
Ranges convert_pkeys(std::span<const WrittenRange> written, const NumberKind&, Diagnostics& diagnostics);

// One value each; nothing, reported, if it does not fit.
Ranges read_ranges(const Value& value, const NumberKind& kind, Diagnostics& diagnostics);
Ranges read_guid_ranges(const Value& value, Diagnostics& diagnostics);
Ranges read_pkey_ranges(const Value& value, Diagnostics& diagnostics);
/// The text of `use`.
std::optional<Token> read_use(const Value& value, Diagnostics& diagnostics);
std::optional<Name> read_one_name(const Value& value, Diagnostics& diagnostics);
std::optional<std::vector<Name>> read_names(const Value& value, Diagnostics& diagnostics);
/// Names that something outside the file has; a blank outside quotes is reported.
std::optional<std::vector<Token>> read_partitions(const Value& value, Diagnostics& diagnostics);
std::optional<std::vector<PortName>> read_port_names(const Value& value, Diagnostics& diagnostics);
std::optional<std::vector<NodeType>> read_node_types(const Value& value, Diagnostics& diagnostics);

// Values of qos-setup, checked only. False, reported, if one does not fit.
bool check_weights(const Value& value, Diagnostics& diagnostics);
bool check_sl2vl(const Value& value, const NumberKind& kind, Diagnostics& diagnostics);
bool check_ports(const Value& value, const NumberKind& kind, Diagnostics& diagnostics);

}  // namespace rch::parsers::qos_policy
