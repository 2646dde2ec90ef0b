#include "policy/build/side_files/side_files.h"

#include <unordered_map>

#include <fmt/format.h>

#include "parsers/common/numbers.h"
#include "parsers/side_files/side_files.h"
#include "parsers/topo_config/topo_config.h"
#include "policy/lint/rules.h"
#include "policy/lint/rules/side_files.h"

namespace rch::policy {
namespace {

namespace side_file_syntax = parsers::side_files;
using namespace side_files;

/// Finds what stands twice in a file.
template <class Key>
class Seen {
 public:
  explicit Seen(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// False, reported, if the key was there before; `what` completes "… stands twice".
  bool add(const Key& key, Span span, const std::string& what, Severity severity = Severity::warning) {
    const auto [first, fresh] = first_.emplace(key, span);
    if (fresh) return true;
    Diagnostic& d = diagnostics_.add(kRepeatedEntry, span, fmt::format("{} stands twice", what));
    d.severity = severity;
    d.labels.push_back({first->second, "first here"});
    return false;
  }

 private:
  Diagnostics& diagnostics_;
  std::map<Key, Span> first_;
};

std::uint8_t small(const parsers::Number& number) { return static_cast<std::uint8_t>(number.value); }

class SideFileBuilder {
 public:
  SideFileBuilder(SourceId source, const SideFileSpec& spec, const BuildContext& context)
      : source_(source), spec_(spec), context_(context), diagnostics_(context.diagnostics) {}

  SideFile build() {
    switch (spec_.dialect) {
      case Dialect::guid_ids:
        return ids();
      case Dialect::hop_weights:
        return hop_weights();
      case Dialect::port_search:
        return port_orders();
      case Dialect::ignored_ports:
        return ignored_ports();
      case Dialect::prefix_routes:
        return prefix_routes();
      case Dialect::node_names:
        return node_names();
      case Dialect::module_logging:
        return module_logging();
      case Dialect::topo_config:
        return cables();
      default:
        return members();
    }
  }

 private:
  std::vector<ListMember> members() {
    const side_file_syntax::GuidListShape shape{.groups = spec_.groups,
                                                .ranks = spec_.dialect == Dialect::roots};
    Seen<GuidOrGroup> seen(diagnostics_);
    std::vector<ListMember> members;
    for (const auto& entry : side_file_syntax::parse_guid_list(sources(), source_, shape, diagnostics_)) {
      const auto who = resolve(entry.subject);
      if (!who || !seen.add(*who, entry.subject.word.span, name_of(entry.subject))) continue;
      members.push_back(
          {*who, entry.rank ? std::optional(small(*entry.rank)) : std::nullopt, entry.subject.word.span});
    }
    return members;
  }

  std::vector<NodeNumber> ids() {
    Seen<Guid> nodes(diagnostics_);
    Seen<std::uint64_t> numbers(diagnostics_);
    std::vector<NodeNumber> ids;
    for (const auto& entry : side_file_syntax::parse_guid_ids(sources(), source_, diagnostics_)) {
      nodes.add(entry.node.guid, entry.node.span, fmt::format("{}", entry.node.guid));
      numbers.add(entry.id.value, entry.id.span, fmt::format("id {}", entry.id.value));
      ids.push_back({entry.node.guid, entry.id.value, entry.node.span});
    }
    return ids;
  }

  std::vector<HopWeight> hop_weights() {
    Seen<std::pair<Guid, std::uint64_t>> seen(diagnostics_);
    std::vector<HopWeight> weights;
    for (const auto& entry : side_file_syntax::parse_hop_weights(sources(), source_, diagnostics_)) {
      seen.add({entry.node.guid, entry.port.value}, entry.node.span,
               fmt::format("port {} of {}", entry.port.value, entry.node.guid));
      weights.push_back({entry.node.guid, small(entry.port), small(entry.weight), entry.node.span});
    }
    return weights;
  }

  std::vector<PortOrder> port_orders() {
    Seen<GuidOrGroup> seen(diagnostics_);
    std::vector<PortOrder> orders;
    for (const auto& entry : side_file_syntax::parse_port_orders(sources(), source_, diagnostics_)) {
      const auto who = resolve(entry.subject);
      if (!who || !seen.add(*who, entry.subject.word.span, name_of(entry.subject), Severity::error)) continue;
      PortOrder& order = orders.emplace_back(PortOrder{*who, {}, entry.subject.word.span});
      for (const parsers::Number& port : entry.ports) order.ports.push_back(small(port));
    }
    return orders;
  }

  std::vector<IgnoredPort> ignored_ports() {
    Seen<std::pair<Guid, std::uint64_t>> seen(diagnostics_);
    std::vector<IgnoredPort> ignored;
    for (const auto& entry : side_file_syntax::parse_ignored_ports(sources(), source_, diagnostics_)) {
      const std::string what = entry.port ? fmt::format("port {} of {}", entry.port->value, entry.node.guid)
                                          : fmt::format("{}", entry.node.guid);
      if (!seen.add({entry.node.guid, entry.port ? entry.port->value : 0}, entry.node.span, what)) continue;
      ignored.push_back(
          {entry.node.guid, entry.port ? std::optional(small(*entry.port)) : std::nullopt, entry.node.span});
    }
    return ignored;
  }

  /// A line without router GUID ends the search for its prefix, for every prefix if it names none.
  std::vector<PrefixRoute> prefix_routes() {
    std::map<std::uint64_t, Span> ended;
    std::optional<Span> all_ended;
    Seen<std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>> seen(diagnostics_);
    std::vector<PrefixRoute> routes;
    for (const auto& entry : side_file_syntax::parse_prefix_routes(sources(), source_, diagnostics_)) {
      const auto end = entry.prefix ? ended.find(entry.prefix->value) : ended.end();
      if (all_ended || end != ended.end())
        diagnostics_.add(kUnreachableRoute, entry.span, "no path gets to this route")
            .labels.push_back({all_ended ? *all_ended : end->second, "any router will do here"});
      else
        seen.add({entry.prefix ? std::optional(entry.prefix->value) : std::nullopt,
                  entry.router ? std::optional(entry.router->value) : std::nullopt},
                 entry.span, "the route");
      routes.push_back({entry.prefix ? std::optional(entry.prefix->value) : std::nullopt,
                        entry.router ? std::optional(Guid(entry.router->value)) : std::nullopt, entry.span});
      if (entry.router) continue;
      if (entry.prefix)
        ended.emplace(entry.prefix->value, entry.span);
      else if (!all_ended)
        all_ended = entry.span;
    }
    return routes;
  }

  std::vector<NodeName> node_names() {
    Seen<Guid> seen(diagnostics_);
    std::vector<NodeName> names;
    for (auto& entry : side_file_syntax::parse_node_names(sources(), source_, diagnostics_))
      if (seen.add(entry.node.guid, entry.node.span, fmt::format("{}", entry.node.guid)))
        names.push_back({entry.node.guid, std::move(entry.name.text), entry.node.span});
    return names;
  }

  std::vector<ModuleFlags> module_logging() {
    Seen<std::string> seen(diagnostics_);
    std::vector<ModuleFlags> modules;
    for (auto& entry : side_file_syntax::parse_module_logging(sources(), source_, diagnostics_)) {
      seen.add(entry.file.text, entry.file.span, fmt::format("`{}`", entry.file.text));
      modules.push_back({std::move(entry.file.text), small(entry.flags), entry.file.span});
    }
    return modules;
  }

  /// A port has one cable. Both ends may be listed, and have to agree then.
  std::vector<ListedCable> cables() {
    Seen<std::pair<Guid, std::uint8_t>> seen(diagnostics_);
    std::vector<ListedCable> cables;
    std::map<std::pair<Guid, std::uint8_t>, std::size_t> by_end;
    for (auto& [entry, span, peer] : parsers::topo_config::parse(sources(), source_, diagnostics_)) {
      const std::pair end{entry.node, entry.port.value};
      const auto known = by_end.find(end);
      const bool differs = known != by_end.end() && cables[known->second].entry != entry;
      if (!seen.add(end, span, fmt::format("port {} of {}", entry.port, entry.node),
                    differs ? Severity::error : Severity::warning))
        continue;
      by_end.emplace(end, cables.size());
      cables.push_back({entry, span, peer});
    }
    for (const ListedCable& cable : cables) check_other_end(cable, cables, by_end);
    return cables;
  }

  void check_other_end(const ListedCable& cable, const std::vector<ListedCable>& cables,
                       const std::map<std::pair<Guid, std::uint8_t>, std::size_t>& by_end) {
    const auto other = by_end.find({cable.entry.peer, cable.entry.peer_port.value});
    if (other == by_end.end()) return;
    const ListedCable& back = cables[other->second];
    if (cable.span.begin > back.span.begin || back.entry.peer.value == 0) return;
    if (back.entry.peer == cable.entry.node && back.entry.peer_port == cable.entry.port) return;
    diagnostics_
        .add(kCablesDisagree, back.span,
             fmt::format("port {} of {} leads to port {} of {}, and not to port {} of {}", back.entry.port,
                         back.entry.node, back.entry.peer_port, back.entry.peer, cable.entry.port,
                         cable.entry.node))
        .labels.push_back({cable.peer, "it is the other end of this cable"});
  }

  const SourceSet& sources() const { return context_.files.sources(); }

  std::optional<GuidOrGroup> resolve(const side_file_syntax::Subject& subject) {
    if (subject.guid) return *subject.guid;
    if (context_.groups == nullptr) {
      note_unresolved(subject.word.span);
      return std::nullopt;
    }
    // Without a group of its own, a configuration means GUIDs.
    if (context_.groups->empty() && !context_.groups->knows(subject.word.text)) {
      parsers::read_guid(subject.word, diagnostics_);
      return std::nullopt;
    }
    const auto group = context_.groups->use(subject.word, diagnostics_);
    return group ? std::optional<GuidOrGroup>(*group) : std::nullopt;
  }

  /// A group file that the options name and that cannot be read was reported.
  void note_unresolved(Span span) {
    if (unresolved_ || (context_.main != nullptr && context_.main->find("pgrp_policy_file") != nullptr))
      return;
    unresolved_ = true;
    diagnostics_.add(kUnresolvedNames, span, "group names are not checked: their file was not given").hint =
        "name all files of the policy together";
  }

  static std::string name_of(const side_file_syntax::Subject& subject) {
    return subject.guid ? fmt::format("{}", *subject.guid) : fmt::format("group `{}`", subject.word.text);
  }

  SourceId source_;
  const SideFileSpec& spec_;
  const BuildContext& context_;
  Diagnostics& diagnostics_;
  bool unresolved_ = false;
};

}  // namespace

bool is_side_file(Dialect dialect) { return Dialect::roots <= dialect && dialect <= Dialect::topo_config; }

SideFile build_side_file(SourceId source, const SideFileSpec& spec, const BuildContext& context) {
  const std::size_t before = context.diagnostics.all().size();
  SideFile file = SideFileBuilder(source, spec, context).build();
  const bool empty = std::visit([](const auto& entries) { return entries.empty(); }, file);
  // Names that cannot be looked up leave a list empty that is not.
  const bool certain = context.groups != nullptr || !spec.groups;
  if (empty && certain && context.diagnostics.all().size() == before) {
    Diagnostic& d = context.diagnostics.add(kNoGuid, {source, 0, 0}, "the file has no entry");
    if (spec.required) d.severity = Severity::error;
  }
  return file;
}

const SideFile& SideFiles::read(SourceId source, const SideFileSpec& spec) {
  const auto known = read_.find({source, spec.dialect});
  if (known != read_.end()) return known->second;
  return read_.emplace(std::pair(source, spec.dialect), build_side_file(source, spec, context_))
      .first->second;
}

}  // namespace rch::policy
