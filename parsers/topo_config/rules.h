#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::topo_config {

inline constexpr std::string_view kNoSuchFile = "does not read this kind of file";

inline constexpr Rule kHeading{
    .name = "cable-list-heading",
    .severity = Severity::error,
    .summary = "a line with the names of the fields",
    .reason = "the manual prints them for the reader, and says that they are not part of the file",
    .opensm = kNoSuchFile,
    .nvidia = "is not known to skip it",
    .repair = "drop the line",
};
inline constexpr Rule kUnknownState{
    .name = "unknown-link-state",
    .severity = Severity::error,
    .summary = "a state of a listed cable that is none of `Active`, `Disabled` and `No-discover`",
    .reason = "whether the cable may be used is not known",
    .opensm = kNoSuchFile,
    .nvidia = "is not known to use the cable",
    .repair = "write `Active` for a cable that takes part",
};
inline constexpr Rule kUnknownType{
    .name = "unknown-device-type",
    .severity = Severity::warning,
    .summary = "a device type of a listed cable that is not `Any`",
    .reason = "no other type is published, and rch does not compare it",
    .opensm = kNoSuchFile,
    .nvidia = "may hold the cable out when the device is of another type",
    .repair = "write `Any`",
};
inline constexpr Rule kNoPeer{
    .name = "listed-without-peer",
    .severity = Severity::error,
    .summary = "an `Active` port in a list of cables without a peer",
    .reason = "a cable is used when it leads where the list says",
    .opensm = kNoSuchFile,
    .nvidia = "is not known to use the cable",
    .repair = "name the GUID and the port at the other end, or write `No-discover`",
};

inline constexpr const Rule* kRules[] = {&kHeading, &kUnknownState, &kUnknownType, &kNoPeer};

}  // namespace rch::parsers::topo_config
