#pragma once

#include <string_view>

#include "policy/model/option_table.h"

namespace rch::policy {

/// Keys of one type and nature: `key=default|default key …`, defaults as OpenSM writes them, the second one
/// NVIDIA SM's where it differs.
struct OptionFamily {
  OptionType type;
  bool updatable;
  bool per_step;
  std::string_view keys;
  Maker maker = Maker::opensm;
};

inline constexpr OptionFamily kOptionFamilies[] = {
    // Routing, chains, LIDs, sweeping (config-files 1.2).
    {OptionType::words, false, false, "routing_engine"},
    {OptionType::boolean, true, true,
     "connect_roots=FALSE quasi_ftree_indexing=FALSE port_shifting=FALSE port_profile_switch_nodes=FALSE "
     "do_mesh_analysis=FALSE"},
    {OptionType::boolean, false, true,
     "avoid_throttled_links=FALSE guid_routing_order_no_scatter=FALSE nue_include_switches=FALSE"},
    {OptionType::path, false, true,
     "lid_matrix_dump_file lfts_file root_guid_file cn_guid_file io_guid_file ids_guid_file "
     "guid_routing_order_file hop_weights_file port_search_ordering_file port_prof_ignore_file"},
    {OptionType::path, true, true, "torus_config=/etc/opensm/torus-2QoS.conf"},
    {OptionType::u16, false, true, "max_reverse_hops=0"},
    {OptionType::u32, true, true, "scatter_ports=0|8"},
    {OptionType::u8, true, true, "lash_start_vl=0 nue_max_num_vls=1"},
    {OptionType::u8, false, false, "lmc=0"},
    {OptionType::boolean, false, false, "lmc_esp0=FALSE use_ucast_cache=FALSE"},
    {OptionType::boolean, true, false,
     "reassign_lids=FALSE honor_guid2lid_file=FALSE force_heavy_sweep=FALSE sweep_on_trap=TRUE "
     "use_mfttop=TRUE disable_multicast=FALSE"},
    {OptionType::u32, true, false, "sweep_interval=10"},
    {OptionType::path, false, false, "prefix_routes_file=/etc/opensm/prefix-routes.conf"},
    {OptionType::path, false, false,
     "pgrp_policy_file topo_policy_file rch_policy_file held_back_sw_file mc_roots_file", Maker::nvidia},
    {OptionType::boolean, false, true, "find_roots_color_algorithm=TRUE offsweep_balancing_enabled=FALSE",
     Maker::nvidia},
    {OptionType::boolean, false, false, "auto_join_hca_wo_topo", Maker::nvidia},
    {OptionType::u8, false, true, "max_cas_on_spine=2", Maker::nvidia},
    {OptionType::u8, false, false, "max_topologies_per_sw=4", Maker::nvidia},
    {OptionType::u16, false, false, "routing_threads_num=0 max_threads_per_core=0", Maker::nvidia},
    {OptionType::u32, false, true, "offsweep_balancing_window=180", Maker::nvidia},
    {OptionType::u64, false, false, "mc_primary_root_guid=0 mc_secondary_root_guid=0", Maker::nvidia},
    {OptionType::fat_tree, false, true, "pqft_structure", Maker::nvidia},

    // QoS, partitions, SA, HA (1.3); the sets of section 8 are made from a pattern.
    {OptionType::boolean, true, false,
     "qos=FALSE suppress_sl2vl_mad_status_errors=FALSE no_partition_enforcement=FALSE allow_both_pkeys=FALSE "
     "keep_pkey_indexes=TRUE m_key_lookup=TRUE sm_inactive=FALSE ignore_other_sm=FALSE sa_db_dump=FALSE "
     "fsync_high_avail_files=TRUE ipoib_mcgroup_creation_validation=TRUE mcgroup_join_validation=TRUE "
     "consolidate_ipv6_snm_req=FALSE use_original_extended_sa_rates_only=FALSE "
     "drop_event_subscriptions=FALSE|TRUE babbling_port_policy=FALSE no_clients_rereg=FALSE"},
    {OptionType::u8, true, false,
     "max_op_vls=5|2 sm_sl=0 m_key_protection_level=0 sm_priority=0 subnet_timeout=18 packet_life_time=0x12 "
     "head_of_queue_lifetime=0x12 leaf_head_of_queue_lifetime=0x10 vl_stall_count=0x07 "
     "leaf_vl_stall_count=0x07 max_rate_enum=63"},
    {OptionType::u16, true, false, "m_key_lease_period=0|60"},
    {OptionType::u32, true, false, "sminfo_polling_timeout=10000 polling_retry_number=4"},
    {OptionType::u64, true, false, "m_key=0 sm_key=1 sa_key=1"},
    {OptionType::u64, false, false, "subnet_prefix=0xfe80000000000000"},
    {OptionType::text, true, false, "part_enforce=both"},
    {OptionType::guids, false, false, "guid=0x0000000000000000"},
    {OptionType::path, false, false,
     "qos_policy_file=/etc/opensm/qos-policy.conf partition_config_file=/etc/opensm/partitions.conf "
     "sa_db_file"},
    {OptionType::path, false, false, "enhanced_qos_policy_file", Maker::nvidia},
    {OptionType::boolean, true, false, "enhanced_qos_vport0_unlimit_default_rl=TRUE", Maker::nvidia},
    {OptionType::boolean, false, false, "qos_config_vl_enabled=FALSE", Maker::nvidia},
    {OptionType::u8, false, false, "max_op_vls_ca max_op_vls_sw max_op_vls_rtr override_create_mcg_sl=0xff",
     Maker::nvidia},

    // Transport, links, logging, performance manager, congestion control (1.4).
    {OptionType::u32, true, false,
     "max_wire_smps=4|32 max_wire_smps2=4 max_smps_timeout=600000 max_msg_fifo_timeout=10000 log_max_size=0"},
    {OptionType::u32, false, false,
     "transaction_timeout=200|100 transaction_retries=3 long_transaction_timeout=500|1000"},
    {OptionType::boolean, false, false,
     "single_thread=FALSE daemon=FALSE perfmgr=FALSE perfmgr_redir=TRUE perfmgr_ignore_cas=FALSE "
     "perfmgr_rm_nodes=TRUE "
     "perfmgr_log_errors=TRUE perfmgr_query_cpi=TRUE perfmgr_xmit_wait_log=FALSE"},
    {OptionType::u8, true, false,
     "force_link_speed=15 force_link_speed_ext=31 force_link_width=255 fdr10=1|0xFF "
     "local_phy_errors_threshold=0x08 "
     "overrun_errors_threshold=0x08 sm_assigned_guid=0x00 log_flags=0x03"},
    {OptionType::boolean, true, false,
     "use_optimized_slvl=FALSE enable_quirks=FALSE force_log_flush=FALSE accum_log_file=TRUE "
     "exit_on_fatal=TRUE "
     "congestion_control=FALSE"},
    {OptionType::path, false, false,
     "log_file=/var/log/opensm.log per_module_logging_file=/etc/opensm/per-module-logging.conf "
     "dump_files_dir=/var/log/ node_name_map_name event_db_dump_file"},
    {OptionType::text, true, false, "log_prefix"},
    {OptionType::text, false, false, "console=off event_plugin_name event_plugin_options"},
    {OptionType::u16, false, false, "console_port=10000 perfmgr_sweep_time_s=180"},
    {OptionType::u32, false, false,
     "perfmgr_max_outstanding_queries=500 perfmgr_xmit_wait_threshold=65535 cc_max_outstanding_mads=500"},
    {OptionType::u64, false, false, "cc_key=0"},
    {OptionType::u32, true, false, "cc_sw_cong_setting_control_map=0"},
    {OptionType::mask256, true, false, "cc_sw_cong_setting_victim_mask=0 cc_sw_cong_setting_credit_mask=0"},
    {OptionType::u8, true, false,
     "cc_sw_cong_setting_threshold=0 cc_sw_cong_setting_packet_size=0 "
     "cc_sw_cong_setting_credit_starvation_threshold=0"},
    {OptionType::delay, true, false, "cc_sw_cong_setting_credit_starvation_return_delay=0:0"},
    {OptionType::u16, true, false,
     "cc_sw_cong_setting_marking_rate=0 cc_ca_cong_setting_port_control=0 cc_ca_cong_setting_control_map=0"},
    {OptionType::per_sl, true, false,
     "cc_ca_cong_setting_ccti_timer cc_ca_cong_setting_ccti_increase cc_ca_cong_setting_trigger_threshold "
     "cc_ca_cong_setting_ccti_min"},
    {OptionType::delays, true, false, "cc_cct"},

    // NVIDIA SM: adaptive and advanced routing (1.5).
    {OptionType::text, false, true, "adv_routing_engine hbf_weights", Maker::nvidia},
    {OptionType::number, false, true,
     "ar_mode ar_sl_mask ar_transport_mask ar_tree_asymmetric_flow ar_tree_asymmetric_flow_threshold "
     "ar_tree_asymmetric_flow_threshold_limit=2 shield_mode pfrn_sl=0 pfrn_mask_clear_timeout=180 "
     "pfrn_mask_force_clear_timeout=720 pfrn_over_router_enabled routing_flags dfp_down_up_turns_mode "
     "dfp_max_cas_on_spine enhanced_missing_routes planarized_routing_enabled=1 hbf_sl_mask hbf_hash_type "
     "hbf_seed_type hbf_seed hbf_hash_fields",
     Maker::nvidia},
    {OptionType::boolean, false, true,
     "cache_ar_group_id enable_ar_by_device_cap enable_ar_group_copy "
     "enable_empty_arlft_optimization dump_ar dfp_find_roots_color_algorithm calc_missing_routes "
     "updn_lid_tracking_mode updn_lid_tracking_converge_routes updn_lid_tracking_prefer_total_routes "
     "dor_hyper_cube_mode use_scatter_for_switch_lid improved_lmc_path_distribution enable_vl_packing "
     "enable_queries_during_routing=TRUE enable_inc_mc_routing topo_config_enabled get_mft_tables",
     Maker::nvidia},
    {OptionType::path, false, true, "ftree_ca_order_dump_file topo_config_file", Maker::nvidia},

    // NVIDIA SM: IB router.
    {OptionType::number, false, false,
     "rtr_aguid_enable=0 rtr_pr_flow_label=0 rtr_pr_tclass=0 rtr_pr_sl=0 rtr_pr_mtu=4 rtr_pr_rate=16 "
     "lids_per_rtr "
     "rtr_selection_seed global_flid_start global_flid_end local_flid_start local_flid_end "
     "flid_compression=2 "
     "aguid_default_hop_limit",
     Maker::nvidia},
    {OptionType::text, false, false, "rtr_selection_function=crc32 rtr_selection_algo_parameters",
     Maker::nvidia},
    {OptionType::path, false, false, "router_policy_file", Maker::nvidia},
    {OptionType::boolean, false, false, "router_policy_enabled", Maker::nvidia},

    // NVIDIA SM: QoS, congestion, keys.
    {OptionType::boolean, false, false, "use_optimized_port_mask_slvl m_key_per_port=FALSE", Maker::nvidia},
    {OptionType::path, false, false, "device_configuration_file congestion_control_policy_file ppcc_algo_dir",
     Maker::nvidia},
    {OptionType::number, false, false,
     "mlnx_congestion_control cc_key_enable cc_key_lease_period=60 cc_key_protect_bit vs_key_enable "
     "vs_key_lease_period vs_key_ci_protect_bits vs_max_outstanding_mads n2n_key_enable n2n_key_lease_period "
     "n2n_key_protect_bit n2n_max_outstanding_mads key_mgr_seed periodic_key_update=0 "
     "adaptive_timeout_sl_mask=0xFFFF suppress_mc_pkey_traps=1",
     Maker::nvidia},

    // NVIDIA SM: SA, SM, HA.
    {OptionType::number, false, false,
     "max_sa_reports_queued=512 max_sa_reports_on_wire=256 sa_etm_max_num_mcgs=0 sa_etm_max_num_srvcs=0 "
     "sa_etm_max_num_event_subs=0 sa_rate_threshold=0 master_sm_priority=14 master_sm_lid=0 prism_an_lmc "
     "default_mcg_mtu default_mcg_rate client_rereg_mode=2 consolidate_ipv4_mask stand_alone sharp_enabled "
     "issu_mode issu_timeout issu_pre_upgrade_time",
     Maker::nvidia},
    {OptionType::boolean, false, false,
     "sa_enhanced_trust_model=FALSE sa_etm_allow_untrusted_proxy_requests=TRUE "
     "sa_etm_allow_untrusted_guidinfo_rec=TRUE sa_etm_allow_guidinfo_rec_by_vf=TRUE "
     "sa_check_sgid_spoofing=FALSE "
     "sa_pr_full_world_queries_allowed enable_sa=TRUE enable_sm_port_failover=FALSE const_multicast "
     "rereg_on_guid_migr aguid_inout_notice drop_subscr_on_report_fail=TRUE "
     "drop_unreachable_event_subscriptions "
     "drop_unreachable_ports_enabled=TRUE load_inform_info_from_sadb reply_lid_smps_in_dr "
     "respond_unknown_lid_traps run_once tenants_policy_enabled",
     Maker::nvidia},
    {OptionType::guids, false, false, "allowed_sm_guids", Maker::nvidia},
    {OptionType::text, false, false, "sm_assign_guid_func fabric_mode_profile=none", Maker::nvidia},
    {OptionType::path, false, false,
     "service_name2key_map_file tenants_policy_file fabric_mode_policy_file verbose_bypass_policy_file",
     Maker::nvidia},

    // NVIDIA SM: discovery, links, virtualization.
    {OptionType::number, false, false,
     "max_neighbor_mtu force_link_speed_ext2 mepi_enabled_speeds max_seq_redisc=4 "
     "rediscovery_max_link_penalty=10 "
     "rediscovery_link_penalty_step=2 rediscovery_max_node_penalty rediscovery_node_penalty_step "
     "max_wire_smps_per_device=2 max_alt_dr_path_retries ca_port_soft_limit ca_port_num_limit "
     "force_heavy_sweep_window=-1 virt_enabled virt_max_ports_in_process=64 virt_default_hop_limit=2 "
     "port_recovery_policy_enabled=0 fast_recovery_enabled=0 nvl_hbf_hash_type nvl_hbf_packet_hash_bitmask "
     "nvl_hbf_seed nvl_hbf_fields_enable nvl_partition_reroute_wait",
     Maker::nvidia},
    {OptionType::boolean, false, false,
     "support_mepi_speeds mepi_cache_enabled light_sweep_spst validate_smps sweep_every_hup_signal "
     "allow_sm_port_reset prp_override_allow_sm_port_reset support_mlnx_enhanced_link "
     "mlnx_enhanced_link_enable "
     "enable_virt_rec_ext disable_default_gi_support nvlink_enable nvl_reassign_rails "
     "nvl_cage_allocation_mode "
     "nvl_cnd_for_access_links_enabled nvl_cnd_for_init_trunks_enabled",
     Maker::nvidia},
    {OptionType::text, false, false,
     "port_speed_change_action port_ext_speed_change_action port_ext_speed2_change_action "
     "port_mepi_speed_change_action port_mtu_change_action port_vl_change_action port_ame_bit_change_action "
     "additional_gi_supporting_devices additional_mepi_force_devices",
     Maker::nvidia},
    {OptionType::path, false, false, "fast_recovery_conf_file", Maker::nvidia},

    // NVIDIA SM: health monitor.
    {OptionType::boolean, false, false, "hm_unhealthy_ports_checks", Maker::nvidia},
    {OptionType::path, false, false, "hm_ports_health_policy_file", Maker::nvidia},
    {OptionType::text, false, false,
     "hm_ca_reboot_action hm_ca_unresponsive_action hm_ca_noisy_action hm_ca_seterr_action "
     "hm_ca_flapping_action "
     "hm_ca_illegal_action hm_ca_manual_action hm_sw_reboot_action hm_sw_unresponsive_action "
     "hm_sw_noisy_action "
     "hm_sw_seterr_action hm_sw_flapping_action hm_sw_illegal_action hm_sw_manual_action",
     Maker::nvidia},
    {OptionType::number, false, false,
     "hm_num_reboots=10 hm_reboots_period_secs=900 hm_num_set_err_sweeps=5 hm_num_set_err_sweeps_window=7 "
     "hm_num_no_resp_sweeps=5 hm_num_no_resp_sweeps_window=7 hm_num_traps=60 hm_num_traps_period_secs=90 "
     "hm_num_flapping_sweeps=5 hm_num_flapping_sweeps_window=30 hm_num_illegal=1",
     Maker::nvidia},

    // NVIDIA SM: logging, dumps, process.
    {OptionType::subjects, false, false, "activity_report_subjects=none", Maker::nvidia},
    {OptionType::number, false, false,
     "syslog_log_flags log_num_backlogs reports max_msg_fifo_len=20000 osm_stats_interval=60 "
     "osm_stats_dump_limit "
     "osm_perflog_dump_limit=20 smp_threads=0 gmp_threads=0 gmp_traps_threads_num=1 dbg_lvl",
     Maker::nvidia},
    {OptionType::path, false, false,
     "cache_files_dir pid_file=/var/run/opensm.pid sa_db_dump_file subnet_lst_file virt_dump_file",
     Maker::nvidia},
    {OptionType::text, false, false, "switch_name plugin_name plugin_options conf_template", Maker::nvidia},
    {OptionType::boolean, false, false,
     "enable_crashd osm_stats_dump_per_sm_port enable_performance_logging=TRUE sm_db_dump enable_subnet_lst "
     "validate_conf_files",
     Maker::nvidia},
};

}  // namespace rch::policy
