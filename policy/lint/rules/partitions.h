#pragma once

#include "base/diagnostic.h"

namespace rch::policy::partitions {

inline constexpr std::string_view kNvidiaSame = "does as OpenSM, as far as is known";

// Partitions (OpenSM's doc/partition-config.txt).
inline constexpr Rule kNoPartition{
    .name = "no-partition",
    .severity = Severity::error,
    .summary = "a partition file without a partition",
    .reason = "a missing file means the same, but is meant",
    .opensm = "opens the default partition: every port is a full member (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair =
        "write `Default=0x7fff : ALL, SELF=full ;`, or `ALL=full` to say what OpenSM makes of the empty file",
};
inline constexpr Rule kNoDefaultPartition{
    .name = "no-default-partition",
    .severity = Severity::warning,
    .summary = "a partition file that does not say who is in the default partition",
    .reason = "every port is a limited member then, and only the subnet manager's port a full one",
    .opensm =
        "adds `Default=0x7fff : ALL=limited, SELF=full ;` silently, without a broadcast group (seen on "
        "ibsim)",
    .nvidia = "does as OpenSM, as its manual says",
    .repair = "write that statement, or one with the members that are meant",
};
inline constexpr Rule kChosenPKey{
    .name = "chosen-pkey",
    .severity = Severity::warning,
    .summary = "a partition without a P_Key gets one",
    .reason = "the number depends on the other partitions of the file, and hosts are set up with numbers",
    .opensm =
        "takes the partition of the same name, else the lowest number that no partition above has, even if "
        "one below has it (seen on ibsim)",
    .nvidia = "promises a number of its own to each definition",
    .repair = "write the P_Key: `NAME=0x1`",
};
inline constexpr Rule kOnePartitionTwoNames{
    .name = "one-partition-two-names",
    .severity = Severity::warning,
    .summary = "two names for one P_Key; the first one stays",
    .reason = "definitions with one P_Key are one partition",
    .opensm = "keeps the first name silently; that of 0x7fff is `Default` (seen on ibsim)",
    .nvidia = "keeps the first name silently, as documented",
    .repair = "use one name, or another P_Key",
};
inline constexpr Rule kOneNameTwoPartitions{
    .name = "one-name-two-partitions",
    .severity = Severity::warning,
    .summary = "two P_Keys under one name",
    .reason = "definitions with different P_Keys are different partitions",
    .opensm = "makes two partitions of that name silently (seen on ibsim)",
    .nvidia = "makes two partitions of that name silently, as documented",
    .repair = "use one P_Key, or another name",
};
inline constexpr Rule kMergedSl{
    .name = "merged-sl",
    .severity = Severity::warning,
    .summary = "a later part of a partition changes its SL",
    .opensm = "takes the SL of the last part, 0 when that has none",
    .nvidia = kNvidiaSame,
    .repair = "give every part of the partition the same `sl`",
};
inline constexpr Rule kMergedIpoib{
    .name = "merged-ipoib",
    .severity = Severity::warning,
    .summary = "`ipoib` flags for a broadcast group that exists already",
    .reason = "the first part of the partition with `ipoib` has made the group",
    .opensm = "ignores the flags silently",
    .nvidia = kNvidiaSame,
    .repair = "put all flags into the first part of the partition",
};
inline constexpr Rule kSlWithoutQos{
    .name = "partition-sl-without-qos",
    .severity = Severity::warning,
    .summary = "an SL other than 0 while QoS is off is 0",
    .opensm = "uses SL 0 for the partition silently, but the given one for groups with an `sl` of their own",
    .nvidia = kNvidiaSame,
    .repair = "set `qos TRUE`, or leave the `sl` out",
};
inline constexpr Rule kBroadcastScope{
    .name = "broadcast-scope",
    .severity = Severity::warning,
    .summary = "a broadcast group of another scope than link-local",
    .reason = "manuals promise one for each `scope`",
    .opensm = "makes one broadcast group of scope 2 (link-local), whatever `scope` says",
    .nvidia = "makes one for each scope, if its manual is right",
    .repair = "leave `scope` out, or write `scope=2` beside the others",
};
inline constexpr Rule kFlagsWithoutGroup{
    .name = "flags-without-group",
    .severity = Severity::note,
    .summary = "flags of multicast groups where there is none",
    .opensm = "ignores the flags silently",
    .nvidia = kNvidiaSame,
    .repair = "add `ipoib`, or remove the flags",
};
inline constexpr Rule kEmptyPartition{
    .name = "empty-partition",
    .severity = Severity::note,
    .summary = "a partition without members does not exist",
    .opensm = "removes it, and its multicast groups, silently (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "name members, or remove the partition",
};

// Members.
inline constexpr Rule kBothNotAllowed{
    .name = "both-not-allowed",
    .severity = Severity::warning,
    .summary = "`both` without `allow_both_pkeys` is full",
    .opensm = "makes the port a full member silently (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "set `allow_both_pkeys TRUE`, or write `full`",
};
inline constexpr Rule kOverwrittenMember{
    .name = "overwritten-member",
    .severity = Severity::warning,
    .summary = "a member whose membership a later item changes",
    .reason = "the last item that names a port decides",
    .opensm = "takes the last one silently (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "put `ALL` and the like first, and name each port once",
};
inline constexpr Rule kSmNotFull{
    .name = "sm-not-full",
    .severity = Severity::warning,
    .summary = "the subnet manager's port is a limited member of the default partition",
    .reason =
        "limited members cannot talk to each other, so limited hosts cannot reach the subnet administration",
    .opensm = "does so silently (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "end the members of the default partition with `SELF=full`",
};
inline constexpr Rule kNoFullMember{
    .name = "no-full-member",
    .severity = Severity::warning,
    .summary = "a partition of which all members are limited",
    .reason = "a limited member talks to full members alone; a member without a word is a limited one",
    .opensm = "makes the partition silently; no two of its members can talk (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "make the members full that the others talk to: `=full`, or `defmember=full` for all",
};
inline constexpr Rule kSharedIndex0{
    .name = "shared-index-0",
    .severity = Severity::warning,
    .summary = "a port that is member of two partitions with `indx0`",
    .reason = "one P_Key can stand at index 0",
    .opensm = "takes the last one silently",
    .nvidia = kNvidiaSame,
    .repair = "leave `indx0` out of all but one of them",
};
inline constexpr Rule kGroupAsMember{
    .name = "port-group-as-member",
    .severity = Severity::note,
    .summary = "a port group as a member",
    .opensm = "refuses the whole file with `bad PortGUID` and opens every partition (seen on ibsim)",
    .nvidia = "knows port groups here since 4.9",
    .repair = "list the GUIDs where OpenSM must read the file",
};
inline constexpr Rule kUnknownMember{
    .name = "unknown-member",
    .severity = Severity::error,
    .summary = "a member that is no GUID, no keyword and no port group",
    .opensm = "refuses the whole file with `bad PortGUID` and opens every partition (seen on ibsim)",
    .nvidia = "takes it as the name of a port group, and refuses the file when there is none",
    .repair = "write the GUID of the port, or a keyword in capitals such as `ALL`",
};
inline constexpr Rule kVirtualPorts{
    .name = "virtual-ports",
    .severity = Severity::warning,
    .summary = "`ALL_VCAS` names virtual ports, of which rch knows none",
    .opensm = "refuses the whole file with `bad PortGUID` and opens every partition (seen on ibsim)",
    .nvidia = "adds every virtual port",
    .repair = "remove it; physical ports are `ALL_CAS`",
};
inline constexpr Rule kUnknownPort{
    .name = "unknown-partition-member",
    .severity = Severity::warning,
    .summary = "a member that the fabric does not have",
    .opensm = "skips it silently (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "check the GUID; it must be that of a port, or of a switch",
};

// Multicast groups.
inline constexpr std::string_view kSkipsGroup = "logs an error and makes no group (seen on ibsim)";
inline constexpr Rule kGroupPKey{
    .name = "multicast-group-pkey",
    .severity = Severity::error,
    .summary = "the address of an IP multicast group names another partition",
    .opensm = kSkipsGroup,
    .nvidia = kNvidiaSame,
    .repair =
        "leave the P_Key out of the address (`ff12:401b::16`), or write that of the partition with bit 15",
};
inline constexpr Rule kGroupRate{
    .name = "multicast-group-rate",
    .severity = Severity::error,
    .summary = "an IP multicast group with another rate or MTU than its partition",
    .opensm = kSkipsGroup,
    .nvidia = kNvidiaSame,
    .repair = "leave `rate` and `mtu` of the group out",
};
inline constexpr Rule kGroupBeyondPorts{
    .name = "multicast-group-beyond-ports",
    .severity = Severity::warning,
    .summary = "a multicast group with a rate or MTU that members of its partition do not have",
    .reason = "a port joins a group when it has the rate and the MTU of the group at least",
    .opensm = "refuses the joins of these ports with `ERR 1B12` or `ERR 1B13` in its log",
    .nvidia = kNvidiaSame,
    .repair = "give the group the rate and MTU of the slowest member, or leave the flags out",
};
inline constexpr Rule kGroupWithoutBroadcast{
    .name = "multicast-group-without-broadcast",
    .severity = Severity::error,
    .summary = "an IP multicast group where the partition has no broadcast group of its scope",
    .opensm = kSkipsGroup,
    .nvidia = kNvidiaSame,
    .repair = "add `ipoib` to the flags of the partition",
};
inline constexpr Rule kReservedMgid{
    .name = "reserved-mgid",
    .severity = Severity::error,
    .summary = "a multicast address that InfiniBand reserves",
    .reason =
        "of the flags in the third hex digit only the lowest may be set, and a01b groups are not link-local",
    .opensm = kSkipsGroup,
    .nvidia = kNvidiaSame,
    .repair = "use an address such as `ff12:401b::16` (IP) or `ff12::1`",
};
inline constexpr Rule kGroupExists{
    .name = "multicast-group-exists",
    .severity = Severity::warning,
    .summary = "a multicast group that exists already",
    .reason = "a note where it says what the first one says, as files of Red Hat do for the broadcast group",
    .opensm = "skips it silently",
    .nvidia = kNvidiaSame,
    .repair = "remove one of them; flags are those of the first",
};
inline constexpr Rule kNearlyIpGroup{
    .name = "nearly-ip-group",
    .severity = Severity::warning,
    .summary = "a multicast address one digit away from one that IP over InfiniBand uses",
    .reason = "IP groups have the signature 401b or 601b, and the broadcast group ends in ffff:ffff",
    .opensm = "makes the group silently; no IP host joins it",
    .nvidia = kNvidiaSame,
    .repair = "correct the digit",
};
inline constexpr Rule kScopeNibble{
    .name = "mgid-scope",
    .severity = Severity::warning,
    .summary = "the scope in a multicast address is overwritten",
    .reason = "the scope is that of the flags, 2 (link-local) when there is none",
    .opensm = "overwrites it silently",
    .nvidia = "overwrites it silently, as documented",
    .repair = "add the `scope` flag, or write the scope into the fourth hex digit",
};

inline constexpr const Rule* kRules[] = {
    &kNoPartition,
    &kNoDefaultPartition,
    &kChosenPKey,
    &kOnePartitionTwoNames,
    &kOneNameTwoPartitions,
    &kMergedSl,
    &kMergedIpoib,
    &kSlWithoutQos,
    &kBroadcastScope,
    &kFlagsWithoutGroup,
    &kEmptyPartition,
    &kBothNotAllowed,
    &kOverwrittenMember,
    &kSmNotFull,
    &kNoFullMember,
    &kSharedIndex0,
    &kGroupAsMember,
    &kUnknownMember,
    &kVirtualPorts,
    &kUnknownPort,
    &kGroupPKey,
    &kGroupRate,
    &kGroupBeyondPorts,
    &kGroupWithoutBroadcast,
    &kReservedMgid,
    &kGroupExists,
    &kNearlyIpGroup,
    &kScopeNibble,
};

}  // namespace rch::policy::partitions
