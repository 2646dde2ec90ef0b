#pragma once

// Lines of a topology file (docs/ibdm.md). Include from .cpp files only; it brings PEGTL in.

#include "parsers/common/line_grammar.h"

namespace rch::parsers::topo::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap      : star<blank> {};
struct comment  : seq<gap, one<'#'>, star<not_one<'\n'>>> {};

struct rate     : plus<not_one<' ', '\t', '\n', '-', '>'>> {};
/// Blanks inside come from a typographic dash, which is longer than a plain one, or are a mistake.
struct shape    : seq<one<'-'>, gap, opt<rate, one<'-'>>, opt<rate, one<'-'>>, gap, one<'>'>> {};
struct arrow    : seq<at<shape>, shape> {};
/// Names may hold `-`; an arrow ends one even where the blank between them is missing.
struct word     : plus<not_at<shape>, not_one<' ', '\t', '\n'>> {};

struct indent   : plus<blank> {};
struct text     : seq<opt<indent>, list<sor<arrow, word>, gap>> {};
struct blank_ln : seq<gap, at<eolf>> {};
struct line     : seq<sor<comment, blank_ln, text>, gap> {};
struct file     : seq<list<line, one<'\n'>>, eof> {};
// clang-format on

}  // namespace rch::parsers::topo::grammar
