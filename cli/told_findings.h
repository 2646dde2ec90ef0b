#pragma once

#include "cli/json.h"
#include "cli/output.h"

namespace rch::cli {

/// Prints the `findings` of an answer of a running subnet manager as `rch lint` does: each with its place,
/// the quoted line and the hint.
void print_findings(Output& output, const Json& answer);

}  // namespace rch::cli
