// One row per option that NVIDIA SM alone has.

#include "policy/model/option_rows.h"

#include "policy/model/option_words.h"

namespace rch::policy {
namespace {

using namespace rows;
using enum OptionType;

// Why options have no effect.
constexpr std::string_view kNoAdaptive =
    "rch plans groups of ports for adaptive routing and writes none to switches";
constexpr std::string_view kNoRouters = "rch does not configure IB routers";
constexpr std::string_view kNoKeys = "rch does not configure congestion control or vendor keys";
constexpr std::string_view kNoLogs =
    "the log, dumps and statistics of `rch run` are its own (docs/manager.md, docs/monitoring.md)";
constexpr std::string_view kOwnThreads =
    "requests are answered by one thread, and `routing_threads_num` counts for all others";
constexpr std::string_view kNoPlugins = "`rch watch` tells programs of events";
constexpr std::string_view kNoEngineReads = "rch does not have the engines that read it";
constexpr std::string_view kUnrouted =
    "a pair that its engine leaves without a path is a finding; no other path joins it";
constexpr std::string_view kOwnTrees = "rch makes and keeps multicast trees in a way of its own";
constexpr std::string_view kNoTracking = "updn of rch does not track LIDs";
constexpr std::string_view kUnpublished = "NVIDIA does not publish what it does";
constexpr std::string_view kOwnQueue =
    "requests that come too fast are refused by their source (docs/manager.md)";
constexpr std::string_view kNoStandAlone = "rch does not manage a switch by itself";
constexpr std::string_view kNoModes = "rch has no fabric modes: options are set one by one";
constexpr std::string_view kResets = "links are reset with `--accept link-reset` alone";
constexpr std::string_view kNextTraining = "other speeds count from the next training of a link on";
constexpr std::string_view kNoVendorLinks = "rch writes no vendor registers of links";
constexpr std::string_view kNoGeneralInfo = "rch asks no device for GeneralInfo";
constexpr std::string_view kNoVirtualPorts = "rch does not see virtual ports";
constexpr std::string_view kNoNvlink = "rch manages InfiniBand alone";
constexpr std::string_view kSpeedsOfPortInfo =
    "rch reads the speeds of a link from PortInfo and ExtendedPortInfo alone";
constexpr std::string_view kNoUpgrades = "rch does not know upgrades of switches in service";
constexpr std::string_view kNoTenants = "partitions are the tenants that rch keeps apart";
constexpr std::string_view kNoFastRecovery = "rch does not configure fast recovery";
constexpr std::string_view kOwnJournal = "registrations are kept in the file `rch-registrations`";

constexpr OptionKey kAdaptive[] = {
    row(text, "adv_routing_engine", routes, per_step,
        because("each adaptive engine has one rule for groups (docs/adaptive-routing.md)")),
    row(text, "hbf_weights", per_step),
    row(u8, "ar_mode", routes, is("3"), per_step, limits("0-3"), in<&RoutingOptions::ar_mode>,
        does("0: adaptive engines make no groups of ports")),
    row(u16, "ar_sl_mask", is("0xFFFF"), per_step, in<&RoutingOptions::ar_sl_mask>,
        does("service levels that are routed adaptively, one bit each")),
    row(number, "ar_transport_mask", per_step),
    row(number, "ar_tree_asymmetric_flow", per_step, limits("0-3")),
    row(number, "ar_tree_asymmetric_flow_threshold", per_step),
    row(number, "ar_tree_asymmetric_flow_threshold_limit", is("2"), per_step),
    row(u8, "shield_mode", routes, is("3"), per_step, limits("0-3"), in<&RoutingOptions::shield_mode>,
        does("0: groups without fast recovery")),
    row(number, "pfrn_sl", is("0"), per_step),
    row(number, "pfrn_mask_clear_timeout", is("180"), per_step),
    row(number, "pfrn_mask_force_clear_timeout", is("720"), per_step),
    row(number, "pfrn_over_router_enabled", per_step),
    row(number, "routing_flags", routes, per_step,
        because("ranks are those of the roots, and rch has no asymmetric trees")),
    row(number, "dfp_down_up_turns_mode", per_step, limits("0-2"), because(kNoEngineReads)),
    row(number, "dfp_max_cas_on_spine", per_step, because(kNoEngineReads)),
    row(number, "enhanced_missing_routes", per_step, because(kUnrouted)),
    row(number, "planarized_routing_enabled", is("1"), per_step, limits("0-2")),
    row(number, "hbf_sl_mask", per_step),
    row(number, "hbf_hash_type", per_step),
    row(number, "hbf_seed_type", per_step),
    row(number, "hbf_seed", per_step),
    row(number, "hbf_hash_fields", per_step),
    row(boolean, "cache_ar_group_id", per_step),
    row(boolean, "enable_ar_by_device_cap", per_step),
    row(boolean, "enable_ar_group_copy", per_step),
    row(boolean, "enable_empty_arlft_optimization", per_step),
    row(boolean, "dump_ar", per_step),
    row(boolean, "dfp_find_roots_color_algorithm", per_step, because(kNoEngineReads)),
    row(boolean, "calc_missing_routes", routes, is("TRUE"), per_step, because(kUnrouted)),
    row(boolean, "calculate_missing_routes", routes, is("TRUE"), per_step, because(kUnrouted)),
    row(text, "multicast_optimization", per_step, because(kOwnTrees)),
    row(boolean, "updn_lid_tracking_mode", routes, per_step, because(kNoTracking)),
    row(boolean, "updn_lid_tracking_converge_routes", per_step, because(kNoTracking)),
    row(boolean, "updn_lid_tracking_prefer_total_routes", per_step, because(kNoTracking)),
    row(boolean, "dor_hyper_cube_mode", routes, per_step,
        because("dor takes the dimensions from the numbers of ports, and does not look for a hypercube")),
    row(boolean, "use_scatter_for_switch_lid", per_step,
        because("`scatter_ports` counts for all LIDs alike")),
    row(boolean, "improved_lmc_path_distribution", routes, per_step,
        because("the LIDs of a port take different ways where there are any")),
    row(boolean, "enable_vl_packing", routes, per_step,
        because("links to hosts have the VLs of the SLs that the engine chose")),
    row(boolean, "enable_queries_during_routing", is("TRUE"), per_step,
        because("queries are always answered, from the last snapshot")),
    row(boolean, "enable_inc_mc_routing", per_step, because(kOwnTrees)),
    row(boolean, "get_mft_tables", per_step, because("multicast tables are always read")),
    row(path, "ftree_ca_order_dump_file", per_step, because("ftree of rch writes no such file")),
};

constexpr OptionKey kRouters[] = {
    row(number, "rtr_aguid_enable", is("0"), limits("0-2")),
    row(u32, "rtr_pr_flow_label", is("0"), in<&InterSubnetOptions::flow_label>, limits("0-1048575"),
        does("`rch run`: `FlowLabel` of paths to other subnets")),
    row(u8, "rtr_pr_tclass", is("0"), in<&InterSubnetOptions::traffic_class>,
        does("`rch run`: `TClass` of paths to other subnets")),
    row(u8, "rtr_pr_sl", is("0"), in<&InterSubnetOptions::sl>, limits("0-15"),
        does("`rch run`: SL of paths to other subnets; 0: that of the partition")),
    row(u8, "rtr_pr_mtu", is("4"), also("rtr_p_mtu"), in<&InterSubnetOptions::mtu>, limits("1-5,255"),
        does("`rch run`: MTU of paths to other subnets at most, as codes 1-5; 255: no limit")),
    row(u8, "rtr_pr_rate", is("16"), in<&InterSubnetOptions::rate>, limits("2-25,255"),
        does("`rch run`: rate of paths to other subnets at most, as a code; 255: no limit")),
    row(number, "lids_per_rtr"),
    row(number, "rtr_selection_seed"),
    row(number, "global_flid_start"),
    row(number, "global_flid_end"),
    row(number, "local_flid_start"),
    row(number, "local_flid_end"),
    row(number, "flid_compression", is("2")),
    row(number, "aguid_default_hop_limit"),
    row(text, "rtr_selection_function", is("crc32")),
    row(text, "rtr_selection_algo_parameters"),
    row(path, "router_policy_file"),
    row(boolean, "router_policy_enabled"),
};

constexpr OptionKey kKeys[] = {
    row(boolean, "use_optimized_port_mask_slvl",
        because("SL2VL maps are written and read back pair of ports by pair")),
    row(boolean, "m_key_per_port", guards, is("FALSE"), in<&ManagerOptions::m_key_per_port>, at_start,
        needs("m_key"), in_plan,
        does("each port has an M_Key of its own, made of `m_key`, `key_mgr_seed` and its GUID")),
    row(path, "device_configuration_file", minor, because("rch writes no vendor registers of devices")),
    row(path, "congestion_control_policy_file", minor),
    row(path, "ppcc_algo_dir"),
    row(number, "mlnx_congestion_control"),
    row(number, "cc_key_enable", guards),
    row(number, "cc_key_lease_period", is("60")),
    row(number, "cc_key_protect_bit"),
    row(number, "vs_key_enable", guards),
    row(number, "vs_key_lease_period"),
    row(number, "vs_key_ci_protect_bits"),
    row(number, "vs_max_outstanding_mads"),
    row(number, "n2n_key_enable", guards),
    row(number, "n2n_key_lease_period"),
    row(number, "n2n_key_protect_bit"),
    row(number, "n2n_max_outstanding_mads"),
    row(u64, "key_mgr_seed", guards, is("0"), in<&ManagerOptions::key_mgr_seed>, at_start, secret,
        needs("m_key_per_port"), in_plan, does("the other half of what M_Keys of ports are made of")),
    row(number, "periodic_key_update", guards, is("0"),
        because("M_Keys change when `m_key` or `key_mgr_seed` does")),
    row(number, "adaptive_timeout_sl_mask", is("0xFFFF"), because(kOwnTransport)),
    row(u8, "suppress_mc_pkey_traps", is("1"), limits("0-254"), in<&PortOptions::suppress_mc_pkey_traps>,
        in_plan,
        does("`MulticastPKeyTrapSuppressionEnabled` of end ports that have it: bit 0; not set: as it is")),
};

constexpr OptionKey kAdministration[] = {
    row(u32, "max_sa_reports_queued", is("512"), in<&AdministrationOptions::reports_queued>,
        limits("1-4294967295"),
        does("`rch run`: Reports of events that wait to be sent; later ones are lost. Without it 16384")),
    row(u32, "max_sa_reports_on_wire", is("256"), in<&AdministrationOptions::reports_open>,
        limits("1-4294967295"),
        does("`rch run`: Reports of events that are sent and not answered. Without it 64")),
    row(u32, "sa_etm_max_num_mcgs", is("0"), in<&AdministrationOptions::max_groups>,
        needs("sa_enhanced_trust_model"), does("multicast groups that one untrusted host may be in")),
    row(u32, "sa_etm_max_num_srvcs", is("0"), in<&AdministrationOptions::max_services>,
        needs("sa_enhanced_trust_model"), does("services that one untrusted host may register")),
    row(u32, "sa_etm_max_num_event_subs", is("0"), in<&AdministrationOptions::max_subscriptions>,
        needs("sa_enhanced_trust_model"), does("subscriptions that one untrusted host may have")),
    row(u32, "sa_rate_threshold", guards, is("0"), in<&AdministrationOptions::request_rate>,
        does("requests of one port that `rch run` answers in 100 ms; 0: all")),
    row(u32, "consolidate_ipv4_mask", is("0xffffffff"), in<&AdministrationOptions::consolidate_ipv4_mask>,
        does("`rch run` gives groups of IPv4 of one partition and scope one multicast LID if the last 32 "
             "bits of their MGIDs differ only where the mask is 0")),
    row(u16, "master_sm_lid", is("0"), limits("0-49151"), in<&LidOptions::master_sm_lid>,
        does("the LID of the port of the manager, whoever has it; 0: as that of any other port")),
    row(number, "prism_an_lmc", because("aggregation nodes get LIDs as hosts do")),
    row(u8, "default_mcg_mtu", is("0"), limits("0-5"),
        does("code of the MTU of multicast groups whose partition names none; 0: 4, which is 2048 bytes")),
    row(u8, "default_mcg_rate", is("0"), limits("0,2-24"),
        does("code of the rate of multicast groups whose partition names none; 0: 3, which is 10 Gb/s")),
    row(u8, "client_rereg_mode", is("2"), limits("0-2"), in<&PortOptions::client_rereg_mode>, in_plan,
        does("0: hosts are not asked to register again; 1 and 2: they are, in one write with their LID")),
    row(number, "stand_alone", because(kNoStandAlone)),
    row(text, "standalone", because(kNoStandAlone)),
    row(number, "sharp_enabled", also("enable_sharp sharp"),
        because("the aggregation manager runs beside rch, which does not configure it")),
    row(number, "issu_mode", because(kNoUpgrades)),
    row(number, "issu_timeout", because(kNoUpgrades)),
    row(number, "issu_pre_upgrade_time", because(kNoUpgrades)),
    row(boolean, "sa_enhanced_trust_model", guards, is("FALSE"),
        in<&AdministrationOptions::enhanced_trust_model>,
        does("`rch run` drops what untrusted hosts ask beyond paths, groups, services and events")),
    row(boolean, "sa_etm_allow_untrusted_proxy_requests", guards, is("TRUE"),
        in<&AdministrationOptions::allow_untrusted_proxy_requests>, needs("sa_enhanced_trust_model"),
        does("an untrusted host may register for another port")),
    row(boolean, "sa_etm_allow_untrusted_guidinfo_rec", guards, is("TRUE"),
        in<&AdministrationOptions::allow_untrusted_guid_records>, needs("sa_enhanced_trust_model"),
        does("an untrusted host may give alias GUIDs to its port")),
    row(boolean, "sa_etm_allow_guidinfo_rec_by_vf", guards, is("TRUE"), because(kNoVirtualPorts)),
    row(boolean, "sa_check_sgid_spoofing", guards, is("FALSE"),
        in<&AdministrationOptions::check_sgid_spoofing>,
        does("`rch run` drops requests with the SGID of another port; routers may forward them")),
    row(boolean, "sa_pr_full_world_queries_allowed", in<&AdministrationOptions::lists_all_paths>,
        does("`FALSE`: `rch run` refuses queries for the paths from all ports to all ports")),
    row(boolean, "enable_sa", is("TRUE"), in<&AdministrationOptions::is_enabled>,
        does("`FALSE`: `rch run` answers no request to subnet administration but those of managers that "
             "follow it")),
    row(boolean, "enable_sm_port_failover", is("FALSE"),
        because("`rch run` serves one port; another manager takes over when it is lost")),
    row(boolean, "const_multicast", because(kUnpublished)),
    row(boolean, "rereg_on_guid_migr", because(kUnpublished)),
    row(boolean, "aguid_inout_notice", because(kUnpublished)),
    row(boolean, "drop_subscr_on_report_fail", is("FALSE", "TRUE"),
        in<&AdministrationOptions::drop_unanswered_subscriptions>,
        does("`rch run`: subscriptions of who does not answer a Report that was sent four times end")),
    row(boolean, "drop_unreachable_event_subscriptions",
        because("subscriptions of ports that are gone always end")),
    row(boolean, "drop_unreachable_ports_enabled", is("TRUE"),
        because("what does not answer is always left out of the next plan")),
    row(boolean, "load_inform_info_from_sadb", because(kOwnJournal)),
    row(boolean, "reply_lid_smps_in_dr", because(kOwnTransport)),
    row(boolean, "respond_unknown_lid_traps", because("traps are always answered, whoever sends them")),
    row(boolean, "run_once", of_host, in<&ManagerOptions::run_once>, at_start,
        does("`rch run` ends after the first installation, as `opensm --once` does")),
    row(boolean, "tenants_policy_enabled", guards, because(kNoTenants)),
    row(guids, "allowed_sm_guids", guards, in<&ManagerOptions::allowed_sms>,
        does("`rch run` hands over to these subnet managers and obeys these, by port GUID; none: all")),
    row(text, "sm_assign_guid_func", because("alias GUIDs are made with the byte of `sm_assigned_guid`")),
    row(text, "fabric_mode_profile", is("none"), because(kNoModes)),
    row(path, "service_name2key_map_file",
        because("its form is not published; a service that has a key is changed by who knows it")),
    row(path, "tenants_policy_file", guards, because(kNoTenants)),
    row(path, "fabric_mode_policy_file", because(kNoModes)),
    row(path, "verbose_bypass_policy_file", because("the log of `rch run` has one level")),
};

constexpr OptionKey kDiscovery[] = {
    row(path, "topo_config_file", guards, in<&FileOptions::topo_config_file>,
        also("topoconfig_file topo_config"), needs("topo_config_enabled"),
        does("cables that may be used: all others are left out (docs/cables.md)")),
    row(boolean, "topo_config_enabled", guards, is("FALSE"), in<&FileOptions::topo_config_enabled>,
        also("topoconfig_enabled"), needs("topo_config_file"), does("`topo_config_file` counts")),
    row(u8, "max_neighbor_mtu", is("0"), limits("0-5"), in<&PortOptions::max_neighbor_mtu>, in_plan,
        does("code of the largest MTU of links: 1-5 are 256, 512, 1024, 2048 and 4096 bytes; 0: what both "
             "ends can")),
    row(u8, "force_link_speed_ext2", is("7"), limits("0-3,6,7", "7"), in<&PortOptions::force_link_speed_ext2>,
        in_plan,
        does("`LinkSpeedExtEnabled2` of ports that have XDR, likewise; 7: what they support, 6: none, 0: as "
             "it "
             "is")),
    row(number, "mepi_enabled_speeds", because(kSpeedsOfPortInfo)),
    row(number, "max_seq_redisc", is("4"), because(kOwnTransport)),
    row(number, "rediscovery_max_link_penalty", is("10"), because(kOwnTransport)),
    row(number, "rediscovery_link_penalty_step", is("2"), because(kOwnTransport)),
    row(number, "rediscovery_max_node_penalty", because(kOwnTransport)),
    row(number, "rediscovery_node_penalty_step", because(kOwnTransport)),
    row(u32, "max_wire_smps_per_device", of_host, is("2"), in<&TransportOptions::max_wire_smps_per_device>,
        at_start, limits("1-4294967295"), in_plan,
        does("management datagrams under way to one node; without it 4")),
    row(number, "max_alt_dr_path_retries", because(kOwnTransport)),
    row(number, "ca_port_soft_limit", because(kUnpublished)),
    row(number, "ca_port_num_limit", because(kUnpublished)),
    row(number, "force_heavy_sweep_window", is("-1"), in<&ManagerOptions::force_heavy_sweep_window>,
        does("light sweeps of `rch run` after which one walks over the whole fabric; -1 and 0: none does")),
    row(number, "virt_enabled", also("virtualization"), because(kNoVirtualPorts)),
    row(number, "virt_max_ports_in_process", is("64"), because(kNoVirtualPorts)),
    row(number, "virt_default_hop_limit", is("2"), because(kNoVirtualPorts)),
    row(number, "port_recovery_policy_enabled", is("0"), because(kNoFastRecovery)),
    row(number, "fast_recovery_enabled", is("0"), because(kNoFastRecovery)),
    row(number, "nvl_hbf_hash_type", because(kNoNvlink)),
    row(number, "nvl_hbf_packet_hash_bitmask", because(kNoNvlink)),
    row(number, "nvl_hbf_seed", because(kNoNvlink)),
    row(number, "nvl_hbf_fields_enable", because(kNoNvlink)),
    row(number, "nvl_partition_reroute_wait", because(kNoNvlink)),
    row(boolean, "support_mepi_speeds", because(kSpeedsOfPortInfo)),
    row(boolean, "mepi_cache_enabled", because(kSpeedsOfPortInfo)),
    row(boolean, "light_sweep_spst", because("light sweeps ask every switch which of its ports changed")),
    row(boolean, "validate_smps", because("answers are always checked")),
    row(boolean, "sweep_every_hup_signal", in<&ManagerOptions::sweep_every_hup_signal>,
        does("`rch run` walks over the whole fabric after each reload")),
    row(boolean, "allow_sm_port_reset", because(kResets)),
    row(boolean, "prp_override_allow_sm_port_reset", because(kNoFastRecovery)),
    row(boolean, "support_mlnx_enhanced_link", because(kNoVendorLinks)),
    row(boolean, "mlnx_enhanced_link_enable", because(kNoVendorLinks)),
    row(boolean, "enable_virt_rec_ext", because(kNoVirtualPorts)),
    row(boolean, "disable_default_gi_support", because(kNoGeneralInfo)),
    row(boolean, "nvlink_enable", because(kNoNvlink)),
    row(boolean, "nvl_reassign_rails", because(kNoNvlink)),
    row(boolean, "nvl_cage_allocation_mode", because(kNoNvlink)),
    row(boolean, "nvl_cnd_for_access_links_enabled", because(kNoNvlink)),
    row(boolean, "nvl_cnd_for_init_trunks_enabled", because(kNoNvlink)),
    row(text, "port_speed_change_action", because(kNextTraining)),
    row(text, "port_ext_speed_change_action", because(kNextTraining)),
    row(text, "port_ext_speed2_change_action", because(kNextTraining)),
    row(text, "port_mepi_speed_change_action", because(kNextTraining)),
    row(text, "port_mtu_change_action", because(kResets)),
    row(text, "port_vl_change_action", because(kResets)),
    row(text, "port_ame_bit_change_action", because(kNoVendorLinks)),
    row(text, "additional_gi_supporting_devices", because(kNoGeneralInfo)),
    row(text, "additional_mepi_force_devices", because(kSpeedsOfPortInfo)),
    row(path, "fast_recovery_conf_file", because(kNoFastRecovery)),
};

/// What becomes of a node or port with a condition.
template <HealthAction HealthOptions::*member>
constexpr OptionKey health_action(std::string_view name, std::string_view initial, std::string_view effect) {
  return row(text, name, is(initial), in<member>, limits("ignore report isolate no_discover", initial),
             needs("!hm_unhealthy_ports_checks"), does(effect));
}
template <HealthAction HealthOptions::*member>
constexpr OptionKey manual_action(std::string_view name, std::string_view effect) {
  return row(text, name, in<member>, limits("ignore report isolate no_discover"), does(effect));
}
template <std::uint32_t HealthOptions::*member>
constexpr OptionKey health_limit(std::string_view name, std::string_view initial, std::string_view effect) {
  return row(u32, name, is(initial), in<member>, limits("1-4294967295", initial),
             needs("!hm_unhealthy_ports_checks"), does(effect));
}

constexpr std::string_view kByHand = "`rch quarantine` leaves parts out by hand";

constexpr OptionKey kHealth[] = {
    row(boolean, "hm_unhealthy_ports_checks", is("TRUE"), in<&HealthOptions::hm_unhealthy_ports_checks>,
        does("`rch run` watches for nodes and ports that fail again and again")),
    row(path, "hm_ports_health_policy_file", because(kByHand)),
    health_action<&HealthOptions::hm_ca_reboot_action>(
        "hm_ca_reboot_action", "report", "`rch run`: what becomes of a CA or router that comes and goes"),
    health_action<&HealthOptions::hm_ca_unresponsive_action>(
        "hm_ca_unresponsive_action", "report",
        "`rch run`: what becomes of a CA or router that does not answer"),
    health_action<&HealthOptions::hm_ca_noisy_action>(
        "hm_ca_noisy_action", "report", "`rch run`: what becomes of a CA or router that sends traps 129-131"),
    health_action<&HealthOptions::hm_ca_seterr_action>(
        "hm_ca_seterr_action", "ignore", "`rch run`: what becomes of a CA or router that refuses writes"),
    health_action<&HealthOptions::hm_ca_flapping_action>(
        "hm_ca_flapping_action", "report",
        "`rch run`: what becomes of a CA or router that has a link that comes and goes"),
    health_action<&HealthOptions::hm_ca_illegal_action>(
        "hm_ca_illegal_action", "report",
        "`rch run`: what becomes of a CA or router that answers with what cannot be"),
    manual_action<&HealthOptions::hm_ca_manual_action>(
        "hm_ca_manual_action",
        "`rch quarantine add` of a CA or router, where the command names no action; not set: isolate"),
    health_action<&HealthOptions::hm_sw_reboot_action>(
        "hm_sw_reboot_action", "report", "`rch run`: what becomes of a switch that comes and goes"),
    health_action<&HealthOptions::hm_sw_unresponsive_action>(
        "hm_sw_unresponsive_action", "report", "`rch run`: what becomes of a switch that does not answer"),
    health_action<&HealthOptions::hm_sw_noisy_action>(
        "hm_sw_noisy_action", "report", "`rch run`: what becomes of a switch that sends traps 129-131"),
    health_action<&HealthOptions::hm_sw_seterr_action>(
        "hm_sw_seterr_action", "ignore", "`rch run`: what becomes of a switch that refuses writes"),
    health_action<&HealthOptions::hm_sw_flapping_action>(
        "hm_sw_flapping_action", "report",
        "`rch run`: what becomes of a switch that has a link that comes and goes"),
    health_action<&HealthOptions::hm_sw_illegal_action>(
        "hm_sw_illegal_action", "report",
        "`rch run`: what becomes of a switch that answers with what cannot be"),
    manual_action<&HealthOptions::hm_sw_manual_action>(
        "hm_sw_manual_action",
        "`rch quarantine add` of a switch, where the command names no action; not set: isolate"),
    health_limit<&HealthOptions::hm_num_reboots>(
        "hm_num_reboots", "10", "times that a node comes and goes within `hm_reboots_period_secs`"),
    health_limit<&HealthOptions::hm_reboots_period_secs>("hm_reboots_period_secs", "900", "seconds"),
    health_limit<&HealthOptions::hm_num_set_err_sweeps>(
        "hm_num_set_err_sweeps", "5",
        "sweeps in which a node refuses writes, of `hm_num_set_err_sweeps_window`"),
    health_limit<&HealthOptions::hm_num_set_err_sweeps_window>("hm_num_set_err_sweeps_window", "7", "sweeps"),
    health_limit<&HealthOptions::hm_num_no_resp_sweeps>(
        "hm_num_no_resp_sweeps", "5",
        "sweeps in which a part does not answer, of `hm_num_no_resp_sweeps_window`"),
    health_limit<&HealthOptions::hm_num_no_resp_sweeps_window>("hm_num_no_resp_sweeps_window", "7", "sweeps"),
    health_limit<&HealthOptions::hm_num_traps>(
        "hm_num_traps", "60", "traps 129-131 about a port within `hm_num_traps_period_secs`"),
    health_limit<&HealthOptions::hm_num_traps_period_secs>("hm_num_traps_period_secs", "90", "seconds"),
    health_limit<&HealthOptions::hm_num_flapping_sweeps>(
        "hm_num_flapping_sweeps", "5",
        "sweeps in which a link went down, of `hm_num_flapping_sweeps_window`"),
    health_limit<&HealthOptions::hm_num_flapping_sweeps_window>("hm_num_flapping_sweeps_window", "30",
                                                                "sweeps"),
    health_limit<&HealthOptions::hm_num_illegal>("hm_num_illegal", "1",
                                                 "sweeps in which a part answers with what cannot be"),
};

constexpr OptionKey kLogs[] = {
    row(subjects, "activity_report_subjects", of_host, is("none"), in<&LogOptions::activity_report_subjects>,
        does("`rch run`: what it reports in `opensm-activity.dump`, in `dump_files_dir` (of `virt`: "
             "nothing)")),
    row(number, "syslog_log_flags",
        because("the service manager takes what `rch run` writes to standard output")),
    row(u8, "log_num_backlogs", of_host, in<&LogOptions::backlogs>, at_start, needs("log_max_size"),
        does("log files of `log_max_size` that `rch run` keeps: `FILE.1` is the last one; not set: none")),
    row(number, "reports", because(kUnpublished)),
    row(number, "max_msg_fifo_len", is("20000"), because(kOwnQueue)),
    row(number, "osm_stats_interval", is("60")),
    row(number, "osm_stats_dump_limit"),
    row(number, "osm_perflog_dump_limit", is("20")),
    row(number, "smp_threads", is("0"), because(kOwnThreads)),
    row(number, "gmp_threads", is("0"), because(kOwnThreads)),
    row(number, "gmp_traps_threads_num", is("1"), because(kOwnThreads)),
    row(number, "dbg_lvl", because("the log of `rch run` has one level")),
    row(path, "cache_files_dir", of_host, in<&ManagerOptions::cache_files_dir>, at_start,
        does("folder of guid2lid and of what `rch run` keeps beside it, unless `--guid2lid` names the file; "
             "not set: $OSM_CACHE_DIR, else /var/cache/opensm")),
    row(path, "pid_file", of_host, is("/var/run/opensm.pid"), in<&LogOptions::pid_file>, at_start,
        does("where `rch run` writes the number of its process; at the default: nowhere")),
    row(path, "sa_db_dump_file", because(kOwnJournal)),
    row(path, "subnet_lst_file", of_host, in<&LogOptions::subnet_lst_file>, needs("enable_subnet_lst"),
        does("the file of `enable_subnet_lst`, else `opensm-subnet.lst` in `dump_files_dir`")),
    row(path, "virt_dump_file", because(kNoVirtualPorts)),
    row(text, "switch_name", because(kNoStandAlone)),
    row(text, "plugin_name", because(kNoPlugins)),
    row(text, "plugin_options", because(kNoPlugins)),
    row(text, "conf_template", because("`rch show options` lists all options with their values")),
    row(boolean, "enable_crashd", because("the service manager sees to crashes")),
    row(boolean, "osm_stats_dump_per_sm_port"),
    row(boolean, "enable_performance_logging", is("TRUE")),
    row(boolean, "sm_db_dump"),
    row(boolean, "enable_subnet_lst", of_host, in<&LogOptions::enable_subnet_lst>,
        does("`rch run` writes the links of the fabric after each installation")),
    row(boolean, "validate_conf_files", because("a configuration is always checked, and refused as a whole")),
};

constexpr RowSection kNvidiaSections[] = {
    {"NVIDIA SM: adaptive and advanced routing", kAdaptive, kNoAdaptive, Maker::nvidia, Concern::process},
    {"NVIDIA SM: IB routers", kRouters, kNoRouters, Maker::nvidia, Concern::other},
    {"NVIDIA SM: QoS, congestion control and keys", kKeys, kNoKeys, Maker::nvidia, Concern::process},
    {"NVIDIA SM: subnet administration and mastership", kAdministration, kNotYet, Maker::nvidia,
     Concern::other},
    {"NVIDIA SM: discovery, links and virtual ports", kDiscovery, kNotYet, Maker::nvidia, Concern::other},
    {"NVIDIA SM: health monitor", kHealth, kNotYet, Maker::nvidia, Concern::other},
    {"NVIDIA SM: logs, dumps and the process", kLogs, kNoLogs, Maker::nvidia, Concern::process},
};

}  // namespace

std::span<const RowSection> nvidia_rows() { return kNvidiaSections; }

}  // namespace rch::policy
