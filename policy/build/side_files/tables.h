#pragma once

#include <type_traits>

#include "policy/build/side_files/side_files.h"
#include "policy/model/options.h"

namespace rch::policy {

/// The field of StepFiles or FabricFiles that a file fills.
template <class Files>
using FileField = std::variant<
    std::vector<ListMember> Files::*, std::vector<NodeNumber> Files::*, std::vector<HopWeight> Files::*,
    std::vector<PortOrder> Files::*, std::vector<IgnoredPort> Files::*, std::vector<PrefixRoute> Files::*,
    std::vector<NodeName> Files::*, std::vector<ModuleFlags> Files::*, std::vector<ListedCable> Files::*>;

/// One option that names a side file. Those of StepFiles are options of a step.
template <class Files>
struct FileOption {
  using Paths = std::conditional_t<std::is_same_v<Files, StepFiles>, RoutingOptions, FileOptions>;

  std::string_view key;
  OptionalPath Paths::*path;
  SideFileSpec spec;
  FileField<Files> field;
  std::string_view usual_name = {};  ///< read from the folder of the main file if it is there
  /// The only thing that depends on it (Presentation); empty: routes or answers to hosts do.
  std::string_view presents = {};
};

/// Files that a step reads if its engine does.
inline constexpr FileOption<StepFiles> kStepFiles[] = {
    {"root_guid_file", &RoutingOptions::root_guid_file, {Dialect::roots, true, true}, &StepFiles::roots},
    {"cn_guid_file",
     &RoutingOptions::cn_guid_file,
     {Dialect::guid_list, true, true},
     &StepFiles::compute_nodes},
    {"io_guid_file", &RoutingOptions::io_guid_file, {Dialect::guid_list, true, true}, &StepFiles::io_nodes},
    {"guid_routing_order_file",
     &RoutingOptions::guid_routing_order_file,
     {Dialect::guid_list},
     &StepFiles::routing_order},
    {"ids_guid_file", &RoutingOptions::ids_guid_file, {Dialect::guid_ids}, &StepFiles::ids},
    {"hop_weights_file", &RoutingOptions::hop_weights_file, {Dialect::hop_weights}, &StepFiles::hop_weights},
    {"port_search_ordering_file",
     &RoutingOptions::port_search_ordering_file,
     {Dialect::port_search},
     &StepFiles::port_orders},
    {"port_prof_ignore_file",
     &RoutingOptions::port_prof_ignore_file,
     {Dialect::ignored_ports},
     &StepFiles::ignored_ports},
};

/// Files of the fabric as a whole.
inline constexpr FileOption<FabricFiles> kFabricFiles[] = {
    {"held_back_sw_file",
     &FileOptions::held_back_sw_file,
     {Dialect::guid_list, false},
     &FabricFiles::held_back_switches},
    {"mc_roots_file",
     &FileOptions::mc_roots_file,
     {Dialect::guid_list, false},
     &FabricFiles::multicast_roots},
    {"prefix_routes_file",
     &FileOptions::prefix_routes_file,
     {Dialect::prefix_routes},
     &FabricFiles::prefix_routes,
     "prefix-routes.conf"},
    {"node_name_map_name",
     &FileOptions::node_name_map_name,
     {Dialect::node_names},
     &FabricFiles::node_names,
     {},
     "names of nodes"},
    {"per_module_logging_file",
     &FileOptions::per_module_logging_file,
     {Dialect::module_logging},
     &FabricFiles::module_logging,
     "per-module-logging.conf",
     "levels of the log"},
    {"topo_config_file",
     &FileOptions::topo_config_file,
     {Dialect::topo_config, false, true},
     &FabricFiles::cables},
};

/// Puts what a file says into its field.
template <class Files>
void put(const FileOption<Files>& option, const SideFile& file, Files& files) {
  std::visit([&]<class Value>(Value Files::*field) { files.*field = std::get<Value>(file); }, option.field);
}

}  // namespace rch::policy
