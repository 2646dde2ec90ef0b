#pragma once

#include "engines/engine.h"
#include "engines/torus_2qos/torus_2qos.h"
#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::bench {

/// torus-2QoS.conf of torus16() or torus32() as the parser would give it: one seed at switch 0,0,0.
engines::torus_2qos::Options torus_options(const fabric::Fabric& fabric);

/// The tables of one engine as a chain of a single step; leaves the process on a failure.
fabric::RoutingTables single_step(const fabric::Fabric& fabric, engines::EngineResult result);

}  // namespace rch::bench
