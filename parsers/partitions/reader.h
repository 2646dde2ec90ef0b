#pragma once

#include <optional>
#include <string_view>

#include "parsers/partitions/flags.h"
#include "parsers/partitions/members.h"

namespace rch::parsers::partitions {

/// Puts the pieces that the grammar finds together to statements: the state behind parse().
class Reader {
 public:
  Reader(std::string_view text, SourceId source, const SourceSet& sources, Diagnostics& diagnostics)
      : sources_(sources),
        text_(text, source, diagnostics),
        flags_(text_, syntax_),
        members_(text_, syntax_) {
    syntax_.source = source;
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // Set by the grammar; the events below use and clear them.
  Piece name, pkey, pkey_equals;
  RawFlag raw_flag;
  Piece mgid_equals, address;
  RawMember raw_member;

  // Events, as the rules of the grammar.
  void broken_header(Piece line_break);
  void flag();
  void header(Piece whole);
  void colon(Piece place);
  void no_colon();
  void late_colon(Piece place);
  void misspelt_mgid(Piece word);
  void group(Piece whole);
  void stray_colon(Piece place);
  void member();
  void next_line();
  void semicolon(Piece place);
  void close();
  void missing_semicolon();
  void end_of_text();
  void empty_statement(Piece place);
  Syntax finish();

 private:
  void read_name();
  bool is_group_without_partition() const;
  void read_pkey(Piece place);
  void check_comment_mark();
  void check_decimal(Piece place);
  void check_comment_behind(Piece bare_group);
  void check_lone(Piece semicolon);
  void report_group_at_end(Piece semicolon);
  void report_unclosed();

  const SourceSet& sources_;
  Syntax syntax_;
  Text text_;
  FlagReader flags_;
  MemberReader members_;
  Statement open_;
  bool has_colon_ = false;
  bool orphan_ = false;                    ///< a multicast group without a partition, which was reported
  bool split_ = false;                     ///< the header goes over lines, which was reported
  Piece last_colon_;                       ///< before the members
  std::uint32_t content_end_ = 0;          ///< of the last thing that is no filler
  bool bare_group_ = false;                ///< a group without flags is the last thing on this line
  std::uint32_t bare_group_end_ = 0;       ///< of the last group without flags
  std::optional<std::uint32_t> unclosed_;  ///< end of a statement that lacks its `;`
  bool one_repair_ = false;                ///< that statement is whole but for its `;`
};

}  // namespace rch::parsers::partitions
