#include "parsers/partitions/members.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/numbers.h"
#include "parsers/partitions/rules.h"

namespace rch::parsers::partitions {
namespace {

/// Digits of a GUID that lacks its `0x`, rather than a name.
bool bare_guid(std::string_view word) {
  constexpr std::size_t kLikely = 12;
  return word.size() >= kLikely && parse_hex(word).has_value();
}

struct Ends {
  std::string_view low, high;
};
/// The ends of `0x10-0x1f`, `0x10 - 0x1f` and `0x10..0x1f`.
std::optional<Ends> range_ends(std::string_view who) {
  for (const std::string_view sign : {"-", ".."}) {
    const std::size_t at = who.find(sign);
    if (at == std::string_view::npos) continue;
    const Ends ends{trim(who.substr(0, at)), trim(who.substr(at + sign.size()))};
    if (parse_integer(ends.low) && parse_integer(ends.high)) return ends;
  }
  return std::nullopt;
}

bool is_membership(std::string_view word) { return find_word(word, kMembershipWords).fit != Fit::none; }

}  // namespace

Piece RawMember::whole() const {
  return {who.given() ? who.begin : equals.begin, std::max({who.end, equals.end, membership.end})};
}

bool MemberReader::take(const RawMember& item, Span header) {
  if (item.colon.given()) {
    report_colon(item, header);
    return false;
  }
  if (reports_range(item)) return false;
  if (const auto second = second_of(item)) {
    const std::string_view who = text_.at(item.who);
    // A port group may have blanks in its name.
    if ((item.equals.given() && second->begin > item.equals.begin) ||
        names_member(who.substr(0, who.find_first_of(" \t")))) {
      report_second(item, *second);
      return false;
    }
  }
  const auto member = read(item);
  if (member) syntax_.members.push_back(*member);
  return member.has_value();
}

void MemberReader::stray_colon(Piece colon) {
  if (first_on_line()) text_.report().add(kColonAmongMembers, text_.span(colon), "a colon among the members");
}

/// What stands behind a blank inside an item: `0x2` of `0x1 0x2` and of `0x1=full 0x2`.
std::optional<Piece> MemberReader::second_of(const RawMember& item) const {
  for (const Piece part : {item.who, item.membership}) {
    const std::size_t blank = text_.at(part).find_first_of(" \t");
    if (blank == std::string_view::npos) continue;
    return Piece{text_.skip_blanks(part.begin + static_cast<std::uint32_t>(blank)), item.whole().end};
  }
  return std::nullopt;
}

/// `B=2 :` among members is most often the next partition, behind a missing `;`.
void MemberReader::report_colon(const RawMember& item, Span header) {
  if (!first_on_line()) return;
  const auto second = second_of(item);
  const bool names_next = second || !names_member(text_.at(item.who)) ||
                          (item.membership.given() && !is_membership(text_.at(item.membership)));
  if (names_next) {
    const Piece next{second ? second->begin : item.whole().begin, item.colon.end};
    text_.report()
        .add(kMissingSemicolon, text_.span(next), "expected `;` before the header of the next partition")
        .labels.push_back({header, "this partition is still open"});
  } else {
    text_.report().add(kColonAmongMembers, text_.span(item.colon), "a colon among the members").hint =
        "commas separate members";
  }
}

bool MemberReader::reports_range(const RawMember& item) {
  const auto ends = range_ends(text_.at(item.who));
  if (!ends) return false;
  text_.report()
      .add(kBadGuid, text_.span(item.who),
           fmt::format("`{}` is a range of GUIDs, and a member is one port", text_.at(item.who)))
      .hint = fmt::format("name a port group here that has `port-guid-range: {}-{}`", ends->low, ends->high);
  return true;
}

void MemberReader::report_second(const RawMember& item, Piece second) {
  if (!first_on_line()) return;
  const std::string_view first = trim(text_.at({item.whole().begin, second.begin}));
  text_.report().add(kMissingComma, text_.span(second), fmt::format("expected `,` behind `{}`", first)).hint =
      "a comma or a line end separates members";
}

/// `sl=1` and `ipoib`, but not `rate=full`, which may be a port group.
bool MemberReader::is_flag(const RawMember& item) const {
  const Found found = find_word(text_.at(item.who), kFlagWords);
  if (found.fit != Fit::exact) return false;
  const bool of_partition = found.index >= kGroupFlagWords.size();
  return of_partition || (item.membership.given() && !is_membership(text_.at(item.membership)));
}

std::optional<Member> MemberReader::read(const RawMember& item) {
  const Piece whole = item.whole();
  constexpr std::uint32_t kLongest = std::numeric_limits<std::uint16_t>::max();
  Member member;
  member.begin = whole.begin;
  member.length = static_cast<std::uint16_t>(std::min(whole.end - whole.begin, kLongest));
  if (!item.who.given()) {
    text_.report()
        .add(kMembershipWithoutMember, text_.span(whole),
             fmt::format("`{}` without a member before it", text_.at(whole)))
        .hint = "the membership stands on the line of its member";
    return std::nullopt;
  }
  const std::string_view word = text_.at(item.who);
  if (is_number(word) || bare_guid(word)) {
    const auto guid = read_port(item.who);
    if (!guid) return std::nullopt;
    member.key = guid->value;
  } else if (const Found found = find_word(word, kWhoWords); found.fit != Fit::none) {
    if (!accept(found, item.who, kWhoWords, text_)) return std::nullopt;
    member.who = kWho[found.index];
  } else if (is_flag(item)) {
    text_.report()
        .add(kFlagAmongMembers, text_.span(whole),
             fmt::format("the flag `{}` stands among the members", word))
        .hint = "flags of the partition stand before its colon";
    return std::nullopt;
  } else {
    member.who = Who::group;
    member.key = syntax_.group_names.size();
    syntax_.group_names.push_back(text_.token(item.who));
  }
  const auto given = read_given(item);
  if (!given) return std::nullopt;
  member.membership = *given;
  return member;
}

/// The usual form of a GUID without a copy; every other as everywhere.
std::optional<Guid> MemberReader::read_port(Piece who) {
  const std::string_view word = text_.at(who);
  constexpr std::size_t kWhole = 18, kShort = 16;
  if (word.starts_with("0x") && (word.size() == kWhole || word.size() <= kShort)) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), value, 16);
    if (error == std::errc{} && end == word.data() + word.size() && value != 0) return Guid(value);
  }
  return read_guid(text_.token(who), text_.report());
}

std::optional<Membership> MemberReader::read_given(const RawMember& item) {
  if (item.membership.given()) return read_membership(item.membership, text_);
  if (!item.equals.given()) return Membership::unsaid;
  text_.report()
      .add(kEmptyMembership, text_.span(item.whole()),
           fmt::format("`{}` ends without a membership", text_.at(item.whole())))
      .hint = "OpenSM reads full, the manual says limited: write the one you mean";
  return std::nullopt;
}

}  // namespace rch::parsers::partitions
