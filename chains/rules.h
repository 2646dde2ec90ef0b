#pragma once

#include "base/diagnostic.h"

namespace rch::chains {

// What a run of the chain is given beside the configuration.
inline constexpr Rule kPreviousElsewhere{
    .name = "previous-plan-elsewhere",
    .severity = Severity::warning,
    .summary = "a previous plan that shares no switch with the fabric",
    .reason = "none of its routes can be kept, so every route is computed afresh",
    .opensm = "reads the tables that the switches hold",
    .nvidia = "reads the tables that the switches hold",
    .repair = "give the plan that is installed on this fabric, or leave `--previous` out",
};

inline constexpr const Rule* kRules[] = {&kPreviousElsewhere};

}  // namespace rch::chains
