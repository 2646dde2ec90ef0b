#pragma once

#include <string_view>

#include "base/diagnostic.h"

namespace rch::policy {

/// An option that some engines read and others do not (config-files 10; 12, items 8 and 9).
struct EngineOption {
  std::string_view key;
  std::string_view engines;            ///< separated by blanks
  Severity severity = Severity::note;  ///< when no engine reads it
};

/// Engines that fill their tables with OpenSM's common loop over destinations (routing-engines 2).
inline constexpr std::string_view kCommonLoop = "minhop updn dnup dor file ar_minhop ar_updn ar_dor";
inline constexpr std::string_view kFatTree = "ftree ar_ftree";

inline constexpr EngineOption kEngineOptions[] = {
    {"root_guid_file", "updn ftree pqft ar_updn ar_ftree"},
    {"cn_guid_file", "ftree pqft ar_ftree dfsssp sssp"},
    {"io_guid_file", "ftree pqft ar_ftree dfsssp sssp"},
    {"ids_guid_file", "updn ar_updn"},
    {"guid_routing_order_file", kCommonLoop, Severity::warning},
    {"guid_routing_order_no_scatter", kCommonLoop},
    {"hop_weights_file", "minhop dor file ar_minhop ar_dor"},
    {"port_search_ordering_file", kCommonLoop},
    {"port_prof_ignore_file", kCommonLoop},
    {"scatter_ports", kCommonLoop},
    {"port_shifting", kCommonLoop},
    {"port_profile_switch_nodes", kCommonLoop},
    {"connect_roots", "updn dnup ftree ar_updn ar_ftree"},
    {"max_reverse_hops", kFatTree},
    {"quasi_ftree_indexing", kFatTree},
    {"torus_config", "torus-2QoS"},
    {"pqft_structure", "pqft"},
    {"lfts_file", "file"},
    {"lid_matrix_dump_file", "file"},
    {"do_mesh_analysis", "lash"},
    {"lash_start_vl", "lash"},
    {"nue_max_num_vls", "nue"},
    {"nue_include_switches", "nue"},
    {"offsweep_balancing_enabled", "minhop dor updn", Severity::warning},
    {"dfp_max_cas_on_spine", "dfp dfp2"},
    {"dfp_find_roots_color_algorithm", "dfp dfp2"},
    {"dfp_down_up_turns_mode", "dfp dfp2"},
    {"dor_hyper_cube_mode", "dor ar_dor"},
    {"updn_lid_tracking_mode", "updn ar_updn"},
};

/// True if `engine` reads the option; options that are not in the table are read by all.
bool reads(std::string_view engine, std::string_view key);

}  // namespace rch::policy
