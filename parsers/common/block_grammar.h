#pragma once

// Lines of the dialects of blocks (docs/keywords.md and OpenSM's doc/QoS_management_in_OpenSM.txt). Include
// from .cpp files only; it brings PEGTL in.

#include "parsers/common/line_grammar.h"

namespace rch::parsers::block_grammar {

// clang-format off
using namespace tao::pegtl;

/// Scanner::lines: words up to a `#` that follows a blank.
struct bare_word    : plus<not_one<' ', '\t', '\n'>> {};
struct bare_words   : seq<not_at<one<'#'>>, bare_word, star<plus<blank>, not_at<one<'#'>>, bare_word>> {};

/// Scanner::words: words up to a `#` outside quotes. A quote that is not closed on its line is a character like any
/// other.
struct quoted       : seq<one<'"'>, star<not_one<'"', '\n'>>, one<'"'>> {};
struct quoted_word  : plus<sor<quoted, not_one<' ', '\t', '\n', '#'>>> {};
struct quoted_words : list<quoted_word, plus<blank>> {};
// clang-format on

}  // namespace rch::parsers::block_grammar
