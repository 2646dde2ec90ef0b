#pragma once

// Lines of a list of cables. Include from .cpp files only; it brings PEGTL in.

#include "parsers/common/line_grammar.h"

namespace rch::parsers::topo_config::grammar {

// clang-format off
using namespace tao::pegtl;

/// Up to the next comma or the end of the line; the reader takes the blanks off.
struct field  : star<not_one<',', '\n', '#'>> {};
struct comma  : one<','> {};
struct cable  : seq<at<not_one<'\n', '#'>>, list<field, comma>> {};
// clang-format on

}  // namespace rch::parsers::topo_config::grammar
