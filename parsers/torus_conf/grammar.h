#pragma once

// Words of torus-2QoS.conf (torus-2QoS.conf(5)). Include from .cpp files only; it brings PEGTL in.

#include "parsers/common/line_grammar.h"

namespace rch::parsers::torus_conf::grammar {

// clang-format off
using namespace tao::pegtl;

/// A `#` inside a word is part of it.
struct word  : seq<not_one<' ', '\t', '\n', '#'>, star<not_one<' ', '\t', '\n'>>> {};
struct words : list<word, plus<blank>> {};
// clang-format on

}  // namespace rch::parsers::torus_conf::grammar
