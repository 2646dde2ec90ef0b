#pragma once

#include "base/diagnostic.h"

namespace rch::policy::qos {

inline constexpr std::string_view kDropsPolicy =
    "drops the whole policy: every path gets the SL of its partition (seen on ibsim)";
inline constexpr std::string_view kNvidiaSame = "documents OpenSM's rules; what it reports is not published";

// Levels (OpenSM's doc/QoS_management_in_OpenSM.txt).
inline constexpr Rule kMissingDefault{
    .name = "missing-default-level",
    .severity = Severity::error,
    .summary = "a QoS policy without a default",
    .reason = "queries that no rule fits must get a level",
    .opensm = kDropsPolicy,
    .nvidia = kNvidiaSame,
    .repair = "define a level named DEFAULT, or a `default` line in `qos-ulps`",
};
inline constexpr Rule kTwoDefaults{
    .name = "two-defaults",
    .severity = Severity::warning,
    .summary = "a default that another default overrides",
    .reason = "one default holds: the level DEFAULT, else the last `default` line",
    .opensm = "takes that one silently",
    .nvidia = kNvidiaSame,
    .repair = "keep one default",
};
inline constexpr Rule kDuplicateLevel{
    .name = "duplicate-qos-level",
    .severity = Severity::error,
    .summary = "a QoS level that is defined twice",
    .reason = "a match rule names a level by its name alone; case does not count",
    .opensm = "takes the first silently",
    .nvidia = kNvidiaSame,
    .repair = "rename one of them",
};
inline constexpr Rule kUndefinedLevel{
    .name = "undefined-qos-level",
    .severity = Severity::error,
    .summary = "a QoS level that is not defined",
    .reason = "a `default` line of `qos-ulps` defines no level that a rule could name",
    .opensm = kDropsPolicy,
    .nvidia = kNvidiaSame,
    .repair = "define the level, or name one that exists",
};
inline constexpr Rule kUnusedLevel{
    .name = "unused-qos-level",
    .severity = Severity::note,
    .summary = "a QoS level that no rule names",
    .reason = "no query can get it",
    .opensm = "says nothing",
    .nvidia = kNvidiaSame,
    .repair = "remove the level, or name it in a match rule",
};

// Port groups.
inline constexpr Rule kDuplicateGroup{
    .name = "duplicate-qos-group",
    .severity = Severity::error,
    .summary = "a port group of a QoS policy that is defined twice",
    .reason = "a match rule names a group by its name alone; case does not count",
    .opensm = "takes the first silently",
    .nvidia = kNvidiaSame,
    .repair = "rename one of them, or join them",
};
inline constexpr Rule kUndefinedGroup{
    .name = "undefined-qos-group",
    .severity = Severity::error,
    .summary = "a port group that neither the QoS policy nor the port group file defines",
    .reason = "the rule has no ports to compare with",
    .opensm = kDropsPolicy,
    .nvidia = "looks for the group in the port group file as well",
    .repair = "define the group, or name one that exists",
};
inline constexpr Rule kUnusedGroup{
    .name = "unused-qos-group",
    .severity = Severity::note,
    .summary = "a port group of a QoS policy that no rule names",
    .reason = "it changes nothing",
    .opensm = "says nothing",
    .nvidia = kNvidiaSame,
    .repair = "remove the group, or name it in a match rule",
};
inline constexpr Rule kGroupInBothFiles{
    .name = "qos-group-in-both-files",
    .severity = Severity::warning,
    .summary = "a port group that the port group file defines too",
    .reason = "rules of the QoS policy mean the group of the QoS policy",
    .opensm = "knows no port group file",
    .nvidia = "does not say which of the two it takes",
    .repair = "rename one of them",
};

// Match rules and ULP lines.
inline constexpr Rule kNoCriteria{
    .name = "rule-without-criteria",
    .severity = Severity::warning,
    .summary = "a match rule that fits every query",
    .reason = "rules behind it and the default are never reached",
    .opensm = "gives every query the level of this rule",
    .nvidia = kNvidiaSame,
    .repair = "give the rule a criterion, or make its level the default",
};
inline constexpr Rule kUnreachableRule{
    .name = "unreachable-qos-rule",
    .severity = Severity::warning,
    .summary = "a match rule or ULP line that no query can reach",
    .reason =
        "the first rule that fits wins, match rules before ULP lines, and earlier ones take all of its "
        "queries",
    .opensm = "says nothing",
    .nvidia = kNvidiaSame,
    .repair = "put the narrower rule first, or remove this one",
};
inline constexpr Rule kSourceOrTarget{
    .name = "source-and-target",
    .severity = Severity::warning,
    .summary = "`source-target-port-guid` wants both ends in the list",
    .reason = "manuals say source or destination",
    .opensm = "matches only when both are in the list",
    .nvidia = "documents source or destination",
    .repair = "write a `source-port-guid` and a `target-port-guid` line if either end is enough",
};

// Partitions (docs/diagnostics.md).
inline constexpr Rule kUnknownPkey{
    .name = "unknown-pkey",
    .severity = Severity::warning,
    .summary = "a P_Key that no partition has",
    .reason = "no query with it is answered; an `ipoib` line makes it an error",
    .opensm = "logs ERR AC14 and goes on; for `ipoib` it drops the whole policy (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "define the partition, or name one that exists",
};
inline constexpr Rule kUnknownPartition{
    .name = "unknown-partition",
    .severity = Severity::warning,
    .summary = "a partition name that no partition has",
    .reason = "the group gets no ports from it",
    .opensm = "says nothing",
    .nvidia = kNvidiaSame,
    .repair = "name a partition of the partition file",
};
inline constexpr Rule kTooFewFullMembers{
    .name = "too-few-full-members",
    .severity = Severity::warning,
    .summary = "an `ipoib` line of a partition with fewer than two full members",
    .reason = "limited members cannot talk to each other, so IPoIB has no pair of ports",
    .opensm = kDropsPolicy,
    .nvidia = kNvidiaSame,
    .repair = "make two ports full members",
};

// On a fabric.
inline constexpr Rule kNoSuchPort{
    .name = "qos-port-not-in-fabric",
    .severity = Severity::warning,
    .summary = "a `port-name` that no port of the fabric has",
    .reason = "the group has a port less than meant",
    .opensm =
        "ignores an unknown node silently; for a port number beyond the node's it drops the whole policy "
        "(seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "write the node description as the fabric has it, then `/P` and the port",
};

// SL2VL and VL arbitration (opensm(8), QOS CONFIGURATION and docs/diagnostics.md).
inline constexpr Rule kVlBeyondOperational{
    .name = "vl-beyond-operational",
    .severity = Severity::warning,
    .summary = "an SL mapped to a VL that ports will not have",
    .reason = "`max_op_vls` gives ports fewer VLs, so the SL shares a lower one",
    .opensm =
        "3.3.23 maps to the VL as it is in its first sweep, when the operational VLs of switch ports are not "
        "known yet, and to the VL modulo the operational ones from the second sweep on; it says so in "
        "neither "
        "(seen on ibsim)",
    .nvidia = "is not known to differ; its `max_op_vls` is 2 VLs unless set",
    .repair = "map the SL to a lower VL, or raise `max_op_vls`",
};
inline constexpr Rule kNeverSent{
    .name = "vl-without-weight",
    .severity = Severity::warning,
    .summary = "an SL mapped to a VL that neither arbitration table gives weight",
    .reason = "a VL of weight 0 never sends",
    .opensm = "programs the tables as they are",
    .nvidia = "programs the tables as they are",
    .repair = "give the VL weight, or map the SL to another one",
};
inline constexpr Rule kDroppedSl{
    .name = "dropped-sl",
    .severity = Severity::warning,
    .summary = "an SL mapped to VL 15, which drops its packets",
    .reason = "an error when something uses the SL",
    .opensm = "programs the map; path queries of that SL get no answer",
    .nvidia = "programs the map",
    .repair = "map the SL to a data VL",
};
inline constexpr Rule kWeightNotPacket{
    .name = "weight-not-packets",
    .severity = Severity::note,
    .summary = "a weight that is no multiple of 64",
    .reason = "a packet of 4096 bytes takes 64 units, so the shares are not what the weights say",
    .opensm = "programs the weight as it is",
    .nvidia = "advises multiples of 64 for an MTU of 4096",
    .repair = "use multiples of 64 where the MTU is 4096",
};

// torus-2QoS (opensm(8), QOS CONFIGURATION, docs/torus.md, VL arbitration).
inline constexpr Rule kTorusUnfair{
    .name = "torus-unfair-weights",
    .severity = Severity::warning,
    .summary = "arbitration between switches that treats the VLs of one QoS level differently",
    .reason =
        "VLs 0-3 and VLs 4-7 are one level each; traffic moves between their VLs at datelines and turns",
    .opensm = "logs a warning at each routing",
    .nvidia = "documents the same advice",
    .repair =
        "give VLs 0-3 one weight and VLs 4-7 one weight in `qos_swe_vlarb_high` and `qos_swe_vlarb_low`",
};
inline constexpr Rule kTorusEndPort{
    .name = "torus-end-port-weights",
    .severity = Severity::warning,
    .summary = "weight for VLs 2-7 at end ports under torus-2QoS",
    .reason = "end ports use VL 0 and VL 1 only, one for each QoS level",
    .opensm = "logs a warning at each routing",
    .nvidia = "documents the same advice",
    .repair = "give VLs 2-7 weight 0 at `qos_ca_`, `qos_rtr_` and `qos_sw0_`",
};
inline constexpr Rule kTorusMaxVls{
    .name = "torus-max-vls",
    .severity = Severity::warning,
    .summary = "a `max_vls` too small for torus-2QoS",
    .reason = "it wants 8 VLs between switches and 2 at end ports",
    .opensm = "logs a warning at each routing",
    .nvidia = "documents the same advice",
    .repair = "set `qos_swe_max_vls` to 8 and those of end ports to 2, or leave them unset",
};
inline constexpr Rule kTorusSl{
    .name = "torus-sl",
    .severity = Severity::warning,
    .summary = "a partition or multicast SL other than 0 and 8 under torus-2QoS",
    .reason =
        "torus-2QoS keeps bit 3 of an SL and computes the rest for each path; a multicast SL is used as it "
        "is",
    .opensm = "says nothing",
    .nvidia = "documents 0 and 8 as the SLs of the two levels",
    .repair = "use 0 for the first QoS level and 8 for the second",
};

inline constexpr const Rule* kRules[] = {
    &kMissingDefault,  &kTwoDefaults,         &kDuplicateLevel, &kUndefinedLevel,   &kUnusedLevel,
    &kDuplicateGroup,  &kUndefinedGroup,      &kUnusedGroup,    &kGroupInBothFiles, &kNoCriteria,
    &kUnreachableRule, &kSourceOrTarget,      &kUnknownPkey,    &kUnknownPartition, &kTooFewFullMembers,
    &kNoSuchPort,      &kVlBeyondOperational, &kNeverSent,      &kDroppedSl,        &kWeightNotPacket,
    &kTorusUnfair,     &kTorusEndPort,        &kTorusMaxVls,    &kTorusSl,
};

}  // namespace rch::policy::qos
