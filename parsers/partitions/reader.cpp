#include "parsers/partitions/reader.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "parsers/partitions/rules.h"

namespace rch::parsers::partitions {
namespace {

constexpr std::size_t kLongestName = 31;  ///< characters that OpenSM keeps
constexpr std::uint64_t kMembershipBit = 0x8000;
constexpr NumberKind kPKey{"a P_Key", 0, 0xFFFF};

std::uint32_t size_of(const auto& array) { return static_cast<std::uint32_t>(array.size()); }

/// Empty, where the array ends now.
Range start_of(const auto& array) { return {size_of(array), size_of(array)}; }

}  // namespace

void Reader::broken_header(Piece line_break) {
  if (std::exchange(split_, true)) return;
  Diagnostic& d = text_.report().add(kSplitHeader, text_.span({line_break.begin, line_break.begin}),
                                     "the header of a partition goes on in the next line");
  d.hint = "put everything up to the colon on one line";
  if (text_.at(line_break).find('#') == std::string_view::npos)
    d.fixes.push_back({text_.span(line_break), " "});
}

void Reader::flag() {
  content_end_ = std::max({content_end_, raw_flag.comma.end, raw_flag.whole().end});
  flags_.add(std::exchange(raw_flag, {}));
}

void Reader::header(Piece whole) {
  open_.header = text_.span(whole);
  content_end_ = std::max({content_end_, name.end, pkey_equals.end, pkey.end});
}

void Reader::colon(Piece place) {
  has_colon_ = true;
  if (open_.header.source.is_none()) open_.header = text_.span(place);
  open_.header.end = place.end;
  last_colon_ = place;
  content_end_ = place.end;
  report_unclosed();
  if (is_group_without_partition()) {
    text_.report()
        .add(kMgidWithoutPartition, open_.header, "this multicast group belongs to no partition")
        .hint =
        "write the header `NAME=PKEY, FLAGS :` above it, or take out the `;` that ends the partition before "
        "it";
    orphan_ = true;
    text_.set_silent(true);
  }
  read_name();
  const auto taken = flags_.take(kFlagWords);
  open_.flags = taken.flags;
  open_.damaged = open_.damaged || !taken.all;
  open_.members = start_of(syntax_.members);
  open_.groups = start_of(syntax_.groups);
}

void Reader::no_colon() {
  text_.report()
      .add(kHeaderWithoutColon, {syntax_.source, open_.header.begin, content_end_},
           "expected `:` behind the header of a partition")
      .hint = "write `NAME=PKEY, FLAGS : MEMBERS ;`";
  flags_.drop();
}

void Reader::late_colon(Piece place) {
  Diagnostic& d = text_.report().add(
      kColonBeforeFlag, text_.span(last_colon_),
      fmt::format("a colon stands before `{}`, which is a flag", text_.at(flags_.raw().front().name)));
  d.hint = "write a comma; the members follow the colon behind the last flag";
  d.fixes.push_back({text_.span(last_colon_), ","});
  last_colon_ = place;
  content_end_ = place.end;
  open_.damaged = true;
  const Range late = flags_.take(kFlagWords).flags;
  if (late.first == open_.flags.last) open_.flags.last = late.last;
}

/// `mgid=ff12:401b::1` where a header belongs. A partition may have the name `mgid`.
bool Reader::is_group_without_partition() const {
  const std::string_view number = text_.at(pkey);
  return text_.at(name) == "mgid" && number.size() > 1 && std::tolower(number[0]) == 'f' &&
         std::tolower(number[1]) == 'f';
}

void Reader::read_name() {
  if (!pkey_equals.given() && is_number(text_.at(name))) {
    read_pkey(std::exchange(name, {}));
  } else if (pkey.given()) {
    read_pkey(pkey);
  } else if (pkey_equals.given()) {
    text_.report().add(kFlagWithoutValue, text_.span(pkey_equals), "expected a P_Key behind `=`");
    open_.damaged = true;
  }
  open_.name = text_.span(name);
  check_comment_mark();
  if (name.end - name.begin > kLongestName)
    text_.report().add(kLongPartitionName, open_.name,
                       fmt::format("a partition name of {} characters; OpenSM keeps {}",
                                   name.end - name.begin, kLongestName));
}

/// A typographic dash has been reported.
void Reader::check_comment_mark() {
  const std::string_view word = text_.at(name);
  if (!resembles_comment(word) || sources_.at(syntax_.source).text()[name.begin] != word.front()) return;
  const auto mark = static_cast<std::uint32_t>(
      std::find_if(word.begin(), word.end(), [](unsigned char c) { return std::ispunct(c) == 0; }) -
      word.begin());
  text_.report()
      .add(kCommentMark, text_.span({name.begin, name.begin + mark}),
           fmt::format("`{}` starts no comment: this defines a partition", word.substr(0, mark)))
      .hint = "write `#` in its place";
}

void Reader::read_pkey(Piece place) {
  open_.pkey = read_number(text_.token(place), kPKey, text_.report());
  if (open_.pkey) check_decimal(place);
  open_.damaged = open_.damaged || !open_.pkey;
  if (!open_.pkey || (open_.pkey->value & kMembershipBit) == 0) return;
  const std::uint64_t base = open_.pkey->value & ~kMembershipBit;
  text_.report()
      .add(
          kPKeyMembershipBit, open_.pkey->span,
          fmt::format("`{}` is the P_Key {:#06x}; bit 15 is the membership of a port", text_.at(place), base))
      .fixes.push_back({open_.pkey->span, fmt::format("{:#x}", base)});
}

/// `8001` in place of `0x8001`. The manuals number partitions from 1 to 9, too.
void Reader::check_decimal(Piece place) {
  constexpr std::size_t kDigits = 4;
  const std::string_view word = text_.at(place);
  const bool decimal = word.front() != '0' && word.find_first_not_of("0123456789") == std::string_view::npos;
  if (!decimal || word.size() < 2 || word.size() > kDigits) return;
  Diagnostic& d = text_.report().add(kPKeyReadAsDecimal, open_.pkey->span,
                                     fmt::format("`{}` is read as a decimal number: the P_Key {:#06x}", word,
                                                 open_.pkey->value & ~kMembershipBit));
  d.hint = fmt::format("write `0x{}` if it is hexadecimal, else `{:#x}`", word, open_.pkey->value);
  if (word.size() < kDigits) d.severity = Severity::note;
}

void Reader::misspelt_mgid(Piece word) {
  text_.report()
      .add(kMgidSpelling, text_.span(word), fmt::format("`{}` is no `mgid`", text_.at(word)))
      .fixes.push_back({text_.span(word), "mgid"});
  open_.damaged = true;
}

void Reader::group(Piece whole) {
  content_end_ = whole.end;
  bare_group_ = flags_.raw().empty();
  if (bare_group_) bare_group_end_ = whole.end;
  const auto taken = flags_.take(kGroupFlagWords);
  const Token place = text_.token(std::exchange(address, {}));
  Group group{{}, place.span, taken.flags};
  open_.damaged = open_.damaged || !taken.all;
  if (!std::exchange(mgid_equals, {}).given()) {
    text_.report().add(kBadMgid, text_.span(whole), "expected `=` and an address behind `mgid`");
    open_.damaged = true;
  } else if (inet_pton(AF_INET6, place.text.c_str(), group.address.data()) != 1 || group.address[0] != 0xFF) {
    text_.report().add(kBadMgid, place.text.empty() ? text_.span(whole) : place.span,
                       place.text.empty()
                           ? std::string("expected an address behind `mgid=`")
                           : fmt::format("`{}` is not the address of a multicast group", place.text));
    open_.damaged = true;
  } else {
    syntax_.groups.push_back(group);
    if (bare_group_) check_comment_behind(whole);
  }
}

void Reader::check_comment_behind(Piece bare_group) {
  const std::uint32_t begin = text_.skip_blanks(bare_group.end);
  if (!text_.all().substr(begin).starts_with('#')) return;
  const auto end = static_cast<std::uint32_t>(std::min(text_.all().find('\n', begin), text_.all().size()));
  if (text_.at({begin, end}).find('=') != std::string_view::npos)
    text_.report().add(kTextBehindMgid, text_.span({begin, end}),
                       "OpenSM takes this comment for flags of the group");
}

void Reader::stray_colon(Piece place) {
  content_end_ = place.end;
  if (raw_member.whole().given())
    raw_member.colon = place;
  else
    members_.stray_colon(place);
}

void Reader::member() {
  content_end_ = std::max(content_end_, raw_member.whole().end);
  bare_group_ = false;
  if (!members_.take(std::exchange(raw_member, {}), open_.header)) open_.damaged = true;
}

void Reader::next_line() {
  members_.next_line();
  bare_group_ = false;
}

void Reader::semicolon(Piece place) {
  if (has_colon_) check_lone(place);
  if (bare_group_) report_group_at_end(place);
  content_end_ = place.end;
  close();
}

/// OpenSM steps over the end of a line whose first character is `;`.
void Reader::check_lone(Piece semicolon) {
  const std::string_view before = text_.all().substr(0, semicolon.begin);
  const std::size_t last = before.find_last_not_of(" \t");
  if (last != std::string_view::npos && before[last] != '\n') return;
  Diagnostic& d =
      text_.report().add(kLoneSemicolon, text_.span(semicolon), "`;` at the start of a line misleads OpenSM");
  // Behind a group without flags it would mislead OpenSM again.
  if (bare_group_end_ == content_end_) {
    d.hint = "give the group above a flag, such as the `sl` of its partition, and put it behind the flag";
    return;
  }
  d.hint = "put it behind the last member";
  d.fixes = {{text_.span({content_end_, content_end_}), ";"}, {text_.span(semicolon), ""}};
}

/// OpenSM reads on behind the `;`: there is a further statement, a comment, or what is left in its buffer.
void Reader::report_group_at_end(Piece semicolon) {
  text_.report()
      .add(kGroupBeforeSemicolon, text_.span({bare_group_end_, semicolon.end}),
           "`;` behind a multicast group without flags misleads OpenSM")
      .hint = "give the group a flag, such as the `sl` of its partition";
}

/// OpenSM takes a last statement without its `;`. A file that was cut off looks so.
void Reader::end_of_text() {
  if (has_colon_ && !orphan_) {
    const bool cut = !text_.all().ends_with('\n');
    Diagnostic& d = text_.report().add(kUnfinishedStatement, text_.span({content_end_, content_end_}),
                                       cut ? "the file breaks off in a partition that has no `;`"
                                           : "the file ends without the `;` of its last partition");
    d.labels.push_back({open_.header, "this partition is still open"});
    d.hint = "end it with `;` if nothing is missing";
    if (!cut) d.severity = Severity::warning;
  }
  close();
}

void Reader::missing_semicolon() {
  // The header that follows is part of the report, so it has to be read first.
  if (has_colon_ && !orphan_) {
    unclosed_ = content_end_;
    // A line that is no partition at all must not become one, nor one that was cut off in its members.
    const bool has_members = size_of(syntax_.members) > open_.members.first;
    const bool is_whole = has_members && syntax_.members.back().membership != Membership::unsaid;
    one_repair_ = open_.pkey && !open_.damaged && is_whole && bare_group_end_ != content_end_;
  }
  close();
}

void Reader::report_unclosed() {
  if (!unclosed_) return;
  const Piece at{*unclosed_, *std::exchange(unclosed_, std::nullopt)};
  const std::uint32_t line = sources_.at(syntax_.source).position(at.begin).line;
  Diagnostic& d =
      text_.report().add(kMissingSemicolon, text_.span(at), fmt::format("missing `;` after line {}", line));
  d.labels.push_back({open_.header, "OpenSM reads this header as members"});
  if (one_repair_)
    d.fixes.push_back({text_.span(at), ";"});
  else
    d.hint = "end it with `;` if it is a partition";
}

void Reader::empty_statement(Piece place) {
  text_.report()
      .add(kEmptyStatement, text_.span(place), "`;` without a partition before it")
      .fixes.push_back({text_.span(place), ""});
  syntax_.damaged = true;
}

void Reader::close() {
  open_.members.last = size_of(syntax_.members);
  open_.groups.last = size_of(syntax_.groups);
  if (has_colon_ && !orphan_)
    syntax_.statements.push_back(open_);
  else
    syntax_.damaged = true;
  open_ = {};
  has_colon_ = orphan_ = split_ = bare_group_ = false;
  text_.set_silent(false);
  name = pkey = pkey_equals = {};
  members_.next_line();
}

Syntax Reader::finish() {
  text_.finish();
  return std::move(syntax_);
}

}  // namespace rch::parsers::partitions
