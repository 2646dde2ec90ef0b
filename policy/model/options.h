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

// The main options that rch knows the meaning of, by the stage that reads them. Defaults are filled in, names
// are those of opensm.conf, and paths are joined to the folder of the file that names them.

using fabric::VlWeight;
using fabric::VlWeights;
using OptionalPath = std::optional<std::filesystem::path>;

/// What the file of a routing-chain step may set: engines read it.
struct RoutingOptions {
  std::uint8_t ar_mode = 3;           ///< 0: off
  std::uint16_t ar_sl_mask = 0xFFFF;  ///< service levels that are routed adaptively, one bit each
  std::uint8_t shield_mode = 3;       ///< 0: no fast recovery
  bool connect_roots = false;
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
  std::uint32_t offsweep_balancing_window = 180;  ///< seconds
  std::uint8_t max_cas_on_spine = 2;
  std::optional<fabric::FatTreeShape> pqft_structure;
  OptionalPath torus_config;
  OptionalPath lid_matrix_dump_file;
  OptionalPath lfts_file;
  OptionalPath root_guid_file;
  OptionalPath cn_guid_file;
  OptionalPath io_guid_file;
  OptionalPath ids_guid_file;
  OptionalPath guid_routing_order_file;
  OptionalPath hop_weights_file;
  OptionalPath port_search_ordering_file;
  OptionalPath port_prof_ignore_file;
};

/// How steps are found and run.
struct ChainOptions {
  std::vector<std::string> routing_engine;  ///< empty: minhop, or `chain` when rch_policy_file is set
  bool use_ucast_cache = false;
  std::uint32_t max_topologies_per_sw = 4;
  bool auto_join_hca_wo_topo = false;     ///< hosts of no topology join the one of their switch
  std::uint16_t routing_threads_num = 0;  ///< 0: one per core
};

/// Files of the fabric as a whole.
struct FileOptions {
  OptionalPath pgrp_policy_file;
  OptionalPath topo_policy_file;
  OptionalPath rch_policy_file;
  OptionalPath partition_config_file;
  OptionalPath qos_policy_file;
  OptionalPath enhanced_qos_policy_file;
  OptionalPath held_back_sw_file;
  OptionalPath topo_config_file;
  bool topo_config_enabled = false;
  OptionalPath mc_roots_file;
  OptionalPath prefix_routes_file;
  OptionalPath node_name_map_name;
  OptionalPath per_module_logging_file;
  OptionalPath dump_files_dir;
};

struct LidOptions {
  std::uint8_t lmc = 0;
  bool lmc_esp0 = false;
  bool reassign_lids = false;
  bool honor_guid2lid_file = false;
  std::uint16_t master_sm_lid = 0;  ///< of the port of the manager; 0: as that of any other port
};

struct MulticastOptions {
  bool use_mfttop = true;
  bool disable_multicast = false;
  std::uint64_t mc_primary_root_guid = 0;
  std::uint64_t mc_secondary_root_guid = 0;
};

/// VL of each SL; 15 drops the packets.
using SlToVl = std::array<std::uint8_t, 16>;

/// QoS of one class of ports; what is not set falls back to the set `qos_`, then to the built-in one
/// (opensm(8), QOS CONFIGURATION).
struct QosSet {
  std::uint32_t max_vls = 0;  ///< 0: not set
  std::optional<std::uint8_t> high_limit;
  std::optional<VlWeights> vlarb_high, vlarb_low;
  std::optional<SlToVl> sl2vl;

  friend bool operator==(const QosSet&, const QosSet&) = default;
};

struct QosOptions {
  bool enabled = false;  ///< `qos`
  std::uint8_t max_op_vls = 5;
  std::uint8_t sm_sl = 0;
  bool enhanced_qos_vport0_unlimit_default_rl = true;
  /// `qos_…`, `qos_ca_…`, `qos_rtr_…`, `qos_sw0_…`, `qos_swe_…`, `qos_sw2sw_…`
  QosSet base, ca, rtr, sw0, swe, sw2sw;
};

/// On which ports of a switch P_Keys are checked.
enum class PartEnforce : std::uint8_t { both, in, out, off };

struct PartitionOptions {
  PartEnforce part_enforce = PartEnforce::both;
  bool no_partition_enforcement = false;
  bool allow_both_pkeys = false;
  bool keep_pkey_indexes = true;
};

/// The subnet manager: identity, mastership, keys and sweeps.
struct ManagerOptions {
  std::vector<Guid> guid;  ///< ports it may use; empty: the first active one
  std::uint64_t subnet_prefix = 0xFE80000000000000;
  std::uint64_t sm_key = 1;
  std::uint64_t sa_key = 1;
  std::uint8_t sm_priority = 0;
  std::uint8_t master_sm_priority = 14;
  std::vector<Guid> allowed_sms;  ///< by port; empty: all
  bool sm_inactive = false;  ///< shows itself as not active until another manager or a restart changes that
  std::uint32_t sminfo_polling_timeout = 10000;  ///< milliseconds
  std::uint32_t polling_retry_number = 4;
  std::uint64_t m_key = 0;
  std::uint16_t m_key_lease_period = 0;  ///< seconds; 0: never ends
  std::uint8_t m_key_protection_level = 0;
  bool m_key_lookup = true;
  bool m_key_per_port = false;
  std::uint64_t key_mgr_seed = 0;
  std::uint32_t sweep_interval = 10;  ///< seconds; 0: none but on traps
  bool force_heavy_sweep = false;
  bool sweep_on_trap = true;
  std::uint32_t force_heavy_sweep_window =
      0;                                ///< light sweeps until one of the whole fabric; 0: none comes so
  bool sweep_every_hup_signal = false;  ///< a reload looks at the whole fabric
  std::uint8_t log_flags = 3;
  bool run_once = false;               ///< a manager that stays ends after the first installation
  OptionalPath cache_files_dir;        ///< where files for the next start are kept
  bool fsync_high_avail_files = true;  ///< they are on the disk before they count
};

/// What subnet administration lets hosts do.
struct AdministrationOptions {
  bool enhanced_trust_model = false;  ///< untrusted hosts may ask for what they need only
  bool allow_untrusted_proxy_requests = true;
  bool allow_untrusted_guid_records = true;  ///< alias GUIDs
  bool check_sgid_spoofing = false;          ///< the SGID of a GRH must be that of the port that sent it
  // What one untrusted host may register; 0: no limit.
  std::uint32_t max_groups = 0, max_services = 0, max_subscriptions = 0;
  std::uint32_t request_rate = 0;        ///< requests of one source that are answered in 100 ms; 0: all
  bool consolidate_ipv6_groups = false;  ///< groups of solicited nodes share a multicast LID
  /// Groups of IPv4 whose last 32 bits differ only where this is 0 share one.
  std::uint32_t consolidate_ipv4_mask = 0xFFFFFFFF;
  bool check_ip_groups = true;  ///< a new group of IP must be like the broadcast group
  bool check_joins = true;      ///< what a join says of a group must be so
  bool drop_services_of_gone_ports = false;
  bool drop_unanswered_subscriptions = false;  ///< of who does not answer a Report
  bool is_enabled = true;                      ///< FALSE: requests of hosts are not answered
  bool lists_all_paths = true;                 ///< of all ports to all ports, in one answer
  std::uint32_t reports_open = 64;             ///< Reports that are sent and not answered
  std::uint32_t reports_queued = 16384;        ///< Reports that wait for that
  std::uint8_t new_group_sl = 0xFF;  ///< SL of groups that hosts make; above 15: the one they ask for
  std::uint8_t assigned_guid = 0;    ///< a byte of the alias GUIDs that the manager makes up
};

/// PathRecords to other subnets.
struct InterSubnetOptions {
  static constexpr std::uint8_t kOfPath = 255;

  std::uint32_t flow_label = 0;
  std::uint8_t traffic_class = 0;
  std::uint8_t sl = 0;     ///< 0: that of the partition
  std::uint8_t mtu = 4;    ///< code, at most; kOfPath: no limit
  std::uint8_t rate = 16;  ///< likewise
};

/// What ports and switches are programmed with.
struct PortOptions {
  std::uint8_t subnet_timeout = 18;
  std::uint8_t packet_life_time = 0x12;
  std::uint8_t head_of_queue_lifetime = 0x12;
  std::uint8_t leaf_head_of_queue_lifetime = 0x10;
  std::uint8_t vl_stall_count = 7;
  std::uint8_t leaf_vl_stall_count = 7;
  bool no_clients_rereg = false;
  std::uint8_t client_rereg_mode = 2;      ///< 0: as no_clients_rereg
  std::uint8_t max_neighbor_mtu = 0;       ///< code of the largest MTU of links; 0: no limit
  std::uint8_t force_link_speed = 15;      ///< 15: what the port supports, 0: as it is
  std::uint8_t force_link_speed_ext = 31;  ///< 31: what the port supports, 30: none, 0: as it is
  std::uint8_t force_link_speed_ext2 = 7;  ///< 7: what the port supports, 6: none, 0: as it is
  std::uint8_t force_link_width = 255;     ///< 255: what the port supports, 0: as it is
  std::uint8_t fdr10 = 1;                  ///< 1: enabled, 2: disabled, else as it is
  std::uint8_t local_phy_errors_threshold = 8;
  std::uint8_t overrun_errors_threshold = 8;
  std::uint8_t max_rate_enum = 63;
  /// Bit 0: ports send no traps about P_Keys of multicast packets. 255: as it is.
  std::uint8_t suppress_mc_pkey_traps = 255;
  bool use_original_extended_sa_rates_only = false;
};

/// Management datagrams.
struct TransportOptions {
  std::uint32_t max_wire_smps = 64;
  std::uint32_t max_wire_smps2 = 4;         ///< while none of `max_wire_smps` ends; not less than these
  std::uint32_t max_smps_timeout = 600000;  ///< microseconds until one more may be sent
  std::uint32_t max_wire_smps_per_device = 4;
  std::uint32_t transaction_timeout = 200;  ///< milliseconds
  std::uint32_t transaction_retries = 3;
  std::uint32_t long_transaction_timeout = 500;  ///< milliseconds; without effect, and its limit is checked
};

/// The performance manager of a subnet manager that stays.
struct PerformanceOptions {
  bool perfmgr = false;
  bool perfmgr_redir = true;
  std::uint16_t perfmgr_sweep_time_s = 180;
  std::uint32_t perfmgr_max_outstanding_queries = 500;
  bool perfmgr_ignore_cas = false;
  bool perfmgr_rm_nodes = true;
  bool perfmgr_log_errors = true;
  bool perfmgr_query_cpi = true;
  bool perfmgr_xmit_wait_log = false;
  std::uint32_t perfmgr_xmit_wait_threshold = 65535;
};

/// The log file of `rch run`, and its activity report.
struct LogOptions {
  std::uint32_t max_size = 0;  ///< MB; 0: no limit
  std::uint8_t backlogs = 0;   ///< full files that are kept
  bool accumulate = true;      ///< false: it is emptied at the start
  std::string prefix;          ///< of each line
  OptionalPath pid_file;       ///< where the number of the process is written
  bool enable_subnet_lst = false;
  OptionalPath subnet_lst_file;
  std::string activity_report_subjects = "none";
};

/// What becomes of a part that fails again and again.
enum class HealthAction : std::uint8_t {
  ignore,
  report,       ///< it is named
  isolate,      ///< it is left out of the plan as well
  no_discover,  ///< and nothing is asked behind its port
};

/// When a node or port counts as unhealthy, in a manager that stays. `sweeps`: of the last `window`.
struct HealthOptions {
  bool hm_unhealthy_ports_checks = true;
  HealthAction hm_ca_reboot_action = HealthAction::report;
  HealthAction hm_ca_unresponsive_action = HealthAction::report;
  HealthAction hm_ca_noisy_action = HealthAction::report;
  HealthAction hm_ca_seterr_action = HealthAction::ignore;
  HealthAction hm_ca_flapping_action = HealthAction::report;
  HealthAction hm_ca_illegal_action = HealthAction::report;
  HealthAction hm_ca_manual_action = HealthAction::isolate;
  HealthAction hm_sw_reboot_action = HealthAction::report;
  HealthAction hm_sw_unresponsive_action = HealthAction::report;
  HealthAction hm_sw_noisy_action = HealthAction::report;
  HealthAction hm_sw_seterr_action = HealthAction::ignore;
  HealthAction hm_sw_flapping_action = HealthAction::report;
  HealthAction hm_sw_illegal_action = HealthAction::report;
  HealthAction hm_sw_manual_action = HealthAction::isolate;
  std::uint32_t hm_num_reboots = 10, hm_reboots_period_secs = 900;
  std::uint32_t hm_num_set_err_sweeps = 5, hm_num_set_err_sweeps_window = 7;
  std::uint32_t hm_num_no_resp_sweeps = 5, hm_num_no_resp_sweeps_window = 7;
  std::uint32_t hm_num_traps = 60, hm_num_traps_period_secs = 90;
  std::uint32_t hm_num_flapping_sweeps = 5, hm_num_flapping_sweeps_window = 30;
  std::uint32_t hm_num_illegal = 1;
};

/// What rch.yaml says of parts that fail: the knobs of the fabric manager of Omni-Path.
struct QuarantineOptions {
  std::uint32_t trap_hold_down = 1;   ///< seconds between sweeps that traps ask for
  std::uint32_t timeout_limit = 300;  ///< seconds; a longer sweep asks nothing once more
  std::uint32_t error_threshold = 0;  ///< parts; a sweep with more that fail is made again; 0: none is
  std::uint32_t bounces = 25;         ///< of a link within `period`; 0: links may bounce
  std::uint32_t period = 900;         ///< seconds; what is unhealthy is so for as long
};

struct Options {
  RoutingOptions routing;
  ChainOptions chain;
  FileOptions files;
  LidOptions lids;
  MulticastOptions multicast;
  QosOptions qos;
  PartitionOptions partitions;
  ManagerOptions manager;
  AdministrationOptions administration;
  InterSubnetOptions inter_subnet;
  PortOptions ports;
  TransportOptions transport;
  PerformanceOptions performance;
  LogOptions logs;
  HealthOptions health;
};

}  // namespace rch::policy
