#include "parsers/qos_policy/qos_policy.h"

#include <fmt/format.h>

#include "parsers/common/link_codes.h"
#include "parsers/qos_policy/rules.h"
#include "parsers/qos_policy/ulps.h"
#include "parsers/qos_policy/values.h"
#include "parsers/rules.h"

namespace rch::parsers::qos_policy {
namespace {

constexpr std::uint64_t kLastOpenSmRate = 22;

std::optional<Number> read_mtu(const Value& value, const NumberKind& kind, Diagnostics& diagnostics) {
  if (report_figure({std::string(value.text()), value.span()}, CodeOf::mtu, diagnostics)) return std::nullopt;
  return read_one_number(value, kind, diagnostics);
}

std::optional<Number> read_rate(const Value& value, const NumberKind& kind, Diagnostics& diagnostics) {
  if (report_figure({std::string(value.text()), value.span()}, CodeOf::rate, diagnostics))
    return std::nullopt;
  const auto rate = read_one_number(value, kind, diagnostics);
  if (rate && rate->value > kLastOpenSmRate)
    diagnostics.add(kRateBeyondOpenSm, rate->span,
                    fmt::format("OpenSM knows rate codes up to {}, saw {}", kLastOpenSmRate, rate->value));
  return rate;
}

constexpr ValueType kMtu{"number", Form::numbers, read_mtu};
constexpr ValueType kRate{"number", Form::numbers, read_rate};
constexpr ValueType kUse{"text", Form::text, read_use};
constexpr ValueType kOneName{"name, quoted if it holds a comma", Form::name, read_one_name};
constexpr ValueType kNames{"names", Form::names, read_names};
constexpr ValueType kPartitions{"names of partitions", Form::names, read_partitions};
constexpr ValueType kPortNames{"`NODE/Pn`, …", Form::names, read_port_names};
constexpr ValueType kNodeTypes{"node types", Form::names, read_node_types};
constexpr ValueType kRanges{"numbers and ranges", Form::numbers, read_ranges};
constexpr ValueType kGuidRanges{"GUIDs and ranges", Form::numbers, read_guid_ranges};
constexpr ValueType kPkeyRanges{"P_Keys and ranges", Form::numbers, read_pkey_ranges};
constexpr ValueType kWeights{"`VL:WEIGHT`, …", Form::numbers, check_weights};
constexpr ValueType kSl2Vl{"16 VLs", Form::numbers, check_sl2vl};
constexpr ValueType kPorts{"ports and ranges, or `*`", Form::numbers, check_ports};
constexpr ValueType kUlp{"`ULP, CRITERION LIST : SL`", Form::statement, read_ulp};

constexpr Keyword kPortGroup[] = {
    keyword<&PortGroup::name, kOneName>("name", Occurs::required),
    keyword<&PortGroup::use, kUse>("use"),
    keyword<&PortGroup::port_guids, kGuidRanges>("port-guid", Occurs::freely),
    keyword<&PortGroup::port_names, kPortNames>("port-name", Occurs::freely),
    keyword<&PortGroup::pkeys, kPkeyRanges>("pkey", Occurs::freely),
    keyword<&PortGroup::partitions, kPartitions>("partition", Occurs::freely),
    keyword<&PortGroup::node_types, kNodeTypes>("node-type", Occurs::freely),
};
constexpr Keyword kVlArbScope[] = {
    keyword<&SetupScope::groups, kNames>("group", Occurs::freely),
    keyword<&SetupScope::groups, kNames>("across", Occurs::freely),
    checked<kWeights>("vlarb-high", Occurs::freely),
    checked<kWeights>("vlarb-low", Occurs::freely),
    checked<kNumber>("vl-high-limit", Occurs::once, {"a high limit", 0, 255}),
};
constexpr Keyword kSl2VlScope[] = {
    keyword<&SetupScope::groups, kNames>("group", Occurs::freely),
    keyword<&SetupScope::groups, kNames>("across", Occurs::freely),
    keyword<&SetupScope::groups, kNames>("across-from", Occurs::freely),
    keyword<&SetupScope::groups, kNames>("across-to", Occurs::freely),
    checked<kPorts>("from", Occurs::freely, {"a port number", 0, 127}),
    checked<kPorts>("to", Occurs::freely, {"a port number", 0, 127}),
    checked<kSl2Vl>("sl2vl-table", Occurs::required, {"a VL", 0, 15}),
};
constexpr Keyword kLevel[] = {
    keyword<&Level::name, kOneName>("name", Occurs::required),
    keyword<&Level::use, kUse>("use"),
    keyword<&Level::sl, kNumber>("sl", Occurs::required, kSl),
    keyword<&Level::mtu_limit, kMtu>("mtu-limit", Occurs::once, {"an MTU code", 1, 5}),
    keyword<&Level::rate_limit, kRate>("rate-limit", Occurs::once, {"a rate code", 2, 25}),
    keyword<&Level::packet_life, kNumber>("packet-life", Occurs::once, {"a packet life code", 0, 63}),
    keyword<&Level::path_bits, kRanges>("path-bits", Occurs::freely, {"a path bit", 0, 127}),
    keyword<&Level::pkeys, kPkeyRanges>("pkey", Occurs::freely),
};
constexpr Keyword kMatchRule[] = {
    keyword<&MatchRule::use, kUse>("use"),
    keyword<&MatchRule::qos_class, kRanges>("qos-class", Occurs::freely, {"a QoS class", 0, 4095}),
    keyword<&MatchRule::source, kNames>("source", Occurs::freely),
    keyword<&MatchRule::destination, kNames>("destination", Occurs::freely),
    keyword<&MatchRule::service_id, kRanges>("service-id", Occurs::freely, kServiceId),
    keyword<&MatchRule::pkeys, kPkeyRanges>("pkey", Occurs::freely),
    keyword<&MatchRule::level, kOneName>("qos-level-name", Occurs::required),
};
constexpr Keyword kUlps[] = {keyword<&Ulps::lines, kUlp>("ULP line", Occurs::freely)};

/// A block that holds other blocks and leaves nothing in the syntax tree.
constexpr BlockSpec section(std::string_view begin, std::string_view parent = {}, bool may_be_empty = true) {
  return {begin, {}, parent, may_be_empty};
}

constexpr BlockSpec kUlpsBlock = [] {
  BlockSpec spec = block<&Syntax::ulps>("qos-ulps", kUlps);
  spec.may_be_empty = false;
  spec.starts_statement = starts_ulp;
  return spec;
}();

constexpr BlockSpec kBlocks[] = {
    section("port-groups", {}, false),
    block<&Syntax::groups>("port-group", kPortGroup, "port-groups"),
    block<&Syntax::setups>("qos-setup", {}),
    section("vlarb-tables", "qos-setup"),
    block<&Syntax::vlarb_scopes>("vlarb-scope", kVlArbScope, "vlarb-tables"),
    section("sl2vl-tables", "qos-setup"),
    block<&Syntax::sl2vl_scopes>("sl2vl-scope", kSl2VlScope, "sl2vl-tables"),
    section("qos-levels"),
    block<&Syntax::levels>("qos-level", kLevel, "qos-levels"),
    section("qos-match-rules"),
    block<&Syntax::rules>("qos-match-rule", kMatchRule, "qos-match-rules"),
    kUlpsBlock,
};
constexpr UnsupportedKeyword kUnsupported[] = {
    {"port-gid", &kUnsupportedCriterion, kUnpublished},
    {"subnet-prefix", &kUnsupportedCriterion, kUnpublished},
};
constexpr BlockDialect kDialect{"QoS policy", Scanner::words, kBlocks, kUnsupported};

/// A scope names at least one group.
void check_scopes(const std::vector<SetupScope>& scopes, std::string_view begin, Diagnostics& diagnostics) {
  for (const SetupScope& scope : scopes)
    if (scope.complete() && scope.groups.empty())
      diagnostics.add(kMissingQualifier, scope.span, fmt::format("this `{}` names no port group", begin));
}

}  // namespace

const BlockDialect& dialect() { return kDialect; }

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  Syntax syntax = parse_blocks<Syntax>(sources, source, kDialect, diagnostics);
  check_scopes(syntax.vlarb_scopes, "vlarb-scope", diagnostics);
  check_scopes(syntax.sl2vl_scopes, "sl2vl-scope", diagnostics);
  for (const Block& setup : syntax.setups)
    diagnostics.add(kSetupIgnored, setup.span, "`qos-setup` is read and has no effect").hint =
        "use the `qos_*` options of the main options file";
  return syntax;
}

}  // namespace rch::parsers::qos_policy
