#pragma once

#include "policy/build/options/option_file.h"

namespace rch::policy {

/// What OpenSM makes of the main options otherwise than rch. The findings are shown to those who ask for them
/// (policy/lint/rules/compat.h).
void check_beside_opensm(const OptionFile& main, Diagnostics& diagnostics);

}  // namespace rch::policy
