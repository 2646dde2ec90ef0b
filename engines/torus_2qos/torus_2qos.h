#pragma once

#include <cstdint>
#include <optional>

#include "engines/common/incremental/installed_tables.h"
#include "engines/engine.h"
#include "fabric/shapes.h"

namespace rch::engines::torus_2qos {

using Seed = fabric::TorusSeed;
using SeedLink = fabric::TorusSeed::Link;

/// The torus, and what the engine needs of the main options.
struct Options : fabric::TorusShape {
  bool qos = true;              ///< main option `qos`; false is a failure (4E44)
  std::uint8_t max_op_vls = 5;  ///< code of the main option, 1..5
  /// Tables in force: what has changed since is remarked, and rows that stay are taken over.
  std::optional<common::InstalledTables> installed = {};
};

/// Dimension-ordered routing with datelines on tori and meshes of one to three dimensions, free of credit
/// loops by SL (one bit per dateline crossed) and SL2VL (man page torus-2QoS; torus-2qos 1-4).
///
/// Routes pristine fabrics and damaged ones: any failed links that leave each ring in one piece, and any
/// missing switches around which the hop rule leads from everywhere to everywhere without a credit loop
/// (torus-2qos 2.3, 10). Service levels do not depend on the damage. Every switch of the view must find its
/// place; links that join no adjacent positions stay unused and are remarked. `hops` is absent.
///
/// Rules of failures, in the order they are checked:
///   qos-off, radix-invalid
///   seed-incomplete, seed-split, seed-beyond-border, seed-conflict         a seed is wrong in itself
///   seed-absent, seed-no-switch, seed-not-neighbours                       no seed fits the fabric
///   switch-unplaced, radix-mismatch                                        the fabric is not this torus
///   ring-disjoint, too-few-vls
///   unroutable, credit-loop, too-few-vls                                   too many switches are missing
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::torus_2qos
