#pragma once

// Lines of the side files (docs/side-files.md). Include from .cpp files only; it brings PEGTL in.

#include "parsers/common/line_grammar.h"

namespace rch::parsers::side_files::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap       : star<blank> {};
using line_grammar::word;
using line_grammar::words;

/// `GUID name`; the reader finds the end of the name.
struct rest      : words {};
struct text      : plus<not_one<'\n'>> {};
struct name      : seq<word, gap, opt<text>> {};

/// `FILE.c=FLAGS`; `,` or a blank may stand for `=`.
struct module    : plus<not_one<' ', '\t', '\n', '=', ',', '#'>> {};
struct separator : one<'=', ','> {};
struct flags     : word {};
struct logging   : seq<opt<module>, gap, opt<separator>, gap, opt<flags>, gap, opt<rest>> {};
// clang-format on

}  // namespace rch::parsers::side_files::grammar
