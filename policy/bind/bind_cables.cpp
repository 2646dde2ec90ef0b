#include "policy/bind/bind_cables.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/lint/rules/bind.h"
#include "policy/lint/rules/side_files.h"

namespace rch::policy {
namespace {

using fabric::CablePort;
using fabric::Fabric;

fabric::CablePolicy list_of(const std::vector<ListedCable>& cables) {
  std::vector<fabric::CableEntry> entries;
  for (const ListedCable& cable : cables) entries.push_back(cable.entry);
  return {std::move(entries), {}};
}

bool list_counts(const FileOptions& files) { return files.topo_config_enabled && files.topo_config_file; }

bool lists_count(const Policy& policy) {
  return list_counts(policy.options.files) || !policy.files.held_back_switches.empty();
}

/// Findings of one kind: the first is shown, the others are counted.
struct Found {
  std::size_t count = 0;
  Span span;
  std::string first;

  void add(Span at, std::string what) {
    if (count++ > 0) return;
    span = at;
    first = std::move(what);
  }
  void report(const Rule& rule, std::string_view more, Severity severity, Diagnostics& diagnostics) const {
    if (count == 0) return;
    Diagnostic& d = diagnostics.add(rule, span, first);
    d.severity = severity;
    if (count > 1) d.message += fmt::format(", nor {} {}", count - 1, more);
  }
};

class CableCheck {
 public:
  CableCheck(const Policy& policy, const Fabric& fabric, Diagnostics& diagnostics)
      : policy_(policy),
        cables_(policy.files.cables),
        fabric_(fabric),
        diagnostics_(diagnostics),
        list_(list_of(cables_)) {}

  void run() {
    for (const ListedCable& cable : cables_) check(cable);
    absent_guids_.report(kGuidNotInFabric, "more of this file", Severity::note, diagnostics_);
    absent_.report(side_files::kListedCableAbsent, "more of this file", Severity::note, diagnostics_);
    check_unlisted();
  }

 private:
  /// The port that a line names; none, counted or reported, if the fabric does not have it.
  std::optional<PortId> port(Guid guid, PortNum number, Span span) {
    auto node = fabric_.find_node(guid);
    if (!node)
      if (const auto of_port = fabric_.find_port(guid)) node = fabric_.port(*of_port).node;
    if (!node) {
      absent_guids_.add(span, fmt::format("{}{}", guid, absence(policy_, guid)));
      return std::nullopt;
    }
    if (number.value <= fabric_.node(*node).num_ports) return fabric_.port_id(*node, number);
    diagnostics_.add(kNoSuchPort, span,
                     fmt::format("`{}` has {} ports and no port {}", fabric_.node(*node).name(),
                                 fabric_.node(*node).num_ports, number));
    return std::nullopt;
  }

  std::string describe(PortId id) const {
    const fabric::Port& port = fabric_.port(id);
    return fmt::format("port {} of `{}`", port.number, fabric_.node(port.node).name());
  }
  CablePort end_of(PortId id) const {
    const fabric::Port& port = fabric_.port(id);
    return {fabric_.node(port.node).guid, port.number, fabric_.is_switch(port.node) ? Guid{} : port.guid};
  }

  void check(const ListedCable& cable) {
    const auto near = port(cable.entry.node, cable.entry.port, cable.span);
    const auto far = cable.entry.peer.value == 0 ? std::nullopt
                                                 : port(cable.entry.peer, cable.entry.peer_port, cable.peer);
    if (!near || !far || cable.entry.state != fabric::ListedState::active) return;
    const PortId peer = fabric_.port(*near).peer;
    if (peer == *far) return;
    if (peer.is_none())
      return absent_.add(
          cable.span, fmt::format("no cable {}joins {} to {}", lists_count(policy_) ? "that takes part " : "",
                                  describe(*near), describe(*far)));
    diagnostics_.add(
        side_files::kCableNotAsListed, cable.span,
        fmt::format("{} leads to {}, and not to {}", describe(*near), describe(peer), describe(*far)));
  }

  void check_unlisted() {
    Found unlisted;
    const Span file{cables_.front().span.source, 0, 0};
    for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p) {
      const PortId peer = fabric_.port(PortId(p)).peer;
      if (peer.is_none() || peer < PortId(p)) continue;
      if (list_.find(end_of(PortId(p))) == nullptr && list_.find(end_of(peer)) == nullptr)
        unlisted.add(file, fmt::format("the cable between {} and {} is not listed", describe(PortId(p)),
                                       describe(peer)));
    }
    unlisted.report(side_files::kUnlistedCable, "more of the fabric", Severity::warning, diagnostics_);
  }

  const Policy& policy_;
  const std::vector<ListedCable>& cables_;
  const Fabric& fabric_;
  Diagnostics& diagnostics_;
  const fabric::CablePolicy list_;
  Found absent_guids_, absent_;
};

}  // namespace

std::shared_ptr<const fabric::CablePolicy> cable_policy(const Policy& policy) {
  const bool has_list = list_counts(policy.options.files);
  if (!lists_count(policy)) return nullptr;
  std::set<Guid> held_back;
  for (const ListMember& entry : policy.files.held_back_switches) held_back.insert(std::get<Guid>(entry.who));
  const fabric::CablePolicy list = list_of(policy.files.cables);
  return std::make_shared<const fabric::CablePolicy>(has_list ? list.entries() : std::nullopt,
                                                     std::move(held_back));
}

std::string absence(const Policy& policy, Guid guid) {
  const auto names = [&](const ListMember& entry) { return std::get<Guid>(entry.who) == guid; };
  if (std::ranges::any_of(policy.files.held_back_switches, names))
    return " takes no part: `held_back_sw_file` holds it back";
  return lists_count(policy) ? " is not in the fabric that the lists of cables and switches leave"
                             : " is not in the fabric";
}

void check_cables(const Policy& policy, const Fabric& fabric, Diagnostics& diagnostics) {
  if (!policy.files.cables.empty()) CableCheck(policy, fabric, diagnostics).run();
}

}  // namespace rch::policy
