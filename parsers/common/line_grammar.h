#pragma once

// Files of lines with content and comments, whatever the content is. Include from .cpp files only; it brings
// PEGTL in.

#include <string>

#include <tao/pegtl.hpp>

#include "parsers/common/token.h"

namespace rch::parsers {
namespace line_grammar {

// clang-format off
using namespace tao::pegtl;

struct gap     : star<blank> {};
struct comment : seq<one<'#'>, star<not_one<'\n'>>> {};
template <class Content>
struct line    : seq<gap, opt<Content>, gap, opt<comment>> {};
template <class Content>
struct file    : seq<list<line<Content>, one<'\n'>>, eof> {};

/// Words up to a `#` wherever it stands.
struct word    : plus<not_one<' ', '\t', '\n', '#'>> {};
struct words   : list<word, plus<blank>> {};
// clang-format on

}  // namespace line_grammar

/// Base of the states of grammars that run over a prepared text: makes tokens of what rules match.
struct TextState {
  const char* base;
  SourceId source;

  template <class ActionInput>
  Token token(const ActionInput& in) const {
    const auto begin = static_cast<std::uint32_t>(in.begin() - base);
    return {in.string(), {source, begin, begin + static_cast<std::uint32_t>(in.size())}};
  }
};

/// Actions for tables: what becomes of the match of a rule.
template <auto field>
struct Keep {
  template <class In, class State>
  static void apply(const In& in, State& state) {
    state.*field = state.token(in);
  }
};
template <auto list>
struct Append {
  template <class In, class State>
  static void apply(const In& in, State& state) {
    (state.*list).push_back(state.token(in));
  }
};
template <auto event>
struct Tell {
  template <class In, class State>
  static void apply(const In& in, State& state) {
    (state.*event)(state.token(in));
  }
};
template <auto event>
struct Call {
  template <class State>
  static void apply0(State& state) {
    (state.*event)();
  }
};

/// Runs a grammar that takes any text.
template <class Grammar, template <class...> class Action, class State>
void parse_text(const std::string& text, State& state) {
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text, "");
  tao::pegtl::parse<Grammar, Action>(in, state);
}

}  // namespace rch::parsers
