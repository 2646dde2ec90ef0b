#pragma once

#include "parsers/rules.h"

namespace rch::parsers::qos_policy {

// Blocks (OpenSM's doc/QoS_management_in_OpenSM.txt).
inline constexpr Rule kSetupIgnored{
    .name = "qos-setup-ignored",
    .severity = Severity::warning,
    .summary = "a `qos-setup` section, which sets nothing up",
    .reason = "the tables it describes are never programmed",
    .opensm = "parses the section and ignores it",
    .nvidia = "parses the section and ignores it",
    .repair = "use the `qos_*` options of the main options file",
};

// Lines and values.
inline constexpr Rule kSwappedRange{
    .name = "swapped-range",
    .severity = Severity::warning,
    .summary = "a range whose first number is the larger one",
    .reason = "it is read the other way round, which may not be what was meant",
    .opensm = "swaps the two silently",
    .nvidia = kNvidiaSame,
    .repair = "write the smaller number first",
};
inline constexpr Rule kKeywordInName{
    .name = "keyword-in-name",
    .severity = Severity::warning,
    .summary = "a section keyword inside an unquoted name",
    .reason = "OpenSM's scanner looks for keywords everywhere",
    .opensm = "takes that part of the name for the keyword and drops the whole policy (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "put the name in quotes",
};
inline constexpr Rule kUnquotedBlank{
    .name = "unquoted-blank",
    .severity = Severity::warning,
    .summary = "a blank in an unquoted port or partition name",
    .reason = "without quotes the name that is looked for has no blanks, so nothing has it",
    .opensm = "drops the blanks and finds no such node or partition, silently",
    .nvidia = kNvidiaSame,
    .repair = "put the name in quotes",
};
inline constexpr Rule kJoinedNames{
    .name = "joined-names",
    .severity = Severity::error,
    .summary = "two quoted names without a comma between them",
    .reason = "they are one name, which nothing has",
    .opensm = "looks for one node, partition or group of that name and silently finds none",
    .nvidia = kNvidiaSame,
    .repair = "write a comma between the names",
};
inline constexpr Rule kSwallowedQualifier{
    .name = "swallowed-qualifier",
    .severity = Severity::warning,
    .summary = "a qualifier in the text of `use`",
    .reason = "`use` takes the rest of its line, so two lines that were joined lose the second",
    .opensm = "takes it as text silently: the rule or group does without it",
    .nvidia = kNvidiaSame,
    .repair = "give the qualifier a line of its own, or take its colon out of the text",
};
inline constexpr Rule kOpenQuote{
    .name = "open-quote",
    .severity = Severity::error,
    .summary = "a quote that is not closed on its line",
    .reason = "the name has no end",
    .opensm = "reads on to the next quote, over line ends too",
    .nvidia = kNvidiaSame,
    .repair = "close the quote",
};
inline constexpr Rule kQuotedList{
    .name = "quoted-list",
    .severity = Severity::error,
    .summary = "several port names inside one pair of quotes",
    .reason = "quotes make one name of them, which no node has",
    .opensm = "looks for one node of that name and silently finds none",
    .nvidia = kNvidiaSame,
    .repair = "quote each name by itself",
};
inline constexpr Rule kPlaceholder{
    .name = "placeholder",
    .severity = Severity::error,
    .summary = "a word of a manual's sample where numbers belong",
    .reason = "the manual means it to be replaced",
    .opensm = "drops the whole policy (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "write the numbers, such as the GUIDs of the ports",
};

inline constexpr Rule kRateBeyondOpenSm{
    .name = "rate-limit-beyond-opensm",
    .severity = Severity::warning,
    .summary = "a rate code that OpenSM does not know yet",
    .reason = "codes from 23 on are 800 Gb/s and more",
    .opensm = "drops the whole policy (seen on ibsim: 3.3.23 knows codes up to 22)",
    .nvidia = "knows the codes of the links it supports",
    .repair = "leave the limit out where the subnet manager is OpenSM",
};

// Lines of qos-ulps.
inline constexpr Rule kUnknownUlp{
    .name = "unknown-ulp",
    .severity = Severity::error,
    .summary = "an upper layer protocol that `qos-ulps` does not know",
    .reason = "the line cannot be turned into a match rule",
    .opensm = "drops the whole policy (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "use `any` with a service id, P_Key or port GUID",
};
inline constexpr Rule kUlpCriterion{
    .name = "ulp-criterion",
    .severity = Severity::error,
    .summary = "a ULP with a criterion it does not take, or without one it needs",
    .reason = "each ULP is recognised by one property of its path queries",
    .opensm = "drops the whole policy (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "use a pair that the manual lists, such as `sdp, port-num` or `srp, target-port-guid`",
};
inline constexpr Rule kUnsupportedCriterion{
    .name = "unsupported-qos-criterion",
    .severity = Severity::error,
    .summary = "a criterion of inter-subnet queries",
    .reason = "release notes mention subnet prefixes and port GIDs, their syntax is not published",
    .opensm = "drops the whole policy (seen on ibsim)",
    .nvidia = "has such criteria since 5.10, with a syntax that is not published",
    .repair = "match by port GUID, or by port group",
};

inline constexpr const Rule* kRules[] = {
    &kSetupIgnored,       &kSwappedRange, &kKeywordInName,        &kUnquotedBlank, &kJoinedNames,
    &kSwallowedQualifier, &kOpenQuote,    &kQuotedList,           &kPlaceholder,   &kRateBeyondOpenSm,
    &kUnknownUlp,         &kUlpCriterion, &kUnsupportedCriterion,
};

}  // namespace rch::parsers::qos_policy
