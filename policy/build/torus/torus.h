#pragma once

#include <optional>

#include "parsers/torus_conf/torus_conf.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// What a torus-2QoS.conf says, and where its parts stand.
struct TorusConf {
  fabric::TorusShape shape;
  TorusPlaces places;
};

/// Checks the seed rules (torus-2QoS.conf(5)). The result is of use only when nothing was an
/// error.
TorusConf build_torus(const parsers::torus_conf::Syntax& syntax, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::policy
