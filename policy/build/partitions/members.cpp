#include "policy/build/partitions/members.h"

#include <utility>

#include <fmt/format.h>

#include "base/text.h"
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
  if (context_.main == nullptr || context_.main->options.partitions.allow_both_pkeys) return Membership::both;
  report_.next().add(kBothNotAllowed, syntax_.span(written), "`both` is read as `full`").hint =
      "set `allow_both_pkeys TRUE` in the main options";
  return Membership::full;
}

std::optional<GroupId> MemberMaker::group(const parsers::Token& name) {
  note_group(name);
  if (context_.groups == nullptr) return GroupId::none();
  return context_.groups->use(name, report_.next());
}

/// Once for each file; a name that resembles a keyword, and of which nothing else is known, each time.
void MemberMaker::note_group(const parsers::Token& name) {
  const std::string_view meant =
      context_.groups == nullptr ? nearest(name.text, kKeywords) : std::string_view();
  if (!meant.empty()) {
    Diagnostic& d = report_.next().add(kGroupAsMember, name.span,
                                       fmt::format("`{}` is read as the name of a port group", name.text));
    d.severity = Severity::warning;
    d.hint = fmt::format("did you mean `{}`?", meant);
    return;
  }
  if (std::exchange(group_noted_, true)) return;
  Diagnostic& d = report_.next().add(
      kGroupAsMember, name.span,
      fmt::format("the port group `{}` is a member; OpenSM refuses such a file", name.text));
  if (context_.groups == nullptr)
    d.hint = "give the port group file too: the names are not checked without it";
}

}  // namespace rch::policy::partitions
