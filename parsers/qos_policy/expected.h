#pragma once

// What each must<> of the value grammars expects. Include from .cpp files only; it brings PEGTL in.

#include "parsers/common/expect.h"
#include "parsers/qos_policy/grammar.h"
#include "parsers/qos_policy/rules.h"
#include "parsers/rules.h"

namespace rch::parsers {

#define RCH_EXPECTED(grammar_rule, ...)                \
  template <>                                          \
  struct Expected<qos_policy::grammar::grammar_rule> { \
    static constexpr Expectation value{__VA_ARGS__};   \
  }

RCH_EXPECTED(range, &kBadValue, "a number");
RCH_EXPECTED(high, &kBadValue, "the last number of the range");
RCH_EXPECTED(ranges_end, &kBadValue, "`,` or `-` behind a number");
RCH_EXPECTED(name, &kBadValue, "a name");
RCH_EXPECTED(open_end, &qos_policy::kOpenQuote, "a closing quote");
RCH_EXPECTED(names_end, &kBadValue, "`,` and a further name");
RCH_EXPECTED(name_end, &kBadValue, "one name", "put a name that holds a comma in quotes");
RCH_EXPECTED(pair, &kBadValue, "`VL:WEIGHT`");
RCH_EXPECTED(pair_colon, &kBadValue, "`:` and a weight behind the VL");
RCH_EXPECTED(weight, &kBadValue, "a weight");
RCH_EXPECTED(pairs_end, &kBadValue, "`,` and a further `VL:WEIGHT`");
RCH_EXPECTED(item, &kBadValue, "a VL");
RCH_EXPECTED(items_end, &kBadValue, "`,` and a further VL");
RCH_EXPECTED(ulp, &kBadValue, "a ULP such as `default`, `sdp` or `any`");
RCH_EXPECTED(criterion, &kBadValue, "a criterion such as `port-num` or `pkey`");
RCH_EXPECTED(sl_colon, &kBadValue, "`:` and an SL", "write `ULP, CRITERION LIST : SL`");
RCH_EXPECTED(sl, &kBadValue, "an SL behind the colon");

#undef RCH_EXPECTED

}  // namespace rch::parsers
