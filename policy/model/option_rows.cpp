// One row per option: everything that rch knows of it. Parser, defaults, step files, plan files, lint rules,
// `rch show options` and docs/options.md all read this table. A new option is one row, and a member of a
// struct in options.h if rch acts on it.

#include "policy/model/option_rows.h"

#include <type_traits>

namespace rch::policy {
namespace {

RoutingOptions& part(Options& o, const RoutingOptions*) { return o.routing; }
ChainOptions& part(Options& o, const ChainOptions*) { return o.chain; }
FileOptions& part(Options& o, const FileOptions*) { return o.files; }
LidOptions& part(Options& o, const LidOptions*) { return o.lids; }
MulticastOptions& part(Options& o, const MulticastOptions*) { return o.multicast; }
QosOptions& part(Options& o, const QosOptions*) { return o.qos; }
PartitionOptions& part(Options& o, const PartitionOptions*) { return o.partitions; }
ManagerOptions& part(Options& o, const ManagerOptions*) { return o.manager; }
AdministrationOptions& part(Options& o, const AdministrationOptions*) { return o.administration; }
InterSubnetOptions& part(Options& o, const InterSubnetOptions*) { return o.inter_subnet; }
PortOptions& part(Options& o, const PortOptions*) { return o.ports; }
TransportOptions& part(Options& o, const TransportOptions*) { return o.transport; }
PerformanceOptions& part(Options& o, const PerformanceOptions*) { return o.performance; }
LogOptions& part(Options& o, const LogOptions*) { return o.logs; }
HealthOptions& part(Options& o, const HealthOptions*) { return o.health; }

template <class Part, class T>
constexpr Part* owner(T Part::*) {
  return nullptr;
}

// What a row says beside its type and name. The defaults are those of OpenSM, and of NVIDIA SM where it
// differs.
constexpr auto is(std::string_view initial, std::string_view nvidia = {}) {
  return [=](OptionKey& key) { key.initial = initial, key.nvidia = nvidia; };
}
constexpr auto nvidia = [](OptionKey& key) { key.maker = Maker::nvidia; };
constexpr auto updatable = [](OptionKey& key) { key.updatable = true; };
constexpr auto at_start = [](OptionKey& key) { key.at_start = true; };
constexpr auto secret = [](OptionKey& key) { key.secret = true; };
constexpr auto of_host = [](OptionKey& key) { key.of_host = true; };
constexpr auto per_step = [](OptionKey& key) { key.per_step = true; };
/// The member that holds the value. Those of RoutingOptions are set per step. Counters of ports are read by
/// each manager as it likes.
template <auto member>
constexpr auto in = [](OptionKey& key) {
  using Part = decltype(owner(member));
  key.per_step = std::is_same_v<Part, RoutingOptions*>;
  key.of_host = key.of_host || std::is_same_v<Part, PerformanceOptions*>;
  key.field = [](Options& options) -> OptionField { return &(part(options, Part{}).*member); };
};
constexpr auto limits(std::string_view allowed, std::string_view fallback = {},
                      std::string_view for_zero = {}) {
  return [=](OptionKey& key) { key.allowed = allowed, key.fallback = fallback, key.for_zero = for_zero; };
}
constexpr auto old_name(std::string_view name) {
  return [=](OptionKey& key) { key.old_name = name; };
}
constexpr auto also(std::string_view words) {
  return [=](OptionKey& key) { key.also = words; };
}
constexpr auto needs(std::string_view keys) {
  return [=](OptionKey& key) { key.needs = keys; };
}
/// What the option is about, where it is not what its section is about.
constexpr auto routes = [](OptionKey& key) { key.concern = Concern::routing; };
constexpr auto guards = [](OptionKey& key) { key.concern = Concern::security; };
constexpr auto housekeeping = [](OptionKey& key) { key.concern = Concern::process; };
constexpr auto minor = [](OptionKey& key) { key.concern = Concern::other; };
constexpr auto in_plan = [](OptionKey& key) { key.in_plan = true; };
constexpr auto does(std::string_view effect) {
  return [=](OptionKey& key) { key.effect = effect; };
}
constexpr auto because(std::string_view reason) {
  return [=](OptionKey& key) { key.reason = reason; };
}

template <class... Facts>
constexpr OptionKey row(OptionType type, std::string_view name, const Facts&... facts) {
  OptionKey key;
  key.name = name;
  key.type = type;
  (facts(key), ...);
  return key;
}
using enum OptionType;

// Why options have no effect.
constexpr std::string_view kNotYet = "not implemented";
constexpr std::string_view kReadOnly = "checked by `rch lint` alone";
constexpr std::string_view kNoEngine = "rch does not have the engines that read it";
constexpr std::string_view kNoCongestionControl = "rch does not configure congestion control";
constexpr std::string_view kControl = "operators use `rch status` and the control socket";
constexpr std::string_view kWatch = "`rch watch` tells programs of events";
constexpr std::string_view kOwnTransport = "rch sends and receives in a way of its own";
constexpr std::string_view kNoAdaptive = "rch does not compute adaptive routing";
constexpr std::string_view kNoRouters = "rch does not configure IB routers";
constexpr std::string_view kNoKeys = "rch does not configure congestion control or vendor keys";
constexpr std::string_view kNoHealth = "rch has no health monitor";
constexpr std::string_view kNoLogs = "for logs, dumps and the process of the other manager";

constexpr OptionKey kRouting[] = {
    row(words, "routing_engine", in<&ChainOptions::routing_engine>,
        also("router_engine routing engine routing_algorithm algorithm routing_engine_names routing_engines"),
        in_plan, does("the engines that are tried in turn; `chain`: the steps of `rch_policy_file`")),
    row(boolean, "connect_roots", is("FALSE"), updatable, in<&RoutingOptions::connect_roots>,
        does("joins switches that no up-down path joins")),
    row(boolean, "quasi_ftree_indexing", is("FALSE"), updatable, in<&RoutingOptions::quasi_ftree_indexing>,
        does("numbers the leaves from the roots down")),
    row(boolean, "port_shifting", is("FALSE"), updatable, in<&RoutingOptions::port_shifting>,
        does("starts each search for the least loaded port at another place")),
    row(boolean, "port_profile_switch_nodes", is("FALSE"), updatable,
        in<&RoutingOptions::port_profile_switch_nodes>, in_plan, does("paths to switches count as load")),
    row(boolean, "do_mesh_analysis", is("FALSE"), updatable, in<&RoutingOptions::do_mesh_analysis>,
        because(kNoEngine)),
    row(boolean, "avoid_throttled_links", is("FALSE"), in<&RoutingOptions::avoid_throttled_links>,
        does("links below the rate of both ends are not used")),
    row(boolean, "guid_routing_order_no_scatter", is("FALSE"),
        in<&RoutingOptions::guid_routing_order_no_scatter>, needs("guid_routing_order_file scatter_ports"),
        does("ports of `guid_routing_order_file` are not scattered")),
    row(boolean, "nue_include_switches", is("FALSE"), in<&RoutingOptions::nue_include_switches>,
        because(kNoEngine)),
    row(path, "lid_matrix_dump_file", also("lid_matrix_file"), in<&RoutingOptions::lid_matrix_dump_file>,
        does("hop counts that are loaded")),
    row(path, "lfts_file", in<&RoutingOptions::lfts_file>, does("forwarding tables that are loaded")),
    row(path, "root_guid_file", also("root_guid root_guids roots roots_file root_guids_file"),
        in<&RoutingOptions::root_guid_file>, does("the switches at the top")),
    row(path, "cn_guid_file", also("cn_guid cn_guids cn_guids_file compute_node_file"),
        in<&RoutingOptions::cn_guid_file>, does("compute nodes")),
    row(path, "io_guid_file", also("io_guid io_guids io_guids_file"), in<&RoutingOptions::io_guid_file>,
        does("I/O nodes")),
    row(path, "ids_guid_file", in<&RoutingOptions::ids_guid_file>,
        does("numbers that order switches of equal rank")),
    row(path, "guid_routing_order_file", in<&RoutingOptions::guid_routing_order_file>,
        does("ports that are routed first")),
    row(path, "hop_weights_file", in<&RoutingOptions::hop_weights_file>,
        does("what a hop out of a port costs")),
    row(path, "port_search_ordering_file", in<&RoutingOptions::port_search_ordering_file>,
        old_name("dimn_ports_file"), does("the order in which ports are examined")),
    row(path, "port_prof_ignore_file", also("ignore_guids"), in<&RoutingOptions::port_prof_ignore_file>,
        does("ports whose load is not counted")),
    row(path, "torus_config", is("/etc/opensm/torus-2QoS.conf"), updatable, in<&RoutingOptions::torus_config>,
        also("torus_config_file torus_conf_file"), does("the shape and the seeds of the torus")),
    row(u16, "max_reverse_hops", is("0"), in<&RoutingOptions::max_reverse_hops>, needs("io_guid_file"),
        does("steps up that paths to I/O nodes may take after steps down")),
    row(u32, "scatter_ports", is("0", "8"), updatable, in<&RoutingOptions::scatter_ports>,
        does("seed of a random choice among equally loaded ports; 0: none")),
    row(u8, "lash_start_vl", is("0"), updatable, in<&RoutingOptions::lash_start_vl>, limits("0-15"),
        because(kNoEngine)),
    row(u8, "nue_max_num_vls", is("1"), updatable, in<&RoutingOptions::nue_max_num_vls>, limits("0-15"),
        because(kNoEngine)),
    row(u8, "lmc", is("0"), in<&LidOptions::lmc>, limits("0-7"), in_plan,
        does("each end port of a CA or router gets 2^lmc LIDs")),
    row(boolean, "lmc_esp0", is("FALSE"), in<&LidOptions::lmc_esp0>, needs("lmc"), in_plan,
        does("ports 0 of switches get 2^lmc LIDs too")),
    row(boolean, "use_ucast_cache", minor, is("FALSE"), in<&ChainOptions::use_ucast_cache>,
        because(
            "paths that a change leaves whole always stay, and switches that come back get their tables")),
    row(boolean, "reassign_lids", is("FALSE"), updatable, in<&LidOptions::reassign_lids>, at_start, in_plan,
        does("LIDs are assigned anew, by `rch run` at its start")),
    row(boolean, "honor_guid2lid_file", is("FALSE"), updatable, in<&LidOptions::honor_guid2lid_file>,
        does("`rch apply` keeps the LIDs of guid2lid; `rch run` does, also against those of a master that "
             "left")),
    row(boolean, "force_heavy_sweep", housekeeping, is("FALSE"), updatable,
        in<&ManagerOptions::force_heavy_sweep>, does("each sweep of `rch run` walks over the whole fabric")),
    row(boolean, "sweep_on_trap", housekeeping, is("TRUE"), updatable, in<&ManagerOptions::sweep_on_trap>,
        does("`rch run` sweeps when a trap tells of a change")),
    row(boolean, "use_mfttop", is("TRUE"), updatable, in<&MulticastOptions::use_mfttop>, in_plan,
        does("`MulticastFDBTop` is programmed")),
    row(boolean, "disable_multicast", is("FALSE"), updatable, in<&MulticastOptions::disable_multicast>,
        does("groups get no multicast tables")),
    row(u32, "sweep_interval", also("sweep"), housekeeping, is("10"), updatable,
        in<&ManagerOptions::sweep_interval>, does("seconds between light sweeps of `rch run`; 0: none")),
    row(path, "prefix_routes_file", minor, is("/etc/opensm/prefix-routes.conf"),
        in<&FileOptions::prefix_routes_file>, does("`rch run`: routers by which paths to other subnets go")),
    row(path, "pgrp_policy_file", nvidia, in<&FileOptions::pgrp_policy_file>,
        also("port_group_file pgrp_file port_groups_file port_groups_policy_file"), does("port groups")),
    row(path, "topo_policy_file",
        also("topology_policy_file topologies_policy_file topologies_file topo_file"), nvidia,
        in<&FileOptions::topo_policy_file>, needs("pgrp_policy_file"), does("topologies")),
    row(path, "rch_policy_file", nvidia, in<&FileOptions::rch_policy_file>,
        also("chain_policy_file routing_chain_policy_file routing_chains_file routing_chains_policy_file"),
        does("the steps of the routing chain")),
    row(path, "held_back_sw_file", nvidia, in<&FileOptions::held_back_sw_file>, because(kReadOnly)),
    row(path, "mc_roots_file", nvidia, in<&FileOptions::mc_roots_file>, needs("!disable_multicast"),
        does("switches that are roots of multicast trees")),
    row(boolean, "find_roots_color_algorithm", is("TRUE"), nvidia,
        in<&RoutingOptions::find_roots_color_algorithm>, because(kNoEngine)),
    row(boolean, "offsweep_balancing_enabled", is("FALSE"), nvidia,
        in<&RoutingOptions::offsweep_balancing_enabled>,
        does("routes move when a fresh routing is clearly better balanced")),
    row(boolean, "auto_join_hca_wo_topo", nvidia),
    row(u8, "max_cas_on_spine", is("2"), nvidia, in<&RoutingOptions::max_cas_on_spine>, because(kNoEngine)),
    row(u8, "max_topologies_per_sw", is("4"), nvidia, in<&ChainOptions::max_topologies_per_sw>, in_plan,
        does("lint: topologies that may share a switch")),
    row(u16, "routing_threads_num", housekeeping, is("0"), nvidia),
    row(u16, "max_threads_per_core", housekeeping, is("0"), nvidia),
    row(u32, "offsweep_balancing_window", is("180"), nvidia, in<&RoutingOptions::offsweep_balancing_window>,
        needs("offsweep_balancing_enabled"),
        does("`rch run`: seconds after the last sweep from which on routes move")),
    row(u64, "mc_primary_root_guid", is("0"), nvidia, in<&MulticastOptions::mc_primary_root_guid>,
        needs("!disable_multicast"), does("the switch that is the root of multicast trees")),
    row(u64, "mc_secondary_root_guid", is("0"), nvidia, in<&MulticastOptions::mc_secondary_root_guid>,
        needs("!disable_multicast"), does("the root when the primary one is absent")),
    row(fat_tree, "pqft_structure", nvidia, in<&RoutingOptions::pqft_structure>, also("pgft_structure"),
        does("the structure that the fabric must have")),
};

constexpr OptionKey kQosAndAdministration[] = {
    row(boolean, "qos", also("no_qos enable_qos qos_enable qos_enabled use_qos"), routes, is("FALSE"),
        updatable, in<&QosOptions::enabled>, in_plan, does("service levels and VL arbitration are used")),
    row(boolean, "suppress_sl2vl_mad_status_errors", housekeeping, is("FALSE"), updatable,
        because("a switch that refuses its SL2VL maps is left out, whatever is logged")),
    row(boolean, "no_partition_enforcement", also("no_part_enforce"), guards, is("FALSE"), updatable,
        in<&PartitionOptions::no_partition_enforcement>, does("`part_enforce off`")),
    row(boolean, "allow_both_pkeys", guards, is("FALSE"), updatable, in<&PartitionOptions::allow_both_pkeys>,
        does("a port may be a full and a limited member of one partition")),
    row(boolean, "keep_pkey_indexes", is("TRUE"), updatable, in<&PartitionOptions::keep_pkey_indexes>,
        does("a P_Key that a port holds keeps its index")),
    row(boolean, "m_key_lookup", guards, is("TRUE"), updatable, in<&ManagerOptions::m_key_lookup>, at_start,
        does("former M_Keys are tried at ports that want another one")),
    row(boolean, "sm_inactive", guards, of_host, is("FALSE"), updatable, in<&ManagerOptions::sm_inactive>,
        at_start,
        does("`rch run` starts as not active: it writes nothing until another manager makes it a standby")),
    row(boolean, "ignore_other_sm", guards, is("FALSE"), updatable,
        because("two masters would write to the same tables")),
    row(boolean, "sa_db_dump", housekeeping, is("FALSE"), updatable,
        because("registrations are kept in the file `rch-registrations`")),
    row(boolean, "fsync_high_avail_files", housekeeping, is("TRUE"), updatable,
        because("files that a restart needs are always on the disk before they count")),
    row(boolean, "ipoib_mcgroup_creation_validation", is("TRUE"), updatable,
        in<&AdministrationOptions::check_ip_groups>,
        does("`rch run`: new groups of IPoIB must be like the broadcast group of their partition")),
    row(boolean, "mcgroup_join_validation", is("TRUE"), updatable, in<&AdministrationOptions::check_joins>,
        does("`rch run`: Q_Key, SL, flow label, hop limit and TClass of a join must be those of the group")),
    row(boolean, "consolidate_ipv6_snm_req", is("FALSE"), updatable,
        in<&AdministrationOptions::consolidate_ipv6_groups>,
        does("`rch run` gives groups of IPv6 solicited nodes of one partition and scope one multicast LID")),
    row(boolean, "use_original_extended_sa_rates_only", is("FALSE"), updatable,
        in<&PortOptions::use_original_extended_sa_rates_only>, does("`max_rate_enum 18`")),
    row(boolean, "drop_event_subscriptions", is("FALSE", "TRUE"), updatable,
        in<&AdministrationOptions::drop_services_of_gone_ports>,
        does("`rch run`: services of ports that are gone end; their subscriptions always do")),
    row(boolean, "babbling_port_policy", is("FALSE"), updatable),
    row(boolean, "no_clients_rereg", is("FALSE"), updatable, in<&PortOptions::no_clients_rereg>, in_plan,
        does("hosts are not asked to register again")),
    row(u8, "max_op_vls", routes, is("5", "2"), updatable, in<&QosOptions::max_op_vls>, limits("1-5"),
        also("max_operational_vls"), in_plan, does("the VLs that ports use: 1, 2, 4, 8 or 15, as codes 1-5")),
    row(u8, "sm_sl", routes, is("0"), updatable, in<&QosOptions::sm_sl>, limits("0-15"), in_plan,
        does("`MasterSMSL` of ports, in the bits of a service level that the routing leaves free")),
    row(u8, "m_key_protection_level", guards, is("0"), updatable, in<&ManagerOptions::m_key_protection_level>,
        limits("0-3", "2"), also("m_key_protect_bits"), needs("m_key"), in_plan,
        does("what ports refuse without their M_Key: 0, 1 Sets, and 1 hides it; 2, 3 all requests")),
    row(u8, "sm_priority", also("priority prio sm_prio"), guards, of_host, is("0"), updatable,
        in<&ManagerOptions::sm_priority>, limits("0-15", "0"), in_plan,
        does("priority when managers elect a master")),
    row(u8, "master_sm_priority", is("14"), nvidia, of_host, updatable,
        in<&ManagerOptions::master_sm_priority>, limits("0-15", "0"),
        does("`rch run`: priority while it is master, where that is higher; a master that comes back stands "
             "by")),
    row(u8, "subnet_timeout", is("18"), updatable, in<&PortOptions::subnet_timeout>, limits("0-31"), in_plan,
        does("`SubnetTimeOut` of ports")),
    row(u8, "packet_life_time", is("0x12"), updatable, in<&PortOptions::packet_life_time>, limits("0-31"),
        in_plan, does("`LifeTimeValue` of switches, and the wait between rounds of an update")),
    row(u8, "head_of_queue_lifetime", is("0x12"), updatable, in<&PortOptions::head_of_queue_lifetime>,
        limits("0-31"), in_plan, does("`HOQLife` of ports between switches")),
    row(u8, "leaf_head_of_queue_lifetime", is("0x10"), updatable,
        in<&PortOptions::leaf_head_of_queue_lifetime>, limits("0-31"), in_plan,
        does("`HOQLife` of ports that lead to hosts")),
    row(u8, "vl_stall_count", is("0x07"), updatable, in<&PortOptions::vl_stall_count>, limits("0-7"), in_plan,
        does("`VLStallCount` of ports between switches")),
    row(u8, "leaf_vl_stall_count", is("0x07"), updatable, in<&PortOptions::leaf_vl_stall_count>,
        limits("0-7"), in_plan, does("`VLStallCount` of ports that lead to hosts")),
    row(u8, "max_rate_enum", is("63"), updatable, in<&PortOptions::max_rate_enum>, limits("2-24,63", "63"),
        does("`rch run`: paths and groups get this rate at most, as a code; 63: no limit")),
    row(u16, "m_key_lease_period", guards, is("0", "60"), updatable, in<&ManagerOptions::m_key_lease_period>,
        needs("m_key"), in_plan,
        does("seconds after which a port that was asked with a wrong M_Key protects itself no more; 0: "
             "never")),
    row(u32, "sminfo_polling_timeout", housekeeping, of_host, is("10000"), updatable,
        in<&ManagerOptions::sminfo_polling_timeout>,
        does("milliseconds from question to question of `rch run` as standby")),
    row(u32, "polling_retry_number", housekeeping, of_host, is("4"), updatable,
        in<&ManagerOptions::polling_retry_number>,
        does("answers of the master that are missing before `rch run` takes over")),
    row(u64, "m_key", also("mkey management_key"), guards, is("0"), updatable, in<&ManagerOptions::m_key>,
        at_start, secret, in_plan, does("M_Key of ports and of management datagrams")),
    row(u64, "sm_key", guards, is("1"), updatable, in<&ManagerOptions::sm_key>, at_start, secret, in_plan,
        does("SM_Key of the manager")),
    row(u64, "sa_key", guards, is("1"), updatable, in<&ManagerOptions::sa_key>, secret,
        does("requests to subnet administration that carry it are trusted")),
    row(u64, "subnet_prefix", also("gid_prefix prefix"), guards, is("0xfe80000000000000"),
        in<&ManagerOptions::subnet_prefix>, in_plan, does("`GidPrefix` of ports")),
    row(text, "part_enforce", also("partition_enforcement pkey_enforcement enforce_partitions"), guards,
        is("both"), updatable, in<&PartitionOptions::part_enforce>, limits("both in out off", "both"),
        does("what switch ports with a host behind them check: packets of the host, for the host, both, "
             "none")),
    row(guids, "guid", of_host, is("0x0000000000000000"), in<&ManagerOptions::guid>, at_start,
        does("the port that is used, where `--fabric live` names none; of several the first")),
    row(path, "qos_policy_file", also("qos_file qos_policy qos_policy_config"), routes,
        is("/etc/opensm/qos-policy.conf"), in<&FileOptions::qos_policy_file>,
        does("`rch run` hands out paths by its levels")),
    row(path, "partition_config_file", guards, is("/etc/opensm/partitions.conf"),
        in<&FileOptions::partition_config_file>,
        also("partitions Pconfig pconfig partition_config partitions_config partitions_conf partition_conf "
             "partitions_file "
             "partition_file"),
        does("partitions: P_Keys of ports, and multicast groups, which get tables")),
    row(path, "sa_db_file", because("registrations are kept in the file `rch-registrations`")),
    row(path, "enhanced_qos_policy_file", routes, nvidia, in<&FileOptions::enhanced_qos_policy_file>,
        does("rate limits of adapters per SL, where they can hold them; none of virtual ports")),
    row(boolean, "enhanced_qos_vport0_unlimit_default_rl", is("TRUE"), nvidia, updatable,
        in<&QosOptions::enhanced_qos_vport0_unlimit_default_rl>, needs("enhanced_qos_policy_file"),
        because("rch does not see virtual ports")),
    row(boolean, "qos_config_vl_enabled", routes, is("FALSE"), nvidia),
    row(u8, "max_op_vls_ca", routes, nvidia),
    row(u8, "max_op_vls_sw", routes, nvidia),
    row(u8, "max_op_vls_rtr", routes, nvidia),
    row(u8, "override_create_mcg_sl", routes, is("0xff"), nvidia),
};

constexpr OptionKey kTransport[] = {
    row(u32, "max_wire_smps", also("maxsmps max_smps"), of_host, is("4", "32"), updatable,
        in<&TransportOptions::max_wire_smps>, at_start, limits("1-2147483647", "4", "2147483647"), in_plan,
        does("management datagrams under way at a time")),
    row(u32, "max_wire_smps2", is("4"), updatable, because(kOwnTransport)),
    row(u32, "max_smps_timeout", is("600000"), updatable, because(kOwnTransport)),
    row(u32, "max_msg_fifo_timeout", is("10000"), updatable, because(kOwnTransport)),
    row(u32, "log_max_size", also("log_limit"), of_host, is("0"), updatable, in<&LogOptions::max_size>,
        at_start, does("MB at which `rch run` empties its log file; 0: never")),
    row(u32, "transaction_timeout", also("timeout"), of_host, is("200", "100"),
        in<&TransportOptions::transaction_timeout>, at_start, in_plan,
        does("milliseconds until a management datagram is sent again")),
    row(u32, "transaction_retries", is("3"), of_host, in<&TransportOptions::transaction_retries>, at_start,
        in_plan, does("times that it is sent again")),
    row(u32, "long_transaction_timeout", is("500", "1000"), in<&TransportOptions::long_transaction_timeout>,
        because(kOwnTransport)),
    row(boolean, "single_thread", is("FALSE"), because("plans are made beside the answers to hosts")),
    row(boolean, "daemon", is("FALSE"), because("`rch run` stays in the foreground of its service manager")),
    row(boolean, "perfmgr", minor, is("FALSE"), in<&PerformanceOptions::perfmgr>,
        does("`rch run` reads the counters of ports and shows them at `/metrics`")),
    row(boolean, "perfmgr_redir", minor, is("TRUE"), in<&PerformanceOptions::perfmgr_redir>, needs("perfmgr"),
        does("redirections to other ports are followed")),
    row(boolean, "perfmgr_ignore_cas", minor, is("FALSE"), in<&PerformanceOptions::perfmgr_ignore_cas>,
        needs("perfmgr"), does("counters of channel adapters are not read")),
    row(boolean, "perfmgr_rm_nodes", minor, is("TRUE"), in<&PerformanceOptions::perfmgr_rm_nodes>,
        needs("perfmgr"), does("`FALSE`: counters of nodes that are gone are still shown")),
    row(boolean, "perfmgr_log_errors", minor, is("TRUE"), in<&PerformanceOptions::perfmgr_log_errors>,
        needs("perfmgr"), does("error counters that rose are logged")),
    row(boolean, "perfmgr_query_cpi", minor, is("TRUE"), in<&PerformanceOptions::perfmgr_query_cpi>,
        needs("perfmgr"),
        does("`FALSE`: no ClassPortInfo, and so no extended counters and no PortXmitWait, are read")),
    row(boolean, "perfmgr_xmit_wait_log", minor, is("FALSE"), in<&PerformanceOptions::perfmgr_xmit_wait_log>,
        needs("perfmgr"), does("PortXmitWait that rose by the threshold is logged")),
    row(u8, "force_link_speed", minor, is("15"), updatable, limits("0-7,15", "15"),
        in<&PortOptions::force_link_speed>, in_plan,
        does(
            "`LinkSpeedEnabled` of ports, for the next training of the link; 15: what they support, 0: as it "
            "is")),
    row(u8, "force_link_speed_ext", minor, is("31"), updatable, limits("0-7,30,31", "31"),
        in<&PortOptions::force_link_speed_ext>, in_plan,
        does("`LinkSpeedExtEnabled`, likewise; 31: what they support, 30: none, 0: as it is")),
    row(u8, "force_link_width", minor, is("255"), updatable, limits("0-31,255", "255"),
        in<&PortOptions::force_link_width>, in_plan,
        does("`LinkWidthEnabled`, likewise; 255: what they support, 0: as it is")),
    row(u8, "fdr10", minor, is("1", "0xFF"), updatable, limits("0-2,255", "1")),
    row(u8, "local_phy_errors_threshold", minor, is("0x08"), updatable, limits("0-15", "8"),
        in<&PortOptions::local_phy_errors_threshold>, in_plan,
        does("local link errors after which a port sends a trap")),
    row(u8, "overrun_errors_threshold", minor, is("0x08"), updatable, limits("0-15", "8"),
        in<&PortOptions::overrun_errors_threshold>, in_plan,
        does("buffer overruns after which a port sends a trap")),
    row(u8, "sm_assigned_guid", minor, is("0x00"), updatable, in<&AdministrationOptions::assigned_guid>,
        does("`rch run`: a byte of the alias GUIDs that hosts leave to the manager")),
    row(u8, "log_flags", also("verbose log_level loglevel verbosity debug"), of_host, is("0x03"), updatable,
        in<&ManagerOptions::log_flags>, does("0x40: `rch run` writes dump files of each step")),
    row(boolean, "use_optimized_slvl", is("FALSE"), updatable,
        because("SL2VL maps are written and read back pair of ports by pair")),
    row(boolean, "enable_quirks", is("FALSE"), updatable, because("rch knows no quirks of devices")),
    row(boolean, "force_log_flush", is("FALSE"), updatable, because("each line is written at once")),
    row(boolean, "accum_log_file", also("erase_log_file"), of_host, is("TRUE"), updatable,
        in<&LogOptions::accumulate>, at_start, does("`FALSE`: `rch run` empties its log file at the start")),
    row(boolean, "exit_on_fatal", also("stay_on_fatal"), is("TRUE"), updatable,
        because("without a proven plan the installed tables stay")),
    row(boolean, "congestion_control", minor, is("FALSE"), updatable),
    row(path, "log_file", also("log logfile"), is("/var/log/opensm.log"),
        because("`rch run --log` names the file")),
    row(path, "per_module_logging_file", is("/etc/opensm/per-module-logging.conf"),
        in<&FileOptions::per_module_logging_file>, because(kReadOnly)),
    row(path, "dump_files_dir", also("dump_dir dump_directory"), is("/var/log/"),
        in<&FileOptions::dump_files_dir>,
        does("where `rch run` writes dump files; `rch plan` has `--dump-dir`")),
    row(path, "node_name_map_name", minor, in<&FileOptions::node_name_map_name>,
        also("node_name_map_file node_name_map"), because(kReadOnly)),
    row(path, "event_db_dump_file", because("counters of ports are shown at `/metrics`")),
    row(text, "log_prefix", of_host, updatable, in<&LogOptions::prefix>, at_start,
        does("begins the text of each line in the log of `rch run`")),
    row(text, "console", is("off"), limits("off local loopback socket", "off"), because(kControl)),
    row(text, "event_plugin_name", minor, because(kWatch)),
    row(text, "event_plugin_options", minor, needs("event_plugin_name"), because(kWatch)),
    row(u16, "console_port", is("10000"), needs("console"), because(kControl)),
    row(u16, "perfmgr_sweep_time_s", minor, is("180"), limits("1-65535", "180"),
        in<&PerformanceOptions::perfmgr_sweep_time_s>, needs("perfmgr"),
        does("seconds in which the counters of all ports are read once")),
    row(u32, "perfmgr_max_outstanding_queries", minor, is("500"), limits("1-4294967295", "500"),
        in<&PerformanceOptions::perfmgr_max_outstanding_queries>, needs("perfmgr"),
        does("requests for counters that wait for an answer; 64 at most")),
    row(u32, "perfmgr_xmit_wait_threshold", minor, is("65535"),
        in<&PerformanceOptions::perfmgr_xmit_wait_threshold>, needs("perfmgr_xmit_wait_log"),
        does("ticks between two readings")),
    row(u32, "cc_max_outstanding_mads", is("500")),
    row(u64, "cc_key", guards, is("0"), secret),
    row(u32, "cc_sw_cong_setting_control_map", minor, is("0"), updatable),
    row(mask256, "cc_sw_cong_setting_victim_mask", minor, is("0"), updatable),
    row(mask256, "cc_sw_cong_setting_credit_mask", minor, is("0"), updatable),
    row(u8, "cc_sw_cong_setting_threshold", minor, is("0"), updatable),
    row(u8, "cc_sw_cong_setting_packet_size", minor, is("0"), updatable),
    row(u8, "cc_sw_cong_setting_credit_starvation_threshold", minor, is("0"), updatable),
    row(delay, "cc_sw_cong_setting_credit_starvation_return_delay", minor, is("0:0"), updatable),
    row(u16, "cc_sw_cong_setting_marking_rate", minor, is("0"), updatable),
    row(u16, "cc_ca_cong_setting_port_control", minor, is("0"), updatable),
    row(u16, "cc_ca_cong_setting_control_map", minor, is("0"), updatable),
    row(per_sl, "cc_ca_cong_setting_ccti_timer", minor, updatable),
    row(per_sl, "cc_ca_cong_setting_ccti_increase", minor, updatable),
    row(per_sl, "cc_ca_cong_setting_trigger_threshold", minor, updatable),
    row(per_sl, "cc_ca_cong_setting_ccti_min", minor, updatable),
    row(delays, "cc_cct", minor, updatable),
};

constexpr OptionKey kAdaptive[] = {
    row(text, "adv_routing_engine", routes, per_step),
    row(text, "hbf_weights", per_step),
    row(number, "ar_mode", routes, per_step),
    row(number, "ar_sl_mask", per_step),
    row(number, "ar_transport_mask", per_step),
    row(number, "ar_tree_asymmetric_flow", per_step, limits("0-3")),
    row(number, "ar_tree_asymmetric_flow_threshold", per_step),
    row(number, "ar_tree_asymmetric_flow_threshold_limit", is("2"), per_step),
    row(number, "shield_mode", routes, per_step),
    row(number, "pfrn_sl", is("0"), per_step),
    row(number, "pfrn_mask_clear_timeout", is("180"), per_step),
    row(number, "pfrn_mask_force_clear_timeout", is("720"), per_step),
    row(number, "pfrn_over_router_enabled", per_step),
    row(number, "routing_flags", routes, per_step),
    row(number, "dfp_down_up_turns_mode", per_step, limits("0-2")),
    row(number, "dfp_max_cas_on_spine", per_step),
    row(number, "enhanced_missing_routes", per_step),
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
    row(boolean, "dfp_find_roots_color_algorithm", per_step),
    row(boolean, "calc_missing_routes", routes, is("TRUE"), per_step),
    row(boolean, "calculate_missing_routes", routes, is("TRUE"), per_step),
    row(text, "multicast_optimization", per_step),
    row(boolean, "updn_lid_tracking_mode", routes, per_step),
    row(boolean, "updn_lid_tracking_converge_routes", per_step),
    row(boolean, "updn_lid_tracking_prefer_total_routes", per_step),
    row(boolean, "dor_hyper_cube_mode", routes, per_step),
    row(boolean, "use_scatter_for_switch_lid", per_step),
    row(boolean, "improved_lmc_path_distribution", routes, per_step),
    row(boolean, "enable_vl_packing", routes, per_step),
    row(boolean, "enable_queries_during_routing", is("TRUE"), per_step),
    row(boolean, "enable_inc_mc_routing", per_step),
    row(boolean, "topo_config_enabled", routes, per_step),
    row(boolean, "get_mft_tables", per_step),
    row(path, "ftree_ca_order_dump_file", per_step),
    row(path, "topo_config_file", routes, per_step),
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
    row(boolean, "use_optimized_port_mask_slvl"),
    row(boolean, "m_key_per_port", guards, is("FALSE"), in<&ManagerOptions::m_key_per_port>, at_start,
        needs("m_key"), in_plan,
        does("each port has an M_Key of its own, made of `m_key`, `key_mgr_seed` and its GUID")),
    row(path, "device_configuration_file", minor),
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
    row(number, "periodic_key_update", guards, is("0")),
    row(number, "adaptive_timeout_sl_mask", is("0xFFFF")),
    row(number, "suppress_mc_pkey_traps", is("1")),
};

constexpr OptionKey kAdministration[] = {
    row(number, "max_sa_reports_queued", is("512")),
    row(number, "max_sa_reports_on_wire", is("256")),
    row(u32, "sa_etm_max_num_mcgs", is("0"), in<&AdministrationOptions::max_groups>,
        needs("sa_enhanced_trust_model"), does("multicast groups that one untrusted host may be in")),
    row(u32, "sa_etm_max_num_srvcs", is("0"), in<&AdministrationOptions::max_services>,
        needs("sa_enhanced_trust_model"), does("services that one untrusted host may register")),
    row(u32, "sa_etm_max_num_event_subs", is("0"), in<&AdministrationOptions::max_subscriptions>,
        needs("sa_enhanced_trust_model"), does("subscriptions that one untrusted host may have")),
    row(u32, "sa_rate_threshold", guards, is("0"), in<&AdministrationOptions::request_rate>,
        does("requests of one port that `rch run` answers in a second; 0: all")),
    row(number, "master_sm_lid", is("0")),
    row(number, "prism_an_lmc"),
    row(number, "default_mcg_mtu"),
    row(number, "default_mcg_rate"),
    row(number, "client_rereg_mode", is("2"), limits("0-2")),
    row(number, "consolidate_ipv4_mask"),
    row(number, "stand_alone"),
    row(text, "standalone"),
    row(number, "sharp_enabled", also("enable_sharp sharp")),
    row(number, "issu_mode"),
    row(number, "issu_timeout"),
    row(number, "issu_pre_upgrade_time"),
    row(boolean, "sa_enhanced_trust_model", guards, is("FALSE"),
        in<&AdministrationOptions::enhanced_trust_model>,
        does("`rch run` drops what untrusted hosts ask beyond paths, groups, services and events")),
    row(boolean, "sa_etm_allow_untrusted_proxy_requests", guards, is("TRUE"),
        in<&AdministrationOptions::allow_untrusted_proxy_requests>, needs("sa_enhanced_trust_model"),
        does("an untrusted host may register for another port")),
    row(boolean, "sa_etm_allow_untrusted_guidinfo_rec", guards, is("TRUE"),
        in<&AdministrationOptions::allow_untrusted_guid_records>, needs("sa_enhanced_trust_model"),
        does("an untrusted host may give alias GUIDs to its port")),
    row(boolean, "sa_etm_allow_guidinfo_rec_by_vf", guards, is("TRUE")),
    row(boolean, "sa_check_sgid_spoofing", guards, is("FALSE"),
        in<&AdministrationOptions::check_sgid_spoofing>,
        does("`rch run` drops requests with the SGID of another port; routers may forward them")),
    row(boolean, "sa_pr_full_world_queries_allowed"),
    row(boolean, "enable_sa", is("TRUE")),
    row(boolean, "enable_sm_port_failover", is("FALSE")),
    row(boolean, "const_multicast"),
    row(boolean, "rereg_on_guid_migr"),
    row(boolean, "aguid_inout_notice"),
    row(boolean, "drop_subscr_on_report_fail", is("TRUE")),
    row(boolean, "drop_unreachable_event_subscriptions"),
    row(boolean, "drop_unreachable_ports_enabled", is("TRUE")),
    row(boolean, "load_inform_info_from_sadb"),
    row(boolean, "reply_lid_smps_in_dr"),
    row(boolean, "respond_unknown_lid_traps"),
    row(boolean, "run_once"),
    row(boolean, "tenants_policy_enabled", guards),
    row(guids, "allowed_sm_guids", guards, in<&ManagerOptions::allowed_sms>,
        does("`rch run` hands over to these subnet managers and obeys these, by port GUID; none: all")),
    row(text, "sm_assign_guid_func"),
    row(text, "fabric_mode_profile", is("none")),
    row(path, "service_name2key_map_file"),
    row(path, "tenants_policy_file", guards),
    row(path, "fabric_mode_policy_file"),
    row(path, "verbose_bypass_policy_file"),
};

constexpr OptionKey kDiscovery[] = {
    row(number, "max_neighbor_mtu"),
    row(u8, "force_link_speed_ext2", is("7"), limits("0-3,6,7", "7"), in<&PortOptions::force_link_speed_ext2>,
        in_plan,
        does("`LinkSpeedExtEnabled2` of ports that have XDR, likewise; 7: what they support, 6: none, 0: as "
             "it "
             "is")),
    row(number, "mepi_enabled_speeds"),
    row(number, "max_seq_redisc", is("4")),
    row(number, "rediscovery_max_link_penalty", is("10")),
    row(number, "rediscovery_link_penalty_step", is("2")),
    row(number, "rediscovery_max_node_penalty"),
    row(number, "rediscovery_node_penalty_step"),
    row(number, "max_wire_smps_per_device", is("2")),
    row(number, "max_alt_dr_path_retries"),
    row(number, "ca_port_soft_limit"),
    row(number, "ca_port_num_limit"),
    row(number, "force_heavy_sweep_window", is("-1")),
    row(number, "virt_enabled", also("virtualization")),
    row(number, "virt_max_ports_in_process", is("64")),
    row(number, "virt_default_hop_limit", is("2")),
    row(number, "port_recovery_policy_enabled", is("0")),
    row(number, "fast_recovery_enabled", is("0")),
    row(number, "nvl_hbf_hash_type"),
    row(number, "nvl_hbf_packet_hash_bitmask"),
    row(number, "nvl_hbf_seed"),
    row(number, "nvl_hbf_fields_enable"),
    row(number, "nvl_partition_reroute_wait"),
    row(boolean, "support_mepi_speeds"),
    row(boolean, "mepi_cache_enabled"),
    row(boolean, "light_sweep_spst"),
    row(boolean, "validate_smps"),
    row(boolean, "sweep_every_hup_signal"),
    row(boolean, "allow_sm_port_reset"),
    row(boolean, "prp_override_allow_sm_port_reset"),
    row(boolean, "support_mlnx_enhanced_link"),
    row(boolean, "mlnx_enhanced_link_enable"),
    row(boolean, "enable_virt_rec_ext"),
    row(boolean, "disable_default_gi_support"),
    row(boolean, "nvlink_enable"),
    row(boolean, "nvl_reassign_rails"),
    row(boolean, "nvl_cage_allocation_mode"),
    row(boolean, "nvl_cnd_for_access_links_enabled"),
    row(boolean, "nvl_cnd_for_init_trunks_enabled"),
    row(text, "port_speed_change_action"),
    row(text, "port_ext_speed_change_action"),
    row(text, "port_ext_speed2_change_action"),
    row(text, "port_mepi_speed_change_action"),
    row(text, "port_mtu_change_action"),
    row(text, "port_vl_change_action"),
    row(text, "port_ame_bit_change_action"),
    row(text, "additional_gi_supporting_devices"),
    row(text, "additional_mepi_force_devices"),
    row(path, "fast_recovery_conf_file"),
};

/// What becomes of a node or port with a condition.
template <HealthAction HealthOptions::*member>
constexpr OptionKey health_action(std::string_view name, std::string_view initial, std::string_view effect) {
  return row(text, name, is(initial), in<member>, limits("ignore report isolate no_discover", initial),
             needs("!hm_unhealthy_ports_checks"), does(effect));
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
    row(text, "hm_ca_manual_action", because(kByHand)),
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
    row(text, "hm_sw_manual_action", because(kByHand)),
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
    row(subjects, "activity_report_subjects", is("none")),
    row(number, "syslog_log_flags"),
    row(number, "log_num_backlogs"),
    row(number, "reports"),
    row(number, "max_msg_fifo_len", is("20000")),
    row(number, "osm_stats_interval", is("60")),
    row(number, "osm_stats_dump_limit"),
    row(number, "osm_perflog_dump_limit", is("20")),
    row(number, "smp_threads", is("0")),
    row(number, "gmp_threads", is("0")),
    row(number, "gmp_traps_threads_num", is("1")),
    row(number, "dbg_lvl"),
    row(path, "cache_files_dir"),
    row(path, "pid_file", is("/var/run/opensm.pid")),
    row(path, "sa_db_dump_file"),
    row(path, "subnet_lst_file"),
    row(path, "virt_dump_file"),
    row(text, "switch_name"),
    row(text, "plugin_name"),
    row(text, "plugin_options"),
    row(text, "conf_template"),
    row(boolean, "enable_crashd"),
    row(boolean, "osm_stats_dump_per_sm_port"),
    row(boolean, "enable_performance_logging", is("TRUE")),
    row(boolean, "sm_db_dump"),
    row(boolean, "enable_subnet_lst"),
    row(boolean, "validate_conf_files"),
};

constexpr RowSection kSections[] = {
    {"Routing, chains, LIDs and sweeps", kRouting, kNotYet, Maker::opensm, Concern::routing},
    {"QoS, partitions, subnet administration and mastership", kQosAndAdministration, kNotYet, Maker::opensm,
     Concern::other},
    {"Transport, links, logs, performance manager and congestion control", kTransport, kNoCongestionControl,
     Maker::opensm, Concern::process},
    {"NVIDIA SM: adaptive and advanced routing", kAdaptive, kNoAdaptive, Maker::nvidia, Concern::process},
    {"NVIDIA SM: IB routers", kRouters, kNoRouters, Maker::nvidia, Concern::other},
    {"NVIDIA SM: QoS, congestion control and keys", kKeys, kNoKeys, Maker::nvidia, Concern::process},
    {"NVIDIA SM: subnet administration and mastership", kAdministration, kNotYet, Maker::nvidia,
     Concern::other},
    {"NVIDIA SM: discovery, links and virtual ports", kDiscovery, kNotYet, Maker::nvidia, Concern::other},
    {"NVIDIA SM: health monitor", kHealth, kNoHealth, Maker::nvidia, Concern::other},
    {"NVIDIA SM: logs, dumps and the process", kLogs, kNoLogs, Maker::nvidia, Concern::process},
};

/// The options of a class of ports (config-files 8), without the prefix of the class.
template <auto set, auto member>
constexpr auto in_set = [](OptionKey& key) {
  key.field = [](Options& options) -> OptionField { return &(options.qos.*set.*member); };
};
template <QosSet QosOptions::*set>
constexpr auto maps_sls = [](OptionKey& key) {
  if (set == &QosOptions::sw0)
    does("SL2VL maps of enhanced ports 0, unless the routing has its own")(key);
  else
    does("SL2VL maps, unless the routing has its own")(key);
};
template <QosSet QosOptions::*set>
constexpr OptionKey kQosRows[] = {
    row(u32, "max_vls", housekeeping, is("0"), updatable, in_set<set, &QosSet::max_vls>, limits("0-15", "0"),
        because("OpenSM does not use it either")),
    row(high_limit, "high_limit", is("-1"), updatable, in_set<set, &QosSet::high_limit>,
        does("`HighLimit` of VL arbitration")),
    row(vl_weights, "vlarb_high", updatable, in_set<set, &QosSet::vlarb_high>,
        does("VL arbitration, table of high priority")),
    row(vl_weights, "vlarb_low", updatable, in_set<set, &QosSet::vlarb_low>,
        does("VL arbitration, table of low priority")),
    row(sl2vl, "sl2vl", updatable, in_set<set, &QosSet::sl2vl>, maps_sls<set>),
};
constexpr QosRows kQosSets[] = {
    {"qos_", kQosRows<&QosOptions::base>},
    {"qos_ca_", kQosRows<&QosOptions::ca>},
    {"qos_rtr_", kQosRows<&QosOptions::rtr>},
    {"qos_sw0_", kQosRows<&QosOptions::sw0>},
    {"qos_swe_", kQosRows<&QosOptions::swe>, "qos_sw_"},
    {"qos_sw2sw_", kQosRows<&QosOptions::sw2sw>, {}, Maker::nvidia},
};

}  // namespace

std::span<const RowSection> option_rows() { return kSections; }
std::span<const QosRows> qos_rows() { return kQosSets; }

}  // namespace rch::policy
