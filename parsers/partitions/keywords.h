#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "parsers/common/numbers.h"
#include "parsers/partitions/partitions.h"
#include "parsers/partitions/text.h"

namespace rch::parsers::partitions {

/// A word of the format. OpenSM takes any beginning of most of them.
struct Word {
  std::string_view text;
  bool abbreviates = true;  ///< false: OpenSM knows the whole word only, or not at all
};

enum class Fit {
  exact,
  abbreviated,  ///< at least three letters that begin this word and no other
  ambiguous,    ///< too few letters, or the beginning of several words
  none,
};

struct Found {
  Fit fit = Fit::none;
  std::size_t index = 0;  ///< of the word; of an ambiguous one, the word that OpenSM takes
};

/// Case-sensitive. The words stand in the order in which OpenSM compares them.
Found find_word(std::string_view text, std::span<const Word> words);

/// The word nearest to a mistyped one; empty if none is near.
std::string_view nearest_word(std::string_view text, std::span<const Word> words);

/// Whether a word that was found may be used; one that is not written in full is reported.
bool accept(const Found& found, Piece piece, std::span<const Word> words, Text& text);

// clang-format off
/// Words for members, and what they stand for.
inline constexpr Word kWhoWords[] = {{"NONE"}, {"ALL"}, {"ALL_CAS"}, {"ALL_SWITCHES"}, {"ALL_ROUTERS"}, {"SELF"},
                                     {"ALL_VCAS", false}};
inline constexpr Who kWho[] = {Who::none, Who::all, Who::all_cas, Who::all_switches,
                                              Who::all_routers, Who::self, Who::all_vcas};
static_assert(std::size(kWhoWords) == std::size(kWho));

inline constexpr Word kMembershipWords[] = {{"full"}, {"both"}, {"limited"}};
inline constexpr Membership kMemberships[] = {Membership::full, Membership::both, Membership::limited};
static_assert(std::size(kMembershipWords) == std::size(kMemberships));

/// In the order of FlagKind.
inline constexpr Word kFlagWords[] = {{"mtu"}, {"rate"}, {"scope"}, {"Q_Key"}, {"TClass"}, {"sl"}, {"FlowLabel"},
                                      {"ipoib"}, {"defmember"}, {"indx0", false}};
static_assert(std::size(kFlagWords) == static_cast<std::size_t>(FlagKind::indx0) + 1);

/// Numbers of the flags before `ipoib`, which multicast groups have too.
inline constexpr NumberKind kFlagNumbers[] = {{"an MTU code", 1, 5}, {"a rate code", 2, 63}, {"a scope", 1, 15},
                                              {"a Q_Key", 0, 0xFFFFFFFF}, {"a traffic class", 0, 255},
                                              {"a service level", 0, 15}, {"a flow label", 0, 0xFFFFF}};
static_assert(std::size(kFlagNumbers) == static_cast<std::size_t>(FlagKind::ipoib));
inline constexpr std::span<const Word> kGroupFlagWords(kFlagWords, std::size(kFlagNumbers));
// clang-format on

/// Spellings of manuals that OpenSM does not know.
struct Alias {
  std::string_view text;
  FlagKind meant;
};
inline constexpr Alias kFlagAliases[] = {
    {"qkey", FlagKind::q_key}, {"q_key", FlagKind::q_key}, {"tclass", FlagKind::tclass}};

/// A membership word; an unknown one, reported, is limited. Nothing, reported, for the beginning of several.
std::optional<Membership> read_membership(Piece piece, Text& text);

/// Starts with a sign such as `//`, `-` or `;;`, which is no comment here, and with which no name begins.
bool resembles_comment(std::string_view word);
/// Starts with a digit, so no name.
bool is_number(std::string_view word);
/// A GUID or a keyword for members, not a name.
bool names_member(std::string_view word);

}  // namespace rch::parsers::partitions
