#pragma once

// Lines of torus-2QoS.conf: words and comments (config-files 5). Include from .cpp files only; it brings
// PEGTL in.

#include <tao/pegtl.hpp>

namespace rch::parsers::torus_conf::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap     : star<blank> {};
struct word    : seq<not_one<' ', '\t', '\n', '#'>, star<not_one<' ', '\t', '\n'>>> {};
struct comment : seq<one<'#'>, star<not_one<'\n'>>> {};
struct line    : seq<gap, opt<list<word, plus<blank>>>, gap, opt<comment>> {};
struct file    : seq<list<line, one<'\n'>>, eof> {};
// clang-format on

}  // namespace rch::parsers::torus_conf::grammar
