#pragma once

// Lines of the paragraph dialects (config-files 2): qualifier lines, other text, comments. Include from .cpp
// files only; it brings PEGTL in.

#include <tao/pegtl.hpp>

namespace rch::parsers::paragraph_grammar {

// clang-format off
using namespace tao::pegtl;

struct gap        : star<blank> {};
struct word       : plus<not_one<' ', '\t', '\n'>> {};
/// Words up to a `#` that follows a blank, or the end of the line.
struct text       : seq<not_at<one<'#'>>, word, star<plus<blank>, not_at<one<'#'>>, word>> {};
struct comment    : seq<one<'#'>, star<not_one<'\n'>>> {};

struct identifier : seq<alpha, star<sor<alnum, one<'-', '_'>>>> {};
struct colon      : one<':'> {};
struct value      : text {};
struct qualifier  : seq<identifier, gap, colon, gap, opt<value>> {};
struct plain      : text {};

struct line       : seq<gap, opt<sor<qualifier, plain>>, gap, opt<comment>> {};
struct file       : seq<list<line, one<'\n'>>, eof> {};
// clang-format on

}  // namespace rch::parsers::paragraph_grammar
