#pragma once

// The words that rows of options are written in: row(type, name, facts...). A new option is one row, and a
// member of a struct in options.h if rch acts on it.

#include <type_traits>

#include "policy/model/option_table.h"

namespace rch::policy::rows {

inline RoutingOptions& part(Options& o, const RoutingOptions*) { return o.routing; }
inline ChainOptions& part(Options& o, const ChainOptions*) { return o.chain; }
inline FileOptions& part(Options& o, const FileOptions*) { return o.files; }
inline LidOptions& part(Options& o, const LidOptions*) { return o.lids; }
inline MulticastOptions& part(Options& o, const MulticastOptions*) { return o.multicast; }
inline QosOptions& part(Options& o, const QosOptions*) { return o.qos; }
inline PartitionOptions& part(Options& o, const PartitionOptions*) { return o.partitions; }
inline ManagerOptions& part(Options& o, const ManagerOptions*) { return o.manager; }
inline AdministrationOptions& part(Options& o, const AdministrationOptions*) { return o.administration; }
inline InterSubnetOptions& part(Options& o, const InterSubnetOptions*) { return o.inter_subnet; }
inline PortOptions& part(Options& o, const PortOptions*) { return o.ports; }
inline TransportOptions& part(Options& o, const TransportOptions*) { return o.transport; }
inline PerformanceOptions& part(Options& o, const PerformanceOptions*) { return o.performance; }
inline LogOptions& part(Options& o, const LogOptions*) { return o.logs; }
inline HealthOptions& part(Options& o, const HealthOptions*) { return o.health; }

template <class Part, class T>
constexpr Part* owner(T Part::*) {
  return nullptr;
}

// What a row says beside its type and name. The defaults are those of OpenSM, and of NVIDIA SM where it
// differs.
constexpr auto is(std::string_view initial, std::string_view nvidia = {}) {
  return [=](OptionKey& key) { key.initial = initial, key.nvidia = nvidia; };
}
inline constexpr auto nvidia = [](OptionKey& key) { key.maker = Maker::nvidia; };
inline constexpr auto updatable = [](OptionKey& key) { key.updatable = true; };
inline constexpr auto at_start = [](OptionKey& key) { key.at_start = true; };
inline constexpr auto secret = [](OptionKey& key) { key.secret = true; };
inline constexpr auto of_host = [](OptionKey& key) { key.of_host = true; };
inline constexpr auto per_step = [](OptionKey& key) { key.per_step = true; };
/// The member that holds the value. Those of RoutingOptions are set per step. Counters of ports are read by
/// each manager as it likes.
template <auto member>
constexpr auto in = [](OptionKey& key) {
  using Part = decltype(owner(member));
  key.per_step = std::is_same_v<Part, RoutingOptions*>;
  key.of_host = key.of_host || std::is_same_v<Part, PerformanceOptions*>;
  key.field = [](Options& options) -> OptionField { return &(part(options, Part{}).*member); };
};
constexpr auto limits(std::string_view allowed, std::string_view fallback = {},
                      std::string_view for_zero = {}) {
  return [=](OptionKey& key) { key.allowed = allowed, key.fallback = fallback, key.for_zero = for_zero; };
}
constexpr auto old_name(std::string_view name) {
  return [=](OptionKey& key) { key.old_name = name; };
}
constexpr auto also(std::string_view words) {
  return [=](OptionKey& key) { key.also = words; };
}
constexpr auto needs(std::string_view keys) {
  return [=](OptionKey& key) { key.needs = keys; };
}
/// What the option is about, where it is not what its section is about.
inline constexpr auto routes = [](OptionKey& key) { key.concern = Concern::routing; };
inline constexpr auto guards = [](OptionKey& key) { key.concern = Concern::security; };
inline constexpr auto housekeeping = [](OptionKey& key) { key.concern = Concern::process; };
inline constexpr auto minor = [](OptionKey& key) { key.concern = Concern::other; };
inline constexpr auto in_plan = [](OptionKey& key) { key.in_plan = true; };
constexpr auto does(std::string_view effect) {
  return [=](OptionKey& key) { key.effect = effect; };
}
constexpr auto because(std::string_view reason) {
  return [=](OptionKey& key) { key.reason = reason; };
}

template <class... Facts>
constexpr OptionKey row(OptionType type, std::string_view name, const Facts&... facts) {
  OptionKey key;
  key.name = name;
  key.type = type;
  (facts(key), ...);
  return key;
}

// Why options have no effect.
inline constexpr std::string_view kNotYet = "not implemented";
inline constexpr std::string_view kOwnTransport = "rch sends and receives in a way of its own";

}  // namespace rch::policy::rows
