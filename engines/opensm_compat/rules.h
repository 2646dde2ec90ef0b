#pragma once

#include <string_view>

#include "engines/descriptor.h"

namespace rch::engines::opensm_compat {

/// Where OpenSM behaves otherwise than rch. An engine takes the value of its mode once and asks it, so that
/// no engine knows what `compat` means. Whole algorithms of OpenSM have files of their own in this folder.
struct Rules {
  // Port selection
  bool reads_throttled_links = true;  ///< `avoid_throttled_links` has an effect
  bool draws_one_sequence = false;    ///< all switches draw from one sequence, in the order of OpenSM's map
  bool counts_kept_in_order = false;  ///< a kept port counts at its turn, not before all new ones

  // updn, dnup
  bool takes_all_root_candidates =
      false;  ///< not only those nearest to the end ports (OpenSM's osm_ucast_updn.c)
  bool detects_roots_by_weights = false;  ///< by minhop's distances, weights included
  bool searches_equal_ranks = false;      ///< updn_search.h routes what legal paths would route otherwise

  // file
  bool loads_what_fits = false;  ///< a table file that does not fit is loaded with remarks
  bool hops_by_lid = false;      ///< rows of a hop matrix belong to LIDs, whatever GUID they name
};

inline constexpr Rules kRch{};
inline constexpr Rules kOpenSm{.reads_throttled_links = false,
                               .draws_one_sequence = true,
                               .counts_kept_in_order = true,
                               .takes_all_root_candidates = true,
                               .detects_roots_by_weights = true,
                               .searches_equal_ranks = true,
                               .loads_what_fits = true,
                               .hops_by_lid = true};

constexpr const Rules& rules(bool compat) { return compat ? kOpenSm : kRch; }

/// For engines whose one option that OpenSM accepts without effect is `avoid_throttled_links`.
constexpr bool ignores_throttled_links(std::string_view key, const Setup& setup) {
  return key == "avoid_throttled_links" && !rules(setup.compat).reads_throttled_links;
}

}  // namespace rch::engines::opensm_compat
