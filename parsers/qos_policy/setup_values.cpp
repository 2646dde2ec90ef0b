#include <fmt/format.h>

#include "parsers/qos_policy/expected.h"
#include "parsers/qos_policy/values.h"

namespace rch::parsers::qos_policy {
namespace {

constexpr NumberKind kArbitratedVl{"a VL", 0, 14};
constexpr NumberKind kMappedVl{"a VL", 0, 15};
constexpr NumberKind kWeight{"a weight", 0, 255};
constexpr NumberKind kPort{"a port number", 0, 127};
constexpr std::size_t kServiceLevels = 16;

struct Numbers {
  const Value& value;
  std::vector<Token> first, second;
};

template <class GrammarRule>
struct NumberAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct NumberAction<grammar::vl> {
  template <class In>
  static void apply(const In& in, Numbers& state) {
    state.first.push_back(token_of(in, state.value));
  }
};
template <>
struct NumberAction<grammar::weight> {
  template <class In>
  static void apply(const In& in, Numbers& state) {
    state.second.push_back(token_of(in, state.value));
  }
};
template <>
struct NumberAction<grammar::atom> : NumberAction<grammar::vl> {};

}  // namespace

void check_weights(const Value& value, Diagnostics& diagnostics) {
  Numbers numbers{value, {}, {}};
  if (!parse_value<grammar::pairs, NumberAction>(value, numbers, diagnostics)) return;
  for (const Token& vl : numbers.first) read_number(vl, kArbitratedVl, diagnostics);
  for (const Token& weight : numbers.second) read_number(weight, kWeight, diagnostics);
}

void check_sl2vl(const Value& value, Diagnostics& diagnostics) {
  Numbers numbers{value, {}, {}};
  if (!parse_value<grammar::items, NumberAction>(value, numbers, diagnostics)) return;
  for (const Token& vl : numbers.first) read_number(vl, kMappedVl, diagnostics);
  if (numbers.first.size() != kServiceLevels)
    diagnostics.add(kBadValue, value.span(),
                    fmt::format("expected 16 VLs, one for each SL, saw {}", numbers.first.size()));
}

void check_ports(const Value& value, Diagnostics& diagnostics) {
  if (value.text() != "*") read_ranges(value, {kPort}, diagnostics);
}

}  // namespace rch::parsers::qos_policy
