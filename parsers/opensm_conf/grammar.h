#pragma once

// Lines of opensm.conf (docs/configuration.md). Include from .cpp files only; it brings PEGTL in.

#include "parsers/common/line_grammar.h"

namespace rch::parsers::opensm_conf::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap     : star<blank> {};
struct key     : seq<not_one<' ', '\t', '\n', '#'>, star<not_one<' ', '\t', '\n', '#', '='>>> {};
struct equals  : one<'='> {};
struct word    : plus<not_one<' ', '\t', '\n', '#'>> {};
struct value   : list<word, plus<blank>> {};
/// `key value`; a stray `=` between them is dropped.
struct option  : seq<key, gap, opt<equals, gap>, opt<value>> {};
// clang-format on

}  // namespace rch::parsers::opensm_conf::grammar
