#include <fmt/format.h>

#include "cli/change_json.h"
#include "cli/diff_report.h"

namespace rch::cli {
namespace {

using compare::Comparison;

Json hex(Guid guid) { return fmt::format("{}", guid); }

Json port_json(const fabric::Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  const fabric::Node& node = fabric.node(port.node);
  return {{"guid", hex(node.guid)}, {"node", node.name()}, {"port", port.number.value}};
}

Json side_json(const compare::Side& side) {
  auto steps = Json::array();
  for (const fabric::RoutedStep& step : side.tables->steps)
    if (step.id.value != 0) steps.push_back({{"id", step.id.value}, {"engine", step.engine}});
  return {{"name", side.name}, {"fingerprint", side.fabric->fingerprint()}, {"steps", steps}};
}

void add_counts(Json& json, const compare::EntryCounts& counts) {
  json["changed"] = counts.changed;
  json["new"] = counts.fresh;
  json["gone"] = counts.gone;
}

Json number_or_null(bool is_known, std::uint64_t number) { return is_known ? Json(number) : Json(); }

Json entries_json(const Sides& sides, const Comparison& c) {
  Json json = Json::object();
  add_counts(json, c.forwarding.entries);
  const bool lists_all = c.forwarding.entries.total() <= kListedEntries;
  json["listed"] = lists_all;
  auto switches = Json::array();
  for (std::uint32_t s = 0; s < c.forwarding.by_switch.size(); ++s) {
    if (c.forwarding.by_switch[s].total() == 0) continue;
    const SwitchId now(c.matching.after_of[s]);
    Json at = port_json(*sides.after.fabric, sides.after.fabric->port_id(now, PortNum(0)));
    add_counts(at, c.forwarding.by_switch[s]);
    if (lists_all) {
      auto entries = Json::array();
      for (const compare::EntryChange& change :
           compare::changed_entries(sides.before, SwitchId(s), sides.after, now, c.matching))
        entries.push_back(
            {{"lid", number_or_null(change.lid_after != kUnassignedLid, change.lid_after.value)},
             {"lid_before", number_or_null(change.lid_before != kUnassignedLid, change.lid_before.value)},
             {"port", number_or_null(change.after != kNoPath, change.after)},
             {"port_before", number_or_null(change.before != kNoPath, change.before)}});
      at["entries"] = std::move(entries);
    }
    switches.push_back(std::move(at));
  }
  json["switches"] = std::move(switches);
  return json;
}

Json paths_json(const Sides& sides, const compare::Forwarding& f) {
  auto destinations = Json::array();
  for (const compare::DestinationPaths& to : f.destinations) {
    Json json = port_json(*sides.after.fabric, *sides.after.fabric->lid_owner(to.lids.after));
    json["lid"] = to.lids.after.value;
    json["lid_before"] = to.lids.before.value;
    json["changed"] = to.changed;
    json["lost"] = to.lost;
    json["gained"] = to.gained;
    destinations.push_back(std::move(json));
  }
  return {{"pairs", f.pairs},
          {"changed", f.changed},
          {"lost", f.lost},
          {"gained", f.gained},
          {"destinations", destinations}};
}

Json histogram_json(const std::vector<std::uint64_t>& counts) {
  auto bins = Json::array();
  for (std::size_t value = 0; value < counts.size(); ++value)
    if (counts[value] > 0) bins.push_back({{"value", value}, {"count", counts[value]}});
  return bins;
}

Json balance_json(const compare::Balance& balance) {
  return {{"fullest", balance.fullest}, {"sum", balance.sum}};
}

Json sls_json(const Sides& sides, const compare::ServiceLevels& sls) {
  auto hosts = Json::array();
  for (const compare::SlChange& change : sls.changes)
    for (const PortId host : change.hosts) {
      const IdSet<Lid> lids = asks_again(*sides.after.fabric, change, host);
      if (lids.empty()) continue;
      Json json = port_json(*sides.after.fabric, host);
      json["lids"] = ranges(lids);
      hosts.push_back(std::move(json));
    }
  return {{"pairs", sls.pairs}, {"unknown", sls.unknown}, {"changed", sls.changed}, {"hosts", hosts}};
}

Json settings_json(const Sides& sides, const std::vector<compare::SettingChange>& settings) {
  auto list = Json::array();
  for (const compare::SettingChange& change : settings) {
    Json json = change.port.is_none() ? Json::object() : port_json(*sides.after.fabric, change.port);
    json["what"] = to_string(change.part);
    json["change"] = change.text;
    list.push_back(std::move(json));
  }
  return list;
}

Json groups_json(const std::vector<compare::GroupChange>& groups) {
  auto list = Json::array();
  for (const compare::GroupChange& group : groups)
    list.push_back({{"mlid", group.mlid.value},
                    {"change", group.is_new    ? "new"
                               : group.is_gone ? "gone"
                                               : "changed"},
                    {"entries_new", group.entries_new},
                    {"entries_gone", group.entries_gone},
                    {"members_new", group.members_new},
                    {"members_gone", group.members_gone},
                    {"sl", group.sl_after},
                    {"sl_before", group.sl_before}});
  return list;
}

}  // namespace

Json diff_json(const Sides& sides, const Comparison& c) {
  auto parts = Json::array(), ports = Json::array(), open = Json::array();
  for (const fabric::Change& change : c.parts) parts.push_back(change_json(change));
  for (const fabric::PortChange& change : c.ports)
    ports.push_back({{"guid", hex(change.node)},
                     {"port", change.port.value},
                     {"what", change.what == fabric::PortChange::What::rate ? "rate" : "lids"},
                     {"change", change.text}});
  for (const compare::NotCompared& what : c.not_compared)
    open.push_back({{"what", to_string(what.part)}, {"why", what.why}});
  return {{"equal", c.equal()},
          {"before", side_json(sides.before)},
          {"after", side_json(sides.after)},
          {"not_compared", open},
          {"parts", parts},
          {"changed_nodes", c.changed_nodes.empty() ? Json::array() : Json(c.changed_nodes)},
          {"ports", ports},
          {"entries", entries_json(sides, c)},
          {"paths", paths_json(sides, c.forwarding)},
          {"hops",
           {{"before", histogram_json(c.forwarding.hops_before)},
            {"after", histogram_json(c.forwarding.hops_after)}}},
          {"balance",
           {{"before", balance_json(c.forwarding.balance_before)},
            {"after", balance_json(c.forwarding.balance_after)}}},
          {"service_levels", sls_json(sides, c.sls)},
          {"settings", settings_json(sides, c.settings)},
          {"groups", groups_json(c.groups)}};
}

}  // namespace rch::cli
