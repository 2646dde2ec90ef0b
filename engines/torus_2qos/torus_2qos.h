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
  /// Installed tables. Changes since are remarked, and rows that stay are shared.
  std::optional<common::InstalledTables> installed = {};
};

/// Dimension-order routing with datelines on tori and meshes of one to three dimensions. Free of credit loops
/// by SL (one bit per dateline crossed) and SL2VL (torus-2QoS(8)).
///
/// Failed links are routed around if each ring stays in one segment; missing switches if the hop rule routes
/// all pairs around them without a credit loop (torus-2QoS(8) and docs/torus.md, Which damage is accepted).
/// Service levels do not depend on the damage. Every switch of the view must find its position. Links between
/// positions that are not adjacent stay unused and are remarked. `hops` is absent.
///
/// Failures, in the order of the checks:
///   qos-off, radix-invalid
///   seed-incomplete, seed-split, seed-beyond-border, seed-conflict         a seed is wrong in itself
///   seed-absent, seed-no-switch, seed-not-neighbours                       no seed fits the fabric
///   switch-unplaced, radix-mismatch                                        the fabric is not this torus
///   ring-disjoint, too-few-vls
///   unroutable, credit-loop, too-few-vls                                   too many switches are missing
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::torus_2qos
