#pragma once

#include "base/result.h"
#include "fabric/fabric.h"
#include "hw/umad_transport.h"
#include "verify/given_sls.h"

namespace rch::cli {

/// Asks the subnet administration of a live fabric, whoever runs it, for the service levels of the paths from
/// each end port: one request for each. Fails (fabric) when it does not answer.
Result<verify::GivenSls> ask_path_sls(const hw::PortName& port, const fabric::Fabric& fabric);

}  // namespace rch::cli
