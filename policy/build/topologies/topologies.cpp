#include "policy/build/topologies/topologies.h"

#include <algorithm>

#include <fmt/format.h>

#include "policy/lint/rules/chain.h"
#include "policy/lint/rules/topologies.h"

namespace rch::policy {
namespace {

/// Largest id and count of topologies that NVIDIA SM keeps (docs/keywords.md).
constexpr std::uint64_t kNvidiaTopologies = 50;

GroupId resolve(const std::optional<parsers::Token>& name, GroupTable* groups, Diagnostics& diagnostics) {
  if (!name || groups == nullptr) return GroupId::none();
  return groups->use(*name, diagnostics).value_or(GroupId::none());
}

}  // namespace

void TopologyTable::add(const parsers::topologies::Syntax& syntax, GroupTable* groups,
                        Diagnostics& diagnostics) {
  for (const auto& written : syntax.topologies) {
    const GroupId switches = resolve(written.sw_grp, groups, diagnostics);
    const GroupId hosts = resolve(written.hca_grp, groups, diagnostics);
    ids_complete_ = ids_complete_ && written.id.has_value();
    if (!written.id) continue;
    const auto id = TopologyId(static_cast<std::uint32_t>(written.id->value));
    symbols_.define(SymbolKind::topology, fmt::format("{}", id), written.id->span);
    const auto first =
        std::find_if(topologies_.begin(), topologies_.end(), [&](const Topology& t) { return t.id == id; });
    if (first != topologies_.end()) {
      diagnostics.add(kDuplicateId, written.id->span, fmt::format("topology {} is defined twice", id))
          .labels.push_back({first->span, "first here"});
      continue;
    }
    if (written.id->value > kNvidiaTopologies)
      diagnostics.add(kBeyondNvidiaLimit, written.id->span,
                      fmt::format("topology id {}; NVIDIA SM takes ids up to {}", id, kNvidiaTopologies));
    topologies_.push_back({id, written.id->span, switches, hosts});
    used_.push_back(false);
  }
}

bool TopologyTable::use(const parsers::Number& id, Diagnostics& diagnostics) {
  symbols_.refer(SymbolKind::topology, fmt::format("{}", id.value), id.span);
  const auto at = std::find_if(topologies_.begin(), topologies_.end(),
                               [&](const Topology& t) { return t.id.value == id.value; });
  if (at != topologies_.end()) {
    used_[static_cast<std::size_t>(at - topologies_.begin())] = true;
    return true;
  }
  if (!ids_complete_) return false;
  std::vector<std::uint32_t> ids;
  for (const Topology& t : topologies_) ids.push_back(t.id.value);
  diagnostics.add(kUndefinedTopology, id.span, fmt::format("topology {} is not defined", id.value)).hint =
      ids.empty() ? std::string("no topology is defined")
                  : fmt::format("defined are {}", fmt::join(ids, ", "));
  return false;
}

void TopologyTable::report_unused(Diagnostics& diagnostics) const {
  for (std::size_t i = 0; i < topologies_.size(); ++i)
    if (!used_[i])
      diagnostics.add(kUnusedTopology, topologies_[i].span,
                      fmt::format("topology {} is used by no step", topologies_[i].id));
}

}  // namespace rch::policy
