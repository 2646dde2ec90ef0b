#include "parsers/port_groups/port_groups.h"

#include "parsers/port_groups/values.h"
#include "parsers/rules.h"

namespace rch::parsers::port_groups {
namespace {

template <auto read>
std::optional<Rule> as_rule(const Value& value, Diagnostics& diagnostics) {
  auto what = read(value, diagnostics);
  if (!what) return std::nullopt;
  return Rule{value.span(), std::move(*what)};
}

constexpr ValueType kGuids{"`GUID@PORT/PORT-PORT, …`", Form::numbers, as_rule<read_port_guid>};
constexpr ValueType kGuidRange{"`GUID-GUID`", Form::numbers, as_rule<read_port_guid_range>};
constexpr ValueType kHosts{"`hostname=NAME; port=PORT; hca_idx=CARD, …`", Form::names,
                           as_rule<read_port_name>};
constexpr ValueType kRegexp{"`EXPRESSION:PORT`", Form::text, as_rule<read_port_regexp>, false, true};
constexpr ValueType kUnion{"`GROUP, GROUP`", Form::names, as_rule<read_union>};
constexpr ValueType kDifference{"`GROUP, GROUP`", Form::names, as_rule<read_difference>};

constexpr Keyword kKeywords[] = {
    keyword<&Group::name, kName>("name", Occurs::required),
    keyword<&Group::use, kTextOrNothing>("use", Occurs::last_wins),
    keyword<&Group::rules, kGuids>("port-guid", Occurs::freely),
    keyword<&Group::rules, kGuidRange>("port-guid-range", Occurs::freely),
    keyword<&Group::rules, kHosts>("port-name", Occurs::freely),
    keyword<&Group::rules, kRegexp>("port-regexp", Occurs::freely),
    keyword<&Group::rules, kUnion>("union-rule", Occurs::freely),
    keyword<&Group::rules, kDifference>("subtract-rule", Occurs::freely),
};
constexpr BlockSpec kBlocks[] = {block<&Syntax::groups>("port-group", kKeywords)};
constexpr std::string_view kUndocumented = "is not part of the documented group syntax";
constexpr UnsupportedKeyword kUnsupported[] = {
    {"obj_list", &kUnsupportedGroupSyntax, kUndocumented, kListPorts},
    {"pmask", &kUnsupportedGroupSyntax, kUndocumented, kListPorts},
};
constexpr BlockDialect kDialect{"port group policy", Scanner::lines, kBlocks, kUnsupported};

void report_separators(const Syntax& syntax, Diagnostics& diagnostics) {
  std::optional<Span> semicolon, blank;
  for (const Group& group : syntax.groups)
    for (const Rule& rule : group.rules)
      if (const auto* hosts = std::get_if<PortName>(&rule.what)) {
        if (hosts->semicolon) semicolon = hosts->semicolon;
        if (hosts->blank) blank = hosts->blank;
      }
  if (semicolon && blank)
    diagnostics.add(kMixedSeparators, *blank, "a blank separates host fields here")
        .labels.push_back({*semicolon, "and `;` here"});
}

}  // namespace

const BlockDialect& dialect() { return kDialect; }

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  Syntax syntax = parse_blocks<Syntax>(sources, source, kDialect, diagnostics);
  report_separators(syntax, diagnostics);
  return syntax;
}

}  // namespace rch::parsers::port_groups
