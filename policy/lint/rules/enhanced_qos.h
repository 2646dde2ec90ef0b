#pragma once

#include "base/diagnostic.h"

namespace rch::policy::enhanced_qos {

inline constexpr std::string_view kOpenSm = "does not read this kind of file";
inline constexpr std::string_view kUnpublished = "does not publish what it does with it";

inline constexpr Rule kUndefinedBandwidth{
    .name = "undefined-bandwidth",
    .severity = Severity::error,
    .summary = "a bandwidth that `BW_NAMES` does not define",
    .reason = "the limit has no number",
    .opensm = kOpenSm,
    .nvidia = "logs ERR 0707 and leaves the outcome undefined",
    .repair = "define the bandwidth, before or behind its use",
};
inline constexpr Rule kDuplicateBandwidth{
    .name = "duplicate-bandwidth",
    .severity = Severity::error,
    .summary = "a bandwidth that is defined twice",
    .reason = "rules name it by its name alone",
    .opensm = kOpenSm,
    .nvidia = kUnpublished,
    .repair = "rename one of them",
};
inline constexpr Rule kUnlimitedBandwidth{
    .name = "unlimited-bandwidth",
    .severity = Severity::warning,
    .summary = "a bandwidth of 0 limits nothing",
    .reason = "0 is the way to write no limit, and its name does not say that it is meant",
    .opensm = kOpenSm,
    .nvidia = "takes 0 as no limit, as its manual says",
    .repair = "write the number of Mb/s, or call it `unlimited`",
};
inline constexpr Rule kUnusedBandwidth{
    .name = "unused-bandwidth",
    .severity = Severity::note,
    .summary = "a bandwidth that no rule names",
    .reason = "it limits nothing",
    .opensm = kOpenSm,
    .nvidia = "says nothing",
    .repair = "remove it, or name it in a rule",
};
inline constexpr Rule kRepeatedRule{
    .name = "repeated-bandwidth-rule",
    .severity = Severity::warning,
    .summary = "a port, group or default that one section limits twice; the later rule wins",
    .reason = "the earlier rule has no effect",
    .opensm = kOpenSm,
    .nvidia = kUnpublished,
    .repair = "join the two rules",
};
inline constexpr Rule kUnusedSl{
    .name = "unused-sl",
    .severity = Severity::note,
    .summary = "a rate limit for an SL that nothing uses",
    .reason = "no partition, QoS level or ULP line puts packets on it",
    .opensm = kOpenSm,
    .nvidia = "says nothing",
    .repair = "limit an SL in use, or give a partition or QoS level this one",
};
inline constexpr Rule kVirtualPorts{
    .name = "virtual-port-limits",
    .severity = Severity::warning,
    .summary = "rate limits of virtual ports, which have no effect",
    .reason = "rch does not see virtual ports, and limits physical ports only",
    .opensm = kOpenSm,
    .nvidia = "writes them to the virtual ports",
    .repair = "limit the physical port in `BW_RULES`",
};

// On a fabric.
inline constexpr Rule kSwitchGuid{
    .name = "rate-limit-of-switch",
    .severity = Severity::warning,
    .summary = "a rate limit for the GUID of a switch",
    .reason = "limits work at ports of channel adapters",
    .opensm = kOpenSm,
    .nvidia = kUnpublished,
    .repair = "name the port of an adapter",
};
inline constexpr Rule kTwoGroups{
    .name = "port-in-two-rules",
    .severity = Severity::warning,
    .summary = "a port in two port groups with rate limits; the later rule wins",
    .reason = "the earlier rule has no effect on the port",
    .opensm = kOpenSm,
    .nvidia = kUnpublished,
    .repair = "give the port a rule of its own, or take it out of one group",
};
inline constexpr Rule kAboveLinkRate{
    .name = "limit-above-link-rate",
    .severity = Severity::note,
    .summary = "a rate limit above the rate of the port's link",
    .reason = "it limits nothing",
    .opensm = kOpenSm,
    .nvidia = "says nothing",
    .repair = "use 0 for no limit, or a smaller number",
};

inline constexpr const Rule* kRules[] = {
    &kUndefinedBandwidth, &kDuplicateBandwidth, &kUnlimitedBandwidth, &kUnusedBandwidth, &kRepeatedRule,
    &kUnusedSl,           &kVirtualPorts,       &kSwitchGuid,         &kTwoGroups,       &kAboveLinkRate,
};

}  // namespace rch::policy::enhanced_qos
