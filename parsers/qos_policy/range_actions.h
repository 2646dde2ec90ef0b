#pragma once

// Collects ranges while a grammar runs. Include from .cpp files only; it brings PEGTL in.

#include <vector>

#include "parsers/qos_policy/expected.h"
#include "parsers/qos_policy/values.h"

namespace rch::parsers::qos_policy {

/// State of a grammar with ranges in it.
struct RangeActions {
  const Value& value;
  std::vector<WrittenRange> ranges;
};

template <class GrammarRule>
struct RangeAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct RangeAction<grammar::low> {
  template <class In>
  static void apply(const In& in, RangeActions& state) {
    state.ranges.push_back({token_of(in, state.value), std::nullopt});
  }
};
template <>
struct RangeAction<grammar::high> {
  template <class In>
  static void apply(const In& in, RangeActions& state) {
    state.ranges.back().high = token_of(in, state.value);
  }
};

}  // namespace rch::parsers::qos_policy
