#pragma once

// Lines of the side files (config-files 10). Include from .cpp files only; it brings PEGTL in.

#include <tao/pegtl.hpp>

namespace rch::parsers::side_files::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap       : star<blank> {};
struct word      : plus<not_one<' ', '\t', '\n', '#'>> {};
struct comment   : seq<one<'#'>, star<not_one<'\n'>>> {};

/// A file of lines that hold `Content` or nothing.
template <class Content>
struct line      : seq<gap, opt<Content>, gap, opt<comment>> {};
template <class Content>
struct file      : seq<list<line<Content>, one<'\n'>>, eof> {};

/// GUIDs, ids, ports, weights, prefixes.
struct words     : list<word, plus<blank>> {};

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
