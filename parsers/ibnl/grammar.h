#pragma once

// Lines of an IBNL file (docs/ibdm.md). Include from .cpp files only; it brings PEGTL in.

#include "parsers/common/line_grammar.h"

namespace rch::parsers::ibnl::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap     : star<blank> {};

struct ends    : one<' ', '\t', '\n', ',', '=', '>'> {};
/// A name, or what stands in its place. A name may hold `-`, so that only a blank ends it before an arrow.
struct word    : seq<not_at<sor<ends, one<'#'>>>, any, star<not_at<ends>, any>> {};
struct mark    : one<',', '=', '>'> {};

struct rate    : plus<not_one<' ', '\t', '\n', ',', '=', '-', '>'>> {};
struct arrow   : seq<star<one<'-'>, gap, rate, gap>, one<'-'>, gap, one<'>'>> {};

/// A number ends before an arrow without a blank.
struct number  : seq<plus<digit>, at<gap, one<'-'>>> {};
struct from    : sor<number, word> {};
struct link    : seq<at<from, gap, arrow>, from, gap, arrow, gap, opt<list<sor<word, mark>, gap>>> {};
/// Everything but a connection: headings, attributes, and what cannot be read.
struct phrase  : list<sor<word, mark>, gap> {};

struct content : sor<link, phrase> {};
// clang-format on

}  // namespace rch::parsers::ibnl::grammar
