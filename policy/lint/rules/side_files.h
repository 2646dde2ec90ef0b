#pragma once

#include "base/diagnostic.h"

namespace rch::policy::side_files {

// Side files (docs/side-files.md and docs/diagnostics.md).
inline constexpr Rule kNoGuid{
    .name = "no-guid",
    .severity = Severity::warning,
    .summary = "a side file without an entry",
    .opensm =
        "gives updn up without roots (seen on ibsim) and ftree without compute or I/O nodes, so that minhop "
        "routes; goes on silently elsewhere",
    .nvidia = "gives the engine up where it needs the entries, as OpenSM",
    .repair = "list the GUIDs, or unset the option",
};
inline constexpr Rule kRepeatedEntry{
    .name = "repeated-entry",
    .severity = Severity::warning,
    .summary = "a GUID, port or id that stands twice in a side file",
    .opensm = "takes the last weight or id, the first name and order, and says nothing",
    .nvidia = "takes the last weight or id, the first name and order, as OpenSM",
    .repair = "keep one of the lines",
};
inline constexpr Rule kUnreachableRoute{
    .name = "unreachable-route",
    .severity = Severity::warning,
    .summary = "a prefix route behind one that takes any router for the same prefix",
    .opensm = "takes the first line that has a router, and never gets to this one",
    .nvidia = "takes the first line that has a router, and never gets to this one",
    .repair = "put the line above, or drop it",
};
inline constexpr Rule kConflictingRoles{
    .name = "conflicting-roles",
    .severity = Severity::warning,
    .summary = "one GUID in roles that exclude each other",
    .opensm = "does not compare the files; of compute and I/O nodes the compute nodes win",
    .nvidia = "does not compare the files, as OpenSM",
    .repair = "take the GUID out of one of the files",
};

// On a fabric (docs/side-files.md).
inline constexpr Rule kRootIsNoSwitch{
    .name = "root-is-no-switch",
    .severity = Severity::warning,
    .summary = "a root that is a CA or router; the switch it hangs on is taken",
    .reason = "the manuals allow it",
    .opensm = "ignores the line silently, and gives updn up when no other root is left (seen on ibsim)",
    .nvidia = "takes the switch, if its manual is right",
    .repair = "write the node GUID of the switch",
};
inline constexpr Rule kNotASwitch{
    .name = "not-a-switch",
    .severity = Severity::warning,
    .summary = "a GUID in a list of switches that names no switch",
    .opensm = "ignores the line silently",
    .nvidia = "ignores the line silently",
    .repair = "write the node GUID of a switch",
};
inline constexpr Rule kNotAPortGuid{
    .name = "not-a-port-guid",
    .severity = Severity::warning,
    .summary = "a node GUID in a list of port GUIDs",
    .opensm = "ignores the line silently",
    .nvidia = "ignores the line silently",
    .repair = "write the GUID of the port, as `ibstat` shows it",
};
inline constexpr Rule kNotARouter{
    .name = "not-a-router",
    .severity = Severity::warning,
    .summary = "a prefix route over a port that is no router's",
    .opensm = "goes on to the next line that matches",
    .nvidia = "goes on to the next line that matches",
    .repair = "write the port GUID of a router",
};

// Lists of cables (docs/cables.md).
inline constexpr std::string_view kNoCableList = "does not read this kind of file";
inline constexpr Rule kCablesDisagree{
    .name = "listed-ends-disagree",
    .severity = Severity::error,
    .summary = "a listed port that leads elsewhere by another line of the list",
    .reason = "a cable is used when it is as both lines say, so this one never is",
    .opensm = kNoCableList,
    .nvidia = "is not known to use the cable",
    .repair = "correct the line that is wrong",
};
inline constexpr Rule kCableNotAsListed{
    .name = "cable-not-as-listed",
    .severity = Severity::warning,
    .summary = "a listed port that leads elsewhere in the fabric",
    .reason = "the cable takes no part while `topo_config_enabled` is TRUE",
    .opensm = kNoCableList,
    .nvidia = "does not discover what is behind it",
    .repair = "plug the cable where the list says, or correct the list",
};
inline constexpr Rule kListedCableAbsent{
    .name = "listed-cable-absent",
    .severity = Severity::note,
    .summary = "a listed cable that the fabric does not have",
    .opensm = kNoCableList,
    .nvidia = "says nothing",
    .repair = "plug the cable, or drop the line",
};
inline constexpr Rule kUnlistedCable{
    .name = "unlisted-cable",
    .severity = Severity::warning,
    .summary = "a cable of the fabric that the list does not have",
    .reason = "it takes no part while `topo_config_enabled` is TRUE",
    .opensm = kNoCableList,
    .nvidia = "does not discover what is behind it",
    .repair = "list the cable, or pull it",
};

inline constexpr const Rule* kRules[] = {
    &kNoGuid,         &kRepeatedEntry,    &kUnreachableRoute,  &kConflictingRoles,
    &kRootIsNoSwitch, &kNotASwitch,       &kNotAPortGuid,      &kNotARouter,
    &kCablesDisagree, &kCableNotAsListed, &kListedCableAbsent, &kUnlistedCable,
};

}  // namespace rch::policy::side_files
