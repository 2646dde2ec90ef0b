#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "fabric/arbitration.h"
#include "fabric/shapes.h"

namespace rch::policy {

using fabric::VlWeight;
using fabric::VlWeights;
/// VL of each SL; 15 drops the packets.
using SlToVl = std::array<std::uint8_t, 16>;

/// QoS of one class of ports; what is not set falls back to the set `qos_`, then to the built-in one
/// (config-files 8).
struct QosSet {
  std::uint32_t max_vls = 0;  ///< 0: not set
  std::optional<std::uint8_t> high_limit;
  std::optional<VlWeights> vlarb_high, vlarb_low;
  std::optional<SlToVl> sl2vl;

  friend bool operator==(const QosSet&, const QosSet&) = default;
};

/// On which ports of a switch P_Keys are checked.
enum class PartEnforce : std::uint8_t { both, in, out, off };

/// The main options that rch knows the meaning of, defaults filled in. Names are those of opensm.conf, paths
/// are relative to the folder of the file that names them.
struct Options {
  using Path = std::optional<std::filesystem::path>;

  // Routing.
  std::vector<std::string> routing_engine;  ///< empty: minhop, or `chain` when rch_policy_file is set
  bool connect_roots = false;
  bool use_ucast_cache = false;
  bool avoid_throttled_links = false;
  bool quasi_ftree_indexing = false;
  std::uint16_t max_reverse_hops = 0;
  std::uint32_t scatter_ports = 0;  ///< seed; 0: off
  bool guid_routing_order_no_scatter = false;
  bool port_shifting = false;
  bool port_profile_switch_nodes = false;
  bool do_mesh_analysis = false;
  std::uint8_t lash_start_vl = 0;
  std::uint8_t nue_max_num_vls = 1;  ///< 0: automatic
  bool nue_include_switches = false;
  bool find_roots_color_algorithm = true;
  bool offsweep_balancing_enabled = false;
  std::uint8_t max_cas_on_spine = 2;
  std::optional<fabric::FatTreeShape> pqft_structure;
  bool use_mfttop = true;
  bool disable_multicast = false;
  std::uint64_t mc_primary_root_guid = 0;
  std::uint64_t mc_secondary_root_guid = 0;
  std::uint32_t max_topologies_per_sw = 4;

  // Files of the routing.
  Path pgrp_policy_file;
  Path topo_policy_file;
  Path rch_policy_file;
  Path torus_config;
  Path lid_matrix_dump_file;
  Path lfts_file;
  Path root_guid_file;
  Path cn_guid_file;
  Path io_guid_file;
  Path ids_guid_file;
  Path guid_routing_order_file;
  Path hop_weights_file;
  Path port_search_ordering_file;
  Path port_prof_ignore_file;
  Path held_back_sw_file;
  Path mc_roots_file;
  Path prefix_routes_file;
  Path node_name_map_name;
  Path per_module_logging_file;
  Path dump_files_dir;

  // LIDs and sweeps.
  std::uint8_t lmc = 0;
  bool lmc_esp0 = false;
  bool reassign_lids = false;
  bool honor_guid2lid_file = false;
  std::uint32_t sweep_interval = 10;  ///< seconds; 0: none but on traps
  bool force_heavy_sweep = false;
  bool sweep_on_trap = true;

  // QoS.
  bool qos = false;
  std::uint8_t max_op_vls = 5;
  std::uint8_t sm_sl = 0;
  Path qos_policy_file;
  Path enhanced_qos_policy_file;
  bool enhanced_qos_vport0_unlimit_default_rl = true;
  QosSet qos_base, qos_ca, qos_rtr, qos_sw0, qos_swe, qos_sw2sw;

  // Partitions.
  Path partition_config_file;
  PartEnforce part_enforce = PartEnforce::both;
  bool no_partition_enforcement = false;
  bool allow_both_pkeys = false;
  bool keep_pkey_indexes = true;

  // The subnet manager.
  std::vector<Guid> guid;  ///< ports it may use; empty: the first active one
  std::uint64_t subnet_prefix = 0xFE80000000000000;
  std::uint64_t sm_key = 1;
  std::uint64_t sa_key = 1;
  std::uint8_t sm_priority = 0;
  bool sm_inactive = false;
  bool ignore_other_sm = false;
  std::uint32_t sminfo_polling_timeout = 10000;  ///< milliseconds
  std::uint32_t polling_retry_number = 4;
  std::uint64_t m_key = 0;
  std::uint16_t m_key_lease_period = 0;  ///< seconds; 0: never ends
  std::uint8_t m_key_protection_level = 0;
  bool m_key_lookup = true;

  // Ports.
  std::uint8_t subnet_timeout = 18;
  std::uint8_t packet_life_time = 0x12;
  std::uint8_t head_of_queue_lifetime = 0x12;
  std::uint8_t leaf_head_of_queue_lifetime = 0x10;
  std::uint8_t vl_stall_count = 7;
  std::uint8_t leaf_vl_stall_count = 7;
  std::uint8_t max_rate_enum = 63;
  bool use_original_extended_sa_rates_only = false;

  // Transport.
  std::uint32_t max_wire_smps = 32;
  std::uint32_t transaction_timeout = 200;  ///< milliseconds
  std::uint32_t transaction_retries = 3;
  std::uint32_t long_transaction_timeout = 500;  ///< milliseconds
};

}  // namespace rch::policy
