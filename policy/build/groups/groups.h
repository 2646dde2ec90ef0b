#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/common/token.h"
#include "parsers/port_groups/port_groups.h"
#include "policy/model/policy.h"
#include "policy/model/symbols.h"

namespace rch::policy {

/// The groups of one configuration while it is being built: names resolved, uses marked.
class GroupTable {
 public:
  /// The predefined groups alone. Definitions and uses of names go to `symbols`.
  explicit GroupTable(Symbols& symbols);

  /// Adds the groups of one file's syntax; reports duplicate and reserved names, then after the last file
  /// resolve() turns the names in union and subtract rules into ids and reports undefined ones and cycles.
  void add(const parsers::port_groups::Syntax& syntax, Diagnostics& diagnostics);
  void resolve(Diagnostics& diagnostics);

  bool knows(std::string_view name) const { return by_name_.contains(name); }
  /// Id of a group named elsewhere, marked as used; nothing, reported, if it is undefined.
  std::optional<GroupId> use(const parsers::Token& name, Diagnostics& diagnostics);
  void report_unused(Diagnostics& diagnostics) const;

  std::vector<PortGroup> take() { return std::move(groups_); }
  bool empty() const { return groups_.size() <= builtin_count_; }

 private:
  struct Reference {
    std::size_t group, rule;
    parsers::Token left, right;
  };

  void add_group(const parsers::port_groups::Group& group, Diagnostics& diagnostics);
  void check_name(const parsers::Token& name, Diagnostics& diagnostics);
  std::string free_name(const std::string& name) const;
  void add_rule(std::size_t group, const parsers::port_groups::Rule& rule, Diagnostics& diagnostics);

  Symbols& symbols_;
  std::vector<PortGroup> groups_;
  std::size_t builtin_count_ = 0;
  std::map<std::string, GroupId, std::less<>> by_name_;
  std::map<std::string, GroupId> by_lower_name_;
  std::set<std::string> written_names_;  ///< of all groups, also those still to come
  std::vector<Reference> references_;
  std::vector<bool> used_;
  std::size_t suggestions_ = 0;  ///< near names looked for so far
  bool names_complete_ = true;   ///< every definition's name could be read, so an unknown one is undefined
};

}  // namespace rch::policy
