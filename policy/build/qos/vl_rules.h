#pragma once

#include <optional>
#include <span>

#include "policy/build/options/option_file.h"
#include "policy/build/qos/sl_use.h"

namespace rch::policy::qos {

/// Checks SL2VL and arbitration tables of all port classes against the VLs that ports will have and the SLs
/// in use (opensm(8), QOS CONFIGURATION and docs/diagnostics.md). Nothing is checked while QoS is off, or
/// when one of the options is unreadable. `torus` is where torus-2QoS is named if it routes: it computes
/// SL2VL itself and wants weights of its own.
void check_vls(const OptionFile& main, std::span<const SlUse> uses, std::optional<Span> torus,
               Diagnostics& diagnostics);

}  // namespace rch::policy::qos
