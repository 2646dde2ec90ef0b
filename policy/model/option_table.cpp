#include "policy/model/option_table.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "policy/model/option_families.h"

namespace rch::policy {
namespace {

struct Place {
  std::string_view name;
  Member member;
};

/// The keys that rch acts on.
constexpr Place kActedOn[] = {
    {"routing_engine", &Options::routing_engine},
    {"connect_roots", &Options::connect_roots},
    {"port_profile_switch_nodes", &Options::port_profile_switch_nodes},
    {"max_topologies_per_sw", &Options::max_topologies_per_sw},
    {"pgrp_policy_file", &Options::pgrp_policy_file},
    {"topo_policy_file", &Options::topo_policy_file},
    {"rch_policy_file", &Options::rch_policy_file},
    {"offsweep_balancing_enabled", &Options::offsweep_balancing_enabled},
    {"torus_config", &Options::torus_config},
    {"root_guid_file", &Options::root_guid_file},
    {"io_guid_file", &Options::io_guid_file},
    {"cn_guid_file", &Options::cn_guid_file},
    {"lfts_file", &Options::lfts_file},
    {"lid_matrix_dump_file", &Options::lid_matrix_dump_file},
    {"quasi_ftree_indexing", &Options::quasi_ftree_indexing},
    {"max_reverse_hops", &Options::max_reverse_hops},
    {"pqft_structure", &Options::pqft_structure},
    {"scatter_ports", &Options::scatter_ports},
    {"guid_routing_order_no_scatter", &Options::guid_routing_order_no_scatter},
    {"port_shifting", &Options::port_shifting},
    {"avoid_throttled_links", &Options::avoid_throttled_links},
    {"guid_routing_order_file", &Options::guid_routing_order_file},
    {"hop_weights_file", &Options::hop_weights_file},
    {"port_search_ordering_file", &Options::port_search_ordering_file},
    {"port_prof_ignore_file", &Options::port_prof_ignore_file},
    {"ids_guid_file", &Options::ids_guid_file},
    {"dump_files_dir", &Options::dump_files_dir},
    {"lmc", &Options::lmc},
    {"lmc_esp0", &Options::lmc_esp0},
    {"reassign_lids", &Options::reassign_lids},
    {"qos", &Options::qos},
    {"max_op_vls", &Options::max_op_vls},
    {"sm_sl", &Options::sm_sl},
    {"subnet_prefix", &Options::subnet_prefix},
    {"sm_key", &Options::sm_key},
    {"sm_priority", &Options::sm_priority},
    {"m_key", &Options::m_key},
    {"subnet_timeout", &Options::subnet_timeout},
    {"packet_life_time", &Options::packet_life_time},
    {"head_of_queue_lifetime", &Options::head_of_queue_lifetime},
    {"leaf_head_of_queue_lifetime", &Options::leaf_head_of_queue_lifetime},
    {"vl_stall_count", &Options::vl_stall_count},
    {"leaf_vl_stall_count", &Options::leaf_vl_stall_count},
    {"max_wire_smps", &Options::max_wire_smps},
    {"transaction_timeout", &Options::transaction_timeout},
    {"transaction_retries", &Options::transaction_retries},
    {"disable_multicast", &Options::disable_multicast},
    {"use_mfttop", &Options::use_mfttop},
    {"mc_primary_root_guid", &Options::mc_primary_root_guid},
    {"mc_secondary_root_guid", &Options::mc_secondary_root_guid},
    {"mc_roots_file", &Options::mc_roots_file},
};

/// The keys whose values are at hand and change nothing yet.
constexpr Place kKept[] = {
    {"use_ucast_cache", &Options::use_ucast_cache},
    {"do_mesh_analysis", &Options::do_mesh_analysis},
    {"lash_start_vl", &Options::lash_start_vl},
    {"nue_max_num_vls", &Options::nue_max_num_vls},
    {"nue_include_switches", &Options::nue_include_switches},
    {"find_roots_color_algorithm", &Options::find_roots_color_algorithm},
    {"max_cas_on_spine", &Options::max_cas_on_spine},
    {"held_back_sw_file", &Options::held_back_sw_file},
    {"prefix_routes_file", &Options::prefix_routes_file},
    {"node_name_map_name", &Options::node_name_map_name},
    {"per_module_logging_file", &Options::per_module_logging_file},
    {"honor_guid2lid_file", &Options::honor_guid2lid_file},
    {"sweep_interval", &Options::sweep_interval},
    {"force_heavy_sweep", &Options::force_heavy_sweep},
    {"sweep_on_trap", &Options::sweep_on_trap},
    {"qos_policy_file", &Options::qos_policy_file},
    {"enhanced_qos_policy_file", &Options::enhanced_qos_policy_file},
    {"enhanced_qos_vport0_unlimit_default_rl", &Options::enhanced_qos_vport0_unlimit_default_rl},
    {"partition_config_file", &Options::partition_config_file},
    {"part_enforce", &Options::part_enforce},
    {"no_partition_enforcement", &Options::no_partition_enforcement},
    {"allow_both_pkeys", &Options::allow_both_pkeys},
    {"keep_pkey_indexes", &Options::keep_pkey_indexes},
    {"guid", &Options::guid},
    {"sa_key", &Options::sa_key},
    {"sm_inactive", &Options::sm_inactive},
    {"ignore_other_sm", &Options::ignore_other_sm},
    {"sminfo_polling_timeout", &Options::sminfo_polling_timeout},
    {"polling_retry_number", &Options::polling_retry_number},
    {"m_key_lease_period", &Options::m_key_lease_period},
    {"m_key_protection_level", &Options::m_key_protection_level},
    {"m_key_lookup", &Options::m_key_lookup},
    {"max_rate_enum", &Options::max_rate_enum},
    {"use_original_extended_sa_rates_only", &Options::use_original_extended_sa_rates_only},
    {"long_transaction_timeout", &Options::long_transaction_timeout},
};

struct QosSetName {
  std::string_view prefix;
  QosSet Options::*set;
  Maker maker = Maker::opensm;
};
constexpr QosSetName kQosSets[] = {
    {"qos_", &Options::qos_base},    {"qos_ca_", &Options::qos_ca},
    {"qos_rtr_", &Options::qos_rtr}, {"qos_sw0_", &Options::qos_sw0},
    {"qos_swe_", &Options::qos_swe}, {"qos_sw2sw_", &Options::qos_sw2sw, Maker::nvidia}};
struct QosFieldName {
  std::string_view name;
  QosField field;
  OptionType type;
  std::string_view initial;
  bool has_effect;  ///< rch acts on it
};
constexpr QosFieldName kQosFields[] = {
    {"max_vls", QosField::max_vls, OptionType::u32, "0", false},
    {"high_limit", QosField::high_limit, OptionType::high_limit, "-1", true},
    {"vlarb_high", QosField::vlarb_high, OptionType::vl_weights, "", true},
    {"vlarb_low", QosField::vlarb_low, OptionType::vl_weights, "", true},
    {"sl2vl", QosField::sl2vl, OptionType::sl2vl, "", false},
};

/// Ranges OpenSM clamps to, and those it does not check and rch must (config-files 1.1).
constexpr OptionLimit kLimits[] = {
    {"lmc", "0-7", ""},
    {"sm_priority", "0-15", "0"},
    {"force_link_speed", "0-7,15", "15"},
    {"force_link_speed_ext", "0-7,30,31", "31"},
    {"force_link_width", "0-31,255", "255"},
    {"fdr10", "0-2,255", "1"},
    {"max_wire_smps", "1-2147483647", "4", "2147483647"},
    {"m_key_protection_level", "0-3", "2"},
    {"max_rate_enum", "2-24,63", "63"},
    {"perfmgr_sweep_time_s", "1-65535", "180"},
    {"perfmgr_max_outstanding_queries", "1-4294967295", "500"},
    {"sm_sl", "0-15", ""},
    {"lash_start_vl", "0-15", ""},
    {"max_op_vls", "1-5", ""},
    {"subnet_timeout", "0-31", ""},
    {"packet_life_time", "0-31", ""},
    {"head_of_queue_lifetime", "0-31", ""},
    {"leaf_head_of_queue_lifetime", "0-31", ""},
    {"vl_stall_count", "0-7", ""},
    {"leaf_vl_stall_count", "0-7", ""},
    {"nue_max_num_vls", "0-15", ""},
    {"ar_tree_asymmetric_flow", "0-3", ""},
    {"dfp_down_up_turns_mode", "0-2", ""},
    {"planarized_routing_enabled", "0-2", ""},
    {"rtr_aguid_enable", "0-2", ""},
    {"rtr_pr_sl", "0-15", ""},
    {"client_rereg_mode", "0-2", ""},
    {"qos_max_vls", "0-15", "0"},
    {"qos_ca_max_vls", "0-15", "0"},
    {"qos_rtr_max_vls", "0-15", "0"},
    {"qos_sw0_max_vls", "0-15", "0"},
    {"qos_swe_max_vls", "0-15", "0"},
    {"qos_sw2sw_max_vls", "0-15", "0"},
};

constexpr OptionChoice kChoices[] = {
    {"part_enforce", "both in out off", "both"},
    {"console", "off local loopback socket", "off"},
};

constexpr OptionAlias kAliases[] = {
    {"dimn_ports_file", "port_search_ordering_file", true},
    {"max_operational_vls", "max_op_vls"},
    {"rtr_p_mtu", "rtr_pr_mtu"},
    {"torus_conf_file", "torus_config"},
    {"routing_engine_names", "routing_engine"},
    {"routing_engines", "routing_engine"},
    {"pgft_structure", "pqft_structure"},
    {"m_key_protect_bits", "m_key_protection_level"},
    {"partitions_file", "partition_config_file"},
    {"partition_file", "partition_config_file"},
    {"port_groups_policy_file", "pgrp_policy_file"},
    {"routing_chains_policy_file", "rch_policy_file"},
    {"node_name_map", "node_name_map_name"},
    {"qos_sw_max_vls", "qos_swe_max_vls"},
    {"qos_sw_high_limit", "qos_swe_high_limit"},
    {"qos_sw_vlarb_high", "qos_swe_vlarb_high"},
    {"qos_sw_vlarb_low", "qos_swe_vlarb_low"},
    {"qos_sw_sl2vl", "qos_swe_sl2vl"},
};

/// The table and its index, made once from the families.
class Table {
 public:
  Table() {
    for (const OptionFamily& family : kOptionFamilies) add_family(family);
    add_qos_sets();
    for (const Place& place : kActedOn) put(place, true);
    for (const Place& place : kKept) put(place, false);
  }
  std::span<const OptionKey> keys() const { return keys_; }
  const OptionKey* find(std::string_view name) const {
    const auto at = index_.find(name);
    return at == index_.end() ? nullptr : &keys_[at->second];
  }

 private:
  void add(const OptionKey& key) {
    index_.emplace(key.name, keys_.size());
    keys_.push_back(key);
  }

  void put(const Place& place, bool has_effect) {
    OptionKey& key = keys_[index_.at(place.name)];
    key.member = place.member;
    key.has_effect = has_effect;
  }

  /// `key=default|default key …`
  void add_family(const OptionFamily& family) {
    for (std::string_view rest = family.keys; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      if (word.empty()) continue;
      const std::string_view name = word.substr(0, word.find('='));
      const std::string_view initial = word.substr(std::min(word.size(), name.size() + 1));
      const std::size_t bar = std::min(initial.size(), initial.find('|'));
      add({.name = name,
           .type = family.type,
           .initial = initial.substr(0, bar),
           .updatable = family.updatable,
           .per_step = family.per_step,
           .nvidia = initial.substr(std::min(initial.size(), bar + 1)),
           .maker = family.maker,
           .member = {}});
    }
  }

  void add_qos_sets() {
    for (const QosSetName& set : kQosSets)
      for (const QosFieldName& field : kQosFields)
        add({.name = names_.emplace_back(std::string(set.prefix) + std::string(field.name)),
             .type = field.type,
             .initial = field.initial,
             .updatable = true,
             .nvidia = {},
             .maker = set.maker,
             .member = QosMember{set.set, field.field},
             .has_effect = field.has_effect});
  }

  std::deque<std::string> names_;
  std::vector<OptionKey> keys_;
  std::unordered_map<std::string_view, std::size_t> index_;
};

const Table& table() {
  static const Table instance;
  return instance;
}

template <class Row, std::size_t N>
const Row* find_row(const Row (&rows)[N], std::string_view Row::*name, std::string_view wanted) {
  const auto at =
      std::find_if(std::begin(rows), std::end(rows), [&](const Row& row) { return row.*name == wanted; });
  return at == std::end(rows) ? nullptr : at;
}

}  // namespace

std::span<const OptionKey> option_table() { return table().keys(); }
const OptionKey* find_option(std::string_view name) { return table().find(name); }
const OptionLimit* find_limit(std::string_view name) { return find_row(kLimits, &OptionLimit::name, name); }
const OptionChoice* find_choice(std::string_view name) {
  return find_row(kChoices, &OptionChoice::name, name);
}
const OptionAlias* find_alias(std::string_view word) { return find_row(kAliases, &OptionAlias::alias, word); }

}  // namespace rch::policy
