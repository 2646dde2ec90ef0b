#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/torus_conf/torus_conf.h"

namespace rch::policy {

struct SeedLinkPlace {
  parsers::torus_conf::Link link;
  Span keyword;
};

/// One seed of a torus-2QoS.conf as written.
struct Seed {
  Span place;                                         ///< its first keyword
  std::array<std::optional<SeedLinkPlace>, 6> links;  ///< [2 * axis + (0 plus, 1 minus)]
  std::array<std::optional<parsers::torus_conf::Dateline>, 3> datelines;
  std::map<std::string, Span> keywords;
  bool damaged = false;  ///< a line of it was unreadable and reported; what is missing may be that line

  bool empty() const;
};

/// Checks one seed against the radices; `size` is absent when its line could not be read. Seeds count from 0.
void check_seed(const Seed& seed, std::size_t number, const std::optional<parsers::torus_conf::Size>& size,
                Diagnostics& diagnostics);

/// Seeds are alternatives for a switch that is down, so they should not share one (torus-2QoS.conf(5)).
void check_origins(const std::vector<Seed>& seeds, Diagnostics& diagnostics);

}  // namespace rch::policy
