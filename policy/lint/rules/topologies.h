#pragma once

#include "base/diagnostic.h"

namespace rch::policy {

// Topologies (docs/keywords.md).
inline constexpr Rule kUnusedTopology{
    .name = "unused-topology",
    .severity = Severity::note,
    .summary = "a topology that no step uses",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "drop the topology, or a step may use it",
};

inline constexpr const Rule* kTopologyRules[] = {
    &kUnusedTopology,
};

}  // namespace rch::policy
