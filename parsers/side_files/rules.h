#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::side_files {

// Side files (docs/side-files.md).
inline constexpr Rule kGuidWithoutPort{
    .name = "guid-without-port",
    .severity = Severity::warning,
    .summary = "a GUID without a port in the list of ports left out of load counting",
    .reason = "manuals of NVIDIA SM list bare port GUIDs; only a switch and one of its ports can be left out",
    .opensm = "drops the line silently",
    .nvidia = "reads it as a port GUID, if its manual is right",
    .repair = "write `SWITCH-GUID PORT`",
};
inline constexpr Rule kSwappedColumns{
    .name = "swapped-columns",
    .severity = Severity::error,
    .summary = "a line with a small number where the GUID stands, and a GUID behind it",
    .opensm = "reads the number as a GUID that no node has, silently",
    .nvidia = "reads the number as a GUID that no node has, as OpenSM",
    .repair = "write the GUID first",
};
inline constexpr Rule kRepeatedOrderPort{
    .name = "repeated-order-port",
    .severity = Severity::error,
    .summary = "a port that stands twice in the order of one switch",
    .opensm = "drops the line silently",
    .nvidia = "drops the line silently, as OpenSM",
    .repair = "name each port once; ports left out follow in ascending order",
};
inline constexpr Rule kZeroWildcard{
    .name = "zero-wildcard",
    .severity = Severity::warning,
    .summary = "a prefix or GUID of zero in the prefix routes",
    .opensm = "reads it as `*`",
    .nvidia = "reads it as `*`, as OpenSM",
    .repair = "write `*` for any",
};
inline constexpr Rule kNameEndsEarly{
    .name = "name-ends-early",
    .severity = Severity::warning,
    .summary = "a node name that a `#` or a quote ends before its end",
    .opensm = "3.3.23 ends the name there, also inside quotes (seen on ibsim, with ibnetdiscover 44.0 too)",
    .nvidia = "is not known to differ",
    .repair = "leave `#` and quotes out of the name",
};
inline constexpr Rule kUnclosedName{
    .name = "unclosed-name",
    .severity = Severity::warning,
    .summary = "a node name whose quote is not closed on its line",
    .opensm = "3.3.23 takes the rest of the line as the name (seen on ibsim, with ibnetdiscover 44.0 too)",
    .nvidia = "is not known to differ",
    .repair = "close the quote",
};
inline constexpr Rule kBlankBeforeSeparator{
    .name = "blank-before-separator",
    .severity = Severity::warning,
    .summary = "a blank before the `=` or `,` of a logging line",
    .reason = "the blank is the separator already, and the sign stands where the flags are expected",
    .opensm = "reads the sign as flags 0 and ignores the flags behind it",
    .nvidia = "reads the sign as flags 0, as OpenSM",
    .repair = "write `FILE.c=FLAGS`",
};
inline constexpr Rule kUnknownModule{
    .name = "unknown-module",
    .severity = Severity::warning,
    .summary = "a logging line for a source file that OpenSM does not have",
    .opensm =
        "logs `Module name … not found` for the first such line and ignores all lines behind it (seen on "
        "ibsim)",
    .nvidia = "has source files of its own that are not published",
    .repair = "name a source file of OpenSM, with its `.c`",
};

inline constexpr const Rule* kRules[] = {
    &kSwappedColumns, &kGuidWithoutPort, &kRepeatedOrderPort,    &kZeroWildcard,
    &kNameEndsEarly,  &kUnclosedName,    &kBlankBeforeSeparator, &kUnknownModule,
};

}  // namespace rch::parsers::side_files
