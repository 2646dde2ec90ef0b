#include "policy/build/partitions/members.h"

#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/partitions/keywords.h"
#include "policy/lint/rules/partitions.h"

namespace rch::policy::partitions {
namespace {

namespace partition_syntax = parsers::partitions;

/// What a name may have been meant to be.
constexpr std::string_view kKeywords[] = {"ALL", "ALL_CAS", "ALL_SWITCHES", "ALL_ROUTERS", "SELF", "NONE"};

}  // namespace

bool MemberMaker::add(Partition& partition, const partition_syntax::Statement& statement,
                      const FlagSet& flags) {
  bool all = true;
  const auto otherwise = static_cast<partition_syntax::Membership>(
      flags.value(FlagKind::defmember, static_cast<std::uint32_t>(partition_syntax::Membership::limited)));
  const bool indx0 = flags.find(FlagKind::indx0) != nullptr;
  for (const partition_syntax::Member& written : syntax_.members_of(statement.members)) {
    if (written.who == Who::none) continue;
    if (written.who == Who::all_vcas) {
      report_.next().add(kVirtualPorts, syntax_.span(written), "`ALL_VCAS` stands for no port here");
      continue;
    }
    Member member;
    member.key = written.key;
    member.begin = written.begin;
    member.length = written.length;
    member.who = written.who;
    member.membership = membership(written, otherwise);
    member.indx0 = indx0;
    if (written.who == Who::group) {
      const auto id = group(syntax_.group_names[written.key]);
      all = all && id;
      if (!id) continue;
      member.key = id->value;
    }
    partition.members.push_back(member);
  }
  return all;
}

Membership MemberMaker::membership(const partition_syntax::Member& written,
                                   partition_syntax::Membership otherwise) {
  const auto meant =
      written.membership == partition_syntax::Membership::unsaid ? otherwise : written.membership;
  if (meant != partition_syntax::Membership::both)
    return meant == partition_syntax::Membership::full ? Membership::full : Membership::limited;
  if (context_.main == nullptr) {
    if (!std::exchange(both_noted_, true)) {
      Diagnostic& d =
          report_.next().add(kBothNotAllowed, syntax_.span(written),
                             "`both` needs `allow_both_pkeys TRUE`; the options file was not given");
      d.severity = Severity::note;
      d.hint = "give the options file too";
    }
    return Membership::both;
  }
  if (context_.main->options.partitions.allow_both_pkeys) return Membership::both;
  report_.next().add(kBothNotAllowed, syntax_.span(written), "`both` is read as `full`").hint =
      "set `allow_both_pkeys TRUE` in the main options";
  return Membership::full;
}

std::optional<GroupId> MemberMaker::group(const parsers::Token& name) {
  // A group file that the options name and that cannot be read was reported.
  const bool unread = context_.groups == nullptr && context_.main != nullptr &&
                      context_.main->find("pgrp_policy_file") != nullptr;
  if (unread) {
    note_group(name);
    return GroupId::none();
  }
  if (context_.groups == nullptr || context_.groups->empty()) {
    report_unknown(name);
    return std::nullopt;
  }
  const auto group = context_.groups->use(name, report_.next());
  if (group) note_group(name);
  return group;
}

/// Once for each file.
void MemberMaker::note_group(const parsers::Token& name) {
  if (std::exchange(group_noted_, true)) return;
  report_.next().add(kGroupAsMember, name.span,
                     fmt::format("the port group `{}` is a member; OpenSM refuses such a file", name.text));
}

void MemberMaker::report_unknown(const parsers::Token& name) {
  Diagnostic& d =
      report_.next().add(kUnknownMember, name.span,
                         fmt::format("`{}` is neither a GUID nor a keyword, and no port group", name.text));
  const std::string_view meant = nearest(name.text, kKeywords);
  d.hint = parsers::partitions::resembles_comment(name.text) ? std::string("only `#` starts a comment")
           : meant.empty() ? "members are port GUIDs, such as `0x0002c90300010014`, and not names of hosts; "
                             "a port group stands here when its file is given too"
                           : fmt::format("did you mean `{}`?", meant);
}

}  // namespace rch::policy::partitions
