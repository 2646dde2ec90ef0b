#include "cli/partition_change.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/names.h"
#include "parsers/partitions/partitions.h"
#include "policy/bind/bind.h"
#include "policy/bind/partitions/layout.h"
#include "policy/build/partitions/edit.h"

namespace rch::cli {
namespace {

constexpr std::uint16_t kFullDefault = 0xFFFF;

struct PartitionFile {
  std::string name, text;
};

/// Without a file every port is a full member of the default partition. One that does not say so would make
/// them limited ones.
constexpr const char* kWithoutFile = "Default=0x7fff, ipoib : ALL=full;\n";

/// The file that runs, if it lies on the disk as it was read; or the one that would be read if it were there.
Result<PartitionFile> partition_file(const Service& service, const std::string& opensm_conf) {
  const policy::Policy& policy = *service.loaded().policy;
  if (!policy.partitions.source.is_none()) {
    const SourceText& running = service.loaded().texts->at(policy.partitions.source);
    auto on_disk = read_file(running.name());
    if (!on_disk) return tl::unexpected(on_disk.error());
    if (*on_disk != running.text())
      return fail(ErrorKind::invalid,
                  fmt::format("`{}` has changes that were not read: `rch reload` first", running.name()));
    return PartitionFile{running.name(), std::move(*on_disk)};
  }
  const auto& named = policy.options.files.partition_config_file;
  if (!named && opensm_conf.empty())
    return fail(ErrorKind::invalid,
                "the configuration has no partition file: `partition_config_file` names one");
  const std::filesystem::path folder = std::filesystem::path(opensm_conf).parent_path();
  const std::string path = (folder / named.value_or("partitions.conf")).string();
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown) || unknown)
    return fail(ErrorKind::invalid, fmt::format("`{}` was not read: `rch reload` first", path));
  return PartitionFile{path, kWithoutFile};
}

struct NamedMember {
  Guid guid;
  bool is_here = true;  ///< a port of the fabric has it
};

/// The port that an operator names. A GUID of a node would give nobody a P_Key.
/// `absence`: as find_end_port() has it.
Result<NamedMember> member_named(const std::string& name, const chains::Plan* plan, bool may_be_absent,
                                 std::string_view absence) {
  const auto refused = [](std::string why) { return fail(ErrorKind::invalid, std::move(why)); };
  const auto guid = parse_integer(name);
  const bool is_guid = name.starts_with("0x") && guid && *guid != 0;
  const fabric::Fabric* fabric = plan != nullptr ? plan->fabric.get() : nullptr;
  if (!is_guid) {
    if (fabric == nullptr) return refused(fmt::format("`{}` is no GUID, and no fabric is known yet", name));
    const auto named = find_end_port(*fabric, name, absence);
    if (!named) return refused(named.error().message);
    return NamedMember{fabric->port(named->port).guid};
  }
  if (fabric != nullptr && fabric->find_port(Guid(*guid))) return NamedMember{Guid(*guid)};
  if (may_be_absent) return NamedMember{Guid(*guid), false};
  if (const auto node = fabric != nullptr ? fabric->find_node(Guid(*guid)) : std::nullopt) {
    std::string ports;
    for (std::uint32_t p = 1; p <= fabric->node(*node).num_ports; ++p)
      ports += fmt::format("{}{}", ports.empty() ? "" : ", ",
                           fabric->port(PortId(fabric->node(*node).first_port.value + p)).guid);
    return refused(fmt::format("{} is the GUID of the node `{}`: a partition has ports ({})", Guid(*guid),
                               fabric->node(*node).name(), ports));
  }
  return refused(fmt::format(
      "no port of the fabric has the GUID {} (`--absent` makes it a member before it comes)", Guid(*guid)));
}

}  // namespace

Result<PartitionChange> partition_change(const PartitionRequest& request, const Service& service,
                                         const std::string& opensm_conf) {
  const auto file = partition_file(service, opensm_conf);
  if (!file) return tl::unexpected(file.error());
  const bool adds = request.action == PartitionRequest::Action::add;
  const auto port =
      member_named(request.port, service.known_plan(), !adds || request.may_be_absent, service.absence());
  if (!port) return tl::unexpected(port.error());
  SourceSet sources;
  Diagnostics ignored;
  const SourceId source = sources.add(file->name, file->text);
  const auto syntax = parsers::partitions::parse(sources, source, ignored);
  auto text = adds ? policy::partitions::with_member(file->text, syntax, request.partition, port->guid,
                                                     request.membership)
                   : policy::partitions::without_member(file->text, syntax, request.partition, port->guid);
  if (!text) return tl::unexpected(text.error());
  PartitionChange change{file->name, std::move(*text), {}};
  if (adds && !port->is_here)
    change.note =
        fmt::format("no port of the fabric has the GUID {}: it becomes a member when it comes", port->guid);
  return change;
}

namespace {

/// The P_Keys of all ports by the files of a policy, on the fabric of a plan.
fabric::PKeyTables keys_of(const policy::Policy& policy, const chains::Plan& plan, PortId own) {
  Diagnostics ignored;
  const auto bound = policy::bind(std::make_shared<const policy::Policy>(policy), plan.fabric, ignored);
  return policy::partitions::lay_out(policy.partitions, {*bound.fabric, own, bound.groups});
}

}  // namespace

Result<void> keeps_manager(const policy::Policy& policy, const chains::Plan& plan, Guid own_guid) {
  const auto own_port = plan.fabric->find_port(own_guid);
  if (!own_port) return {};
  const fabric::PKeyTables keys = keys_of(policy, plan, *own_port);
  const auto at = std::ranges::find(keys.ports, *own_port);
  const auto own = at == keys.ports.end() ? std::span<const std::uint16_t>()
                                          : keys.of(static_cast<std::size_t>(at - keys.ports.begin()));
  if (std::ranges::find(own, kFullDefault) != own.end()) return {};
  return fail(
      ErrorKind::invalid,
      "the subnet manager would not be a full member of the default partition any more: hosts could not "
      "reach it");
}

Json partitions_json(const policy::Policy& policy, const chains::Plan& plan) {
  std::map<std::uint16_t, Json> ports;
  const fabric::PKeyTables& keys = plan.tables->pkeys;
  for (std::size_t i = 0; i < keys.ports.size(); ++i) {
    const fabric::Port& port = plan.fabric->port(keys.ports[i]);
    for (const std::uint16_t key : keys.of(i)) {
      if (key == 0) continue;
      Json& list = ports.try_emplace(key & 0x7FFFU, Json::array()).first->second;
      list.push_back({{"guid", fmt::format("{}", port.guid)},
                      {"membership", (key & 0x8000U) != 0 ? "full" : "limited"},
                      {"node", plan.fabric->node(port.node).name()}});
    }
  }
  Json out = Json::array();
  for (auto& [pkey, members] : ports) {
    const auto* partition = policy.partitions.find(policy::partitions::PKey(pkey));
    out.push_back({{"pkey", fmt::format("0x{:04x}", pkey)},
                   {"name", partition != nullptr ? partition->name.text : std::string()},
                   {"ports", std::move(members)}});
  }
  return {{"partitions", std::move(out)}};
}

}  // namespace rch::cli
