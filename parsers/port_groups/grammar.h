#pragma once

// Values of the group rules (docs/keywords.md). Include from .cpp files only; it brings PEGTL in.

#include <tao/pegtl.hpp>

namespace rch::parsers::port_groups::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap         : star<blank> {};
struct atom        : plus<not_one<' ', '\t', ',', ';', '=', '@', '/', '-', ':'>> {};

// port-guid: 0x11, 0x12@3, 0x13@1-4/7
struct guid        : plus<not_one<' ', '\t', ',', '@', '/', '-'>> {};
struct first_port  : atom {};
struct last_port   : atom {};
struct port_item   : seq<first_port, gap, opt<one<'-'>, gap, must<last_port>, gap>> {};
struct slash       : one<'/'> {};
struct port_list   : seq<sor<one<'@'>, slash>, gap, must<port_item>, star<one<'/'>, gap, must<port_item>>> {};
struct guid_item   : seq<guid, gap, opt<port_list>> {};
struct list_end    : eof {};
struct guid_list   : seq<must<guid_item>, star<one<','>, gap, must<guid_item>>, must<list_end>> {};

// port-guid-range: 0x20-0x2f
struct range_dash  : one<'-'> {};
struct range_end   : eof {};
struct guid_range  : seq<must<guid>, gap, must<range_dash>, gap, must<guid>, gap, must<range_end>> {};

// port-name: hostname=h1; port=2; hca_idx=1, hostname=h2 port=1
struct field_name  : plus<not_one<' ', '\t', ',', ';', '='>> {};
struct field_equal : one<'='> {};
struct field_value : plus<not_one<' ', '\t', ',', ';', '='>> {};
struct field       : seq<field_name, gap, must<field_equal>, gap, must<field_value>> {};
struct semicolon   : seq<gap, one<';'>, gap> {};
struct by_blanks   : seq<plus<blank>, at<field_name>> {};
struct host        : seq<field, star<sor<semicolon, by_blanks>, must<field>>> {};
struct host_end    : eof {};
struct host_list   : seq<must<host>, gap, star<one<','>, gap, must<host>, gap>, must<host_end>> {};

// port-regexp: ^na1[0-9] HCA-1:1
struct char_class  : seq<string<'[', ':'>, plus<alpha>, string<':', ']'>> {};
struct regexp      : plus<sor<char_class, not_one<':'>>> {};
struct regexp_port : plus<not_one<' ', '\t', ':', ',', '-', '/'>> {};
struct regexp_end  : eof {};
struct regexp_rule : seq<must<regexp>, opt<one<':'>, gap, must<regexp_port>, gap>, must<regexp_end>> {};

// union-rule: a, b
struct name        : list<plus<not_one<' ', '\t', ',', ';', '=', '@'>>, plus<blank>> {};
struct comma       : one<','> {};
struct no_third    : not_at<one<','>> {};
struct pair_end    : eof {};
struct name_pair   : seq<must<name>, gap, must<comma>, gap, must<name>, gap, must<no_third>, must<pair_end>> {};
// clang-format on

}  // namespace rch::parsers::port_groups::grammar
