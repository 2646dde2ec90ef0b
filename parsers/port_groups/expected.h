#pragma once

// What each must<> of the group rules expects. Include from .cpp files only; it brings PEGTL in.

#include "parsers/common/expect.h"
#include "parsers/port_groups/grammar.h"
#include "parsers/rules.h"

namespace rch::parsers {

#define RCH_EXPECTED(grammar_rule, ...)                 \
  template <>                                           \
  struct Expected<port_groups::grammar::grammar_rule> { \
    static constexpr Expectation value{__VA_ARGS__};    \
  }

RCH_EXPECTED(guid_item, &kBadValue, "a GUID");
RCH_EXPECTED(guid, &kBadValue, "a GUID");
RCH_EXPECTED(port_item, &kBadValue, "a port number");
RCH_EXPECTED(last_port, &kBadValue, "the last port of the range");
RCH_EXPECTED(list_end, &kBadValue, "`,` or a port list behind the GUID",
             "`port-guid: GUID@PORT/PORT-PORT, …`; ranges of GUIDs belong in `port-guid-range`");
RCH_EXPECTED(range_dash, &kBadValue, "`-` and the last GUID of the range");
RCH_EXPECTED(range_end, &kGuidRangeList, "one range alone", "write one `port-guid-range` line per range");
RCH_EXPECTED(host, &kBadValue, "`hostname=NAME`");
RCH_EXPECTED(field, &kBadValue, "`hostname=`, `port=` or `hca_idx=`");
RCH_EXPECTED(field_equal, &kBadValue, "`=` behind the field name");
RCH_EXPECTED(field_value, &kBadValue, "a value behind `=`");
RCH_EXPECTED(host_end, &kBadValue, "`,` and a further host");
RCH_EXPECTED(regexp, &kBadValue, "a regular expression");
RCH_EXPECTED(regexp_port, &kBadValue, "a port number behind the colon");
RCH_EXPECTED(regexp_end, &kBadValue, "one port number behind the expression",
             "`port-regexp` takes one port; write a further rule for another");
RCH_EXPECTED(name, &kBadValue, "a group name");
RCH_EXPECTED(comma, &kTooManyGroups, "`,` and a second group name");
RCH_EXPECTED(no_third, &kTooManyGroups, "two group names",
             "nest: make the union of two in a group of its own");
RCH_EXPECTED(pair_end, &kBadValue, "two group names");

#undef RCH_EXPECTED

}  // namespace rch::parsers
