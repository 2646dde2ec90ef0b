#pragma once

#include "policy/build/options/option_file.h"

namespace rch::policy {

/// Rules about several main options at once: clamps as OpenSM's, which the options then have, and ranges the
/// wrong way round (docs/configuration.md and docs/options.md). Reports what `text` has a part in.
void check_options(OptionFile& file, SourceId text, Diagnostics& diagnostics);

}  // namespace rch::policy
