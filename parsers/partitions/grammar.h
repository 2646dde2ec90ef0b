#pragma once

// partitions.conf (OpenSM's doc/partition-config.txt) with what may stand wrong in it. Include from .cpp
// files only; it brings PEGTL in.

#include <tao/pegtl.hpp>

namespace rch::parsers::partitions::grammar {

// clang-format off
using namespace tao::pegtl;

struct gap               : star<blank> {};
struct comment           : seq<one<'#'>, star<not_one<'\n'>>> {};
struct filler            : star<sor<one<' ', '\t', '\n'>, comment>> {};
struct line_break        : seq<gap, opt<comment>, one<'\n'>, filler> {};

/// Words with the blanks between them, up to a delimiter: `,`, `;`, the end of the line or one of Ends.
template <char... Ends>
struct some              : plus<not_one<' ', '\t', '\n', '#', ',', ';', Ends...>> {};
template <char... Ends>
struct words             : seq<some<Ends...>, star<plus<blank>, some<Ends...>>> {};

// `name = pkey, flag, flag = value :`
struct broken_before     : seq<line_break, at<one<':', ',', '='>>> {};
struct broken_behind     : line_break {};
struct before_delimiter  : seq<gap, opt<broken_before>> {};
struct behind_delimiter  : seq<gap, opt<broken_behind>> {};

struct name              : words<':', '='> {};
struct pkey_equals       : one<'='> {};
struct pkey              : words<':'> {};
struct pkey_part         : seq<pkey_equals, behind_delimiter, opt<pkey>, before_delimiter> {};

struct flag_name         : words<':', '='> {};
struct flag_equals       : one<'='> {};
struct flag_value        : words<':'> {};
struct flag              : seq<opt<flag_name>, gap, opt<flag_equals, gap, opt<flag_value>>> {};
struct comma             : one<','> {};
struct flag_part         : seq<comma, behind_delimiter, flag, before_delimiter> {};

struct header            : sor<seq<name, before_delimiter, opt<pkey_part>, star<flag_part>>,
                               seq<pkey_part, star<flag_part>>,
                               plus<flag_part>> {};
struct colon             : one<':'> {};
struct no_colon          : success {};

// What a line holds, told from its delimiters.
struct flag_word         : seq<sor<TAO_PEGTL_STRING("ipoib"), TAO_PEGTL_STRING("indx0"),
                                   TAO_PEGTL_STRING("defmember"), TAO_PEGTL_STRING("mtu"),
                                   TAO_PEGTL_STRING("rate"), TAO_PEGTL_STRING("sl"),
                                   TAO_PEGTL_STRING("scope"), TAO_PEGTL_STRING("Q_Key"),
                                   TAO_PEGTL_STRING("TClass"), TAO_PEGTL_STRING("FlowLabel")>,
                               gap, one<',', '=', ':'>> {};
struct mgid_item         : seq<sor<TAO_PEGTL_ISTRING("mgid"), TAO_PEGTL_STRING("mgi")>, gap, one<'='>> {};
struct piece             : star<not_one<',', ':', ';', '#', '\n'>> {};
struct up_to_colon       : seq<piece, star<one<','>, gap, not_at<sor<mgid_item, digit>>, piece>, one<':'>> {};
/// A GUID in pairs or groups of four, as ibstat and the kernel write it.
template <unsigned Digits, unsigned Groups>
struct guid_groups       : seq<opt<TAO_PEGTL_ISTRING("0x")>, rep<Groups - 1, rep<Digits, xdigit>, one<':'>>,
                               rep<Digits, xdigit>, not_at<sor<xdigit, one<':'>>>> {};
struct guid_in_groups    : sor<guid_groups<2, 8>, guid_groups<4, 4>, guid_groups<8, 2>> {};
struct long_number       : seq<digit, rep<6, alnum>> {};
struct two_words         : seq<digit, star<alnum>, plus<blank>, alnum> {};
struct flag_line         : seq<gap, at<flag_word>, up_to_colon> {};
struct header_line       : seq<gap, not_at<sor<flag_word, mgid_item, guid_in_groups, long_number, two_words>>, up_to_colon> {};

// `: flag, flag :`, where a comma should stand in place of the first colon.
struct late_flag         : flag {};
struct late_colon        : one<':'> {};
struct late_flags        : seq<at<flag_line>, gap, list<late_flag, seq<gap, comma, gap>>, gap, late_colon> {};

// `mgid = address, flag = value` up to the end of the line.
struct mgid              : TAO_PEGTL_STRING("mgid") {};
struct mgid_equals       : one<'='> {};
struct address_ahead     : seq<gap, one<'='>, gap, star<xdigit>, one<':'>> {};
struct misspelt_mgid     : seq<sor<TAO_PEGTL_ISTRING("mgid"), TAO_PEGTL_STRING("mgi")>, at<address_ahead>> {};
struct group_start       : sor<seq<mgid, gap, sor<mgid_equals, at<sor<one<',', ';', '\n', '#'>, eof>>>>,
                               seq<misspelt_mgid, gap, mgid_equals>> {};
struct address           : words<> {};
struct group_flag_name   : words<'='> {};
struct group_flag_value  : words<> {};
struct group_flag        : seq<opt<group_flag_name>, gap, opt<flag_equals, gap, opt<group_flag_value>>> {};
struct group             : seq<group_start, gap, opt<address>, star<gap, comma, gap, group_flag>> {};

// `who = membership`
struct who               : sor<guid_in_groups, words<':', '='>> {};
struct equals            : one<'='> {};
struct membership        : words<':'> {};
struct membership_part   : seq<equals, gap, opt<membership>> {};
struct stray_colon       : one<':'> {};
struct member            : seq<sor<seq<who, gap, opt<membership_part>>, membership_part>, gap, opt<stray_colon>> {};

struct item              : sor<group, member> {};
struct items             : star<sor<plus<sor<blank, one<','>>>, item, stray_colon>> {};
struct next_line         : seq<line_break, not_at<header_line>> {};
struct skipped           : star<not_one<'\n', ';', '#'>> {};
struct body              : seq<star<late_flags>, items, star<next_line, star<late_flags>, items>> {};

struct semicolon         : one<';'> {};
struct end_of_text       : eof {};
struct missing_semicolon : success {};
struct statement_end     : sor<semicolon, end_of_text, missing_semicolon> {};
struct statement         : seq<sor<seq<header, sor<seq<colon, body>, seq<no_colon, star<next_line, skipped>>>>,
                                   seq<colon, body>>,
                               statement_end> {};
struct empty_statement   : one<';'> {};

struct file              : seq<filler, star<sor<statement, empty_statement>, filler>, eof> {};
// clang-format on

}  // namespace rch::parsers::partitions::grammar
