#include <fmt/format.h>

#include "cli/show/parts.h"

namespace rch::cli {
namespace {

using namespace policy;

/// One line of a file, as the file writes it.
class LineText {
 public:
  explicit LineText(const Policy& policy) : policy_(policy) {}

  std::string operator()(const ListMember& entry) const {
    return who(entry.who) + (entry.rank ? fmt::format(" {}", *entry.rank) : "");
  }
  std::string operator()(const NodeNumber& entry) const { return fmt::format("{} {}", entry.node, entry.id); }
  std::string operator()(const HopWeight& entry) const {
    return fmt::format("{} {} {}", entry.node, entry.port, entry.weight);
  }
  std::string operator()(const PortOrder& entry) const {
    return fmt::format("{} {}", who(entry.who), fmt::join(entry.ports, " "));
  }
  std::string operator()(const IgnoredPort& entry) const {
    return fmt::format("{}", entry.node) + (entry.port ? fmt::format(" {}", *entry.port) : "");
  }
  std::string operator()(const PrefixRoute& entry) const {
    return (entry.prefix ? fmt::format("{:#018x}", *entry.prefix) : "*") + " " +
           (entry.router ? fmt::format("{}", *entry.router) : "*");
  }
  std::string operator()(const NodeName& entry) const {
    return fmt::format("{} \"{}\"", entry.node, entry.name);
  }
  std::string operator()(const ListedCable& cable) const {
    const fabric::CableEntry& entry = cable.entry;
    return fmt::format("{},{},{},{},Any,{}", entry.node, entry.port, entry.peer, entry.peer_port,
                       fabric::name_of(entry.state));
  }
  std::string operator()(const ModuleFlags& entry) const {
    return fmt::format("{} {:#04x}", entry.file, entry.flags);
  }

 private:
  std::string who(const GuidOrGroup& who) const {
    const auto* guid = std::get_if<Guid>(&who);
    return guid != nullptr ? fmt::format("{}", *guid) : group_name(policy_, std::get<GroupId>(who));
  }

  const Policy& policy_;
};

/// Collects files that are not empty.
class Files {
 public:
  explicit Files(const Policy& policy) : line_(policy) {}

  template <class Entry>
  Files& add(const char* name, const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) out_[name].push_back(line_(entry));
    return *this;
  }
  Json take() { return std::move(out_); }

 private:
  LineText line_;
  Json out_ = Json::object();
};

}  // namespace

Json step_files_json(const Policy& policy, const StepFiles& files) {
  return Files(policy)
      .add("root_guid_file", files.roots)
      .add("cn_guid_file", files.compute_nodes)
      .add("io_guid_file", files.io_nodes)
      .add("ids_guid_file", files.ids)
      .add("guid_routing_order_file", files.routing_order)
      .add("hop_weights_file", files.hop_weights)
      .add("port_search_ordering_file", files.port_orders)
      .add("port_prof_ignore_file", files.ignored_ports)
      .take();
}

Json fabric_files_json(const Policy& policy) {
  return Files(policy)
      .add("held_back_sw_file", policy.files.held_back_switches)
      .add("mc_roots_file", policy.files.multicast_roots)
      .add("prefix_routes_file", policy.files.prefix_routes)
      .add("node_name_map_name", policy.files.node_names)
      .add("per_module_logging_file", policy.files.module_logging)
      .add("topo_config_file", policy.files.cables)
      .take();
}

}  // namespace rch::cli
