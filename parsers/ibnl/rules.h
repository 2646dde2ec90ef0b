#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::ibnl {

inline constexpr std::string_view kNotRead = "does not read this kind of file";

// Lines (docs/ibdm.md).
inline constexpr Rule kComment{
    .name = "ibnl-comment",
    .severity = Severity::warning,
    .summary = "a comment in a system definition",
    .reason = "rch skips it; IBDM's scanner knows no comments and stops reading the file there",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "keep comments in a file of their own",
};
inline constexpr Rule kBadName{
    .name = "ibnl-bad-name",
    .severity = Severity::error,
    .summary = "a word that cannot be a name",
    .reason =
        "IBDM takes a letter and then letters, digits and `[]\\*-/_.:%@~`, two characters at least, and no "
        "keyword; it stops reading the file at anything else",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "begin the name with a letter, e.g. `P1` in place of `1`",
};
inline constexpr Rule kBlankBeforeArrow{
    .name = "ibnl-blank-before-arrow",
    .severity = Severity::error,
    .summary = "no blank between a name and its arrow",
    .reason = "a name may hold `-`, so IBDM reads the beginning of the arrow as part of the name",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "put a blank before the arrow",
};
inline constexpr Rule kBadRate{
    .name = "ibnl-bad-rate",
    .severity = Severity::error,
    .summary = "an arrow with an unknown width or speed",
    .reason =
        "IBDM knows 1x, 4x, 8x and 12x, then 2.5G, 5G and 10G, and stops reading the file at any other word",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write `->`, `-4x->`, `-10G->` or `-4x-10G->`",
};
inline constexpr Rule kUnknownLine{
    .name = "ibnl-unknown-line",
    .severity = Severity::error,
    .summary = "a line that is neither heading, connection nor attribute",
    .reason = "IBDM stops reading the file there and keeps the half it has",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write SYSTEM, TOPSYSTEM, NODE or SUBSYSTEM headings, and `PORT -> PEER` below them",
};
inline constexpr Rule kLineForm{
    .name = "ibnl-line-form",
    .severity = Severity::error,
    .summary = "a line with too few or too many words",
    .reason = "IBDM stops reading the file there and keeps the half it has",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "complete the line, e.g. `NODE SW 24 MT47396 U1` or `SUBSYSTEM LEAF leaf1`",
};
inline constexpr Rule kNodeKind{
    .name = "ibnl-node-kind",
    .severity = Severity::error,
    .summary = "a NODE that is neither SW, CA nor HCA",
    .reason = "IBDM stops reading the file there",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write SW for a switch, CA or HCA for a channel adapter",
};
inline constexpr Rule kStrayLine{
    .name = "ibnl-stray-line",
    .severity = Severity::error,
    .summary = "a line in a place where it belongs to nothing",
    .reason = "IBDM stops reading the file there",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "put connections below NODE or SUBSYSTEM, attributes directly below TOPSYSTEM",
};
inline constexpr Rule kTopSystem{
    .name = "ibnl-topsystem",
    .severity = Severity::error,
    .summary = "not exactly one TOPSYSTEM at the end of the file",
    .reason = "the TOPSYSTEM is what topology files instantiate; IBDM stops reading at whatever follows it",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "end the file with one TOPSYSTEM, the boards before it as SYSTEM",
};

// Definitions (docs/ibdm.md).
inline constexpr Rule kDuplicateSystem{
    .name = "ibnl-duplicate-system",
    .severity = Severity::error,
    .summary = "a name that two systems of one file have",
    .reason = "IBDM takes the one it read last, silently",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "rename one of them",
};
inline constexpr Rule kReplacedSystem{
    .name = "ibnl-replaced-system",
    .severity = Severity::warning,
    .summary = "a system type that another file defines too",
    .reason = "the definition read last counts, and IBDM says nothing",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "keep one of the files in the directories that are read",
};
inline constexpr Rule kDuplicateInstance{
    .name = "ibnl-duplicate-instance",
    .severity = Severity::error,
    .summary = "a name that two parts of one system have",
    .reason = "IBDM keeps the last part only, silently",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "rename one of them",
};
inline constexpr Rule kPortUsedTwice{
    .name = "ibnl-port-used-twice",
    .severity = Severity::error,
    .summary = "a port with two connections",
    .reason = "IBDM keeps one of the two, silently or with a word about disconnecting",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "drop one of the lines; a connection may be stated once from each end",
};
inline constexpr Rule kRatesDiffer{
    .name = "ibnl-rates-differ",
    .severity = Severity::error,
    .summary = "a connection whose two ends state different rates",
    .reason = "which of the two counts in IBDM depends on the order of names",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "state the same width and speed at both ends, or the connection once",
};
inline constexpr Rule kPortOutOfRange{
    .name = "ibnl-port-out-of-range",
    .severity = Severity::error,
    .summary = "a port number beyond the ports of its NODE",
    .reason = "IBDM prints an error and goes on without the connection",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "correct the port, or the number of ports in the NODE line",
};
inline constexpr Rule kUnknownInstance{
    .name = "ibnl-unknown-instance",
    .severity = Severity::error,
    .summary = "a connection to a part that the system does not have",
    .reason = "IBDM prints an error and goes on without the connection",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "name a NODE of the system on a NODE's line, a SUBSYSTEM on a SUBSYSTEM's",
};
inline constexpr Rule kUnknownBoard{
    .name = "ibnl-unknown-board",
    .severity = Severity::error,
    .summary = "a SUBSYSTEM whose SYSTEM the file does not define",
    .reason = "IBDM prints an error and treats the board as absent",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "define the SYSTEM in the same file",
};
inline constexpr Rule kBoardCycle{
    .name = "ibnl-board-cycle",
    .severity = Severity::error,
    .summary = "systems that contain each other",
    .reason = "no device can be built so; IBDM does not check it",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "let boards contain only what is smaller than they are",
};
inline constexpr Rule kDanglingPort{
    .name = "ibnl-dangling-port",
    .severity = Severity::warning,
    .summary = "a connection of a port that no variant of the board has",
    .reason = "IBDM drops the connection silently, and with it the front panel port",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "correct the port's name, or define it in the board's SYSTEM",
};
inline constexpr Rule kIneffectiveRate{
    .name = "ibnl-ineffective-rate",
    .severity = Severity::warning,
    .summary = "a width or speed of a front panel port that has no effect",
    .reason = "a front panel port has the rate of the innermost line that wires it",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "state the rate at the NODE's port",
};
inline constexpr Rule kCfgNotApplied{
    .name = "ibnl-cfg-not-applied",
    .severity = Severity::warning,
    .summary = "a CFG line in a system definition",
    .reason = "IBDM reads it and never applies it; neither does rch",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "choose boards in the topology file: `TYPE NAME CFG: board=modifier`",
};
inline constexpr Rule kNoDeviceId{
    .name = "ibnl-no-device-id",
    .severity = Severity::warning,
    .summary = "a device name that holds no device id",
    .reason = "the id is the first number in the name (MT47396: 47396); without one it is 0",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write the device's id behind its letters",
};
inline constexpr Rule kUnknownAttributeNode{
    .name = "ibnl-unknown-attribute-node",
    .severity = Severity::warning,
    .summary = "an attribute of a node that the system does not have",
    .reason = "IBDM warns whenever the system is used",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "give the path of a NODE from the top, e.g. `spine1/U1=isChaBma`",
};

inline constexpr const Rule* kRules[] = {
    &kComment,
    &kBadName,
    &kBlankBeforeArrow,
    &kBadRate,
    &kUnknownLine,
    &kLineForm,
    &kNodeKind,
    &kStrayLine,
    &kTopSystem,
    &kDuplicateSystem,
    &kReplacedSystem,
    &kDuplicateInstance,
    &kPortUsedTwice,
    &kRatesDiffer,
    &kPortOutOfRange,
    &kUnknownInstance,
    &kUnknownBoard,
    &kBoardCycle,
    &kDanglingPort,
    &kIneffectiveRate,
    &kCfgNotApplied,
    &kNoDeviceId,
    &kUnknownAttributeNode,
};

}  // namespace rch::parsers::ibnl
