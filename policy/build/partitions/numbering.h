#pragma once

#include <bitset>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/common/bounded.h"
#include "policy/model/partitions.h"

namespace rch::policy::partitions {

/// Tells which partition each statement is about, and reports names and numbers that clash.
class Numbering {
 public:
  Numbering(const parsers::partitions::Syntax& syntax, const SourceSet& sources, parsers::Bounded& report);

  /// To be asked for the statements in file order. Nothing, reported, when no number is left.
  std::optional<PKey> take(std::size_t statement);
  /// The name that a partition keeps; empty if its first statement has none.
  std::string_view name(PKey pkey) const { return names_.at(pkey).text; }

 private:
  /// A name in the file.
  struct Written {
    std::string_view text;
    Span span;  ///< none: `Default`, which is there before the file
  };

  PKey given(const parsers::partitions::Statement& statement) const;
  void add(PKey pkey, const Written& name);
  void check_names(PKey pkey, const Written& name);
  std::optional<PKey> choose(const parsers::partitions::Statement& statement, const Written& name);
  void report_chosen(const parsers::partitions::Statement& statement, std::string message, Label label);

  const parsers::partitions::Syntax& syntax_;
  const SourceSet& sources_;
  parsers::Bounded& report_;
  std::vector<std::uint32_t> given_by_;  ///< by P_Key: first statement that gives it
  std::bitset<kMembershipBit> used_;     ///< so far
  std::uint16_t lowest_unused_ = 1;      ///< OpenSM's choice
  std::uint16_t lowest_free_ = 1;        ///< unused, and not given further down
  std::unordered_map<PKey, Written> names_;
  std::unordered_map<std::string_view, PKey> by_name_;
};

}  // namespace rch::policy::partitions
