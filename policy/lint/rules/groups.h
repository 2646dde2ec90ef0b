#pragma once

#include "base/diagnostic.h"

namespace rch::policy {

// Port groups (docs/keywords.md).
inline constexpr Rule kDuplicateGroup{
    .name = "duplicate-port-group",
    .severity = Severity::error,
    .summary = "a port group that is defined twice",
    .opensm = "does not read this kind of file",
    .nvidia = "does not document which one it takes",
    .repair = "give the second one a name of its own",
};
inline constexpr Rule kReservedGroup{
    .name = "reserved-port-group",
    .severity = Severity::error,
    .summary = "a predefined port group name",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "give the group another name",
};
inline constexpr Rule kUnsupportedGroup{
    .name = "unsupported-port-group",
    .severity = Severity::error,
    .summary = "a predefined port group that rch cannot compute",
    .opensm = "does not read this kind of file",
    .nvidia = "computes it in newer versions",
    .repair = "define a group with the ports that are meant",
};
inline constexpr Rule kUndefinedGroup{
    .name = "undefined-port-group",
    .severity = Severity::error,
    .summary = "a port group that is not defined",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "define the group, or name one that is",
};
inline constexpr Rule kGroupCycle{
    .name = "port-group-cycle",
    .severity = Severity::error,
    .summary = "port groups that are made of each other",
    .opensm = "does not read this kind of file",
    .nvidia = "does not document what it does",
    .repair = "take one of the groups out of the cycle",
};
inline constexpr Rule kGroupCase{
    .name = "port-group-case",
    .severity = Severity::warning,
    .summary = "two group names that differ only in case",
    .opensm = "does not read this kind of file",
    .nvidia = "takes them as two groups and says nothing",
    .repair = "give one of them another name",
};
inline constexpr Rule kGroupNameBlank{
    .name = "port-group-name-blank",
    .severity = Severity::warning,
    .summary = "a blank inside a group name",
    .opensm = "does not read this kind of file",
    .nvidia = "is not documented to take it",
    .repair = "write `-` or `_` in place of the blank",
};
inline constexpr Rule kNoRule{
    .name = "no-rule",
    .severity = Severity::error,
    .summary = "a port group without a rule",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "add a rule, such as `port-guid: …`",
};
inline constexpr Rule kUnusedGroup{
    .name = "unused-port-group",
    .severity = Severity::note,
    .summary = "a port group that nothing uses",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "drop the group, or use it",
};
inline constexpr Rule kRepeatedGuid{
    .name = "repeated-guid",
    .severity = Severity::note,
    .summary = "a GUID or rule that stands twice in one rule or file",
    .opensm = "takes it once and says nothing",
    .nvidia = "takes it once and says nothing",
    .repair = "keep one of them",
};
inline constexpr Rule kBadRegexp{
    .name = "bad-regexp",
    .severity = Severity::error,
    .summary = "a regular expression that does not compile",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the policy, or matches nothing",
    .repair = "write a POSIX extended expression",
};
inline constexpr Rule kForeignEscape{
    .name = "foreign-escape",
    .severity = Severity::warning,
    .summary = "an escape of other expression languages",
    .reason = "in a POSIX expression `\\d` is the letter d, so `sw\\d+` matches no `sw12`",
    .opensm = "does not read this kind of file",
    .nvidia = "takes it as an expression",
    .repair = "write `[0-9]` for a digit",
};
inline constexpr Rule kRegexpLikeGlob{
    .name = "regexp-like-glob",
    .severity = Severity::warning,
    .summary = "an expression that reads like a file pattern",
    .reason =
        "the manual explains `SW*` as `begins with SW`; as an expression it matches every description with "
        "an `S`",
    .opensm = "does not read this kind of file",
    .nvidia = "takes it as an expression",
    .repair = "write `^SW` for descriptions that begin with SW",
};

inline constexpr Rule kPortTwice{
    .name = "port-added-twice",
    .severity = Severity::note,
    .summary = "two rules of a group that add the same port",
    .opensm = "does not read this kind of file",
    .nvidia = "takes the port once and says nothing",
    .repair = "drop one of the rules, or its ports",
};

inline constexpr const Rule* kGroupRules[] = {
    &kDuplicateGroup, &kReservedGroup,  &kUnsupportedGroup, &kUndefinedGroup, &kGroupCycle,
    &kGroupCase,      &kGroupNameBlank, &kNoRule,           &kUnusedGroup,    &kRepeatedGuid,
    &kBadRegexp,      &kRegexpLikeGlob, &kForeignEscape,    &kPortTwice,
};

}  // namespace rch::policy
