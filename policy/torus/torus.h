#pragma once

#include <optional>

#include "parsers/torus_conf/torus_conf.h"
#include "policy/policy.h"

namespace rch::policy {

/// A torus-2QoS.conf as the engine takes it, and where its parts stand.
struct TorusConf {
  engines::torus_2qos::Options options;  ///< qos and max_op_vls are the step's to fill in
  TorusPlaces places;
};

/// Checks the seed rules (config-files 5, torus-2qos 1.4). The result is of use only when nothing was an
/// error.
TorusConf build_torus(const parsers::torus_conf::Syntax& syntax, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::policy
