#pragma once

#include "base/diagnostic.h"

namespace rch::whatif {

// Of the file that names the cables to fail.
inline constexpr Rule kNoSuchLink{
    .name = "no-such-link",
    .severity = Severity::error,
    .summary = "a line of a list of cables that names no cable of the fabric",
    .reason = "the case would not be looked at, and nobody would see that it is missing",
    .repair = "write `A:B` for all cables between two nodes, or `A[3]` for the cable at port 3 of a node",
};

inline constexpr const Rule* kRules[] = {&kNoSuchLink};

}  // namespace rch::whatif
