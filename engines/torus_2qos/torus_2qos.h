#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engines/common/incremental/installed_tables.h"
#include "engines/engine.h"

namespace rch::engines::torus_2qos {

/// Two neighbouring switches named by their node GUIDs.
struct SeedLink {
  Guid from;
  Guid to;
};

/// One way to anchor the coordinate system: links of one switch that point along the axes (torus-2qos 1.4).
struct Seed {
  std::array<std::optional<SeedLink>, 3> plus;   ///< xp_link, yp_link, zp_link
  std::array<std::optional<SeedLink>, 3> minus;  ///< xm_link, ym_link, zm_link
  std::array<std::int32_t, 3> dateline{};  ///< origin = that many steps in + direction from the seed switch
};

/// What torus-2QoS.conf says, typed, plus what the engine needs of the main options.
struct Options {
  std::array<std::uint32_t, 3> radix{1, 1, 1};
  std::array<bool, 3> wraps{true, true, true};  ///< as configured; radix 1 and 2 never wrap
  std::vector<Seed> seeds;                      ///< tried in order
  std::vector<std::uint8_t> port_order;         ///< ports to use first; the rest ascending
  std::uint32_t portgroup_max_ports = 16;       ///< accepted and not enforced (torus-2qos 1.8)
  std::uint32_t max_changes = 32;               ///< remarks about what differs from the tables in force
  bool qos = true;                              ///< main option `qos`; false is a failure (4E44)
  std::uint8_t max_op_vls = 5;                  ///< code of the main option, 1..5
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
