#pragma once

#include <span>
#include <vector>

#include "parsers/enhanced_qos/enhanced_qos.h"
#include "policy/build/build_context.h"
#include "policy/build/qos/sl_use.h"
#include "policy/model/enhanced_qos.h"

namespace rch::policy::enhanced_qos {

/// The policy of a file's syntax, bandwidths and groups resolved (docs/manager.md, Rate limits). Rules with
/// an unresolved name are left out, which is an error unless the port group file was not given.
EnhancedQos build_enhanced_qos(const parsers::enhanced_qos::Syntax& syntax, const BuildContext& context);

/// Limits on SLs that nothing uses.
void check_sls(const EnhancedQos& policy, std::span<const qos::SlUse> uses, Diagnostics& diagnostics);
/// SLs that rules name by number, as uses.
std::vector<qos::SlUse> sl_uses(const EnhancedQos& policy);

}  // namespace rch::policy::enhanced_qos
