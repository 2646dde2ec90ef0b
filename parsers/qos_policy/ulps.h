#pragma once

#include <optional>
#include <string_view>

#include "parsers/common/value.h"
#include "parsers/qos_policy/qos_policy.h"

namespace rch::parsers::qos_policy {

/// True if the line begins with the name of a ULP.
bool starts_ulp(std::string_view line);

/// `any, service-id 1, 5-7 : 3`. Nothing, reported, if the line does not fit.
std::optional<UlpLine> read_ulp(const Value& line, Diagnostics& diagnostics);

}  // namespace rch::parsers::qos_policy
