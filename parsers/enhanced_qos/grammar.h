#pragma once

// Values of the enhanced QoS policy file (docs/manager.md, Rate limits). Include from .cpp files only; it
// brings PEGTL in.

#include <tao/pegtl.hpp>

namespace rch::parsers::enhanced_qos::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap        : star<blank> {};

// who = meaning
struct who        : list<plus<not_one<' ', '\t', '=', ':', ','>>, plus<blank>> {};
struct equals     : one<'='> {};
struct meaning    : plus<any> {};
struct definition : seq<must<who>, gap, must<equals>, gap, must<meaning>> {};

// all:bulk, 4:slow
struct slot       : plus<not_one<' ', '\t', '=', ':', ','>> {};
struct colon      : one<':'> {};
struct bandwidth  : plus<not_one<' ', '\t', '=', ':', ','>> {};
struct limit      : seq<slot, gap, must<colon>, gap, must<bandwidth>, gap> {};
struct limits_end : eof {};
struct limits     : seq<must<limit>, star<one<','>, gap, must<limit>>, must<limits_end>> {};
struct rule       : seq<must<who>, gap, must<equals>, gap, limits> {};
// clang-format on

}  // namespace rch::parsers::enhanced_qos::grammar
