#pragma once

#include <vector>

#include "verify/survey.h"

namespace rch::verify {

/// survey() of tables with adaptive groups: what may happen under any choice of any switch. The graph has
/// every pair of a link by which packets may come in and a link by which they may leave, so that no choice
/// rule can close a cycle if it has none (Dally and Seitz 1987). Forwarding loops keep their dependencies:
/// a switch that may send packets round is a finding of both kinds. Builds on no earlier proof.
Survey survey_choices(const Context& context);

/// causes() of tables with adaptive groups.
std::vector<Lid> causes_by_choice(const Context& context, std::span<const Dependency> dependencies);

}  // namespace rch::verify
