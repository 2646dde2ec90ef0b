#pragma once

// Values of the QoS policy file (OpenSM's doc/QoS_management_in_OpenSM.txt). Include from .cpp files only; it
// brings PEGTL in.

#include <tao/pegtl.hpp>

namespace rch::parsers::qos_policy::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap         : star<blank> {};
struct quote       : one<'"'> {};

// service-id: 1, 5-7
struct atom        : plus<not_one<' ', '\t', ',', '-', ':', '"', '*'>> {};
struct low         : atom {};
struct high        : atom {};
struct range       : seq<low, gap, opt<one<'-'>, gap, must<high>, gap>> {};
struct ranges_end  : eof {};
struct ranges      : seq<must<range>, star<one<','>, gap, must<range>>, must<ranges_end>> {};

// source: a, "b c"
struct quoted_text : star<not_one<'"'>> {};
struct open_end    : quote {};
struct quoted_part : seq<quote, quoted_text, must<open_end>> {};
struct bare_part   : plus<not_one<',', '"'>> {};
struct name        : plus<sor<quoted_part, bare_part>> {};
struct names_end   : eof {};
struct names       : seq<must<name>, star<one<','>, gap, must<name>>, must<names_end>> {};
struct name_end    : eof {};
struct one_name    : seq<must<name>, must<name_end>> {};

// vlarb-high: 0:255,1:127
struct vl          : atom {};
struct pair_colon  : one<':'> {};
struct weight      : atom {};
struct pair        : seq<vl, gap, must<pair_colon>, gap, must<weight>, gap> {};
struct pairs_end   : eof {};
struct pairs       : seq<must<pair>, star<one<','>, gap, must<pair>>, must<pairs_end>> {};

// sl2vl-table: 0,1,2
struct item        : seq<atom, gap> {};
struct items_end   : eof {};
struct items       : seq<must<item>, star<one<','>, gap, must<item>>, must<items_end>> {};

// any, service-id 1, 5-7 : 3
struct ulp         : plus<sor<alnum, one<'-', '_'>>> {};
struct criterion   : plus<sor<alpha, one<'-', '_'>>> {};
struct condition   : seq<one<','>, gap, must<criterion>, gap, must<range>, star<one<','>, gap, must<range>>> {};
struct sl_colon    : one<':'> {};
struct sl          : plus<any> {};
struct ulp_line    : seq<must<ulp>, gap, opt<condition>, must<sl_colon>, gap, must<sl>> {};
// clang-format on

}  // namespace rch::parsers::qos_policy::grammar
