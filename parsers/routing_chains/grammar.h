#pragma once

// Value of `path-bit` (docs/keywords.md). Include from .cpp files only; it brings PEGTL in.

#include <tao/pegtl.hpp>

namespace rch::parsers::routing_chains::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap       : star<blank> {};
struct bit       : plus<not_one<' ', '\t', '-'>> {};
struct end       : eof {};
struct path_bits : seq<must<bit>, gap, opt<one<'-'>, gap, must<bit>, gap>, must<end>> {};
// clang-format on

}  // namespace rch::parsers::routing_chains::grammar
