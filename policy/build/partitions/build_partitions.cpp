#include "policy/build/partitions/build_partitions.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "policy/build/partitions/members.h"
#include "policy/build/partitions/multicast.h"
#include "policy/build/partitions/numbering.h"
#include "policy/lint/overlaps.h"
#include "policy/lint/rules/partitions.h"

namespace rch::policy::partitions {
namespace {

namespace partition_syntax = parsers::partitions;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

class PartitionsBuilder {
 public:
  PartitionsBuilder(const partition_syntax::Syntax& file, const BuildContext& context)
      : file_(file),
        context_(context),
        report_(context.diagnostics),
        qos_(context.main == nullptr || context.main->options.qos.enabled),
        numbering_(file, context.files.sources(), report_),
        groups_(file, group_defaults(context.main), qos_, report_),
        members_(file, context, report_),
        draft_of_(kMembershipBit, kNone) {
    Partition& everyone = draft(kDefaultPKey).partition;
    everyone.members.push_back(implied(Who::all, Membership::limited));
    everyone.members.push_back(implied(Who::self, Membership::full));
  }

  Partitions build() {
    if (file_.statements.empty() && !file_.damaged)
      report_.next().add(kNoPartition, {file_.source, 0, 0}, "the file has no partition").hint =
          "OpenSM makes every port a full member of the default partition";
    for (std::size_t i = 0; i < file_.statements.size(); ++i)
      if (const auto pkey = numbering_.take(i)) take(file_.statements[i], *pkey);
    if (!qos_) check_sls();
    check_default();
    Partitions partitions = finish();
    check_overlaps(partitions, report_);
    report_.finish(file_.source);
    return partitions;
  }

 private:
  /// A partition while its statements are read.
  struct Draft {
    Partition partition;
    const partition_syntax::Statement* first = nullptr;  ///< null: it is there by default only
    bool damaged = false;                                ///< something of it was reported and left out
  };

  Draft& draft(PKey pkey) {
    std::uint32_t& index = draft_of_[pkey.index()];
    if (index == kNone) {
      index = static_cast<std::uint32_t>(drafts_.size());
      drafts_.emplace_back().partition.pkey = pkey;
    }
    return drafts_[index];
  }

  void take(const partition_syntax::Statement& statement, PKey pkey) {
    Draft& open = draft(pkey);
    const FlagSet flags(file_.flags_of(statement.flags));
    note_symbols(statement, pkey, open.first == nullptr);
    if (qos_) merge_sl(open, statement, flags);
    if (flags.find(FlagKind::ipoib) != nullptr) groups_.add_broadcast(open.partition, flags);
    for (const partition_syntax::Group& group : file_.groups_of(statement.groups))
      groups_.add(open.partition, group, flags);
    check_flags_used(statement, flags);
    const bool all = members_.add(open.partition, statement, flags);
    open.damaged = open.damaged || statement.damaged || !all;
    if (open.first == nullptr) open.first = &statement;
  }

  void note_symbols(const partition_syntax::Statement& statement, PKey pkey, bool first) {
    const auto note = first ? &Symbols::define : &Symbols::refer;
    if (statement.name.begin != statement.name.end)
      (context_.symbols.*note)(SymbolKind::partition,
                               std::string(context_.files.sources().text(statement.name)), statement.name);
    if (statement.pkey)
      (context_.symbols.*note)(SymbolKind::partition, fmt::format("{:#06x}", pkey), statement.pkey->span);
  }

  /// The SL of the last part that gives one.
  void merge_sl(Draft& open, const partition_syntax::Statement& statement, const FlagSet& flags) {
    Partition& partition = open.partition;
    const Flag* given = flags.find(FlagKind::sl);
    const bool had = !partition.sl_span.source.is_none();
    const bool changes = given != nullptr ? given->value != partition.sl : partition.sl != 0;
    if (had && changes)
      report_.next()
          .add(kMergedSl, given != nullptr ? file_.span(*given) : statement.header,
               given != nullptr
                   ? fmt::format("the SL of the partition was {}; from here on it is {}", partition.sl,
                                 given->value)
                   : fmt::format("the SL of the partition stays {}; OpenSM makes it 0 here", partition.sl))
          .labels.push_back({partition.sl_span, "given here"});
    if (given == nullptr) return;
    partition.sl = static_cast<std::uint8_t>(given->value);
    partition.sl_span = file_.span(*given);
  }

  void check_flags_used(const partition_syntax::Statement& statement, const FlagSet& flags) {
    if (flags.find(FlagKind::ipoib) != nullptr || statement.groups.first != statement.groups.last) return;
    const auto idle = std::find_if(flags.all().begin(), flags.all().end(), [](const Flag& flag) {
      return flag.kind < FlagKind::ipoib && flag.kind != FlagKind::sl;
    });
    if (idle != flags.all().end() && !statement.damaged)
      report_.next().add(kFlagsWithoutGroup, file_.span(*idle),
                         "this partition has no multicast group that the flag could be for");
  }

  void check_default() {
    const Draft& everyone = draft(kDefaultPKey);
    if (everyone.first != nullptr || file_.statements.empty() || file_.damaged) return;
    report_.next().add(kNoDefaultPartition, file_.statements.front().header,
                       "no statement is about the default partition 0x7fff: ports are limited members of it");
  }

  /// `qos FALSE` (docs/diagnostics.md).
  void check_sls() {
    for (const Flag& flag : file_.flags)
      if (flag.kind == FlagKind::sl && flag.value != 0)
        report_.next().add(kSlWithoutQos, file_.span(flag),
                           fmt::format("SL {} is read as 0: `qos` is off", flag.value));
  }

  Partitions finish() {
    Partitions partitions;
    partitions.source = file_.source;
    partitions.allow_both_pkeys =
        context_.main == nullptr || context_.main->options.partitions.allow_both_pkeys;
    for (Draft& draft : drafts_) {
      Partition& partition = draft.partition;
      if (draft.first != nullptr)
        partition.name.span =
            draft.first->name.begin != draft.first->name.end ? draft.first->name : draft.first->header;
      partition.name.text = numbering_.name(partition.pkey);
      if (partition.name.text.empty()) partition.name.text = fmt::format("{:04x}", partition.pkey);
      if (!partition.members.empty()) check_full_member(partition);
      if (!partition.members.empty())
        partitions.all.push_back(std::move(partition));
      else if (!draft.damaged)
        report_.next().add(kEmptyPartition, partition.name.span,
                           fmt::format("partition `{}` has no members", partition.name.text));
    }
    std::sort(partitions.all.begin(), partitions.all.end(),
              [](const Partition& a, const Partition& b) { return a.pkey < b.pkey; });
    return partitions;
  }

  /// Limited members talk to full ones alone. A membership that could not be read may have been meant as
  /// full.
  void check_full_member(const Partition& partition) {
    const bool all_limited =
        std::all_of(partition.members.begin(), partition.members.end(),
                    [](const Member& member) { return member.membership == Membership::limited; });
    if (partition.pkey == kDefaultPKey || !all_limited || context_.diagnostics.has_errors()) return;
    report_.next()
        .add(kNoFullMember, partition.name.span,
             fmt::format("all members of partition `{}` are limited: no two of them can talk",
                         partition.name.text))
        .hint = "write `=full` behind one that the others talk to, or `defmember=full` before the colon";
  }

  const partition_syntax::Syntax& file_;
  const BuildContext& context_;
  parsers::Bounded report_;
  bool qos_;  ///< also when it is not known
  Numbering numbering_;
  GroupMaker groups_;
  MemberMaker members_;
  std::vector<Draft> drafts_;
  std::vector<std::uint32_t> draft_of_;  ///< by P_Key
};

}  // namespace

Partitions build_partitions(const partition_syntax::Syntax& file, const BuildContext& context) {
  return PartitionsBuilder(file, context).build();
}

Partitions open_partitions(const OptionFile* main) {
  Partitions partitions = without_file();
  const GroupDefaults defaults = group_defaults(main);
  for (Partition& partition : partitions.all)
    for (MulticastGroup& group : partition.groups) {
      group.mtu = defaults.mtu;
      group.rate = defaults.rate;
    }
  return partitions;
}

}  // namespace rch::policy::partitions
