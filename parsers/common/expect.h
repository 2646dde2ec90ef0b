#pragma once

// How the value grammars fail: every rule that stands in a must<> has one Expectation, a missing one does not
// compile. Include from .cpp files only; it brings PEGTL in.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <tao/pegtl.hpp>

#include "base/diagnostic.h"
#include "parsers/common/line_grammar.h"
#include "parsers/common/value.h"

namespace rch::parsers {

/// What a grammar rule expects, and the diagnostic to report when something else stands there.
struct Expectation {
  const Rule* rule;
  std::string_view what;  ///< completes "expected …"
  std::string_view hint = {};
};

/// Specialised for each rule of a must<>.
template <class GrammarRule>
struct Expected;

/// One row of a dialect's table: a rule of its grammar and an Expectation. Stands in namespace rch::parsers.
#define RCH_EXPECTED(dialect, grammar_rule, ...)     \
  template <>                                        \
  struct Expected<dialect::grammar::grammar_rule> {  \
    static constexpr Expectation value{__VA_ARGS__}; \
  }

/// Thrown and caught inside parse_value only.
struct Mismatch {
  const Expectation* expectation;
  std::size_t at;
};

template <class GrammarRule>
struct Expecting : tao::pegtl::normal<GrammarRule> {
  template <class Input, class... States>
  [[noreturn]] static void raise(const Input& in, States&&...) {
    throw Mismatch{&Expected<GrammarRule>::value, in.position().byte};
  }
};

/// Reports what stands at byte `at` of the value in place of what was expected.
inline void report_mismatch(const Value& value, const Mismatch& mismatch, Diagnostics& diagnostics) {
  const std::string_view text = value.text();
  const std::string_view rest = text.substr(std::min(mismatch.at, text.size()));
  const std::size_t length = std::min(rest.size(), std::max<std::size_t>(1, rest.find_first_of(" \t,;=@/:")));
  const std::string seen =
      rest.empty() ? "the end of the value" : fmt::format("`{}`", rest.substr(0, length));
  diagnostics
      .add(*mismatch.expectation->rule, value.span(mismatch.at, mismatch.at + length),
           fmt::format("expected {}, saw {}", mismatch.expectation->what, seen))
      .hint = mismatch.expectation->hint;
}

/// Parses a whole value. False, with one diagnostic, when it does not fit; actions may have run by then.
template <class Grammar, template <class...> class Action, class State>
bool parse_value(const Value& value, State& state, Diagnostics& diagnostics) {
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(value.text(), "");
  try {
    return tao::pegtl::parse<Grammar, Action, Expecting>(in, state);
  } catch (const Mismatch& mismatch) {
    report_mismatch(value, mismatch, diagnostics);
    return false;
  }
}

/// Base of the states of grammars that run over a value: makes tokens of what rules match.
struct ValueState {
  const Value& value;

  template <class ActionInput>
  Token token(const ActionInput& in) const {
    const auto at = static_cast<std::size_t>(in.begin() - value.text().data());
    return value.token(at, at + in.size());
  }
};

/// The state of a grammar that gives tokens alone.
struct Tokens : ValueState {
  std::vector<Token> list = {};
};

}  // namespace rch::parsers
