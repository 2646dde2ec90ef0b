#pragma once

// Lines of the side files (config-files 10). Include from .cpp files only; it brings PEGTL in.

#include "parsers/common/line_grammar.h"

namespace rch::parsers::side_files::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap       : star<blank> {};
using line_grammar::word;
using line_grammar::words;

/// `GUID "text"`; a `#` between the quotes is part of the text.
struct quote     : one<'"'> {};
struct text      : star<not_one<'"', '\n'>> {};
struct end_quote : one<'"'> {};
struct rest      : words {};
struct name      : seq<word, gap, opt<quote, text, opt<end_quote>>, gap, opt<rest>> {};

/// `FILE.c=FLAGS`; `,` or a blank may stand for `=`.
struct module    : plus<not_one<' ', '\t', '\n', '=', ',', '#'>> {};
struct separator : one<'=', ','> {};
struct flags     : word {};
struct logging   : seq<opt<module>, gap, opt<separator>, gap, opt<flags>, gap, opt<rest>> {};
// clang-format on

}  // namespace rch::parsers::side_files::grammar
