#include "chains/plan_meta.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include "chains/plan_fields.h"
#include "policy/model/option_table.h"

namespace rch::chains {
namespace {

using nlohmann::json;

/// Thrown and caught in this file only, like nlohmann's own exceptions.
struct Damaged {};
void expect(bool good) {
  if (!good) throw Damaged{};
}

/// How a value becomes JSON and back. The general case is a struct with `fields`.
template <class T>
struct Form {
  static json pack(const T& value);
  static void unpack(const json& j, T& value);
};

template <std::unsigned_integral T>
struct Form<T> {
  static json pack(T value) { return value; }
  static void unpack(const json& j, T& value) {
    expect(j.is_number_unsigned() && std::in_range<T>(j.get<std::uint64_t>()));
    value = static_cast<T>(j.get<std::uint64_t>());
  }
};
template <>
struct Form<bool> {
  static json pack(bool value) { return value; }
  static void unpack(const json& j, bool& value) { j.get_to(value); }
};
template <>
struct Form<std::string> {
  static json pack(const std::string& value) { return value; }
  static void unpack(const json& j, std::string& value) { j.get_to(value); }
};
template <class T>
requires std::is_enum_v<T>
struct Form<T> {
  static json pack(T value) { return static_cast<std::uint32_t>(value); }
  static void unpack(const json& j, T& value) { value = static_cast<T>(j.get<std::uint32_t>()); }
};
template <class Tag, class Rep>
struct Form<Id<Tag, Rep>> {
  static json pack(Id<Tag, Rep> id) { return id.value; }
  static void unpack(const json& j, Id<Tag, Rep>& id) { Form<Rep>::unpack(j, id.value); }
};
template <class T>
struct Form<std::optional<T>> {
  static json pack(const std::optional<T>& value) { return value ? Form<T>::pack(*value) : json(nullptr); }
  static void unpack(const json& j, std::optional<T>& value) {
    value.reset();
    if (!j.is_null()) Form<T>::unpack(j, value.emplace());
  }
};
template <class T>
struct Form<std::vector<T>> {
  static json pack(const std::vector<T>& values) {
    json array = json::array();
    for (const T& value : values) array.push_back(Form<T>::pack(value));
    return array;
  }
  static void unpack(const json& j, std::vector<T>& values) {
    expect(j.is_array());
    values.clear();
    for (const json& element : j) Form<T>::unpack(element, values.emplace_back());
  }
};
/// Plain numbers lie in one byte string, little-endian as on every machine that rch is built for.
template <std::unsigned_integral T>
struct Form<std::vector<T>> {
  static json pack(const std::vector<T>& values) {
    json::binary_t bytes(std::vector<std::uint8_t>(values.size() * sizeof(T)));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return json::binary(std::move(bytes));
  }
  static void unpack(const json& j, std::vector<T>& values) {
    const auto& bytes = j.get_binary();
    expect(bytes.size() % sizeof(T) == 0);
    values.resize(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
};
template <std::unsigned_integral T, std::size_t count>
struct Form<std::array<T, count>> {
  static json pack(const std::array<T, count>& values) {
    return Form<std::vector<T>>::pack({values.begin(), values.end()});
  }
  static void unpack(const json& j, std::array<T, count>& values) {
    std::vector<T> read;
    Form<std::vector<T>>::unpack(j, read);
    expect(read.size() == count);
    std::ranges::copy(read, values.begin());
  }
};
template <class IdType>
struct Form<IdSet<IdType>> {
  static json pack(const IdSet<IdType>& set) {
    return {{"universe", set.universe()}, {"words", Form<std::vector<std::uint64_t>>::pack(set.words())}};
  }
  static void unpack(const json& j, IdSet<IdType>& set) {
    std::vector<std::uint64_t> words;
    Form<std::vector<std::uint64_t>>::unpack(j.at("words"), words);
    const auto universe = j.at("universe").get<std::size_t>();
    expect(words.size() == universe / 64 + (universe % 64 != 0));
    expect(universe % 64 == 0 || words.back() >> (universe % 64) == 0);
    set = IdSet<IdType>(universe);
    set.words() = std::move(words);
  }
};

/// The options that the commit needs.
template <>
struct Form<policy::Options> {
  static json pack(const policy::Options& value) {
    policy::Options options = value;
    json object = json::object();
    for_each_kept(options, [&](const std::string& name, const auto& field) {
      object[name] = Form<std::remove_cvref_t<decltype(field)>>::pack(field);
    });
    return object;
  }
  static void unpack(const json& j, policy::Options& options) {
    for_each_kept(options, [&](const std::string& name, auto& field) {
      // A plan that was made before there was the option has none: its default holds.
      if (j.contains(name)) Form<std::remove_cvref_t<decltype(field)>>::unpack(j.at(name), field);
    });
  }

 private:
  /// Calls f(name, member) for the numbers, booleans and words among them; paths are never kept.
  template <class F>
  static void for_each_kept(policy::Options& options, F&& f) {
    for (const policy::OptionKey& key : policy::option_table()) {
      if (!key.in_plan) continue;
      std::visit(
          [&]<class T>(T* field) {
            if constexpr (std::unsigned_integral<T> || std::same_as<T, std::vector<std::string>>)
              f(std::string(key.name), *field);
          },
          key.field(options));
    }
  }
};

/// Guids and numbers as plain numbers, field by field.
template <>
struct Form<fabric::CablePolicy> {
  static json pack(const fabric::CablePolicy& policy) {
    json object{{"held_back", pack_numbers<std::uint64_t>(policy.held_back(), &Guid::value)}};
    if (!policy.entries()) return object;
    const auto& entries = *policy.entries();
    using fabric::CableEntry;
    object["node"] = pack_numbers<std::uint64_t>(entries, [](const CableEntry& e) { return e.node.value; });
    object["port"] = pack_numbers<std::uint8_t>(entries, [](const CableEntry& e) { return e.port.value; });
    object["peer"] = pack_numbers<std::uint64_t>(entries, [](const CableEntry& e) { return e.peer.value; });
    object["peer_port"] =
        pack_numbers<std::uint8_t>(entries, [](const CableEntry& e) { return e.peer_port.value; });
    object["state"] = pack_numbers<std::uint8_t>(
        entries, [](const CableEntry& e) { return static_cast<std::uint8_t>(e.state); });
    return object;
  }
  static std::shared_ptr<const fabric::CablePolicy> unpack(const json& j) {
    std::set<Guid> held_back;
    for (const std::uint64_t guid : numbers<std::uint64_t>(j, "held_back")) held_back.insert(Guid{guid});
    if (!j.contains("node")) return std::make_shared<const fabric::CablePolicy>(std::nullopt, held_back);
    const auto node = numbers<std::uint64_t>(j, "node"), peer = numbers<std::uint64_t>(j, "peer");
    const auto port = numbers<std::uint8_t>(j, "port"), peer_port = numbers<std::uint8_t>(j, "peer_port");
    const auto state = numbers<std::uint8_t>(j, "state");
    for (const std::size_t size : {peer.size(), port.size(), peer_port.size(), state.size()})
      expect(size == node.size());
    std::vector<fabric::CableEntry> entries;
    for (std::size_t i = 0; i < node.size(); ++i) {
      expect(state[i] <= static_cast<std::uint8_t>(fabric::ListedState::no_discover));
      entries.push_back({Guid{node[i]}, PortNum(port[i]), Guid{peer[i]}, PortNum(peer_port[i]),
                         fabric::ListedState(state[i])});
    }
    return std::make_shared<const fabric::CablePolicy>(std::move(entries), std::move(held_back));
  }

 private:
  template <class T>
  static json pack_numbers(const auto& of, auto number) {
    std::vector<T> values;
    for (const auto& element : of) values.push_back(std::invoke(number, element));
    return Form<std::vector<T>>::pack(values);
  }
  template <class T>
  static std::vector<T> numbers(const json& j, const char* name) {
    std::vector<T> values;
    Form<std::vector<T>>::unpack(j.at(name), values);
    return values;
  }
};

template <class T>
json pack(const T& value) {
  return Form<T>::pack(value);
}
template <class T>
void unpack(const json& j, T& value) {
  Form<T>::unpack(j, value);
}
template <class T>
json Form<T>::pack(const T& value) {
  json object = json::object();
  fields([&](const char* name, const auto& field) { object[name] = chains::pack(field); }, value);
  return object;
}
template <class T>
void Form<T>::unpack(const json& j, T& value) {
  fields([&](const char* name, auto& field) { chains::unpack(j.at(name), field); }, value);
}

/// Calls f(switch, in, out) for every entry of the SL2VL tables, in the order in which a plan keeps them.
template <class F>
void for_each_entry(const fabric::Sl2VlTables& tables, F&& f) {
  for (std::uint32_t s = 0; s < tables.switch_count(); ++s)
    for (std::uint32_t in = 0; in <= tables.num_ports(SwitchId(s)); ++in)
      for (std::uint32_t out = 0; out <= tables.num_ports(SwitchId(s)); ++out)
        f(SwitchId(s), PortNum(static_cast<std::uint8_t>(in)), PortNum(static_cast<std::uint8_t>(out)));
}

json pack_sl2vl(const fabric::Sl2VlTables& tables) {
  if (tables.empty()) return nullptr;
  std::vector<std::uint8_t> maps, ids;
  for (const fabric::Sl2VlMap& map : tables.maps()) maps.insert(maps.end(), map.begin(), map.end());
  for_each_entry(tables,
                 [&](SwitchId sw, PortNum in, PortNum out) { ids.push_back(tables.id_at(sw, in, out)); });
  return {{"maps", pack(maps)},
          {"ids", pack(ids)},
          {"end_port", pack(tables.end_port_id())},
          {"own", pack(std::vector(tables.own_ids().begin(), tables.own_ids().end()))}};
}

fabric::Sl2VlTables unpack_sl2vl(const json& j, const fabric::Fabric& fabric) {
  if (j.is_null()) return {};
  std::vector<std::uint8_t> maps, ids, num_ports;
  unpack(j.at("maps"), maps);
  unpack(j.at("ids"), ids);
  expect(!maps.empty() && maps.size() % 16 == 0 && maps.size() < std::size_t{255} * 16);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    num_ports.push_back(fabric.node(SwitchId(s)).num_ports);

  const auto map_at = [&](std::size_t i) {
    fabric::Sl2VlMap map;
    std::copy_n(maps.begin() + static_cast<std::ptrdiff_t>(i * 16), 16, map.begin());
    return map;
  };
  fabric::Sl2VlTables tables(num_ports, map_at(0));
  for (std::size_t i = 0; i < maps.size() / 16; ++i) expect(tables.intern(map_at(i)) == i);
  std::size_t at = 0;
  for_each_entry(tables, [&](SwitchId sw, PortNum in, PortNum out) {
    expect(at < ids.size() && ids[at] < tables.maps().size());
    tables.set(sw, in, out, ids[at++]);
  });
  fabric::Sl2VlTables::MapId end_port = 0;
  unpack(j.at("end_port"), end_port);
  expect(at == ids.size() && end_port < tables.maps().size());
  tables.set_end_port(end_port);
  std::vector<fabric::Sl2VlTables::MapId> own;
  unpack(j.at("own"), own);
  expect(own.empty() || own.size() == fabric.ports().size());
  for (const auto id : own) expect(id < tables.maps().size() || id == fabric::Sl2VlTables::kNoMap);
  tables.set_own(std::move(own));
  return tables;
}

template <class Table, class Id>
json pack_by_port(const fabric::PortTables<Table, Id>& tables) {
  if (tables.empty()) return nullptr;
  std::vector<Id> ids;
  for (std::uint32_t p = 0; p < tables.port_count(); ++p) ids.push_back(tables.id_of(PortId(p)));
  return {{"tables", pack(tables.tables())}, {"ids", pack(ids)}};
}

bool is_whole(const fabric::Arbitration& arbitration) {
  const auto of_data = [](const fabric::VlWeight& entry) { return entry.vl < 15; };
  return std::ranges::all_of(arbitration.high, of_data) && std::ranges::all_of(arbitration.low, of_data);
}
bool is_whole(const fabric::RateLimits&) { return true; }

template <class Table, class Id>
void unpack_by_port(const json& j, const fabric::Fabric& fabric, fabric::PortTables<Table, Id>& tables) {
  if (j.is_null()) return;
  std::vector<Table> distinct;
  std::vector<Id> ids;
  unpack(j.at("tables"), distinct);
  unpack(j.at("ids"), ids);
  expect(ids.size() == fabric.ports().size() && distinct.size() < tables.kLeft);
  tables = fabric::PortTables<Table, Id>(ids.size());
  for (std::size_t i = 0; i < distinct.size(); ++i)
    expect(is_whole(distinct[i]) && tables.intern(distinct[i]) == i);
  for (std::uint32_t p = 0; p < ids.size(); ++p) {
    expect(ids[p] == tables.kLeft || ids[p] < distinct.size());
    tables.set(PortId(p), ids[p]);
  }
}

/// Everything that code indexes with must exist in the fabric.
void check(const fabric::RoutedStep& step, const fabric::Fabric& fabric) {
  expect(step.switches.universe() == fabric.switch_count());
  expect(step.lids.universe() == fabric.max_lid().index() + 1);
  for (const fabric::SlRule::Dimension& d : step.sl.dimensions) {
    expect(d.bit < 4 && d.radix <= 0xFFFF && d.crosses.size() == std::size_t{d.radix} * d.radix);
    expect(d.coordinate.size() == fabric.switch_count());
    for (std::uint16_t c : d.coordinate) expect(c < d.radix || c == fabric::SlRule::kNoCoordinate);
  }
}
void check(const fabric::MulticastGroup& group, const fabric::Fabric& fabric) {
  expect(group.mlid >= fabric::kFirstMulticastLid && group.mlid <= fabric::kLastMulticastLid &&
         group.sl < 16);
  for (PortId port : group.members) expect(port.index() < fabric.ports().size());
  for (PortId port : group.senders)
    expect(port.index() < fabric.ports().size() && !fabric.is_switch(fabric.port(port).node));
  for (PortId port : group.ports)
    expect(port.index() < fabric.ports().size() && fabric.is_switch(fabric.port(port).node));
  expect(std::ranges::is_sorted(group.members) && std::ranges::is_sorted(group.ports) &&
         std::ranges::is_sorted(group.senders));
}
void check(const fabric::PKeyTables& tables, const fabric::Fabric& fabric) {
  expect(tables.enforcement <= fabric::PartitionEnforcement::both && std::ranges::is_sorted(tables.ports));
  for (const PortId port : tables.ports) expect(port.index() < fabric.ports().size());
  expect(tables.begin.size() == tables.ports.size() + (tables.empty() ? 0 : 1));
  if (tables.empty()) return;
  expect(tables.begin.front() == 0 && tables.begin.back() == tables.keys.size());
  for (std::size_t i = 0; i < tables.ports.size(); ++i) expect(tables.begin[i] < tables.begin[i + 1]);
}
/// Numbers as bytes, little-endian: there may be millions.
template <std::unsigned_integral T>
json pack_numbers(std::span<const T> numbers) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(numbers.size() * sizeof(T));
  for (const T number : numbers)
    for (std::size_t b = 0; b < sizeof(T); ++b) bytes.push_back(static_cast<std::uint8_t>(number >> 8 * b));
  return json::binary(std::move(bytes));
}
template <std::unsigned_integral T>
std::vector<T> unpack_numbers(const json& j) {
  const std::vector<std::uint8_t>& bytes = j.get_binary();
  expect(bytes.size() % sizeof(T) == 0);
  std::vector<T> numbers(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    numbers[i / sizeof(T)] =
        static_cast<T>(numbers[i / sizeof(T)] | static_cast<T>(T{bytes[i]} << 8 * (i % sizeof(T))));
  return numbers;
}

json pack_groups(const fabric::AdaptiveTables& tables) {
  auto switches = json::array();
  for (std::uint32_t s = 0; s < tables.switch_count(); ++s) {
    const fabric::AdaptiveSwitch& sw = tables.at(SwitchId(s));
    auto groups = json::array();
    for (const fabric::PortGroup& group : sw.groups) {
      std::vector<std::uint8_t> ports;
      group.ports.for_each([&](std::uint8_t port) { ports.push_back(port); });
      groups.push_back({json::binary(std::move(ports)), group.is_static});
    }
    switches.push_back({sw.enabled, sw.fast_recovery, sw.sls, std::move(groups)});
  }
  std::vector<std::uint32_t> columns;
  for (std::uint32_t lid = 0; lid <= tables.max_lid().value; ++lid)
    columns.push_back(tables.column_of(Lid(static_cast<std::uint16_t>(lid))));
  std::vector<std::uint16_t> cells;
  for (std::uint32_t c = 0; c < tables.column_count(); ++c)
    cells.insert(cells.end(), tables.column(c).begin(), tables.column(c).end());
  return {{"switches", std::move(switches)},
          {"columns", pack_numbers(std::span<const std::uint32_t>(columns))},
          {"cells", pack_numbers(std::span<const std::uint16_t>(cells))}};
}

fabric::AdaptiveTables unpack_groups(const json& j, const fabric::Fabric& fabric) {
  const json& switches = j.at("switches");
  expect(switches.size() == fabric.switch_count() && fabric.switch_count() > 0);
  fabric::AdaptiveTables tables(fabric.switch_count(), fabric.max_lid());
  for (std::uint32_t s = 0; s < switches.size(); ++s) {
    fabric::AdaptiveSwitch& sw = tables.at(SwitchId(s));
    switches[s].at(0).get_to(sw.enabled);
    switches[s].at(1).get_to(sw.fast_recovery);
    Form<std::uint16_t>::unpack(switches[s].at(2), sw.sls);
    for (const json& packed : switches[s].at(3)) {
      fabric::PortGroup group{{}, packed.at(1).get<bool>()};
      for (const std::uint8_t port : packed.at(0).get_binary()) group.ports.insert(port);
      sw.groups.push_back(group);
    }
  }
  const auto cells = unpack_numbers<std::uint16_t>(j.at("cells"));
  expect(cells.size() % fabric.switch_count() == 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const SwitchId sw(static_cast<std::uint32_t>(i % fabric.switch_count()));
    expect(cells[i] == fabric::AdaptiveTables::kNoGroup || cells[i] < tables.at(sw).groups.size());
  }
  for (std::size_t i = 0; i < cells.size(); i += fabric.switch_count())
    tables.add_column(std::span(cells).subspan(i, fabric.switch_count()));
  const auto columns = unpack_numbers<std::uint32_t>(j.at("columns"));
  expect(columns.size() == fabric.max_lid().index() + 1);
  for (std::size_t lid = 0; lid < columns.size(); ++lid) {
    if (columns[lid] == fabric::AdaptiveTables::kNoColumn) continue;
    expect(columns[lid] < tables.column_count());
    tables.set_column(Lid(static_cast<std::uint16_t>(lid)), columns[lid]);
  }
  return tables;
}

void check(const Plan& plan, const fabric::RoutingTables& tables) {
  expect(!tables.steps.empty());
  for (const fabric::RoutedStep& step : tables.steps) check(step, *plan.fabric);
  for (const fabric::MulticastGroup& group : tables.groups) check(group, *plan.fabric);
  check(tables.pkeys, *plan.fabric);
  for (const StepReport& report : plan.steps) expect(report.status <= StepStatus::not_needed);
  for (const verify::Finding& finding : plan.verdict.findings) {
    expect(finding.kind <= verify::FindingKind::disconnected);
    for (const verify::Hop& hop : finding.witness) {
      expect(hop.sw.index() < plan.fabric->switch_count());
      expect(hop.source.is_none() || hop.source.index() < plan.fabric->ports().size());
    }
  }
}

}  // namespace

std::vector<std::uint8_t> encode_meta(const Plan& plan) {
  json meta{{"routed", pack(plan.tables->steps)},
            {"groups", pack(plan.tables->groups)},
            {"sl2vl", pack_sl2vl(plan.tables->sl2vl)},
            {"sl2vl_of_options", plan.tables->sl2vl_of_options},
            {"arbitration", pack_by_port(plan.tables->arbitration)},
            {"rate_limits", pack_by_port(plan.tables->rate_limits)},
            {"pkeys", pack(plan.tables->pkeys)},
            {"steps", pack(plan.steps)},
            {"degraded", plan.degraded},
            {"verdict", pack(plan.verdict)},
            {"configuration", pack(plan.configuration)},
            {"options", pack(plan.options)},
            {"joined", pack(plan.joined)}};
  if (!plan.tables->adaptive.empty()) meta["adaptive"] = pack_groups(plan.tables->adaptive);
  if (plan.cables) meta["cables"] = pack(*plan.cables);
  return json::to_cbor(meta);
}

Result<void> decode_meta(std::string_view cbor, Plan& plan, fabric::RoutingTables& tables) {
  try {
    const json meta = json::from_cbor(cbor.begin(), cbor.end());
    unpack(meta.at("routed"), tables.steps);
    tables.sl2vl = unpack_sl2vl(meta.at("sl2vl"), *plan.fabric);
    tables.sl2vl_of_options = meta.value("sl2vl_of_options", false);
    unpack_by_port(meta.at("arbitration"), *plan.fabric, tables.arbitration);
    unpack_by_port(meta.value("rate_limits", json()), *plan.fabric, tables.rate_limits);
    unpack(meta.at("groups"), tables.groups);
    unpack(meta.at("pkeys"), tables.pkeys);
    unpack(meta.at("steps"), plan.steps);
    unpack(meta.at("degraded"), plan.degraded);
    unpack(meta.at("verdict"), plan.verdict);
    unpack(meta.at("configuration"), plan.configuration);
    unpack(meta.at("options"), plan.options);
    if (meta.contains("adaptive")) tables.adaptive = unpack_groups(meta.at("adaptive"), *plan.fabric);
    if (meta.contains("joined")) unpack(meta.at("joined"), plan.joined);
    if (meta.contains("cables")) plan.cables = Form<fabric::CablePolicy>::unpack(meta.at("cables"));
    check(plan, tables);
  } catch (const json::exception&) {
    return fail(ErrorKind::usage, "its description is damaged");
  } catch (const Damaged&) {
    return fail(ErrorKind::usage, "its description is damaged");
  }
  return {};
}

}  // namespace rch::chains
