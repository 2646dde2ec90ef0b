#pragma once

#include <span>
#include <string>
#include <string_view>

#include "assertions/judge.h"

namespace rch::cli {

/// Outcomes as a JUnit report of one suite, which CI systems show.
std::string junit_report(std::string_view suite, std::span<const assertions::Outcome> outcomes);

}  // namespace rch::cli
