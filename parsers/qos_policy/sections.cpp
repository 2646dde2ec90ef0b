#include "parsers/qos_policy/sections.h"

#include <iterator>

namespace rch::parsers::qos_policy {
namespace {

constexpr KeySpec kPortGroup[] = {
    {"name", Form::name, true, true},
    {"use", Form::text, true},
    {"port-guid"},
    {"port-name", Form::names},
    {"pkey"},
    {"partition", Form::names},
    {"node-type", Form::names},
};
constexpr KeySpec kVlArb[] = {
    {"group", Form::names},
    {"across", Form::names},
    {"vlarb-high"},
    {"vlarb-low"},
    {"vl-high-limit", Form::numbers, true},
};
constexpr KeySpec kSl2Vl[] = {
    {"group", Form::names},
    {"across", Form::names},
    {"across-from", Form::names},
    {"across-to", Form::names},
    {"from"},
    {"to"},
    {"sl2vl-table", Form::numbers, true, true},
};
constexpr KeySpec kLevel[] = {
    {"name", Form::name, true, true},
    {"use", Form::text, true},
    {"sl", Form::numbers, true, true},
    {"mtu-limit", Form::numbers, true},
    {"rate-limit", Form::numbers, true},
    {"packet-life", Form::numbers, true},
    {"path-bits"},
    {"pkey"},
};
constexpr KeySpec kMatchRule[] = {
    {"use", Form::text, true},
    {"qos-class"},
    {"source", Form::names},
    {"destination", Form::names},
    {"service-id"},
    {"pkey"},
    {"qos-level-name", Form::name, true, true},
};

using Id = SectionId;
constexpr SectionSpec kSections[] = {
    {Id::port_groups, "port-groups", "end-port-groups", Id::none, {}, false},
    {Id::port_group, "port-group", "end-port-group", Id::port_groups, kPortGroup},
    {Id::qos_setup, "qos-setup", "end-qos-setup", Id::none},
    {Id::vlarb_tables, "vlarb-tables", "end-vlarb-tables", Id::qos_setup},
    {Id::vlarb_scope, "vlarb-scope", "end-vlarb-scope", Id::vlarb_tables, kVlArb},
    {Id::sl2vl_tables, "sl2vl-tables", "end-sl2vl-tables", Id::qos_setup},
    {Id::sl2vl_scope, "sl2vl-scope", "end-sl2vl-scope", Id::sl2vl_tables, kSl2Vl},
    {Id::qos_levels, "qos-levels", "end-qos-levels", Id::none},
    {Id::qos_level, "qos-level", "end-qos-level", Id::qos_levels, kLevel},
    {Id::qos_match_rules, "qos-match-rules", "end-qos-match-rules", Id::none},
    {Id::qos_match_rule, "qos-match-rule", "end-qos-match-rule", Id::qos_match_rules, kMatchRule},
    {Id::qos_ulps, "qos-ulps", "end-qos-ulps", Id::none, {}, false},
};
static_assert(std::size(kSections) == static_cast<std::size_t>(SectionId::none));

}  // namespace

std::span<const SectionSpec> sections() { return kSections; }
const SectionSpec& spec(SectionId id) { return kSections[static_cast<std::size_t>(id)]; }

}  // namespace rch::parsers::qos_policy
