#include "cli/partition_change.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/partitions/partitions.h"
#include "policy/bind/bind.h"
#include "policy/bind/partitions/layout.h"
#include "policy/build/partitions/edit.h"

namespace rch::cli {
namespace {

using parsers::partitions::Membership;

constexpr std::uint16_t kFullDefault = 0xFFFF;

std::optional<Membership> membership_of(std::string_view word) {
  constexpr std::pair<std::string_view, Membership> kWords[] = {
      {"limited", Membership::limited}, {"full", Membership::full}, {"both", Membership::both}};
  const auto* const found = std::ranges::find(kWords, word, &std::pair<std::string_view, Membership>::first);
  return found == std::ranges::end(kWords) ? std::nullopt : std::optional(found->second);
}

}  // namespace

Result<PartitionChange> partition_change(const Json& request, const Service& service) {
  const policy::Policy& policy = *service.loaded().policy;
  if (policy.partitions.source.is_none())
    return fail(ErrorKind::invalid, "the configuration has no partition file");
  const SourceText& running = service.loaded().texts->at(policy.partitions.source);
  const auto on_disk = read_file(running.name());
  if (!on_disk) return tl::unexpected(on_disk.error());
  if (*on_disk != running.text())
    return fail(ErrorKind::invalid,
                fmt::format("`{}` has changes that were not read: `rch reload` first", running.name()));
  const std::string action = request.text("action"), partition = request.text("partition");
  const auto port = parse_integer(request.text("port"));
  const auto membership = membership_of(request.text("membership"));
  if (partition.empty() || !port || *port == 0 || (action != "remove" && (action != "add" || !membership)))
    return fail(
        ErrorKind::invalid,
        "`partition` needs an `action` (`add` or `remove`), a `partition`, the GUID of a `port`, and to add "
        "it a `membership` (`limited`, `full` or `both`)");
  SourceSet sources;
  Diagnostics ignored;
  const SourceId source = sources.add(running.name(), *on_disk);
  const auto syntax = parsers::partitions::parse(sources, source, ignored);
  auto text = action == "add"
                  ? policy::partitions::with_member(*on_disk, syntax, partition, Guid(*port), *membership)
                  : policy::partitions::without_member(*on_disk, syntax, partition, Guid(*port));
  if (!text) return tl::unexpected(text.error());
  return PartitionChange{running.name(), std::move(*text)};
}

namespace {

/// The P_Keys of all ports by the files of a policy, on the fabric of a plan.
fabric::PKeyTables keys_of(const policy::Policy& policy, const chains::Plan& plan) {
  Diagnostics ignored;
  const auto bound = policy::bind(std::make_shared<const policy::Policy>(policy), plan.fabric, ignored);
  return policy::partitions::lay_out(
      policy.partitions, {*bound.fabric, bound.fabric->origin().value_or(PortId::none()), bound.groups});
}

}  // namespace

Result<void> keeps_manager(const policy::Policy& policy, const chains::Plan& plan) {
  const fabric::PKeyTables keys = keys_of(policy, plan);
  const auto origin = plan.fabric->origin();
  if (!origin) return {};
  const auto at = std::ranges::find(keys.ports, *origin);
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
                      {"node", plan.fabric->node(port.node).description}});
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
