#pragma once

// Numbers and ranges of the QoS policy file. Include from .cpp files only; it brings PEGTL in.

#include <vector>

#include "parsers/common/expect.h"
#include "parsers/qos_policy/grammar.h"
#include "parsers/qos_policy/values.h"
#include "parsers/rules.h"

namespace rch::parsers {

RCH_EXPECTED(qos_policy, range, &kBadValue, "a number");
RCH_EXPECTED(qos_policy, high, &kBadValue, "the last number of the range");

namespace qos_policy {

/// State of a grammar with ranges in it.
struct RangeState : ValueState {
  std::vector<WrittenRange> ranges = {};
};

template <class GrammarRule>
struct RangeAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct RangeAction<grammar::low> {
  template <class In>
  static void apply(const In& in, RangeState& state) {
    state.ranges.push_back({state.token(in), std::nullopt});
  }
};
template <>
struct RangeAction<grammar::high> {
  template <class In>
  static void apply(const In& in, RangeState& state) {
    state.ranges.back().high = state.token(in);
  }
};

}  // namespace qos_policy
}  // namespace rch::parsers
