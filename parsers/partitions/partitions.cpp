#include "parsers/partitions/partitions.h"

#include "parsers/common/text_rules.h"
#include "parsers/partitions/grammar.h"
#include "parsers/partitions/limits.h"
#include "parsers/partitions/reader.h"

namespace rch::parsers::partitions {
namespace {

struct State {
  const char* base;
  Reader reader;
};

template <class In>
Piece piece_of(const In& in, const State& state) {
  return {static_cast<std::uint32_t>(in.begin() - state.base),
          static_cast<std::uint32_t>(in.end() - state.base)};
}

/// Keeps the place of the match.
template <auto... Path>
struct Keep {
  template <class In>
  static void apply(const In& in, State& state) {
    (state.reader.*....*Path) = piece_of(in, state);
  }
};
/// Tells the reader what was matched, or that it was.
template <auto Event>
struct Tell {
  template <class In>
  static void apply(const In& in, State& state) {
    (state.reader.*Event)(piece_of(in, state));
  }
};
template <auto Event>
struct Call {
  static void apply0(State& state) { (state.reader.*Event)(); }
};

// clang-format off
template <class GrammarRule> struct Action : tao::pegtl::nothing<GrammarRule> {};

template <> struct Action<grammar::broken_before>     : Tell<&Reader::broken_header> {};
template <> struct Action<grammar::broken_behind>     : Tell<&Reader::broken_header> {};
template <> struct Action<grammar::name>              : Keep<&Reader::name> {};
template <> struct Action<grammar::pkey_equals>       : Keep<&Reader::pkey_equals> {};
template <> struct Action<grammar::pkey>              : Keep<&Reader::pkey> {};
template <> struct Action<grammar::comma>             : Keep<&Reader::raw_flag, &RawFlag::comma> {};
template <> struct Action<grammar::flag_name>         : Keep<&Reader::raw_flag, &RawFlag::name> {};
template <> struct Action<grammar::flag_equals>       : Keep<&Reader::raw_flag, &RawFlag::equals> {};
template <> struct Action<grammar::flag_value>        : Keep<&Reader::raw_flag, &RawFlag::value> {};
template <> struct Action<grammar::flag>              : Call<&Reader::flag> {};
template <> struct Action<grammar::header>            : Tell<&Reader::header> {};
template <> struct Action<grammar::colon>             : Tell<&Reader::colon> {};
template <> struct Action<grammar::no_colon>          : Call<&Reader::no_colon> {};
template <> struct Action<grammar::late_flag>         : Call<&Reader::flag> {};
template <> struct Action<grammar::late_colon>        : Tell<&Reader::late_colon> {};
template <> struct Action<grammar::misspelt_mgid>     : Tell<&Reader::misspelt_mgid> {};
template <> struct Action<grammar::mgid_equals>       : Keep<&Reader::mgid_equals> {};
template <> struct Action<grammar::address>           : Keep<&Reader::address> {};
template <> struct Action<grammar::group_flag_name>   : Keep<&Reader::raw_flag, &RawFlag::name> {};
template <> struct Action<grammar::group_flag_value>  : Keep<&Reader::raw_flag, &RawFlag::value> {};
template <> struct Action<grammar::group_flag>        : Call<&Reader::flag> {};
template <> struct Action<grammar::group>             : Tell<&Reader::group> {};
template <> struct Action<grammar::who>               : Keep<&Reader::raw_member, &RawMember::who> {};
template <> struct Action<grammar::equals>            : Keep<&Reader::raw_member, &RawMember::equals> {};
template <> struct Action<grammar::membership>        : Keep<&Reader::raw_member, &RawMember::membership> {};
template <> struct Action<grammar::stray_colon>       : Tell<&Reader::stray_colon> {};
template <> struct Action<grammar::member>            : Call<&Reader::member> {};
template <> struct Action<grammar::next_line>         : Call<&Reader::next_line> {};
template <> struct Action<grammar::semicolon>         : Tell<&Reader::semicolon> {};
template <> struct Action<grammar::end_of_text>       : Call<&Reader::end_of_text> {};
template <> struct Action<grammar::missing_semicolon> : Call<&Reader::missing_semicolon> {};
template <> struct Action<grammar::empty_statement>   : Tell<&Reader::empty_statement> {};
// clang-format on

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(
      sources, source, {.longest_line = kLongestLine, .hash_anywhere = true, .returns_matter = true},
      diagnostics);
  State state{text.data(), Reader(text, source, sources, diagnostics)};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text, "");
  tao::pegtl::parse<grammar::file, Action>(in, state);
  return state.reader.finish();
}

}  // namespace rch::parsers::partitions
