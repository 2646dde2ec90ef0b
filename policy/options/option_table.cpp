#include "policy/options/option_table.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "policy/options/option_families.h"

namespace rch::policy {
namespace {

struct Effect {
  std::string_view name;
  Member member;
};

/// The keys that rch acts on.
constexpr Effect kEffects[] = {
    {"routing_engine", &Options::routing_engine},
    {"qos", &Options::qos},
    {"lmc", &Options::lmc},
    {"lmc_esp0", &Options::lmc_esp0},
    {"reassign_lids", &Options::reassign_lids},
    {"max_op_vls", &Options::max_op_vls},
    {"port_profile_switch_nodes", &Options::port_profile_switch_nodes},
    {"connect_roots", &Options::connect_roots},
    {"sm_priority", &Options::sm_priority},
    {"sm_key", &Options::sm_key},
    {"m_key", &Options::m_key},
    {"subnet_prefix", &Options::subnet_prefix},
    {"sm_sl", &Options::sm_sl},
    {"subnet_timeout", &Options::subnet_timeout},
    {"packet_life_time", &Options::packet_life_time},
    {"head_of_queue_lifetime", &Options::head_of_queue_lifetime},
    {"leaf_head_of_queue_lifetime", &Options::leaf_head_of_queue_lifetime},
    {"vl_stall_count", &Options::vl_stall_count},
    {"leaf_vl_stall_count", &Options::leaf_vl_stall_count},
    {"max_wire_smps", &Options::max_wire_smps},
    {"transaction_timeout", &Options::transaction_timeout},
    {"transaction_retries", &Options::transaction_retries},
    {"max_topologies_per_sw", &Options::max_topologies_per_sw},
    {"dump_files_dir", &Options::dump_files_dir},
    {"torus_config", &Options::torus_config},
    {"root_guid_file", &Options::root_guid_file},
    {"pgrp_policy_file", &Options::pgrp_policy_file},
    {"topo_policy_file", &Options::topo_policy_file},
    {"rch_policy_file", &Options::rch_policy_file},
};

/// Ranges OpenSM clamps to, and those it does not check and rch must (config-files 1.1).
constexpr OptionLimit kLimits[] = {
    {"lmc", "0-7", ""},
    {"sm_priority", "0-15", "0"},
    {"force_link_speed", "0-7,15", "15"},
    {"force_link_speed_ext", "0-7,30,31", "31"},
    {"force_link_width", "0-31,255", "255"},
    {"fdr10", "0-2,255", "1"},
    {"max_wire_smps", "1-2147483647", "2147483647"},
    {"max_wire_smps2", "1-2147483647", "2147483647"},
    {"m_key_protection_level", "0-3", "2"},
    {"max_rate_enum", "2-24,63", "63"},
    {"perfmgr_sweep_time_s", "1-65535", "1"},
    {"perfmgr_max_outstanding_queries", "1-4294967295", "1"},
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
    for (const Effect& effect : kEffects) keys_[index_.at(effect.name)].member = effect.member;
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

  /// `key=default key …`
  void add_family(const OptionFamily& family) {
    for (std::string_view rest = family.keys; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      const std::size_t equals = word.find('=');
      const std::string_view initial = equals == std::string_view::npos ? "" : word.substr(equals + 1);
      if (!word.empty())
        add({word.substr(0, equals), family.type, initial, family.updatable, family.per_step, {}});
    }
  }

  void add_qos_sets() {
    struct Field {
      std::string_view name;
      OptionType type;
      std::string_view initial;
    };
    constexpr std::string_view kSets[] = {"qos_",     "qos_ca_",  "qos_rtr_",
                                          "qos_sw0_", "qos_swe_", "qos_sw2sw_"};
    constexpr Field kFields[] = {{"max_vls", OptionType::u32, "0"},
                                 {"high_limit", OptionType::high_limit, "-1"},
                                 {"vlarb_high", OptionType::vl_weights, ""},
                                 {"vlarb_low", OptionType::vl_weights, ""},
                                 {"sl2vl", OptionType::sl2vl, ""}};
    for (std::string_view set : kSets)
      for (const Field& field : kFields) {
        names_.push_back(std::string(set) + std::string(field.name));
        add({names_.back(), field.type, field.initial, true, false, {}});
      }
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
