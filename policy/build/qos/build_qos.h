#pragma once

#include <vector>

#include "parsers/qos_policy/qos_policy.h"
#include "policy/build/build_context.h"
#include "policy/build/qos/partitions_view.h"
#include "policy/build/qos/sl_use.h"
#include "policy/model/qos_policy.h"

namespace rch::policy::qos {

/// The policy of a file's syntax, names resolved, ULP lines turned into match rules (OpenSM's
/// doc/QoS_management_in_OpenSM.txt and docs/diagnostics.md). The result is of use only when nothing was an
/// error. Without `partitions` (null) references to them are not checked and groups have no ports by
/// partition name.
QosPolicy build_qos(const parsers::qos_policy::Syntax& syntax, SourceId source,
                    const KnownPartitions* partitions, const BuildContext& context);

/// SLs of the levels that queries can get.
std::vector<SlUse> sl_uses(const QosPolicy& policy);

}  // namespace rch::policy::qos
