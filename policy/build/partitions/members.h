#pragma once

#include "parsers/common/bounded.h"
#include "policy/build/build_context.h"
#include "policy/build/partitions/flags.h"
#include "policy/model/partitions.h"

namespace rch::policy::partitions {

/// Turns the items of statements into members: memberships filled in, port groups resolved.
class MemberMaker {
 public:
  MemberMaker(const parsers::partitions::Syntax& syntax, const BuildContext& context,
              parsers::Bounded& report)
      : syntax_(syntax), context_(context), report_(report) {}

  /// False when an item was reported and left out.
  bool add(Partition& partition, const parsers::partitions::Statement& statement, const FlagSet& flags);

 private:
  Membership membership(const parsers::partitions::Member& written,
                        parsers::partitions::Membership otherwise);
  /// Nothing, reported, when the group is not defined.
  std::optional<GroupId> group(const parsers::Token& name);
  void note_group(const parsers::Token& name);
  void report_unknown(const parsers::Token& name);

  const parsers::partitions::Syntax& syntax_;
  const BuildContext& context_;
  parsers::Bounded& report_;
  bool group_noted_ = false;
  bool both_noted_ = false;
};

}  // namespace rch::policy::partitions
