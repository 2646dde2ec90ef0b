#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::enhanced_qos {

/// Only NVIDIA SM has this file; it says nothing about what its scanner tolerates.
inline constexpr std::string_view kOpenSm = "does not read this kind of file";
inline constexpr std::string_view kNvidiaUndefined =
    "calls the outcome of a file it cannot parse undefined and logs ERR 0707 in each sweep";

inline constexpr Rule kEntryOutsideSection{
    .name = "entry-outside-section",
    .severity = Severity::error,
    .summary = "a definition before any section header",
    .reason = "the header tells whether a line names a bandwidth or limits a port",
    .opensm = kOpenSm,
    .nvidia = kNvidiaUndefined,
    .repair = "put `BW_NAMES`, `BW_RULES` or `VPORT_BW_RULES` on a line before it",
};
inline constexpr Rule kRepeatedHeader{
    .name = "repeated-header",
    .severity = Severity::warning,
    .summary = "a section header that stands twice",
    .reason = "both parts are read as one section",
    .opensm = kOpenSm,
    .nvidia = "does not say whether it takes both parts",
    .repair = "join the two parts",
};
inline constexpr Rule kHeaderCase{
    .name = "header-case",
    .severity = Severity::warning,
    .summary = "a section header or keyword in the wrong case",
    .reason = "headers are upper case, `default` and `all` lower case",
    .opensm = kOpenSm,
    .nvidia = kNvidiaUndefined,
    .repair = "write it as the manual does",
};
inline constexpr Rule kUnknownHeader{
    .name = "unknown-header",
    .severity = Severity::error,
    .summary = "a line that is neither a definition nor a section header",
    .reason = "definitions have a `=`, headers are three fixed words",
    .opensm = kOpenSm,
    .nvidia = kNvidiaUndefined,
    .repair = "write `NAME = VALUE`, or one of the headers",
};
inline constexpr Rule kContinuedDefinition{
    .name = "continued-definition",
    .severity = Severity::warning,
    .summary = "a definition that goes on in the next line",
    .reason = "a definition is one line",
    .opensm = kOpenSm,
    .nvidia = "does not say whether a definition may go on",
    .repair = "write the definition on one line",
};
inline constexpr Rule kEmptyPolicy{
    .name = "empty-enhanced-qos",
    .severity = Severity::error,
    .summary = "an enhanced QoS policy file without a section header",
    .reason = "headers alone mean no limits; nothing at all means nothing",
    .opensm = kOpenSm,
    .nvidia = kNvidiaUndefined,
    .repair = "write `BW_NAMES` and `BW_RULES` to lift every limit, or unset the option",
};
inline constexpr Rule kSlPrefix{
    .name = "sl-prefix",
    .severity = Severity::warning,
    .summary = "`SL` before the number of a service level",
    .reason = "one sample of the manual writes `SL3:`, its syntax says `3:`",
    .opensm = kOpenSm,
    .nvidia = "shows both forms",
    .repair = "write the number alone",
};
inline constexpr Rule kRepeatedSl{
    .name = "repeated-sl",
    .severity = Severity::error,
    .summary = "an SL that one rule limits twice",
    .reason = "only one limit can hold",
    .opensm = kOpenSm,
    .nvidia = "does not say which of the two it takes",
    .repair = "keep one of them",
};
inline constexpr Rule kReservedBandwidth{
    .name = "reserved-bandwidth",
    .severity = Severity::error,
    .summary = "a bandwidth named `all` or `default`",
    .reason = "both are keywords of the rules",
    .opensm = kOpenSm,
    .nvidia = kNvidiaUndefined,
    .repair = "choose another name",
};
inline constexpr Rule kGroupInVportRules{
    .name = "group-in-vport-rules",
    .severity = Severity::error,
    .summary = "a port group in `VPORT_BW_RULES`",
    .reason = "groups hold physical ports, this section limits virtual ones",
    .opensm = kOpenSm,
    .nvidia = kNvidiaUndefined,
    .repair = "name virtual ports by GUID, or move the rule to `BW_RULES`",
};

inline constexpr const Rule* kRules[] = {
    &kEntryOutsideSection, &kRepeatedHeader, &kHeaderCase, &kUnknownHeader,     &kContinuedDefinition,
    &kEmptyPolicy,         &kSlPrefix,       &kRepeatedSl, &kReservedBandwidth, &kGroupInVportRules,
};

}  // namespace rch::parsers::enhanced_qos
