#pragma once

#include "base/diagnostic.h"

namespace rch::chains {

// What a run of the chain is given beside the configuration.
inline constexpr Rule kPreviousElsewhere{
    .name = "previous-plan-elsewhere",
    .severity = Severity::warning,
    .summary = "a previous plan that shares no switch with the fabric",
    .reason = "nothing of it can be kept, so every route is dealt anew",
    .opensm = "reads the tables that the switches hold",
    .nvidia = "reads the tables that the switches hold",
    .repair = "give the plan that is in force on this fabric, or leave `--previous` out",
};

inline constexpr const Rule* kRules[] = {&kPreviousElsewhere};

}  // namespace rch::chains
