#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::partitions {

// partitions.conf (OpenSM's doc/partition-config.txt). One error makes OpenSM refuse the file, and a refused
// file opens every partition: all ports become full members of the default partition and of no other.

inline constexpr Rule kHeaderWithoutColon{
    .name = "header-without-colon",
    .severity = Severity::error,
    .summary = "a partition header without its colon",
    .opensm = "refuses the whole file and opens every partition (seen on ibsim)",
    .nvidia = "refuses the whole file, as OpenSM",
    .repair = "write `NAME=PKEY, FLAGS :` before the members",
};
inline constexpr Rule kSplitHeader{
    .name = "split-header",
    .severity = Severity::error,
    .summary = "a partition header on more than one line",
    .reason = "members may be spread over lines, the header up to its colon may not",
    .opensm = "refuses the whole file and opens every partition (seen on ibsim)",
    .nvidia = "refuses the whole file, as OpenSM",
    .repair = "put the header on one line",
};
inline constexpr Rule kMgidWithoutPartition{
    .name = "mgid-without-partition",
    .severity = Severity::error,
    .summary = "a multicast group where the header of a partition belongs",
    .reason = "groups follow the colon of their partition, before its `;`",
    .opensm = "refuses the whole file and opens every partition (seen on ibsim)",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "write the header of the partition above the group",
};
inline constexpr Rule kColonBeforeFlag{
    .name = "colon-before-flag",
    .severity = Severity::error,
    .summary = "a colon in place of the comma before a flag",
    .reason = "a sample of the manuals has it: `ShareIO = 0x80 : defmember=limited : …`",
    .opensm = "refuses the whole file and opens every partition (seen on ibsim)",
    .nvidia = "refuses the whole file, as OpenSM",
    .repair = "write a comma; one colon stands before the members",
};
inline constexpr Rule kMissingSemicolon{
    .name = "missing-semicolon",
    .severity = Severity::error,
    .summary = "a partition that does not end before the next one starts",
    .reason = "the next header is read as members",
    .opensm = "refuses the whole file with `bad PortGUID` and opens every partition (seen on ibsim)",
    .nvidia = "refuses the whole file, as OpenSM",
    .repair = "end the partition with `;`",
};
inline constexpr Rule kUnfinishedStatement{
    .name = "unfinished-statement",
    .severity = Severity::error,
    .summary = "the file ends before the `;` of its last partition",
    .reason = "a file that was cut off ends so; a warning where a line end follows the last member",
    .opensm =
        "takes what is there silently; a member that lost its membership is a limited one (seen on ibsim)",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "end the partition with `;`, or restore what is missing",
};
inline constexpr Rule kCommentMark{
    .name = "comment-mark",
    .severity = Severity::error,
    .summary = "a partition whose name begins with a sign that starts comments elsewhere",
    .reason = "only `#` starts a comment",
    .opensm = "makes the partition: its members can talk (seen on ibsim)",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "put `#` at the start of each line, or begin the name with a letter",
};
inline constexpr Rule kPKeyReadAsDecimal{
    .name = "pkey-read-as-decimal",
    .severity = Severity::warning,
    .summary = "a P_Key without `0x`",
    .reason = "P_Keys are mostly written in hexadecimal; a note where the number has less than four digits",
    .opensm = "reads it as a decimal number silently (seen on ibsim)",
    .nvidia = "reads it as a decimal number silently, as OpenSM",
    .repair = "put `0x` before it, or write the hexadecimal number that is meant",
};
inline constexpr Rule kEmptyStatement{
    .name = "empty-statement",
    .severity = Severity::error,
    .summary = "a semicolon that ends nothing",
    .opensm = "refuses the whole file and opens every partition (seen on ibsim)",
    .nvidia = "refuses the whole file, as OpenSM",
    .repair = "remove the semicolon",
};
inline constexpr Rule kLoneSemicolon{
    .name = "lone-semicolon",
    .severity = Severity::error,
    .summary = "a semicolon at the start of a line",
    .reason = "manuals and samples write it so",
    .opensm =
        "reads on behind the end of the line in what is left of an earlier, longer line, and mostly "
        "refuses the whole file and opens every partition",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "put the semicolon behind the last member",
};
inline constexpr Rule kMissingComma{
    .name = "missing-comma",
    .severity = Severity::error,
    .summary = "two members without a comma between them",
    .opensm =
        "refuses the whole file and opens every partition; where the first member has a membership, it makes "
        "that one limited and drops the second, silently (seen on ibsim)",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "put a comma or a line end between members",
};
inline constexpr Rule kColonAmongMembers{
    .name = "colon-among-members",
    .severity = Severity::error,
    .summary = "a colon among the members of a partition",
    .opensm =
        "refuses the whole file and opens every partition; behind a membership it makes that member a "
        "limited one and drops those after the colon silently (seen on ibsim)",
    .nvidia = "refuses the whole file, as OpenSM",
    .repair = "remove the colon, or end the partition before the next header with `;`",
};
inline constexpr Rule kFlagAmongMembers{
    .name = "flag-among-members",
    .severity = Severity::error,
    .summary = "a flag of the partition among its members",
    .opensm = "refuses the whole file with `bad PortGUID` and opens every partition (seen on ibsim)",
    .nvidia = "takes it as the name of a port group",
    .repair = "put flags before the colon, or behind `mgid=…` on its line",
};
inline constexpr Rule kMembershipWithoutMember{
    .name = "membership-without-member",
    .severity = Severity::error,
    .summary = "`=full` or the like without a member before it",
    .reason = "a membership on the next line does not reach the member above",
    .opensm = "drops it silently; the member above gets the default membership (seen on ibsim)",
    .nvidia = "drops it silently, as OpenSM",
    .repair = "put the membership on the line of its member",
};
inline constexpr Rule kEmptyMembership{
    .name = "empty-membership",
    .severity = Severity::error,
    .summary = "`=` without a membership behind it",
    .reason = "documented as limited, read as full",
    .opensm = "makes the port a full member silently (seen on ibsim)",
    .nvidia = "makes the port a limited member, as its manual says",
    .repair = "write `=full`, `=limited` or `=both`",
};
inline constexpr Rule kUnknownMembership{
    .name = "unknown-membership",
    .severity = Severity::error,
    .summary = "a membership that is none",
    .opensm = "makes the port a limited member silently (seen on ibsim)",
    .nvidia = "makes the port a limited member, as its manual says",
    .repair = "write `full`, `limited` or `both`, in lower case",
};
inline constexpr Rule kAbbreviatedKeyword{
    .name = "abbreviated-keyword",
    .severity = Severity::warning,
    .summary = "the beginning of a keyword in place of the keyword",
    .reason = "a sample of the manuals has `=limi`",
    .opensm = "reads the keyword silently (seen on ibsim)",
    .nvidia = "reads the keyword silently, as OpenSM",
    .repair = "write the keyword in full",
};
inline constexpr Rule kAmbiguousKeyword{
    .name = "ambiguous-keyword",
    .severity = Severity::error,
    .summary = "letters that begin several keywords, or too few of them",
    .opensm = "reads the first keyword that begins so: `A` is `ALL`, `s` is `scope` (seen on ibsim)",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "write the keyword in full; give a port group of that name another one",
};
inline constexpr Rule kEmptyFlag{
    .name = "empty-flag",
    .severity = Severity::error,
    .summary = "a comma without a flag behind it",
    .opensm = "takes it as `mtu` without a value, which changes nothing (seen on ibsim)",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "remove the comma",
};
inline constexpr Rule kUnknownFlag{
    .name = "unknown-flag",
    .severity = Severity::error,
    .summary = "a flag that partitions or multicast groups do not have",
    .opensm = "drops the flag silently (seen on ibsim)",
    .nvidia = "drops the flag silently, as OpenSM",
    .repair =
        "use `indx0`, `ipoib`, `defmember`, `mtu`, `rate`, `sl`, `scope`, `Q_Key`, `TClass` or `FlowLabel`, "
        "spelt so; the first three are for partitions only",
};
inline constexpr Rule kFlagSpelling{
    .name = "flag-spelling",
    .severity = Severity::warning,
    .summary = "a spelling of `Q_Key` or `TClass` that only manuals know",
    .opensm = "drops the flag silently",
    .nvidia = "reads it, if its manual is right",
    .repair = "write `Q_Key` or `TClass`",
};
inline constexpr Rule kFlagWithoutValue{
    .name = "flag-without-value",
    .severity = Severity::error,
    .summary = "a flag or a P_Key without its value",
    .opensm =
        "leaves most flags as they are silently; an empty `mtu=` or `rate=` makes no multicast group (ERR "
        "1B26); a missing P_Key makes it refuse the file and open every partition (seen on ibsim)",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "write the value, or leave the flag out",
};
inline constexpr Rule kFlagTakesNoValue{
    .name = "flag-takes-no-value",
    .severity = Severity::warning,
    .summary = "a value behind `ipoib` or `indx0`",
    .reason = "the flag is on whatever the value says",
    .opensm = "ignores the value silently",
    .nvidia = "ignores the value silently, as OpenSM",
    .repair = "write the flag alone; leave it out to switch it off",
};
inline constexpr Rule kRepeatedFlag{
    .name = "repeated-flag",
    .severity = Severity::warning,
    .summary = "a flag that stands twice; the last one wins",
    .opensm = "takes the last one silently (seen on ibsim)",
    .nvidia = "takes the last one silently, as OpenSM",
    .repair = "remove one of them; only `scope` may repeat",
};
inline constexpr Rule kUnknownRate{
    .name = "unknown-rate",
    .severity = Severity::warning,
    .summary = "a rate code above 24 (1200 Gb/s)",
    .opensm = "makes no multicast group and logs an error",
    .nvidia = "takes newer codes than the manuals list",
    .repair = "use a code from 2 to 24: 3 is 10 Gb/s, 7 is 40, 16 is 100, 17 is 200, 21 is 400",
};
inline constexpr Rule kLongPartitionName{
    .name = "long-partition-name",
    .severity = Severity::warning,
    .summary = "a partition name of more than 31 characters",
    .opensm = "cuts the name",
    .nvidia = "cuts the name, as OpenSM",
    .repair = "use a shorter name",
};
inline constexpr Rule kPKeyMembershipBit{
    .name = "pkey-membership-bit",
    .severity = Severity::note,
    .summary = "bit 15 of a P_Key is not part of it",
    .reason = "the bit tells full from limited membership in the tables of ports",
    .opensm = "drops the bit silently (seen on ibsim)",
    .nvidia = "drops the bit silently, as OpenSM",
    .repair = "write the P_Key without it",
};
inline constexpr Rule kMgidSpelling{
    .name = "mgid-spelling",
    .severity = Severity::error,
    .summary = "`mgid` in other letters",
    .opensm = "refuses the whole file with `bad PortGUID` and opens every partition (seen on ibsim)",
    .nvidia = "refuses the whole file, as OpenSM",
    .repair = "write `mgid`, in full and in lower case",
};
inline constexpr Rule kBadMgid{
    .name = "bad-mgid",
    .severity = Severity::error,
    .summary = "no address of a multicast group behind `mgid`",
    .opensm = "logs an error and makes no group; it does not survive an `mgid` without `=`",
    .nvidia = "logs an error and makes no group, as OpenSM",
    .repair = "write an IPv6 address whose first byte is `ff`, such as `ff12:401b::16`",
};
inline constexpr Rule kMemberBehindMgid{
    .name = "member-behind-mgid",
    .severity = Severity::error,
    .summary = "a member behind `mgid` on the same line",
    .reason = "all text up to the end of the line belongs to the group",
    .opensm = "takes the member for an unknown flag and drops it silently (seen on ibsim)",
    .nvidia = "drops the member silently, as OpenSM",
    .repair = "put members on a line of their own, or before `mgid`",
};
inline constexpr Rule kTextBehindMgid{
    .name = "text-behind-mgid",
    .severity = Severity::warning,
    .summary = "a comment behind a multicast group that has no flags",
    .opensm = "reads on behind the `#` and takes the comment for flags of the group",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "start a new line, or give the group a flag, such as its `mtu`",
};

inline constexpr Rule kGroupBeforeSemicolon{
    .name = "group-before-semicolon",
    .severity = Severity::error,
    .summary = "a multicast group without flags at the end of its statement",
    .opensm =
        "reads on behind the `;`, in what is left in its buffer where the line ends there, and mostly "
        "refuses "
        "the whole file and opens every partition",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "give the group a flag, such as the `sl` or `mtu` of its partition",
};

inline constexpr const Rule* kRules[] = {
    &kUnfinishedStatement,  &kCommentMark,        &kPKeyReadAsDecimal,
    &kGroupBeforeSemicolon, &kHeaderWithoutColon, &kSplitHeader,
    &kMgidWithoutPartition, &kColonBeforeFlag,    &kMissingSemicolon,
    &kEmptyStatement,       &kLoneSemicolon,      &kMissingComma,
    &kColonAmongMembers,    &kFlagAmongMembers,   &kMembershipWithoutMember,
    &kEmptyMembership,      &kUnknownMembership,  &kAbbreviatedKeyword,
    &kAmbiguousKeyword,     &kEmptyFlag,          &kUnknownFlag,
    &kFlagSpelling,         &kFlagWithoutValue,   &kFlagTakesNoValue,
    &kRepeatedFlag,         &kUnknownRate,        &kLongPartitionName,
    &kPKeyMembershipBit,    &kMgidSpelling,       &kBadMgid,
    &kMemberBehindMgid,     &kTextBehindMgid,
};

}  // namespace rch::parsers::partitions
