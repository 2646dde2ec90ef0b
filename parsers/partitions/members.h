#pragma once

#include <optional>

#include "parsers/partitions/keywords.h"

namespace rch::parsers::partitions {

/// An item `who = membership` as written, and a colon where none may stand.
struct RawMember {
  Piece who, equals, membership, colon;

  /// Without the colon.
  Piece whole() const;
};

/// Reads the members of partitions, and what stands among them by mistake.
class MemberReader {
 public:
  MemberReader(Text& text, Syntax& syntax) : text_(text), syntax_(syntax) {}

  /// One mistake in the order of items is reported for each line.
  void next_line() { line_reported_ = false; }
  /// Appends the item to the syntax; false when it was reported. `header` is that of the open partition.
  bool take(const RawMember& item, Span header);
  void stray_colon(Piece colon);

 private:
  bool first_on_line() { return !std::exchange(line_reported_, true); }
  std::optional<Piece> second_of(const RawMember& item) const;
  void report_colon(const RawMember& item, Span header);
  /// True, and reported, if the item is a range of GUIDs.
  bool reports_range(const RawMember& item);
  void report_second(const RawMember& item, Piece second);
  bool is_flag(const RawMember& item) const;
  std::optional<Member> read(const RawMember& item);
  std::optional<Guid> read_port(Piece who);
  std::optional<Membership> read_given(const RawMember& item);

  Text& text_;
  Syntax& syntax_;
  bool line_reported_ = false;
};

}  // namespace rch::parsers::partitions
